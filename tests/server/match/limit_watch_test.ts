/** A limit of a game that holds something back is logged, and play goes on. */
import { assertEquals, assertMatch } from "@std/assert";
import { axis, defineGame } from "../../../shared/game_kit/game_kit.ts";
import { networkModelOf } from "../../../shared/netcode/simulated_network/network_profiles.ts";
import { Lab } from "../../tools/lab/lab.ts";

const BOX = { body: { fixtures: [{ shape: { box: [0.5, 0.5] as const } }] } };

/**
 * A game whose author has thought of 20 crates. One rule drops another one each tick; another one
 * counts too far.
 */
const game = defineGame({
  id: "crowd-1",
  title: "Crowd",
  gravity: 10,
  player: "hero",
  limits: { entities: 20, contacts: 30 },
  ground: [{ shape: { box: [20, 0.5], y: -0.5 } }],
  command: { dx: axis() },
  match: { dropped: "u8" },
  things: { hero: BOX, crate: BOX },
}, {
  enter: () => ({ x: 5, y: 1 }),
  tick(world) {
    world.spawn("crate", { x: 0, y: 2 });
    world.match.dropped += 10;
  },
});

Deno.test("limit_reached: each limit that holds a match back is logged once, with game, room and tick; nobody desyncs (SPEC 9.67)", () => {
  const lab = new Lab({ game, seed: 4, npcs: 0, checkTwin: true });
  const network = networkModelOf("wifi");
  const players = ["Ann", "Bo"].map((name) =>
    lab.join(name, { network, commandSource: { next: () => ({ dx: 0 }) } })
  );
  lab.run(15);
  const logged = lab.log.filter(({ event }) => event === "limit_reached").map(({ fields }) =>
    fields
  );
  const texts = logged.map(({ text }) => String(text)).sort();
  assertEquals(logged.length, 3);
  assertMatch(
    texts[0]!,
    /^21 entities .*\(limits\.entities: 20\); the newest 1 have left it, such as entity \d+ crate$/,
  );
  assertMatch(
    texts[1]!,
    /^match\.dropped is 260; a u8 holds whole numbers, 0 … 255, so it stays 255, written in tests\/.*limit_watch_test\.ts:\d+$/,
  );
  assertMatch(texts[2]!, /^more than 30 pairs are near each other \(limits\.contacts\)/);
  for (const { game, room, tick } of logged) {
    assertEquals([game, typeof room, typeof tick], ["crowd-1", "string", "number"]);
  }
  assertEquals(lab.log.filter(({ event }) => /contract_broken|room_failed|desync/.test(event)), []);
  assertEquals(players.map(({ session }) => session.stats.desyncs), [0, 0]);
});
