import { assert, assertEquals } from "@std/assert";
import { AFTER_TICKS, SlowMotion } from "../../../client/presentation/slow_motion.ts";
import { FlightRecording } from "../../../client/presentation/flight_recording.ts";
import type { View } from "../../../client/presentation/view.ts";
import type { DragonCommand, DragonSimulation } from "../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { commandOf, NEUTRAL } from "../../support/dragons.ts";

interface Frame {
  readonly tick: number;
  readonly hash: number;
  readonly fraction: number;
}

type DragonView = View<DragonCommand, DragonSimulation, Frame>;

function hashOf(simulation: DragonSimulation): number {
  const state = new Snapshot();
  simulation.save(state);
  return hashOfSnapshot(state);
}

/** Its frames say what they were composed from. */
const view = {
  composer: () => ({
    compose: ({ simulation, fraction }: { simulation: DragonSimulation; fraction: number }) => ({
      tick: simulation.tick,
      hash: hashOf(simulation),
      fraction,
    }),
  }),
} as unknown as DragonView;

/** Records a match of two dragons, in which each tick was first predicted with another command. */
function recordedMatch(ticks: number) {
  const recording = new FlightRecording();
  const simulation = dragonGame.start({ npcs: 0 }, 7);
  const hashes = new Map<number, number>();
  const state = new Snapshot();
  for (let tick = 1; tick <= ticks; tick++) {
    const commands = [commandOf({ dir: tick % 40 < 20 ? 1 : -1, flapHeld: 1 }), NEUTRAL];
    simulation.step(commands);
    simulation.save(state);
    hashes.set(tick, hashOfSnapshot(state));
    const session = (of: readonly DragonCommand[]) => ({
      seat: 0,
      head: tick,
      definitiveTick: tick,
      isInSync: true,
      isOnBodyStream: false,
      stats: { statesAdopted: 0 },
      commandsOf: () => of,
      copyState(_tick: number, into: Snapshot) {
        into.copyFrom(state);
        return true;
      },
    });
    recording.onStep(session([NEUTRAL, NEUTRAL]), tick);
    recording.onStep(session(commands), tick);
    recording.onAdvanced(session(commands), tick * 50);
  }
  return { recording, hashes };
}

function open(recording: FlightRecording, tick: number) {
  return SlowMotion.open({
    view,
    tickHz: 20,
    entries: recording.entries,
    simulation: dragonGame.start({ npcs: 0 }, 7),
    names: new Map(),
    ownSeat: 0,
    tick,
    nowMs: 1000,
  });
}

Deno.test("SlowMotion: it shows the ticks around a moment as they were, bit by bit, in under 3 s (SPEC 25.20)", () => {
  const { recording, hashes } = recordedMatch(260);
  const slowMotion = open(recording, 230);
  assert(slowMotion !== undefined);
  const frames: Frame[] = [];
  let nowMs = 1000;
  for (;; nowMs += 16) {
    const frame = slowMotion.frame(nowMs);
    if (frame === undefined) break;
    frames.push(frame);
  }

  const shown = [...new Set(frames.map(({ tick }) => tick))];
  assertEquals([shown[0], shown.at(-1)], [230 - 16, 230 + AFTER_TICKS]);
  assertEquals(shown.length, 16 + AFTER_TICKS + 1, "no tick is left out");
  for (const { tick, hash } of frames) assertEquals(hash, hashes.get(tick), `tick ${tick}`);
  assertEquals(frames.some(({ fraction }) => fraction > 0 && fraction < 1), true, "between ticks");
  assertEquals(nowMs - 1000 < 3000, true);
});

Deno.test("SlowMotion: there is none if the record does not lead through the moment (SPEC 25.20)", () => {
  const { recording } = recordedMatch(260);
  assertEquals(open(recording, 258), undefined, "its end is still to come");
  assertEquals(open(recording, 10), undefined, "no state is old enough");
  const at = recording.entries.findIndex(({ definitive }) => definitive === 225);
  recording.entries[at] = { ...recording.entries[at]!, isRebased: true };
  assertEquals(open(recording, 230), undefined, "a state of the server's came in between");
});
