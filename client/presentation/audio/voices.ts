/**
 * Voices: the parts of a sound, as data, which `event_sounds.ts` synthesizes, so that sounds need
 * no files.
 */

/** A tone that glides, or noise through a filter that glides. Hz, ms; gain 0 … 1. */
export interface Voice {
  /** The tone's waveform, or noise. */
  readonly wave: OscillatorType | "noise";
  /** The initial pitch; for noise, the filter's centre. */
  readonly fromHz: number;
  /** The final pitch. */
  readonly toHz: number;
  /** How long it sounds. */
  readonly ms: number;
  /** The initial loudness, 0 … 1. */
  readonly gain: number;
  /** Delay after the event, ms. */
  readonly afterMs?: number;
}

/** Wood on steel, or a cracking shell. */
export const TICK: Voice = { wave: "noise", fromHz: 2600, toHz: 900, ms: 60, gain: 0.3 };

/** Makes one note. @param afterMs delay after the event */
export const chime = (hz: number, afterMs: number): Voice => ({
  wave: "triangle",
  fromHz: hz,
  toHz: hz,
  ms: 260,
  gain: 0.25,
  afterMs,
});
