/** Effects over real rollbacks: a predictor of the dragon game that is told late what somebody did. */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { EffectLog } from "../../client/effect_log.ts";
import { Predictor } from "../../client/predictor.ts";
import { Sound } from "../../client/sound.ts";
import { Effects } from "../../client/view/effects.ts";
import { Particles } from "../../client/view/particles.ts";
import { NEUTRAL } from "../../shared/dragons/command.ts";
import { dragonGame } from "../../shared/dragons/game.ts";
import { type GameEvent, PoseList } from "../../shared/netcode/game.ts";
import { openSoundBoard } from "./sound_board.ts";

const nobody = new PoseList();

function event(tick: number, kind: string, entity = 1): GameEvent {
  return { tick, kind, entity, x: 0, y: 0 };
}

function openLog() {
  const log = new EffectLog((kind) => kind === "joust");
  const hear = (tick: number, ...kinds: string[]) =>
    log.hear(kinds.map((kind) => event(tick, kind)), { tick, poses: nobody });
  const take = (head: number, definitive = 0) => {
    const { begun, ended } = log.take({ head, definitive });
    return [begun.map(({ key }) => key), ended];
  };
  return { hear, take };
}

Deno.test("EffectLog: what a resimulation tells again is not shown again; what it tells no more is taken back", () => {
  const { hear, take } = openLog();
  hear(5, "burn", "flap");
  assertEquals(take(5), [["5 burn 1", "5 flap 1"], []]);
  hear(5, "burn", "flap");
  assertEquals(take(6), [[], []]);
  hear(5, "burn");
  assertEquals(take(6), [[], ["5 flap 1"]]);
  assertEquals(take(7), [[], []]);
});

Deno.test("EffectLog: what a correction moves by a tick is the same, wherever it moves and whoever tells it first", () => {
  const { hear, take } = openLog();
  hear(5, "burn");
  take(5);
  hear(5);
  hear(6, "burn");
  assertEquals(take(6), [[], []]);
  hear(5, "burn");
  hear(6);
  assertEquals(take(6), [[], []]);
  hear(5);
  assertEquals(take(6), [[], ["5 burn 1"]], "and is known by the key that it was shown with");
  hear(20, "burn");
  assertEquals(take(20), [["20 burn 1"], []], "far away it is another one");
});

Deno.test("EffectLog: hard ones wait until their tick is definitive, and never come where it turns out otherwise", () => {
  const { hear, take } = openLog();
  hear(5, "joust");
  hear(6, "joust");
  assertEquals(take(8, 4), [[], []]);
  hear(5);
  assertEquals(take(8, 5), [[], []]);
  assertEquals(take(8, 6), [["6 joust 1"], []]);
  assertEquals(take(9, 9), [[], []]);
});

const OURS = 0, THEIRS = 1;

/** A predicted match with all that shows effects: what a scripted announcement does to it is real. */
function openMatch() {
  const log = new EffectLog(() => false), poses = new PoseList(), particles = new Particles();
  const simulation = dragonGame.start({ npcs: 0 }, 4);
  const board = openSoundBoard(), sound = new Sound(() => board.context), effects = new Effects(particles);
  sound.setVolume(1);
  sound.wake();
  let heard = 0;
  const predictor = new Predictor(dragonGame, {
    simulation,
    seat: OURS,
    previousPoses: new PoseList(),
    onStep: () => {
      heard += simulation.events.filter(({ kind }) => kind === "burn").length;
      log.hear(simulation.events, { tick: simulation.tick, poses });
    },
  });
  for (const seat of [OURS, THEIRS]) predictor.setPresence(1, seat, true);
  const look = () => {
    const { begun, ended } = log.take({ head: predictor.head, definitive: 0 });
    const burns = begun.filter(({ kind }) => kind === "burn");
    for (const effect of burns) effects.show(effect, { colour: "red", middle: { x: 0, y: 0 } });
    for (const key of ended) effects.takeBack(key);
    sound.hear(board.sceneWith({ effects: burns, endedEffects: ended }));
    return { burns: burns.map(({ key }) => key), ended: ended.filter((key) => key.includes("burn")) };
  };
  return { predictor, simulation, look, particles, board, heardSoFar: () => heard };
}

type Match = ReturnType<typeof openMatch>;

/** On its way down to the crates in the middle; half a second and more later it burns one of them. */
const BREATHED_AT = 19;

/** Flies to the crates and breathes fire, until something burns. @returns the keys shown */
function burnSomething({ predictor, look }: Match): string[] {
  for (let tick = 1; tick < 100; tick++) {
    predictor.intend(tick, { ...NEUTRAL, dir: 1, fires: tick < BREATHED_AT ? 0 : 1 });
    predictor.announce(tick, THEIRS, NEUTRAL);
    predictor.predict();
    const { burns } = look();
    if (burns.length > 0) return burns;
  }
  throw new Error("nothing burnt");
}

/** The server's word that our fire never came. @returns ticks resimulated */
function takeTheFireBack({ predictor }: Match): number {
  for (let tick = BREATHED_AT; tick <= predictor.head; tick++) {
    predictor.announce(tick, OURS, { ...predictor.intendedAt(tick)!, fires: 0 });
  }
  return predictor.settle();
}

Deno.test("Effects: a scripted rollback over an explosion plays it once, seen and heard", () => {
  const match = openMatch();
  const shown = burnSomething(match), { particles, board, predictor, look } = match;
  const thrown = particles.count, played = board.started, heard = match.heardSoFar();
  assertEquals(shown.length, 1);
  assertGreater(thrown, 20);
  assertGreater(played, 1);
  // The other one has flapped, far from the fire: a correction that changes nothing of it.
  predictor.announce(predictor.head - 8, THEIRS, { ...NEUTRAL, flaps: 1 });
  assertEquals(predictor.settle(), 9);
  assertEquals(match.heardSoFar(), heard + 1, "the resimulation tells it again");
  assertEquals(look(), { burns: [], ended: [] });
  assertEquals([particles.count, board.started], [thrown, played]);
});

Deno.test("Effects: an explosion that never was is gone within 150 ms, seen and heard", () => {
  const match = openMatch();
  const shown = burnSomething(match), { particles, board, look } = match;
  assertGreater(takeTheFireBack(match), 20);
  assertEquals(match.simulation.fireballs.length, 0);
  const played = board.started;
  assertEquals(look(), { burns: [], ended: shown });
  assertEquals(board.started, played, "nothing new is heard");
  assertLess(board.lastEndS - board.context.currentTime, 0.15);
  for (let i = 0; i < 3; i++) particles.advance(50);
  assertEquals(particles.count, 0);
  assert(board.started > 0);
});
