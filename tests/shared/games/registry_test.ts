import { assert, assertEquals, assertMatch } from "@std/assert";
import { GAME_NAME, RESERVED_NAMES } from "../../../shared/game_names.ts";
import { GAMES } from "../../../shared/games/registry.ts";

Deno.test("registry: each name fits into an address, and each module exports a game with an id of its own (SPEC 7.16)", async () => {
  const ids = new Set<string>();
  const names = Object.keys(GAMES);
  assertEquals(names[0], "dragons", "the default");
  for (const name of names) {
    assertMatch(name, GAME_NAME);
    assert(!RESERVED_NAMES.includes(name), name);
    const { game } = await GAMES[name]!();
    assertMatch(game.id, /^[!-~]{1,32}$/, name);
    assert(!ids.has(game.id), `${game.id} stands twice`);
    ids.add(game.id);
  }
});
