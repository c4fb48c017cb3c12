/**
 * Gives each test a time limit. `deno test --preload` runs this module before a file of tests. A test
 * that hangs then fails by its name, and the tests after it still run.
 */

/** Five times what the longest test takes on a quiet machine with two cores, ms. */
const TEST_MS_MAX = 480_000;

type Define = (definition: Deno.TestDefinition) => void;
type TestFunction = Deno.TestDefinition["fn"];

/** One of the argument lists of `Deno.test`: a definition, a name, options, a function. */
type TestArguments = readonly (string | Partial<Deno.TestDefinition> | TestFunction)[];

const define: Define = Deno.test;

function defineLimited(...given: TestArguments): void {
  const definition: { -readonly [Key in keyof Deno.TestDefinition]?: Deno.TestDefinition[Key] } = {
    timeout: TEST_MS_MAX,
  };
  for (const each of given) {
    if (typeof each === "string") definition.name = each;
    else if (typeof each === "object") Object.assign(definition, each);
    else definition.fn = each;
  }
  definition.name ??= definition.fn!.name;
  define(definition as Deno.TestDefinition);
}

Object.assign(Deno, { test: Object.assign(defineLimited, Deno.test) });
