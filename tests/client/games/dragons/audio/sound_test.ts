import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { DragonSound } from "../../../../../client/games/dragons/audio/sound.ts";
import type { PresentedEvent } from "../../../../../client/presentation/event_reconciler.ts";
import { createFakeAudio } from "./fake_audio.ts";

function openSound() {
  const audio = createFakeAudio();
  const sound = new DragonSound(() => audio.context);
  sound.setVolume(0.5);
  let key = 0;
  const event = (kind: string, x: number): PresentedEvent => ({
    key: `${key++}`,
    kind,
    x,
    y: 0,
    seat: -1,
    otherSeat: -1,
  });
  return { audio, sound, event };
}

Deno.test("DragonSound: is silent until the first touch or key, and while it is muted", () => {
  const { audio, sound, event } = openSound();
  const burn = () =>
    sound.play(audio.sceneWith({ events: [event("burn", 16)], retractedEvents: [] }));
  burn();
  assertEquals(audio.gains.length, 0);
  sound.unlock();
  sound.setVolume(0);
  burn();
  assertEquals(audio.started, 0);
  assertEquals(audio.gains[0]!.value, 0);
  sound.setVolume(0.5);
  burn();
  assertGreater(audio.started, 1);
  assertEquals(audio.gains[0]!.value, 0.5);
});

Deno.test("DragonSound: an event comes from its place, an event of the match is equally loud everywhere", () => {
  const { audio, sound, event } = openSound();
  sound.unlock();
  const own = { own: true, x: 2, y: 0 } as never;
  const play = (kind: string, x: number) => {
    const at = audio.gains.length;
    sound.play(audio.sceneWith({ dragons: [own], events: [event(kind, x)], retractedEvents: [] }));
    return { gain: audio.gains[at]!.value, pan: audio.pans.at(-1)!.value };
  };
  const near = play("burn", 3);
  const far = play("burn", 30);
  assertLess(far.gain, near.gain);
  assertLess(near.pan, 0);
  assertGreater(far.pan, 0);
  assertEquals(play("round", 30).pan, 0);
});

Deno.test("DragonSound: fire is audible for as long as something burns", () => {
  const { audio, sound } = openSound();
  sound.unlock();
  const [, fire] = audio.gains;
  const play = (balls: number) => {
    sound.play(
      audio.sceneWith({ fireballs: Array(balls).fill({}), events: [], retractedEvents: [] }),
    );
    return fire!.value;
  };
  const [none, one, many] = [play(0), play(1), play(100)];
  assertEquals(none, 0);
  assertGreater(one, 0);
  assertGreater(many, one);
  assertLess(many, 0.5);
  assertEquals(play(0), 0);
  play(3);
  sound.silence();
  assertEquals(fire!.value, 0);
});

Deno.test("DragonSound: plays a bounded number of events at once", () => {
  const { audio, sound, event } = openSound();
  sound.unlock();
  const events = Array.from({ length: 100 }, () => event("land", 16));
  sound.play(audio.sceneWith({ events, retractedEvents: [] }));
  assertEquals(audio.started, 16);
});
