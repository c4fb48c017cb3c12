/**
 * Particles and sound across real rollbacks: a predictor of the dragon game receives corrections
 * late.
 */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { recipesOf } from "../../../../client/game_kit/event_looks.ts";
import type { KitFrame } from "../../../../client/game_kit/kit_frame.ts";
import { EVENT_LOOKS } from "../../../../client/games/dragons/events.ts";
import { dragonView } from "../../../../client/games/dragons/view.ts";
import { Effects } from "../../../../client/presentation/picture/effects.ts";
import { Particles } from "../../../../client/presentation/picture/particles.ts";
import type { EventChanges } from "../../../../client/presentation/event_reconciler.ts";
import { createFakeAudio } from "../../presentation/audio/fake_audio.ts";
import { ScriptedExplosion } from "./render/scripted_explosion.ts";

/** A scripted explosion with its particles and its sound. */
function openExplosion() {
  const match = new ScriptedExplosion();
  const particles = new Particles();
  const effects = new Effects(particles, recipesOf(EVENT_LOOKS));
  const audio = createFakeAudio();
  const sound = dragonView.sound!(() => audio.context);
  sound.setVolume(1);
  sound.unlock();
  const show = ({ begun, retracted }: EventChanges) => {
    for (const effect of begun) effects.show(effect, { colour: "red" });
    for (const key of retracted) effects.retract(key);
    const changes = { events: begun, retractedEvents: retracted, things: [], followed: undefined };
    sound.play(changes as unknown as KitFrame);
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
  assertEquals(match.simulation.world.all("fireball").length, 0);
  const played = audio.started;
  assertEquals(show(match.takeBurnEvents()), { burns: [], ended: burns });
  assertEquals(audio.started, played, "no new sound");
  assertLess(audio.lastEndS - audio.context.currentTime, 0.15);
  for (let i = 0; i < 3; i++) particles.advance(50);
  assertEquals(particles.count, 0);
  assert(audio.started > 0);
});
