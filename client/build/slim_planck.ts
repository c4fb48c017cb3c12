/**
 * Removes the parts of planck that no page runs. A bundler removes unused top-level names, but keeps every method of a
 * class and all names in it. This plugin removes methods, too, by name alone:
 *
 *     a name is live if `planck.ts`, `planck_types.ts` or live text mentions it
 *     a method is live if its class and its name are live
 *
 * Code that runs is unchanged. A method that was removed by mistake throws when it is called. The golden run of the
 * browser test uses the same bundle.
 */
import type { Plugin } from "esbuild";
import { ALWAYS, cut, WITHOUT_JOINTS, WITHOUT_POLYGONS } from "./planck_cuts.ts";

/** A path inside the project: the build has no permission to read outside, where esbuild's resolved path may lead. */
const PLANCK = new URL("../../node_modules/planck/dist/planck.mjs", import.meta.url);
/** The module that imports planck, and the types of all that other modules may call. */
const DOOR = new URL("../../shared/physics/planck/planck.ts", import.meta.url);
const FACADE = new URL("../../shared/physics/planck/planck_types.ts", import.meta.url);

/** Exports of planck that the dragon game's page does not need: joints, and shapes other than box and circle. */
export const UNUSED_BY_DRAGONS = [
  "DistanceJoint",
  "Edge",
  "Polygon",
  "PrismaticJoint",
  "RevoluteJoint",
  "RopeJoint",
  "WeldJoint",
];

/** planck's world creates its own broad-phase. The stage replaces it while the world is empty. */
const BROAD_PHASE = "new BroadPhase()";

/** One top-level statement, or one method of a class. */
interface Part {
  readonly text: string;
  /** Identifiers, `.properties` and `Class.statics` that must all be live for the part to be live. */
  readonly needs: readonly string[];
  /** Those that the part mentions. */
  readonly says: ReadonlySet<string>;
}

export interface SlimOptions {
  /** The source of planck.mjs. */
  readonly planck: string;
  /** Imported names: `Box`, … */
  readonly imported: readonly string[];
  /** Names of methods that are called from outside, and static members that are read: `Settings.linearSlop`. */
  readonly called: readonly string[];
}

/** @returns planck's source with the live parts only. @throws Error for another version of planck */
export function slimmed({ planck, imported, called }: SlimOptions): string {
  if (planck.split(BROAD_PHASE).length !== 2) throw new Error(`planck has not one ${BROAD_PHASE}: look at it again`);
  const [body, exported] = planck.replace(BROAD_PHASE, "null").split(/^export \{/m) as [string, string];
  const locals = new Map([...exported.matchAll(/(\w+)(?: as (\w+))?/g)].map(([, local, as]) => [as ?? local!, local!]));
  const wanted = imported.map((name) => {
    const local = locals.get(name);
    if (local === undefined) throw new Error(`planck exports no ${name}`);
    return `${local} as ${name}`;
  });
  const parts = statementsOf(withoutCounts(withoutComments(body))).flatMap(partsOf);
  const living = livingOf(parts, [
    ...imported.map((name) => locals.get(name)!),
    ...called.map((name) => name.includes(".") ? name : `.${name}`),
  ]);
  const kept = parts.filter((part) => living.has(part)).map(({ text }) => text);
  return `${kept.join("")}\nexport { ${wanted.join(", ")} };\n`;
}

/** Names in comments keep nothing alive. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, "");
}

/** Removes planck's statistics of times of impact. Nothing reads them, and a simulation must read no clock. */
function withoutCounts(text: string): string {
  return text.replace(/^ *(?:\+\+stats\.\w+|stats\.\w+ \+?= .*|var \w+ = Timer\.\w+\(.*\));\n/gm, "");
}

/** A statement begins in the first column after the end of the previous one. */
function statementsOf(text: string): string[] {
  return text.split(/(?<=[;}]\n)(?=[^\s)}])/);
}

