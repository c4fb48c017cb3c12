import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { recipesOf } from "../../../client/game_kit/event_looks.ts";
import { gameFiles, type SoundFile } from "../../../client/game_kit/files/game_files.ts";
import type { KitFrame } from "../../../client/game_kit/kit_frame.ts";
import { KitSound } from "../../../client/game_kit/kit_sound.ts";
import { SOUNDS } from "../../../client/game_kit/sounds.ts";
import { createFakeAudio } from "../presentation/audio/fake_audio.ts";

const RECIPES = recipesOf({
  hit: { sound: SOUNDS.thud },
  goal: { sound: SOUNDS.coin, everywhere: true },
  quiet: { shake: 1 },
  blow: { sound: SOUNDS.thud, strength: (speed) => speed / 10 },
});

function openSound() {
  const audio = createFakeAudio();
  const sound = new KitSound(() => audio.context, { recipes: RECIPES, width: 30 });
  sound.setVolume(0.5);
  let key = 0;
  const play = (
    kind: string,
    x: number,
    more: Partial<KitFrame> = {},
    amount?: number,
    seats: { readonly seat?: number; readonly otherSeat?: number } = {},
  ) => {
    const own = { key: `${kind} ${key++}`, kind, x, y: 0, amount };
    const event = { seat: -1, otherSeat: -1, ...own, ...seats };
    sound.play(
      {
        events: [event],
        retractedEvents: [],
        followed: { x: 0, y: 0 },
        ...more,
      } as unknown as KitFrame,
    );
    return event.key;
  };
  return { audio, sound, play };
}

Deno.test("KitSound: silent before the first touch; then each event once, from its place or from everywhere", () => {
  const { audio, sound, play } = openSound();
  play("hit", 3);
  sound.silence();
  assertEquals(audio.gains.length, 0);
  sound.unlock();
  for (const kind of ["quiet", "unknown"]) play(kind, 0);
  assertEquals(audio.started, 0);
  const hear = (kind: string, x: number) => {
    const at = audio.gains.length;
    play(kind, x);
    return { gain: audio.gains[at]!.value, pan: audio.pans.at(-1)!.value };
  };
  const near = hear("hit", -1);
  const far = hear("hit", 12);
  assertLess(far.gain, near.gain);
  assertLess(near.pan, 0);
  assertGreater(far.pan, 0);
  assertEquals(hear("goal", 12).pan, 0);
  assertEquals(audio.started, 1 + 1 + SOUNDS.coin.length);
});

Deno.test("KitSound: when no more may sound, own events displace the quietest of others', and others are dropped (SPEC 8.192)", () => {
  const { audio, sound, play } = openSound();
  sound.unlock();
  const own = { seat: 3, x: 0, y: 0 } as KitFrame["followed"];
  const hear = (x: number, seats: { seat?: number; otherSeat?: number } = {}) => {
    const before = audio.started;
    play("hit", x, { followed: own }, undefined, seats);
    return audio.started - before;
  };
  // The third is the quietest. Each gain is followed by that of its voice.
  const gainsAt = audio.gains.length;
  const places = Array.from({ length: 16 }, (_, i) => i === 2 ? 40 : i);
  assertEquals(places.map((x) => hear(x)), places.map(() => 1));
  const quietest = audio.gains[gainsAt + 2 * 2]!;
  const next = audio.gains[gainsAt + 2 * 15]!;

  assertEquals(hear(0), 0, "one of others, though it is nearer than all");
  assertGreater(quietest.value, 0);
  assertEquals(hear(50, { otherSeat: 3 }), 1, "the own one, though it is far");
  assertEquals(quietest.value, 0, "that of the quietest fades out");
  assertGreater(next.value, 0);

  // Own ones make no room for own ones.
  assertEquals(Array.from({ length: 16 }, () => hear(0, { seat: 3 })), [
    ...Array(15).fill(1),
    0,
  ]);
});

Deno.test("KitSound: an event with an amount is as loud as it is strong, 1 at most (SPEC 13.94)", () => {
  const { audio, sound, play } = openSound();
  sound.unlock();
  const loudnessOf = (amount?: number) => {
    const at = audio.gains.length;
    play("blow", 0, {}, amount);
    return audio.gains[at]?.value;
  };
  assertEquals([5, 10, 40, undefined].map(loudnessOf), [0.5, 1, 1, 1]);
  // One without strength makes no sound.
  assertEquals(loudnessOf(0), undefined);
});

