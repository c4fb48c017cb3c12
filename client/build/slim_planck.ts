/**
 * planck without what no page runs. A bundler leaves out a top-level name that nobody says; of a class it must keep every method,
 * and with them all that they say. Here methods are left out, too, by name alone:
 *
 *     a name lives where the stage's facade says it, or text that lives;  a method lives where its class and its name do
 *
 * Nothing that runs is changed, and what is gone by mistake is no function, loudly. The golden run of the browser test is
 * bundled so, too.
 */
import type { Plugin } from "esbuild";
import { ALWAYS, cut, WITHOUT_JOINTS, WITHOUT_POLYGONS } from "./planck_cuts.ts";

/** By the project's own name for it: the path that esbuild finds behind links may be outside what a build may read. */
const PLANCK = new URL("../../node_modules/planck/dist/planck.mjs", import.meta.url);
/** Who imports planck, and what all others may call of it. */
const DOOR = new URL("../../shared/physics/planck/planck.ts", import.meta.url);
const FACADE = new URL("../../shared/physics/planck/planck_types.ts", import.meta.url);

/** What planck exports and the dragon game's page does not need: joints, and shapes that are no box or circle. */
export const UNUSED_BY_DRAGONS = [
  "DistanceJoint",
  "Edge",
  "Polygon",
  "PrismaticJoint",
  "RevoluteJoint",
  "RopeJoint",
  "WeldJoint",
];

/** A world begins with planck's own broad-phase, and the stage gives it another before anything is in it. */
const BROAD_PHASE = "new BroadPhase()";

/** One top-level statement, or one method of a class. */
interface Part {
  readonly text: string;
  /** The identifiers, `.properties`, and `Classes.own`, that must all live for it to live. */
  readonly needs: readonly string[];
  /** Those that it says. */
  readonly says: ReadonlySet<string>;
}

export interface SlimOptions {
  /** The source of planck.mjs. */
  readonly planck: string;
  /** What is imported of it: `Box`, … */
  readonly imported: readonly string[];
  /** The methods that are called from outside, and what is read of a class itself: `Settings.linearSlop`. */
  readonly called: readonly string[];
}

/** @throws Error where planck is not the one that this was written for */
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

/** What is said in them is said to nobody. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, "");
}

/** How often and how long planck looked for meetings: nobody asks, and a clock is none of a simulation's affair. */
function withoutCounts(text: string): string {
  return text.replace(/^ *(?:\+\+stats\.\w+|stats\.\w+ \+?= .*|var \w+ = Timer\.\w+\(.*\));\n/gm, "");
}

/** A new one begins in the first column, where the last one has ended. */
function statementsOf(text: string): string[] {
  return text.split(/(?<=[;}]\n)(?=[^\s)}])/);
}

/** `Of.prototype.name = function…`, `Of.name = function…`, a property that is a getter, or `Of.name = value`. */
const METHOD =
  /^ {4}(?:(?:\w+\.(prototype\.)?(\w+) = function\b.*|Object\.defineProperty\(\w+(\.prototype)?, "(\w+)", )\{\n(?:[\s\S]*?\n)?? {4}\}\)?|\w+2\.(\w+) = [^\n{]*);\n/gm;

/** A class is cut into its methods and what stands around them. What is the class's own, and no object's, is said with its name. */
function partsOf(statement: string): Part[] {
  const owner = ownersOf(statement), [name] = owner;
  // Within its own statement a class is called so.
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

/** Whose statement it is; nobody's where it is none of these, and then it lives. */
function ownersOf(statement: string): string[] {
  const registered = /^Contact\.addType\((\w+)\.TYPE, (\w+)\.TYPE,/.exec(statement);
  if (registered !== null) return ["Contact", registered[1]!, registered[2]!];
  const declared = /^(?:var|const|function) ([\w$]+)/.exec(statement) ?? /^([\w$]+)[.[]/.exec(statement) ??
    /^\(function\(\w+\)[\s\S]*\(([\w$]+) \|\| /.exec(statement);
  return declared === null ? [] : [declared[1]!];
}

/** @param named the text as everybody says it */
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

/** @param without exports of planck that throw when they are used: what only they need is left out, too */
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
        // Without kinds of joints nobody makes one.
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
