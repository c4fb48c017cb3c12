/** Refuses names whose values differ between machines, engines or runs. */
import type { Node, Rule } from "./lint_types.ts";
import { isPure } from "./places.ts";
import { isSame, Variables } from "./variables.ts";

/** Members of `Math` that IEEE 754 or ECMAScript fix to the bit. */
const EXACT_MATH = new Set(
  "abs ceil clz32 floor fround imul max min round sign sqrt trunc E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2"
    .split(" "),
);

const KIT_MATHS =
  "import { sin, cos, atan2, hypot, directionOf } from the game kit (or from shared/physics/core/math.ts)";
const MATHS: Readonly<Record<string, string>> = {
  random:
    "world.random(n) of the game kit, or a declared field with nextRandom() of shared/random.ts",
  pow: "products: x * x",
  exp: "exp() of shared/exp.ts",
  hypot: `Math.sqrt(x * x + y * y), or ${KIT_MATHS}`,
  tan: `sin(a) / cos(a): ${KIT_MATHS}`,
};

const CLOCK =
  "the match's own time: world.tick, world.ticks(seconds) and clock() fields, or the stage's tick";
const TIMER = "a clock() field that counts ticks down";
const PLATFORM =
  "nothing: rules compute with the state and the commands alone, on the server and on every page";
const COLLECTED = "a plain array or Map: garbage collection runs at other times on every machine";

/** The replacement of a global name. */
const GLOBALS: Readonly<Record<string, string>> = {
  Date: CLOCK,
  performance: CLOCK,
  Temporal: CLOCK,
  setTimeout: TIMER,
  setInterval: TIMER,
  requestAnimationFrame: TIMER,
  queueMicrotask: TIMER,
  crypto: MATHS.random!,
  Intl: "plain strings: locales differ between machines",
  WeakRef: COLLECTED,
  FinalizationRegistry: COLLECTED,
  ...Object.fromEntries(
    ("Deno process document window navigator location localStorage sessionStorage indexedDB fetch XMLHttpRequest " +
      "WebSocket EventSource Worker alert globalThis self eval").split(" ").map((
        name,
      ) => [name, PLATFORM]),
  ),
};

const LOCALE_METHODS = /^(localeCompare|toLocale\w*)$/;

/** `wyvern/pure-names`. */
export const pureNames: Rule = {
  create(context) {
    if (!isPure(context.filename)) return {};
    const variables = new Variables();
    const identifiers: Node[] = [];
    const report = (node: Node, name: string, instead: string) =>
      context.report({
        node,
        message: `${name} differs between machines, engines or runs`,
        hint: `Use ${instead}`,
      });
    const power = (node: Node) => {
      if (/^\*\*=?$/.test(node.operator)) report(node, `The operator ${node.operator}`, MATHS.pow!);
    };
    return {
      ...variables.visitor(),
      Identifier: (node) => void identifiers.push(node),
      BinaryExpression: power,
      AssignmentExpression: power,
      MemberExpression({ property, computed }: Node) {
        if (computed || !LOCALE_METHODS.test(property.name ?? "")) return;
        report(
          property,
          `${property.name}()`,
          "comparisons with < and >, and your own texts: locales differ",
        );
      },
      "Program:exit"() {
        for (const [i, node] of identifiers.entries()) {
          // `{ crypto }` has two nodes at one place: the key and the value.
          if (i > 0 && isSame(node, identifiers[i - 1])) continue;
          if (!isReference(node) || variables.resolve(node) !== undefined) continue;
          if (node.name === "Math") reportMath(node, report);
          else if (Object.hasOwn(GLOBALS, node.name)) report(node, node.name, GLOBALS[node.name]!);
        }
      },
    };
  },
};

function reportMath(node: Node, report: (node: Node, name: string, instead: string) => void): void {
  const { parent } = node;
  const isMember = parent.type === "MemberExpression" && !parent.computed &&
    isSame(parent.object, node);
  if (!isMember) return report(node, "Math as a value", "each function by its name: Math.sqrt(x)");
  const { name } = parent.property;
  if (!EXACT_MATH.has(name)) report(parent, `Math.${name}`, MATHS[name] ?? KIT_MATHS);
}

/** Whether an identifier names a variable: not a property, a key, a label or a type. */
function isReference(node: Node): boolean {
  const { parent } = node;
  switch (parent.type) {
    case "MemberExpression":
      return parent.computed || !isSame(parent.property, node);
    case "Property":
      return parent.computed || parent.shorthand || !isSame(parent.key, node);
    case "PropertyDefinition":
    case "MethodDefinition":
      return parent.computed || !isSame(parent.key, node);
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
    case "ImportSpecifier":
    case "ExportSpecifier":
      return false;
    default:
      return !parent.type.startsWith("TS") ||
        /^TS(As|Satisfies|NonNull)Expression$/.test(parent.type);
  }
}
