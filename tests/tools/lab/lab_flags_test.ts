import { assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { NpcBot } from "../../../client/bots/npc_bot.ts";
import { counterGame } from "./counter_game.ts";
import { runQueueRow } from "./queues/queue_row.ts";
import { runTask } from "../../support/task.ts";

/** By reason: flags that have no effect alone. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "lab: --people: only with dragons or puck": ["--people", "--game", "haul"],
  "lab: --reaction: not with the people of puck": [
    "--people",
    "--game",
    "puck",
    "--reaction",
    "4",
  ],
  "lab: --judging: only with --people": ["--judging"],
  "lab: --input-delay: only with --people": ["--input-delay", "1"],
  "lab: --held-aside: only with --matrix": ["--held-aside"],
};

Deno.test("lab: a flag that would have no effect is refused in one line with exit code 2", async () => {
  for (const [reason, args] of Object.entries(REFUSED)) {
    const { code, stdout, stderr } = await runTask("lab", ...args);
    assertEquals([code, stdout, stderr], [2, "", `${reason}\n`]);
  }
});

Deno.test("lab: an unknown game is one line that lists the games, and exit code 2", async () => {
  const { code, stdout, stderr } = await runTask("lab", "--game", "chess");
  assertEquals([code, stdout, stderr.split("\n").length], [2, "", 2]);
  assertStringIncludes(stderr, 'lab: --game cannot be "chess"; allowed: both, counter, dragons');
});

Deno.test("lab: a row of a game without players of its own is played by its NPCs' decisions", () => {
  const row = runQueueRow({
    game: counterGame,
    createControls: () => new NpcBot(counterGame),
    profile: "wifi",
    link: "datagram",
    players: 3,
    npcs: 2,
    minutes: 1,
    seed: 3,
    correlated: false,
  });
  assertEquals(row.desyncs, 0);
  assertGreater(row.commands, 3_000);
});
