/** The repository is tidy (`checks.ts`), and each of the checks finds a planted fault. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { findFaults } from "./checks.ts";
import { exportsOf } from "./exports.ts";
import { repositoryOf } from "./planted.ts";
import { isProduct, type Place, readRepository } from "./sources.ts";

const repository = await readRepository();
const faults = findFaults(repository);

/** Faults as text, for the message of a failed test. */
function listOf(places: readonly Place[]): string {
  return places.map(({ path, line, text }) => `\n${path}:${line}: ${text}`).join("");
}

Deno.test("tidy: the checks see the product", () => {
  const product = repository.sources.filter(({ path }) => isProduct(path));
  assertGreater(product.length, 40);
  assertGreater(product.flatMap((source) => [...exportsOf(source)]).length, 200);
});

Deno.test("walls: every import stays within its room, and clocks in theirs (SPEC 19.6)", () => {
  assertEquals(listOf(faults.brokenWalls), "");
});

Deno.test("walls: imports form no circles, neither in the product nor in the tests", () => {
  assertEquals(listOf(faults.importCircles), "");
});

Deno.test("tidy: no export that no other file imports", () => {
  assertEquals(listOf(faults.deadExports), "");
});

Deno.test("tidy: every reference is to something in the repository", () => {
  assertEquals(listOf(faults.danglingReferences), "");
});

Deno.test("tidy: every function, class and contract of shared/ and server/match/ has a docstring", () => {
  assertEquals(listOf(faults.missingDocstrings), "");
});

Deno.test("findFaults: a planted fault of each kind is found, and what is beside it is not", () => {
  const found = findFaults(repositoryOf({
    "shared/a.ts":
      '/** Doc. */\nexport function a() {}\nexport function b() {}\nexport const c = 1;\nimport "./d.ts";',
    "shared/d.ts": '// See gone.ts.\nimport "./a.ts";',
    "shared/netcode/e.ts": 'import { a, b } from "../a.ts";\nimport "../physics/core/f.ts";',
    "shared/physics/core/f.ts": 'import "zod";',
    "shared/physics/geometry/g.ts": 'import "planck";',
    "client/ui/h.ts": 'import "../../shared/physics/stage/internals.ts"; Date.now();',
    "client/build/i.ts": 'import "../../shared/games/puck/game.ts";',
    "client/net/j.ts": 'import "../../shared/games/puck/game.ts";',
    "shared/games/rink/n.ts": 'import "../../game_kit/game_kit.ts"; import "../../random.ts";',
    "client/games/rink/o.ts":
      'import "../../game_kit/client_kit.ts"; import "../../presentation/view.ts";',
    "elsewhere/k.ts": 'import "zod";',
    "server/l.ts": 'import "ws"; import "node:http"; import "../shared/netcode/e.ts";',
    "tests/m.ts": 'import "zod"; setTimeout(f); export const unused = 1;',
  }));
  const texts = Object.fromEntries(
    Object.entries(found).map(([name, places]: [string, readonly Place[]]) => [
      name,
      places.map(({ path, line, text }) => `${path}:${line} ${text.split(":")[0]}`),
    ]),
  );
  assertEquals(texts, {
    brokenWalls: [
      "shared/netcode/e.ts:1 imports shared/physics/core/f.ts",
      "shared/physics/core/f.ts:1 imports zod",
      "shared/physics/geometry/g.ts:1 imports planck",
      "client/ui/h.ts:1 imports the stage's internals",
      "client/ui/h.ts:1 uses a real clock or timer",
      "client/build/i.ts:1 imports shared/games/puck/game.ts",
      "client/net/j.ts:1 imports shared/games/puck/game.ts",
      "client/net/j.ts:1 names a game",
      "shared/games/rink/n.ts:1 imports shared/random.ts",
      "client/games/rink/o.ts:1 imports client/presentation/view.ts",
    ],
    importCircles: ["shared/a.ts:1 shared/a.ts, shared/d.ts"],
    deadExports: ["shared/a.ts:4 c"],
    danglingReferences: ["shared/d.ts:1 gone.ts"],
    missingDocstrings: ["shared/a.ts:3 function b"],
  });
});

Deno.test("findFaults: a file of a room without walls is found", () => {
  const { brokenWalls } = findFaults(repositoryOf({ "client/new_room/a.ts": "a();" }));
  assertEquals(listOf(brokenWalls), "\nclient/new_room/a.ts:1: no wall is known for this path");
  assert(repository.paths.includes("shared/physics/stage/internals.ts"));
});
