import { assertEquals, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { copyProject } from "../support/project_copy.ts";
import type { Plugin } from "./lint_types.ts";
import plugin from "./plugin.ts";

interface Diagnostic {
  readonly id: string;
  readonly message: string;
  readonly hint?: string;
}

/** Deno has it in `deno test` alone, and declares it among its unstable types. */
const { runPlugin } = (Deno as unknown as {
  lint: { runPlugin(plugin: Plugin, fileName: string, source: string): Diagnostic[] };
}).lint;

const PROJECT = new URL("../../", import.meta.url);

function faultsIn(source: string, path = "shared/games/hop/game.ts"): string[] {
  return runPlugin(plugin, fileURLToPath(new URL(path, PROJECT)), source).map((
    { id, message, hint },
  ) => `${id}: ${message}. ${hint}`);
}

/** Sources, and words of each fault that they have. */
const REFUSED: readonly (readonly [source: string, ...words: string[]])[] = [
  [
    "export const f = () => Math.random();",
    "wyvern/pure-names: Math.random differs|world.random(n)",
  ],
  [
    "export const f = (a) => Math.sin(a) + Math.hypot(a, 1);",
    "Math.sin differs|sin, cos",
    "Math.hypot differs|Math.sqrt",
  ],
  ["export const f = (a) => Math['sin'](a);", "Math as a value"],
  ["const { sqrt } = Math;", "Math as a value"],
  ["const M = Math;", "Math as a value"],
  ["export const f = (a) => a ** 2;", "The operator ** differs|x * x"],
  ["export function f(a) { a **= 3; return a; }", "The operator **= differs"],
  [
    "export const f = () => Date.now() + performance.now();",
    "Date differs|world.tick",
    "performance differs",
  ],
  ["export const f = () => new Date();", "Date differs"],
  ["export const f = () => setTimeout(() => {}, 1);", "setTimeout differs|clock() field"],
  ["export const f = () => globalThis.x + Deno.pid;", "globalThis differs", "Deno differs"],
  ["export const f = () => ({ crypto });", "crypto differs|world.random"],
  ["export const f = (a, b) => a.localeCompare(b);", "localeCompare() differs"],
  ["export const f = () => new WeakRef({});", "WeakRef differs"],
  [
    "let hits = 0;",
    "wyvern/module-state: The module variable hits is no part of the state|Declare a field",
  ],
  ["export let [a, b] = [1, 2];", "The module variable [a, b]"],
  [
    "const memory = { hits: 0 }; export function f() { memory.hits++; }",
    "A function changes memory",
  ],
  [
    "const list = []; export const f = () => { list.push(1); list[0] = 2; };",
    "A function changes list",
  ],
  ["const seen = new Set(); export const f = (id) => seen.add(id);", "A function changes seen"],
  ["const o = { a: {} }; export const f = (k) => { delete o.a[k]; };", "A function changes o"],
  [
    "export class A { static count = 0; static #b = 1; }",
    "The static property count",
    "The static property #b",
  ],
  ["export function f(o) { for (const k in o) g(k); }", "wyvern/ordered-iteration: for…in lists"],
  [
    "class A { readonly #m = new Map(); f() { for (const [k] of this.#m) g(k); } }",
    "The order of this.#m depends|sort the keys",
  ],
  ["class A { s: Set<number>; f() { this.s.forEach(g); } }", "The order of this.s depends"],
  ["class A { s = new Set(); f() { return [...this.s.keys()]; } }", "The order of this.s depends"],
  [
    "export function f(m: ReadonlyMap<number, string>) { for (const k of m.keys()) g(k); }",
    "The order of m depends",
  ],
  [
    "function make() { const m = new Map(); return () => { for (const v of m.values()) g(v); }; }",
    "The order of m depends",
  ],
  [
    "function make() { const o = {}; return (k) => { o[k] = 1; return Object.keys(o); }; }",
    "The order of o depends",
  ],
  [
    "class A { o = {}; f(k) { this.o[k] = 1; return Object.keys(this.o); } }",
    "The order of this.o depends",
  ],
  [
    "function make() { const m = new Map(); return () => Array.from(m); }",
    "The order of m depends",
  ],
];

const FREE: readonly string[] = [
  "export const f = (a) => Math.sqrt(Math.abs(a)) + Math.PI + Math.imul(a, 3);",
  "import { sin } from '../../game_kit/game_kit.ts'; export const f = (a) => sin(a);",
  "type Clock = { Date: number; performance: number }; export const f = (c: Clock, d: Date) => c.Date + c.performance;",
  "export function f(crypto: number) { return crypto; }",
  "export const words = { Date: 1, performance: 2 }; label: for (;;) break label;",
  "const LIST = [1, 2]; const TABLE = new Map([[1, 2]]); export function f() { for (const [k] of TABLE) g(k, LIST); }",
  "const built = []; for (const n of [1, 2]) built.push(n); export const f = () => built;",
  "export function f() { let n = 0; const list = []; for (const x of [1]) { n++; list.push(x); } return [n, list]; }",
  "export function f(ids) { const s = new Set(); for (const id of ids) s.add(id); for (const id of s) g(id); }",
  "class A { #m = new Map(); f() { return [...this.#m.keys()].sort((a, b) => a - b); } g(k) { return this.#m.get(k); } }",
  "export class A { static readonly LIMIT = 3; count = 0; f() { this.count++; } }",
  "const SCALES = { a: 1, b: 2 }; export const f = () => Object.keys(SCALES);",
  "export function f(o) { o.list.push(1); const memory = { hits: 0 }; memory.hits++; }",
];

for (const [source, ...faults] of REFUSED) {
  Deno.test(`lint: refuses ${source} (SPEC 1.21)`, () => {
    const found = faultsIn(source);
    assertEquals(found.length, faults.length, found.join("\n"));
    faults.forEach((words, i) =>
      words.split("|").forEach((part) => assertStringIncludes(found[i]!, part))
    );
  });
}

for (const source of FREE) {
  Deno.test(`lint: allows ${source} (SPEC 1.21)`, () => assertEquals(faultsIn(source), []));
}

Deno.test("lint: the rules hold where a match is stepped, and nowhere else (SPEC 1.21)", () => {
  const source = "export const f = () => Date.now();";
  const scratch = "const p = { x: 0 }; export const f = () => { p.x = 1; };";
  const faultsOf = (source: string) =>
    [
      "shared/game_kit/world/world.ts",
      "shared/physics/a.ts",
      "server/match/a.ts",
      "server/a.ts",
      "client/a.ts",
      "tests/a.ts",
    ]
      .map((path) => faultsIn(source, path).length);
  assertEquals(faultsOf(source), [1, 1, 1, 0, 0, 0]);
  assertEquals(faultsOf(scratch), [1, 0, 0, 0, 0, 0]);
  assertEquals(faultsIn(source, "../elsewhere/shared/games/a.ts"), []);
});

Deno.test("lint: plain `deno lint` in a copy of the project runs the rules, and names file and line (SPEC 1.21)", async () => {
  const folder = await copyProject("lint");
  try {
    await Deno.mkdir(`${folder}/shared/games/hop`);
    await Deno.writeTextFile(
      `${folder}/shared/games/hop/game.ts`,
      "export const hop = () => Math.random();\n",
    );
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["lint", "shared/games"],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    const text = new TextDecoder().decode(stderr);
    assertEquals(code, 1, text);
    assertStringIncludes(text, "shared/games/hop/game.ts:1:26");
    assertStringIncludes(text, "Math.random differs between machines");
    assertStringIncludes(text, "Found 1 problem");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
