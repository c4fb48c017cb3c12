/**
 * The imports of each file, read from its tokens. An import in a comment or in a planted text does
 * not count.
 */
import { importNameOf, LIBRARIES } from "../../client/build/libraries.ts";
import type { Source } from "./sources.ts";

/** @returns paths from the repository's root, or bare package names, in the order of the file */
export function importsOf({ path, tokens }: Source): string[] {
  const code = tokens.filter(({ kind }) => kind !== "comment");
  const isSpecifier = (i: number) => {
    if (!code[i]!.text.startsWith('"')) return false;
    const before = code[i - 1]?.text;
    return before === "from" || before === "import" ||
      before === "(" && code[i - 2]?.text === "import";
  };
  return code.filter((_, i) => isSpecifier(i)).map(({ text }) =>
    pathOfSpecifier(path, text.slice(1, -1))
  );
}

/** The modules of this repository that have a name of the package, such as "wyvern/view". */
const LIBRARY_PATHS: ReadonlyMap<string, string> = new Map(
  Object.entries(LIBRARIES).map(([library, path]) => [importNameOf(library), path]),
);

/**
 * @param from path of the importing file
 * @returns a path from the repository's root, or the bare package name
 */
export function pathOfSpecifier(from: string, specifier: string): string {
  if (specifier.startsWith(".")) return new URL(specifier, `http://x/${from}`).pathname.slice(1);
  return LIBRARY_PATHS.get(specifier) ?? specifier;
}

/**
 * Finds import circles: strongly connected components of several files, and files that import
 * themselves. The algorithm is Tarjan's ("Depth-first search and linear graph algorithms", 1972).
 * @returns each circle as its paths in ascending order
 */
export function importCircles(sources: readonly Source[]): string[][] {
  const search = new CircleSearch(
    new Map(sources.map((source) => [source.path, importsOf(source)])),
  );
  return search.run();
}

/**
 * Finds the rooms of the server that import each other: its folders stand in one order, with the
 * programs on top (DESIGN 2). A file beside the folders is a room of its own.
 */
export function roomCircles(sources: readonly Source[]): string[][] {
  const imports = new Map<string, string[]>();
  for (const source of sources) {
    const room = roomOf(source.path);
    if (room === undefined) continue;
    const others = importsOf(source).flatMap((path) => roomOf(path) ?? []);
    const known = imports.get(room) ?? [];
    imports.set(room, [...known, ...others.filter((other) => other !== room)]);
  }
  return new CircleSearch(imports).run();
}

/** @returns undefined for a file that is not the server's */
function roomOf(path: string): string | undefined {
  return /^server\/[\w.]+/.exec(path)?.[0];
}

class CircleSearch {
  readonly #imports: ReadonlyMap<string, readonly string[]>;
  readonly #circles: string[][] = [];
  /** The order in which files were first visited. */
  readonly #orders = new Map<string, number>();
  readonly #open: string[] = [];

  constructor(imports: ReadonlyMap<string, readonly string[]>) {
    this.#imports = imports;
  }

  run(): string[][] {
    for (const path of this.#imports.keys()) if (!this.#orders.has(path)) this.#visit(path);
    return this.#circles;
  }

  /** @returns the lowest order among the open files that this one reaches */
  #visit(path: string): number {
    const order = this.#orders.size;
    let lowest = order;
    this.#orders.set(path, order);
    this.#open.push(path);
    const targets = this.#imports.get(path)!.filter((target) => this.#imports.has(target));
    for (const target of targets) {
      if (!this.#orders.has(target)) lowest = Math.min(lowest, this.#visit(target));
      else if (this.#open.includes(target)) lowest = Math.min(lowest, this.#orders.get(target)!);
    }
    if (lowest === order) {
      const component = this.#open.splice(this.#open.indexOf(path));
      if (component.length > 1 || targets.includes(path)) this.#circles.push(component.sort());
    }
    return lowest;
  }
}
