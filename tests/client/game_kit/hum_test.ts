/** Sounds that things make all the time. */
import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { hum, type HumOptions } from "../../../client/game_kit/client_kit.ts";
import { KitSound } from "../../../client/game_kit/kit_sound.ts";
import type { KitFrame } from "../../../client/game_kit/kit_frame.ts";
import type { ShownThing } from "../../../client/game_kit/shown_thing.ts";
import { GameError } from "../../../shared/game_kit/game_error.ts";
import { createFakeAudio } from "../presentation/audio/fake_audio.ts";

type Thing = Pick<ShownThing, "x" | "y" | "name" | "fields">;

function openHum(options: HumOptions<ShownThing>) {
  const audio = createFakeAudio();
  const sound = new KitSound(() => audio.context, {
    recipes: {},
    width: 30,
    hums: { crate: hum(options) },
  });
  const play = (...things: Thing[]) =>
    sound.play(
      {
        events: [],
        retractedEvents: [],
        followed: { x: 0, y: 0 },
        things,
      } as unknown as KitFrame,
    );
  return { audio, sound, play };
}

const crate = (burning: number, x = 0): Thing => ({ name: "crate", x, y: 0, fields: { burning } });
const FIRE = { wave: "noise", pitch: 420, gain: 0.05 } as const;

Deno.test("hum: silent before the first key; then as loud as the things that sound, and never louder than its limit (SPEC 13.132)", () => {
  const { audio, sound, play } = openHum({ ...FIRE, when: ({ fields }) => fields.burning === 1 });
  play(crate(1));
  assertEquals(audio.gains.length, 0);

  sound.unlock();
  const volume = audio.gains.length;
  play(crate(0), { ...crate(1), name: "egg" });
  assertEquals(audio.gains.length, volume);

  play(crate(1), crate(0));
  const [gain] = audio.gains.slice(volume);
  assertAlmostEquals(gain!.value, 0.05);
  play(crate(1), crate(1));
  assertAlmostEquals(gain!.value, 0.1);
  play(...Array.from({ length: 30 }, () => crate(1)));
  assertAlmostEquals(gain!.value, 0.2);
  play(crate(0));
  assertEquals(gain!.value, 0);
  assertEquals(audio.gains.length, volume + 1);
});

Deno.test("hum: a far thing is quieter, the loudest one chooses the pitch, and leaving the match ends it (SPEC 13.132)", () => {
  const pitches: number[] = [];
  const { audio, sound, play } = openHum({
    wave: "sawtooth",
    pitch: ({ x }) => (pitches.push(x), 60 + x),
    gain: 0.1,
  });
  sound.unlock();
  const volume = audio.gains.length;
  play(crate(0, 9), crate(0, 1));
  const gain = audio.gains[volume]!;
  assertAlmostEquals(gain.value, 0.1 * 0.5 + 0.1 * 0.9);
  assertEquals(pitches, [1]);
  sound.silence();
  assertEquals(gain.value, 0);
  play(crate(0, 9));
  assertAlmostEquals(gain.value, 0.05);
});

Deno.test("hum: options that cannot be are refused in words", () => {
  const made = (options: Partial<HumOptions<Thing>>) => () =>
    hum({ gain: 0.1, ...options } as HumOptions<Thing>);
  assertThrows(made({}), GameError, "either a `wave` or a `file`");
  assertThrows(made({ wave: "sine" }), GameError, '"sine" needs a `pitch` in Hz');
});
