import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { Sound } from "../../../../../client/games/dragons/audio/sound.ts";
import type { EffectSprite } from "../../../../../client/games/dragons/scene.ts";
import { openSoundBoard } from "./sound_board.ts";

function openSound() {
  const board = openSoundBoard(), sound = new Sound(() => board.context);
  sound.setVolume(0.5);
  let key = 0;
  const effect = (kind: string, x: number): EffectSprite => ({ key: `${key++}`, kind, x, y: 0, seat: -1 });
  return { board, sound, effect };
}

Deno.test("Sound: silent until somebody touches the page, and while it is muted", () => {
  const { board, sound, effect } = openSound();
  const burn = () => sound.hear(board.sceneWith({ effects: [effect("burn", 16)], retractedEffects: [] }));
  burn();
  assertEquals(board.gains.length, 0);
  sound.wake();
  sound.setVolume(0);
  burn();
  assertEquals(board.started, 0);
  assertEquals(board.gains[0]!.value, 0);
  sound.setVolume(0.5);
  burn();
  assertGreater(board.started, 1);
  assertEquals(board.gains[0]!.value, 0.5);
});

Deno.test("Sound: what happens somewhere is heard from there, what happens to the match by all alike", () => {
  const { board, sound, effect } = openSound();
  sound.wake();
  const own = { own: true, x: 2, y: 0 } as never;
  const hear = (kind: string, x: number) => {
    const at = board.gains.length;
    sound.hear(board.sceneWith({ dragons: [own], effects: [effect(kind, x)], retractedEffects: [] }));
    return { gain: board.gains[at]!.value, pan: board.pans.at(-1)!.value };
  };
  const near = hear("burn", 3), far = hear("burn", 30);
  assertLess(far.gain, near.gain);
  assertLess(near.pan, 0);
  assertGreater(far.pan, 0);
  assertEquals(hear("round", 30).pan, 0);
});

Deno.test("Sound: fire is heard for as long as something burns", () => {
  const { board, sound } = openSound();
  sound.wake();
  const [, fire] = board.gains;
  const hear = (balls: number) => {
    sound.hear(board.sceneWith({ fireballs: Array(balls).fill({}), effects: [], retractedEffects: [] }));
    return fire!.value;
  };
  const [none, one, many] = [hear(0), hear(1), hear(100)];
  assertEquals(none, 0);
  assertGreater(one, 0);
  assertGreater(many, one);
  assertLess(many, 0.5);
  assertEquals(hear(0), 0);
  hear(3);
  sound.silence();
  assertEquals(fire!.value, 0);
});

Deno.test("Sound: a crowd of happenings is bounded", () => {
  const { board, sound, effect } = openSound();
  sound.wake();
  const effects = Array.from({ length: 100 }, () => effect("land", 16));
  sound.hear(board.sceneWith({ effects, retractedEffects: [] }));
  assertEquals(board.started, 16);
});
