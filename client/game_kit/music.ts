/** Chooses what the music of a kit game is now, and lets one recording fade into the next. */
import type { EventSounds } from "../presentation/audio/event_sounds.ts";
import { gameFiles, type SoundFile } from "./files/game_files.ts";
import { guarded } from "./guarded.ts";
import type { LooseDefinition } from "./loose_definition.ts";
import type { LooseWorld } from "./loose_types.ts";

/** Quieter than sounds, which tell players something. */
const MUSIC_GAIN = 0.35;
/** How long one recording takes to fade in or out, s. */
const FADE_SECONDS = 1;

export class Music {
  readonly #music: LooseDefinition["music"];
  readonly #sounds: Pick<EventSounds, "startLoop">;
  #file: SoundFile | undefined;
  /** Ends what plays. */
  #fadeOut: (() => void) | undefined;

  constructor(music: LooseDefinition["music"], sounds: Pick<EventSounds, "startLoop">) {
    this.#music = music;
    this.#sounds = sounds;
  }

  /** Plays on, or fades into what the match calls for. Call it with each frame. */
  play(world: LooseWorld): void {
    const music = this.#music;
    if (music === undefined) return;
    const wanted = typeof music === "function"
      ? guarded("music", () => music(world), () => undefined)
      : music;
    if (wanted === this.#file) return;

    this.stop();
    const recording = wanted && gameFiles.sounds.get(wanted);
    if (recording === undefined) return;
    this.#fadeOut = this.#sounds.startLoop(recording, {
      gain: MUSIC_GAIN,
      fadeSeconds: FADE_SECONDS,
    });
    // Without a first key or touch nothing has begun, and the next frame tries again.
    if (this.#fadeOut !== undefined) this.#file = wanted;
  }

  stop(): void {
    this.#fadeOut?.();
    this.#fadeOut = this.#file = undefined;
  }
}
