/**
 * Plays events' sounds, from voices or from recordings. A retracted event, found by its key, fades
 * out.
 *
 *     voices or recording → gain and pan of the event → volume → loudspeaker
 */
import type { Voice } from "./voices.ts";

/** The most sounds at once, because more would be noise. */
const PLAYING_MAX = 16;
/** How long a retracted or displaced event takes to fade out, ms. */
const SOUND_FADE_MS = 120;
/** At this distance from the own body, metres, an event is half as loud. */
const HALF_METRES = 9;
/** Below 1, so that every sound reaches both ears. */
const PAN_MAX = 0.6;

interface Playing {
  readonly gain: GainNode;
  readonly isOwn: boolean;
  readonly sources: AudioScheduledSourceNode[];
}

/** An event's place, for its loudness and its side. */
export interface SoundPlace {
  /** Metres. */
  readonly x: number;
  readonly y: number;
  /** -1 at the left end of the picture … 1 at its right end; values beyond are the ends. */
  readonly side: number;
  /** Undefined for a spectator, who hears all events half as loud. */
  readonly own: { readonly x: number; readonly y: number } | undefined;
}

/** A sound that goes on until the page ends. */
export interface RunningSound {
  readonly gain: AudioParam;
  /** Hz; for a recording, how fast it plays. */
  readonly pitch: AudioParam;
  /** The context's time, s. */
  now(): number;
}

interface RunningSource {
  readonly source: AudioScheduledSourceNode;
  readonly pitch: AudioParam;
  readonly out: AudioNode;
}

/**
 * Which share of a sound's loudness its distance leaves, 0 … 1. Metres.
 * @param own undefined for a spectator, who hears everything half as loud
 */
export function heardShare(at: Metres, own: Metres | undefined): number {
  const metres = own === undefined ? HALF_METRES : Math.hypot(at.x - own.x, at.y - own.y);
  return HALF_METRES / (HALF_METRES + metres);
}

interface Metres {
  readonly x: number;
  readonly y: number;
}

export class EventSounds {
  readonly #createContext: () => AudioContext;
  #context: AudioContext | undefined;
  #volume: GainNode | undefined;
  #noise: AudioBuffer | undefined;
  #level = 0;
  readonly #playing = new Map<string, Playing>();

  /** @param createContext called at the first `unlock` */
  constructor(createContext: () => AudioContext) {
    this.#createContext = createContext;
  }

