/**
 * A sound that a thing makes all the time, such as a fire or an engine. All things of a name share
 * one source, as loud as they are together.
 *
 *     gain = least( gainMax, Σ gain of each that sounds · what its distance leaves )
 */
import { GameError } from "../../shared/game_kit/game_error.ts";
import {
  type EventSounds,
  heardShare,
  type RunningSound,
} from "../presentation/audio/event_sounds.ts";
import { gameFiles, type SoundFile } from "./files/game_files.ts";

/** How quickly a hum follows what its things do: time constant, s. */
const RAMP_SECONDS = 0.08;
/** Of all things together: louder would drown what events say. */
const GAIN_MAX = 0.2;

/** What a thing sounds like. */
export interface HumOptions<Thing> {
  /** A tone, or noise through a filter; leave it out for a file. */
  readonly wave?: OscillatorType | "noise";
  /** A recording that the view imports, instead of a wave. It repeats without a gap. */
  readonly file?: SoundFile;
  /**
   * Hz: the tone's, or the middle of the noise. For a file, how fast it plays; default 1. A function
   * makes an engine that howls: the loudest thing decides.
   */
  readonly pitch?: number | ((shown: Thing) => number);
  /** Loudness of one thing, 0 … 1, at the own thing's place. */
  readonly gain: number | ((shown: Thing) => number);
  /** The most for all things of the name together, 0 … 1; default 0.2. */
  readonly gainMax?: number;
  /** Whether the thing sounds now; default always. */
  readonly when?: (shown: Thing) => boolean;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** One page's hum. */
export interface OpenHum<Thing> {
  /**
   * Follows what the things do. Call it with each frame.
   * @param things those of its name
   * @param ear the own thing, or the one that a spectator follows
   */
  play(things: readonly Thing[], ear: Point | undefined): void;
  /** Lets it fade out, when the player leaves the match. */
  stop(): void;
}

/** What a view's `hums` take. */
export interface Hum<Thing> {
  /** Opens it on a page. */
  open(sounds: EventSounds): OpenHum<Thing>;
}

/**
 * Makes what a view's `hums` take: `hums: { crate: hum({ wave: "noise", pitch: 420, … }) }`.
 * @throws GameError without a wave or a file, with both, or for a wave without a pitch
 */
export function hum<Thing extends Point>(options: HumOptions<Thing>): Hum<Thing> {
  const { wave, file, pitch } = options;
  if ((wave === undefined) === (file === undefined)) {
    throw new GameError("hum: give either a `wave` or a `file`");
  }
  if (wave !== undefined && pitch === undefined) {
    throw new GameError(`hum: "${wave}" needs a \`pitch\` in Hz`);
  }
  return { open: (sounds) => new RunningHum(options, sounds) };
}

class RunningHum<Thing extends Point> implements OpenHum<Thing> {
  readonly #options: HumOptions<Thing>;
  readonly #sounds: EventSounds;
  /** Undefined until a thing first sounds. */
  #running: RunningSound | undefined;

  constructor(options: HumOptions<Thing>, sounds: EventSounds) {
    this.#options = options;
    this.#sounds = sounds;
  }

  play(things: readonly Thing[], ear: Point | undefined): void {
    const { gain, gainMax = GAIN_MAX, pitch = 1, when } = this.#options;
    let sum = 0;
    let loudest: Thing | undefined;
    let most = 0;
    for (const shown of things) {
      if (when !== undefined && !when(shown)) continue;
      const heard = valueFor(gain, shown) * heardShare(shown, ear);
      sum += Math.max(0, heard);
      if (heard > most) [most, loudest] = [heard, shown];
    }

    if (loudest !== undefined) this.#running ??= this.#start();
    const running = this.#running;
    if (running === undefined) return;
    running.gain.setTargetAtTime(Math.min(gainMax, sum), running.now(), RAMP_SECONDS);
    if (loudest === undefined) return;
    running.pitch.setTargetAtTime(valueFor(pitch, loudest), running.now(), RAMP_SECONDS);
  }

  stop(): void {
    this.#running?.gain.setTargetAtTime(0, this.#running.now(), RAMP_SECONDS);
  }

  /** A file may still be on its way, and nothing sounds before the first key or touch. */
  #start(): RunningSound | undefined {
    const { wave, file } = this.#options;
    const source = wave ?? gameFiles.sounds.get(file!);
    return source && this.#sounds.startRunning(source);
  }
}

function valueFor<Thing>(value: number | ((shown: Thing) => number), shown: Thing): number {
  return typeof value === "function" ? value(shown) : value;
}
