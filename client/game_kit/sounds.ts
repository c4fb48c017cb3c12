/** Ready-made sounds for a view's `events`. You may also combine voices, or make your own. */
import { chime, TICK, type Voice } from "../presentation/audio/voices.ts";

/** A dull blow, as when bodies meet or land. */
const THUD: Voice = { wave: "sine", fromHz: 150, toHz: 55, ms: 130, gain: 0.5 };
/** A hard blow with splinters. */
const CRACK: Voice = { wave: "noise", fromHz: 2400, toHz: 300, ms: 160, gain: 0.45 };
/** Rushing air, as for a jump or a dash. */
const WHOOSH: Voice = { wave: "noise", fromHz: 700, toHz: 2200, ms: 220, gain: 0.25 };

/** By name: `events: { goal: { sound: SOUNDS.fanfare } }`. */
export const SOUNDS = {
  tick: [TICK],
  thud: [THUD],
  hit: [THUD, CRACK],
  whoosh: [WHOOSH],
  jump: [{ wave: "sine", fromHz: 220, toHz: 560, ms: 140, gain: 0.3 }],
  pop: [{ wave: "sine", fromHz: 640, toHz: 180, ms: 110, gain: 0.4 }],
  coin: [chime(988, 0), chime(1319, 70)],
  laser: [{ wave: "sawtooth", fromHz: 1400, toHz: 180, ms: 170, gain: 0.16 }],
  boom: [{ wave: "noise", fromHz: 480, toHz: 60, ms: 520, gain: 0.6 }, { ...THUD, ms: 420 }],
  lose: [
    { wave: "triangle", fromHz: 392, toHz: 370, ms: 220, gain: 0.25 },
    { wave: "triangle", fromHz: 294, toHz: 262, ms: 420, gain: 0.25, afterMs: 200 },
  ],
  whistle: [
    { wave: "square", fromHz: 2300, toHz: 2250, ms: 180, gain: 0.08 },
    { wave: "square", fromHz: 2350, toHz: 2300, ms: 420, gain: 0.08, afterMs: 220 },
  ],
  fanfare: [chime(523, 0), chime(659, 120), chime(784, 240), chime(1047, 360)],
} as const satisfies Readonly<Record<string, readonly Voice[]>>;
