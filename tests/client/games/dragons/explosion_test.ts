/**
 * Particles and sound across real rollbacks: a predictor of the dragon game receives corrections
 * late.
 */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { DragonSound } from "../../../../client/games/dragons/audio/sound.ts";
import { EVENT_RECIPES } from "../../../../client/games/dragons/presenters/presenters.ts";
import { Effects } from "../../../../client/presentation/picture/effects.ts";
import { Particles } from "../../../../client/presentation/picture/particles.ts";
import type { EventChanges } from "../../../../client/presentation/event_reconciler.ts";
import { createFakeAudio } from "./audio/fake_audio.ts";
import { ScriptedExplosion } from "./render/scripted_explosion.ts";

/** A scripted explosion with its particles and its sound. */
function openExplosion() {
  const match = new ScriptedExplosion();
  const particles = new Particles();
  const effects = new Effects(particles, EVENT_RECIPES);
  const audio = createFakeAudio();
  const sound = new DragonSound(() => audio.context);
  sound.setVolume(1);
  sound.unlock();
  const show = ({ begun, retracted }: EventChanges) => {
    for (const effect of begun) effects.show(effect, { colour: "red", middle: { x: 0, y: 0 } });
    for (const key of retracted) effects.retract(key);
    sound.play(audio.sceneWith({ events: begun, retractedEvents: retracted }));
    return { burns: begun.map(({ key }) => key), ended: retracted };
  };
  return { match, particles, audio, show };
}

Deno.test("explosion: a rollback across it shows and plays it once", () => {
  const { match, particles, audio, show } = openExplosion();
  assertEquals(show(match.burn()).burns.length, 1);
  const thrown = particles.count;
  const played = audio.started;
  const emitted = match.burnsEmitted;
  assertGreater(thrown, 20);
  assertGreater(played, 1);
  assertEquals(match.correctOtherSeat(), 9);
  assertEquals(match.burnsEmitted, emitted + 1, "the resimulation emits it again");
  assertEquals(show(match.takeBurnEvents()), { burns: [], ended: [] });
  assertEquals([particles.count, audio.started], [thrown, played]);
});

Deno.test("explosion: one that never happened is invisible and silent within 150 ms", () => {
  const { match, particles, audio, show } = openExplosion();
  const { burns } = show(match.burn());
  assertGreater(match.retractFire(), 20);
  assertEquals(match.simulation.fireballs.length, 0);
  const played = audio.started;
  assertEquals(show(match.takeBurnEvents()), { burns: [], ended: burns });
  assertEquals(audio.started, played, "no new sound");
  assertLess(audio.lastEndS - audio.context.currentTime, 0.15);
  for (let i = 0; i < 3; i++) particles.advance(50);
  assertEquals(particles.count, 0);
  assert(audio.started > 0);
});