Deno.test("KitSound: a retracted event fades out", () => {
  const { audio, sound, play } = openSound();
  sound.unlock();
  const key = play("hit", 0);
  const longS = audio.lastEndS;
  sound.play({ events: [], retractedEvents: [key], followed: undefined } as unknown as KitFrame);
  assertLess(audio.lastEndS, longS);
});

Deno.test("recipesOf: a short burst is a ring with sparks and smoke; voices and bursts of one's own stay", () => {
  const { pop } = recipesOf({ pop: { burst: { colour: "#fff", count: 9 } } });
  assertEquals(pop!.bursts!.map(({ shape, count }) => [shape, count]), [["ring", 1], ["spark", 9], [
    "puff",
    3,
  ]]);
  const bursts = [{ ...pop!.bursts![0]!, count: 2 }];
  assertEquals(recipesOf({ pop: { burst: bursts, shake: 0.5 } }).pop, { bursts, shake: 0.5 });
});

Deno.test("KitSound: music loops from the first touch on, fades into what the match calls for, and ends with it (SPEC 13.124)", () => {
  const [calm, wild, lost] = ["calm", "wild", "lost"].map((name) => name as SoundFile);
  const audio = createFakeAudio();
  let wanted: SoundFile | undefined = calm;
  const sound = new KitSound(() => audio.context, {
    recipes: {},
    width: 30,
    music: () => wanted,
  });
  const play = () => sound.play({ events: [], retractedEvents: [] } as unknown as KitFrame);
  /** The loudness of the volume and of each loop so far, and how many loops have an end. */
  const heard = () => [audio.gains.map(({ value }) => value), audio.started];

  try {
    for (const file of [calm!, wild!]) gameFiles.sounds.set(file, { length: 9 } as AudioBuffer);
    sound.setVolume(0);
    play();
    assertEquals(heard(), [[], 0], "nothing before a touch");
    sound.unlock();
    for (let frame = 0; frame < 3; frame++) play();
    assertEquals(heard(), [[0, 0.35], 0], "once, and not heard by who has muted the page");

    wanted = wild;
    play();
    assertEquals(heard(), [[0, 0, 0.35], 1]);
    assertEquals(audio.lastEndS, 11, "after a second");
    wanted = lost;
    play();
    assertEquals(heard(), [[0, 0, 0], 2], "a file that has failed is silence");
    wanted = calm;
    play();
    sound.silence();
    assertEquals(heard(), [[0, 0, 0, 0], 3]);
    play();
    assertEquals(heard(), [[0, 0, 0, 0, 0.35], 3], "the next match begins it anew");
  } finally {
    gameFiles.sounds.clear();
  }
});

Deno.test("KitSound: a recording sounds from its place once it is loaded, and fades if it is taken back (SPEC 13.73)", () => {
  const file = "http://files.invalid/bang.ogg" as SoundFile;
  const audio = createFakeAudio();
  const recipes = recipesOf({ bang: { sound: file } });
  const sound = new KitSound(() => audio.context, { recipes, width: 30 });
  sound.setVolume(1);
  sound.unlock();
  const event = { key: "bang", tick: 1, kind: "bang", x: 12, y: 0, seat: -1, otherSeat: -1 };
  const play = (more: Partial<KitFrame>) =>
    sound.play(
      { events: [], retractedEvents: [], own: { x: 0, y: 0 }, ...more } as unknown as KitFrame,
    );
  play({ events: [event] });
  assertEquals(audio.pans.length, 0, "it is not loaded, or has failed");

  try {
    gameFiles.sounds.set(file, { length: 1000, duration: 0.1 } as AudioBuffer);
    play({ events: [event] });
    assertEquals(audio.pans.length, 1);
    assertGreater(audio.pans[0]!.value, 0);
    assertEquals(audio.started, 0, "it ends by itself");
    play({ retractedEvents: ["bang"] });
    assertEquals(audio.started, 1, "it ends before");
  } finally {
    gameFiles.sounds.clear();
  }
});
