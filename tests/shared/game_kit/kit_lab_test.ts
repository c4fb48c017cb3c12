/**
 * A game of the kit in the lab: four players and four NPCs at 160 ms, on both streams and both
 * kinds of links.
 */
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { gameSchemaOf } from "../../../shared/netcode/game_schema.ts";
import { Lab } from "../../tools/lab/lab.ts";
import { RandomAsks, type YardCommand } from "./random_asks.ts";
import { yardGame } from "./yard_game.ts";

type YardLab = Lab<YardCommand, ReturnType<typeof yardGame.start>>;
type Player = ReturnType<YardLab["join"]> | ReturnType<YardLab["joinByDatagrams"]>;

const PLAYERS = 4;
const NPCS = 4;
const SECONDS = 15;
const ONE_WAY = { oneWayMs: 80, jitterMs: 10 };
const LOSSY = { ...ONE_WAY, loss: 0.05, duplicated: 0.02, delayed: 0.02 };

function play(
  { seed, stream, datagrams }: { seed: number; stream: "commands" | "state"; datagrams: boolean },
) {
  const lab: YardLab = new Lab({ game: yardGame, seed, npcs: NPCS, stream });
  const sources = Array.from({ length: PLAYERS }, (_, i) => new RandomAsks(10 * seed + i));
  const players = sources.map((commandSource, i): Player =>
    datagrams
      ? lab.joinByDatagrams(`p${i}`, { commandSource, network: LOSSY })
      : lab.join(`p${i}`, { commandSource, network: ONE_WAY })
  );
  lab.run(SECONDS);
  for (const source of sources) source.isIdle = true;
  lab.run(2);
  return { lab, sources, players };
}

for (const stream of ["commands", "state"] as const) {
  for (const datagrams of [false, true]) {
    const seed = 250 + Number(datagrams);
    const over = datagrams ? "datagrams that are lost" : "reliable links";
    Deno.test(`Lab: a game of the kit on ${stream} over ${over}: no desync, each press once, NPCs known (SPEC 13.3, 13.6, 13.7) [seed ${seed}]`, () => {
      const { lab, sources, players } = play({ seed, stream, datagrams });
      const sum = (of: (stats: Player["session"]["stats"]) => number) =>
        players.reduce((total, { session }) => total + of(session.stats), 0);
      assertEquals(lab.log.filter(({ event }) => event === "room_failed"), []);
      for (const { session } of players) {
        assertEquals([session.phase, session.isOnBodyStream], ["playing", stream === "state"]);
      }
      assertEquals(sum(({ desyncs }) => desyncs), 0);
      assertGreater(sum(({ commandsLate }) => commandsLate), 0);
      if (stream === "commands") assertGreater(sum(({ rollbacks }) => rollbacks), 50);

      const { world } = lab.serverSimulation!;
      for (const [i, { pressed }] of sources.entries()) {
        const { fields } = world.player(players[i]!.session.seat!)!;
        assertEquals(fields.presses, pressed.tie + pressed.fire, `player ${i}`);
        assertGreater(fields.presses, 45);
      }

      const npcCommands = sum((stats) => stats.npcCommands);
      const known = sum((stats) => stats.npcKnownInTime);
      assertGreater(npcCommands, 500);
      assertLess(npcCommands - known, 0.02 * npcCommands);
    });
  }
}

Deno.test("Lab: a room of a kit game has the options that its opener chooses, at every end and in the schema (SPEC 7.13, 13.13) [seed 260]", () => {
  const lab: YardLab = new Lab({ game: yardGame, seed: 260, npcs: 1 });
  const players = [[1, 1], [0, 0], []].map((choices, i) => {
    const player = lab.join(`p${i}`, {
      commandSource: new RandomAsks(i),
      network: ONE_WAY,
      choices,
    });
    lab.run(2);
    return player;
  });
  for (const { session } of players) {
    assertEquals({ ...session.simulation!.world.options }, { size: "large", balls: "three" });
    assertEquals(session.stats.desyncs, 0);
  }
  assertEquals(gameSchemaOf(yardGame).choices, [
    { name: "size", names: ["small", "large"], values: 2 },
    { name: "balls", names: ["one", "three"], values: 2 },
  ]);
});
