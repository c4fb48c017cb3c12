/** Effects over real rollbacks: a predictor of the dragon game that is told late what somebody did. */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { type EventChanges, EventReconciler } from "../../../client/presentation/event_reconciler.ts";
import { DragonSound } from "../../../client/games/dragons/audio/sound.ts";
import { Effects } from "../../../client/games/dragons/render/effects.ts";
import { Particles } from "../../../client/games/dragons/render/particles.ts";
import type { GameEvent } from "../../../shared/netcode/game.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import { ScriptedExplosion } from "../games/dragons/render/scripted_explosion.ts";
import { createFakeAudio } from "../games/dragons/audio/sound_board.ts";

const nobody = new PoseList();

function event(tick: number, kind: string, entity = 1): GameEvent {
  return { tick, kind, entity, x: 0, y: 0 };
}

function openReconciler() {
  const log = new EventReconciler((kind) => kind === "joust");
  const record = (tick: number, ...kinds: string[]) =>
    log.record(kinds.map((kind) => event(tick, kind)), { tick, poses: nobody });
  const take = (head: number, definitive = 0) => {
    const { begun, retracted } = log.collectChanges({ head, definitive });
    return [begun.map(({ key }) => key), retracted];
  };
  return { record, take };
}

Deno.test("EventReconciler: what a resimulation tells again is not shown again; what it tells no more is taken back", () => {
  const { record, take } = openReconciler();
  record(5, "burn", "flap");
  assertEquals(take(5), [["5 burn 1", "5 flap 1"], []]);
  record(5, "burn", "flap");
  assertEquals(take(6), [[], []]);
  record(5, "burn");
  assertEquals(take(6), [[], ["5 flap 1"]]);
  assertEquals(take(7), [[], []]);
});

Deno.test("EventReconciler: what a correction moves by a tick is the same, wherever it moves and whoever tells it first", () => {
  const { record, take } = openReconciler();
  record(5, "burn");
  take(5);
  record(5);
  record(6, "burn");
  assertEquals(take(6), [[], []]);
  record(5, "burn");
  record(6);
  assertEquals(take(6), [[], []]);
  record(5);
  assertEquals(take(6), [[], ["5 burn 1"]], "and is known by the key that it was shown with");
  record(20, "burn");
  assertEquals(take(20), [["20 burn 1"], []], "far away it is another one");
});

Deno.test("EventReconciler: hard ones wait until their tick is definitive, and never come where it turns out otherwise", () => {
  const { record, take } = openReconciler();
  record(5, "joust");
  record(6, "joust");
  assertEquals(take(8, 4), [[], []]);
  record(5);
  assertEquals(take(8, 5), [[], []]);
  assertEquals(take(8, 6), [["6 joust 1"], []]);
  assertEquals(take(9, 9), [[], []]);
});

/** A scripted explosion with all that shows it. */
function openMatch() {
  const match = new ScriptedExplosion(), particles = new Particles(), effects = new Effects(particles);
  const board = createFakeAudio(), sound = new DragonSound(() => board.context);
  sound.setVolume(1);
  sound.unlock();
  const show = ({ begun, retracted }: EventChanges) => {
    for (const effect of begun) effects.show(effect, { colour: "red", middle: { x: 0, y: 0 } });
    for (const key of retracted) effects.retract(key);
    sound.play(board.sceneWith({ effects: begun, retractedEffects: retracted }));
    return { burns: begun.map(({ key }) => key), ended: retracted };
  };
  return { match, particles, board, show };
}

Deno.test("Effects: a scripted rollback over an explosion plays it once, seen and heard", () => {
  const { match, particles, board, show } = openMatch();
  assertEquals(show(match.burn()).burns.length, 1);
  const thrown = particles.count, played = board.started, emitted = match.burnsEmitted;
  assertGreater(thrown, 20);
  assertGreater(played, 1);
  assertEquals(match.correctOtherSeat(), 9);
  assertEquals(match.burnsEmitted, emitted + 1, "the resimulation tells it again");
  assertEquals(show(match.takeBurnEvents()), { burns: [], ended: [] });
  assertEquals([particles.count, board.started], [thrown, played]);
});

Deno.test("Effects: an explosion that never was is gone within 150 ms, seen and heard", () => {
  const { match, particles, board, show } = openMatch();
  const { burns } = show(match.burn());
  assertGreater(match.retractFire(), 20);
  assertEquals(match.simulation.fireballs.length, 0);
  const played = board.started;
  assertEquals(show(match.takeBurnEvents()), { burns: [], ended: burns });
  assertEquals(board.started, played, "nothing new is heard");
  assertLess(board.lastEndS - board.context.currentTime, 0.15);
  for (let i = 0; i < 3; i++) particles.advance(50);
  assertEquals(particles.count, 0);
  assert(board.started > 0);
});
