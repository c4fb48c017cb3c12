/** What each kind of happening sounds like: a table of voices, one row per kind. `sound.ts` plays them; nothing is a file. */

/** A tone that glides, or noise through a filter that does. Hz, ms; gain 0 … 1. */
export interface Voice {
  readonly wave: OscillatorType | "noise";
  readonly fromHz: number;
  readonly toHz: number;
  readonly ms: number;
  readonly gain: number;
  /** How long after the beginning, ms. */
  readonly afterMs?: number;
}

const TICK: Voice = { wave: "noise", fromHz: 2600, toHz: 900, ms: 60, gain: 0.3 };
const chime = (hz: number, afterMs: number): Voice => ({
  ...{ wave: "triangle", fromHz: hz, toHz: hz, ms: 260, gain: 0.25, afterMs },
});

export const SOUNDS: Readonly<Record<string, readonly Voice[]>> = {
  flap: [{ wave: "noise", fromHz: 900, toHz: 220, ms: 130, gain: 0.35 }],
  land: [{ wave: "sine", fromHz: 130, toHz: 60, ms: 90, gain: 0.3 }],
  fire: [{ wave: "noise", fromHz: 400, toHz: 1800, ms: 220, gain: 0.4 }],
  burn: [
    { wave: "noise", fromHz: 1200, toHz: 90, ms: 420, gain: 0.7 },
    { wave: "sine", fromHz: 120, toHz: 40, ms: 320, gain: 0.5 },
  ],
  clash: [TICK, { wave: "square", fromHz: 1900, toHz: 1300, ms: 120, gain: 0.12 }],
  crush: [{ wave: "noise", fromHz: 500, toHz: 80, ms: 200, gain: 0.5 }],
  joust: [
    { wave: "noise", fromHz: 3000, toHz: 300, ms: 160, gain: 0.5 },
    { wave: "sawtooth", fromHz: 420, toHz: 90, ms: 380, gain: 0.2 },
  ],
  egg: [{ wave: "sine", fromHz: 500, toHz: 320, ms: 110, gain: 0.25 }],
  take: [chime(660, 0), chime(990, 80)],
  hatch: [TICK, { ...TICK, afterMs: 90 }, { wave: "sawtooth", fromHz: 300, toHz: 600, ms: 180, gain: 0.12 }],
  respawn: [{ wave: "sine", fromHz: 220, toHz: 660, ms: 260, gain: 0.2 }],
  round: [chime(523, 0), chime(659, 140), chime(784, 280), chime(1047, 420)],
  start: [chime(392, 0), chime(784, 160)],
};

/** These are the match's, and as loud for everybody. */
export const UNPOSITIONED: ReadonlySet<string> = new Set(["round", "start"]);