  /**
   * Call it on each key or touch. Nothing sounds before the first call.
   * @returns whether this call was the first
   */
  unlock(): boolean {
    // "suspended", or on a phone "interrupted" by a call. A browser may refuse until the next key.
    if (this.#context !== undefined && this.#context.state !== "running") {
      this.#context.resume().catch(() => {});
    }
    if (this.#context !== undefined) return false;
    const context = this.#context = this.#createContext();
    this.#volume = context.createGain();
    this.#volume.gain.value = this.#level;
    this.#volume.connect(context.destination);
    this.#noise = whiteNoise(context);
    return true;
  }

  /** @param level 0 … 1 */
  setVolume(level: number): void {
    this.#level = level;
    if (this.#volume !== undefined) this.#volume.gain.value = level;
  }

  /**
   * Starts an event's sound: voices, or a recording. While as many sound as may, it is dropped,
   * unless the player has a part in it: then the quietest of others' gives way.
   * @param place undefined for an event that is equally loud everywhere
   * @param options.loudness its share, 0 … 1, besides what the place takes away; default 1
   * @param options.isOwn whether the own or followed player has a part in it
   */
  start(
    key: string,
    sound: readonly Voice[] | AudioBuffer,
    place: SoundPlace | undefined,
    { loudness = 1, isOwn = false } = {},
  ): void {
    const context = this.#context;
    if (context === undefined || this.#level === 0) return;
    if (sound.length === 0 || loudness === 0) return;
    if (this.#playing.size >= PLAYING_MAX && !(isOwn && this.#displaceQuietest())) return;
    const gain = context.createGain();
    gain.gain.value = loudness;
    const panner = context.createStereoPanner();
    if (place !== undefined) {
      gain.gain.value = loudness * heardShare(place, place.own);
      panner.pan.value = PAN_MAX * Math.max(-1, Math.min(1, place.side));
    }
    gain.connect(panner).connect(this.#volume!);
    const sources = isVoices(sound)
      ? sound.map((voice) => this.#voice(voice, gain))
      : [this.#recording(sound, gain)];
    this.#playing.set(key, { gain, isOwn, sources });
    const ends = isVoices(sound) ? sound.map(endMs) : [0];
    sources[ends.indexOf(Math.max(...ends))]!.onended = () => this.#playing.delete(key);
  }

  /** @returns whether there was one in which the player has no part */
  #displaceQuietest(): boolean {
    let quietest: string | undefined;
    let least = Infinity;
    for (const [key, { gain, isOwn }] of this.#playing) {
      if (isOwn || gain.gain.value >= least) continue;
      quietest = key;
      least = gain.gain.value;
    }
    if (quietest !== undefined) this.fade(quietest);
    return quietest !== undefined;
  }

  /** Fades out a retracted or displaced event's sound. */
  fade(key: string): void {
    const playing = this.#playing.get(key);
    if (playing === undefined) return;
    const now = this.#context!.currentTime;
    playing.gain.gain.setTargetAtTime(0, now, SOUND_FADE_MS / 4000);
    for (const source of playing.sources) source.stop(now + SOUND_FADE_MS / 1000);
    this.#playing.delete(key);
  }

  silence(): void {
    for (const key of [...this.#playing.keys()]) this.fade(key);
  }

  /**
   * Starts a recording that begins again at its end, and fades in.
   * @param options.gain its loudness, 0 … 1
   * @returns ends it, and lets it fade out; undefined before the first `unlock`
   */
  startLoop(
    buffer: AudioBuffer,
    { gain: level, fadeSeconds }: { readonly gain: number; readonly fadeSeconds: number },
  ): (() => void) | undefined {
    const context = this.#context;
    if (context === undefined) return undefined;
    const gain = context.createGain();
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.loop = true;
    source.connect(gain).connect(this.#volume!);
    gain.gain.value = 0;
    gain.gain.setTargetAtTime(level, context.currentTime, fadeSeconds / 4);
    source.start();
    return () => {
      gain.gain.setTargetAtTime(0, context.currentTime, fadeSeconds / 4);
      source.stop(context.currentTime + fadeSeconds);
    };
  }

  /**
   * Starts a tone, noise or a recording that runs from now on. Its gain begins at 0.
   * @returns undefined before the first `unlock`
   */
  startRunning(sound: OscillatorType | "noise" | AudioBuffer): RunningSound | undefined {
    const context = this.#context;
    if (context === undefined) return undefined;
    const { source, pitch, out } = this.#sourceOf(sound);
    const gain = context.createGain();
    gain.gain.value = 0;
    out.connect(gain).connect(this.#volume!);
    source.start();
    return { gain: gain.gain, pitch, now: () => context.currentTime };
  }

  #sourceOf(sound: OscillatorType | "noise" | AudioBuffer): RunningSource {
    if (typeof sound !== "string") return this.#repeated(sound);
    return sound === "noise" ? this.#filteredNoise() : this.#tone(sound);
  }

  #repeated(buffer: AudioBuffer): RunningSource {
    const source = this.#context!.createBufferSource();
    source.buffer = buffer;
    source.loop = true;
    return { source, pitch: source.playbackRate, out: source };
  }

  #recording(buffer: AudioBuffer, into: AudioNode): AudioScheduledSourceNode {
    const source = this.#context!.createBufferSource();
    source.buffer = buffer;
    source.connect(into);
    source.start();
    return source;
  }

  #voice(voice: Voice, into: AudioNode): AudioScheduledSourceNode {
    const context = this.#context!;
    const from = context.currentTime + (voice.afterMs ?? 0) / 1000;
    const to = from + voice.ms / 1000;
    const envelope = context.createGain();
    envelope.gain.setValueAtTime(0.0001, from);
    envelope.gain.exponentialRampToValueAtTime(voice.gain, from + 0.008);
    envelope.gain.exponentialRampToValueAtTime(0.0001, to);
    const { source, pitch, out } = voice.wave === "noise"
      ? this.#filteredNoise()
      : this.#tone(voice.wave);
    pitch.setValueAtTime(voice.fromHz, from);
    pitch.exponentialRampToValueAtTime(voice.toHz, to);
    out.connect(envelope).connect(into);
    source.start(from);
    source.stop(to);
    return source;
  }

  #tone(wave: OscillatorType): RunningSource {
    const source = this.#context!.createOscillator();
    source.type = wave;
    return { source, pitch: source.frequency, out: source };
  }

  #filteredNoise(): RunningSource {
    const source = this.#context!.createBufferSource();
    const filter = this.#context!.createBiquadFilter();
    source.buffer = this.#noise!;
    source.loop = true;
    filter.type = "bandpass";
    source.connect(filter);
    return { source, pitch: filter.frequency, out: filter };
  }
}

function isVoices(sound: readonly Voice[] | AudioBuffer): sound is readonly Voice[] {
  return Array.isArray(sound);
}

function endMs({ ms, afterMs = 0 }: Voice): number {
  return afterMs + ms;
}

/** Makes a second of white noise. */
function whiteNoise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  return buffer;
}
