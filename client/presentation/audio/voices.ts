/**
 * Voices: the parts of a sound, as data. `event_sounds.ts` synthesizes them, so no sound is a file.
 */

/** A tone that glides, or noise through a filter that glides. Hz, ms; gain 0 … 1. */
export interface Voice {
  /** The form of the tone, or noise. */
  readonly wave: OscillatorType | "noise";
  /** The pitch at the begin; of noise, the filter's middle. */
  readonly fromHz: number;
  /** The same at the end. */
  readonly toHz: number;
  /** How long it sounds. */
  readonly ms: number;
  /** The loudness at the begin, 0 … 1. */
  readonly gain: number;
  /** Delay after the event, ms. */
  readonly afterMs?: number;
}

/** Wood on steel, or a cracking shell. */
export const TICK: Voice = { wave: "noise", fromHz: 2600, toHz: 900, ms: 60, gain: 0.3 };

/** One note. @param afterMs delay after the event */
export const chime = (hz: number, afterMs: number): Voice => ({
  wave: "triangle",
  fromHz: hz,
  toHz: hz,
  ms: 260,
  gain: 0.25,
  afterMs,
});
