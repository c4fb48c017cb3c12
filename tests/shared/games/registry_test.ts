import { assert, assertEquals, assertMatch } from "@std/assert";
import { GAMES } from "../../../shared/games/registry.ts";

/** The server's own paths, and the folder of a game. */
const RESERVED = ["api", "dev", "healthz", "metrics", "play", "socket", "watch"];

Deno.test("registry: each name fits into an address, and each module exports a game with an id of its own (SPEC 7.13)", async () => {
  const ids = new Set<string>(), names = Object.keys(GAMES);
  assertEquals(names[0], "dragons", "the default");
  for (const name of names) {
    assertMatch(name, /^[a-z][a-z0-9_]{0,15}$/);
    assert(!RESERVED.includes(name), name);
    const { game } = await GAMES[name]!();
    assertMatch(game.id, /^[!-~]{1,32}$/, name);
    assert(!ids.has(game.id), `${game.id} stands twice`);
    ids.add(game.id);
  }
});