/** `Of.prototype.name = function…`, `Of.name = function…`, a property that is a getter, or `Of.name = value`. */
const METHOD =
  /^ {4}(?:(?:\w+\.(prototype\.)?(\w+) = function\b.*|Object\.defineProperty\(\w+(\.prototype)?, "(\w+)", )\{\n(?:[\s\S]*?\n)?? {4}\}\)?|\w+2\.(\w+) = [^\n{]*);\n/gm;

/** Splits a class into its methods and the text around them. Static members are named with their class. */
function partsOf(statement: string): Part[] {
  const owner = ownersOf(statement), [name] = owner;
  // Inside its own statement planck's class has a name with a 2.
  const named = (text: string) => name === undefined ? text : text.replaceAll(`${name}2.`, `${name}.`);
  const parts: Part[] = [];
  let from = 0;
  for (const method of statement.matchAll(METHOD)) {
    const [text, ofObject, called, read, property, value] = method, isObjects = (ofObject ?? read) !== undefined;
    parts.push(part(statement.slice(from, method.index), owner, named));
    from = method.index + text.length;
    parts.push(
      part(text, [...owner, `${isObjects ? "" : name}.${called ?? property ?? value}`], named),
    );
  }
  return [...parts, part(statement.slice(from), owner, named)];
}

/** @returns the names that must be live for the statement to be live; none for a statement that always is */
function ownersOf(statement: string): string[] {
  const registered = /^Contact\.addType\((\w+)\.TYPE, (\w+)\.TYPE,/.exec(statement);
  if (registered !== null) return ["Contact", registered[1]!, registered[2]!];
  const declared = /^(?:var|const|function) ([\w$]+)/.exec(statement) ?? /^([\w$]+)[.[]/.exec(statement) ??
    /^\(function\(\w+\)[\s\S]*\(([\w$]+) \|\| /.exec(statement);
  return declared === null ? [] : [declared[1]!];
}

/** @param named replaces the inner name of a class by its outer one */
function part(text: string, needs: readonly string[], named: (text: string) => string): Part {
  const words = named(text);
  return {
    text,
    needs,
    says: new Set([...words.match(/\.?(?<![\w$])[\w$]+/g) ?? [], ...words.match(/\b[A-Z]\w*\.\w+/g) ?? []]),
  };
}

function livingOf(parts: readonly Part[], roots: readonly string[]): ReadonlySet<Part> {
  const names = new Set(roots), living = new Set<Part>();
  for (let before = -1; before !== living.size;) {
    before = living.size;
    for (const part of parts) {
      if (living.has(part) || !part.needs.every((name) => names.has(name))) continue;
      living.add(part);
      for (const name of part.says) names.add(name);
    }
  }
  return living;
}

/** @param without exports of planck to replace by classes that throw; code that only they need is removed, too */
export function slimPlanck({ without }: { without: readonly string[] }): Plugin {
  return {
    name: "slim planck",
    setup(build) {
      build.onLoad({ filter: /[\\/]planck[\\/]dist[\\/]planck\.mjs$/ }, async () => {
        const [planck, door, facade] = await Promise.all([PLANCK, DOOR, FACADE].map((file) => Deno.readTextFile(file)));
        const named = /^import \{([^}]*)\} from .planck.;/m.exec(door!)![1]!.match(/\w+/g)!;
        const imported = named.filter((name) => !without.includes(name));
        const calls = [...`${door}${facade}`.matchAll(/\b(\w+)\(/g), ...door!.matchAll(/\b([A-Z]\w*\.\w+)/g)].map((
          [, name],
        ) => name!);
        // Without joint classes no joint is ever created or destroyed.
        const hasJoints = !without.includes("RevoluteJoint");
        const called = hasJoints ? calls : calls.filter((name) => name !== "createJoint" && name !== "destroyJoint");
        const cuts = [
          ...ALWAYS,
          ...(hasJoints ? [] : WITHOUT_JOINTS),
          ...(without.includes("Polygon") ? WITHOUT_POLYGONS : []),
        ];
        const contents = slimmed({ planck: cut(planck!, cuts), imported, called }) + without.map(missing).join("");
        return { contents, loader: "js" };
      });
    },
  };
}

function missing(name: string): string {
  return `export class ${name} { constructor() { throw new Error("this page was built without planck's ${name}") } }\n`;
}
