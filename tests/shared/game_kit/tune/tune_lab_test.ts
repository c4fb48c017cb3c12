/** Two developers who tune one match over a slow network: nobody desyncs, and the log repeats it. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { Tuner } from "../../../../client/game_kit/tune/tuner.ts";
import { replayedLog } from "../../../../shared/netcode/match_log/replayed_log.ts";
import { Random } from "../../../../shared/random.ts";
import { MemoryLogs } from "../../../support/logs/memory_logs.ts";
import { Lab } from "../../../tools/lab/lab.ts";
import { game as hillGame, type HillCommand } from "./hill_game.ts";

const SEED = 611;
const NETWORK = { oneWayMs: 80, jitterMs: 30 };
/** Slides, and the seconds between two of them. */
const SLIDES = 60;
const SLIDE_SECONDS = 0.3;

function tuned({ stream = "commands", isTunable = true }: {
  stream?: "commands" | "state";
  isTunable?: boolean;
} = {}) {
  const logs = new MemoryLogs();
  const lab = new Lab({
    game: hillGame,
    seed: SEED,
    npcs: 2,
    stream,
    logs,
    isTunable,
    checkTwin: true,
  });
  const players = ["Wren", "Ash"].map((name, i) => {
    const tuner = new Tuner<HillCommand>((command, constant, value) =>
      hillGame.tuneCommand(command, constant as "speed", value)
    );
    const random = new Random(SEED + i);
    const commandSource = tuner.sourceOver({
      next: (_tick, acknowledged = hillGame.command.neutral) =>
        hillGame.commandOf({ dx: random.below(3) - 1 }, acknowledged),
    });
    return { tuner, ...lab.join(name, { commandSource, network: NETWORK }) };
  });
  lab.run(2);

  // Both slide both constants, and take back what they see come true.
  const random = new Random(SEED);
  const met = new Set<number>();
  for (let i = 0; i < SLIDES; i++) {
    const { tuner } = players[random.below(2)]!;
    if (random.below(2) === 0) tuner.set("speed", random.below(101) / 10);
    else tuner.set("wind", (random.below(21) - 10) / 10);
    lab.run(SLIDE_SECONDS);
    const { tick, world: { tune } } = lab.serverSimulation!;
    met.add(tune.speed);
    for (const { tuner } of players) tuner.see(tune, tick);
  }
  lab.run(2);
  return { lab, players, met, log: logs.all[0]!.bytes };
}

for (const stream of ["commands", "state"] as const) {
  Deno.test(`tune: two players slide constants of one match on ${stream}: no desync, and the log repeats them (SPEC 13.120) [seed ${SEED}]`, () => {
    const { lab, players, met, log } = tuned({ stream });
    assertGreater(met.size, 10);
    assertEquals(lab.log.filter(({ event }) => /failed|broken/.test(event)), []);
    const server = lab.serverSimulation!.world.tune;
    for (const { session } of players) {
      assertEquals([session.phase, session.stats.desyncs], ["playing", 0]);
      assertEquals({ ...session.simulation!.world.tune }, { ...server });
    }

    // The log
    const seen = new Set<number>();
    let last = {};
    const { error } = replayedLog(log, {
      gameOf: () => hillGame,
      onTick({ simulation }) {
        const { world } = simulation as ReturnType<typeof hillGame.start>;
        seen.add(world.tune.speed);
        last = { ...world.tune };
      },
    });
    assertEquals(error, undefined);
    for (const speed of met) assert(seen.has(speed), `${speed}`);
    assertEquals(last, { ...server });
  });
}

Deno.test(`tune: a server outside development obeys no slider, and nobody desyncs (SPEC 13.121) [seed ${SEED}]`, () => {
  const { lab, players, met } = tuned({ isTunable: false });
  assertEquals([...met], [4]);
  for (const { session } of players) assertEquals(session.stats.desyncs, 0);
  assertEquals({ ...lab.serverSimulation!.world.tune }, { speed: 4, wind: 0.25 });
});
