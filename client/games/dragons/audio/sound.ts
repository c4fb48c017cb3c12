/**
 * Synthesizes the sound of scenes. Events of the match are equally loud everywhere, other events come from their place,
 * and fire is audible for as long as something burns. A retracted event fades out; its key finds it.
 *
 *     voices → gain and pan of the event → volume → loudspeaker
 */
import type { Sound } from "../../../presentation/view.ts";
import type { RenderScene } from "../scene.ts";
import type { PresentedEvent } from "../../../presentation/event_reconciler.ts";
import { ALL_PRESENTERS, EVENT_RECIPES, type NamedPresenter } from "../presenters/presenters.ts";
import type { Voice } from "./voices.ts";

/** More sounds at once are noise, so no further sound begins. */
const PLAYING_MAX = 16;
/** A retracted event is silent after this time, ms. */
const SOUND_FADE_MS = 120;
/** Metres from the own dragon. At this distance an event is half as loud. */
const HALF_METRES = 9;
/** No sound is in one ear alone. */
const PAN_MAX = 0.6;
/** The gain of one fire, and the most for all fires together. */
const FIRE_GAIN = 0.05, FIRE_GAIN_MAX = 0.2;
const FIRE_HZ = 420;
/** Time constant with which the fire's gain follows the scene, s. */
const FIRE_RAMP_SECONDS = 0.08;

interface Playing {
  readonly gain: GainNode;
  readonly sources: AudioScheduledSourceNode[];
}

export class DragonSound implements Sound<RenderScene> {
  readonly #createContext: () => AudioContext;
  #context: AudioContext | undefined;
  #volume: GainNode | undefined;
  #noise: AudioBuffer | undefined;
  #fire: GainNode | undefined;
  #level = 0;
  readonly #playing = new Map<string, Playing>();

  /** @param createContext called at the first `unlock` */
  constructor(createContext: () => AudioContext) {
    this.#createContext = createContext;
  }

  unlock(): void {
    if (this.#context?.state === "suspended") void this.#context.resume();
    if (this.#context !== undefined) return;
    const context = this.#context = this.#createContext();
    this.#volume = context.createGain();
    this.#volume.gain.value = this.#level;
    this.#volume.connect(context.destination);
    this.#noise = whiteNoise(context);
    this.#fire = this.#startNoiseLoop(FIRE_HZ);
  }

  setVolume(level: number): void {
    this.#level = level;
    if (this.#volume !== undefined) this.#volume.gain.value = level;
  }

  play(scene: RenderScene): void {
    if (this.#context === undefined) return;
    const own = scene.dragons.find((dragon) => dragon.own);
    for (const key of scene.retractedEvents) this.#fade(key);
    for (const event of scene.events) this.#startEvent(event, { own, width: scene.arena.width });
    let fires = 0;
    for (const named of ALL_PRESENTERS) fires += countFires(named, scene);
    this.#fire!.gain.setTargetAtTime(
      Math.min(FIRE_GAIN_MAX, FIRE_GAIN * fires),
      this.#context.currentTime,
      FIRE_RAMP_SECONDS,
    );
  }

  silence(): void {
    for (const key of [...this.#playing.keys()]) this.#fade(key);
    this.#fire?.gain.setTargetAtTime(0, this.#context!.currentTime, FIRE_RAMP_SECONDS);
  }

  #startEvent(
    event: PresentedEvent,
    { own, width }: { own: { x: number; y: number } | undefined; width: number },
  ): void {
    const { voices, isGlobal } = EVENT_RECIPES[event.kind] ?? {};
    if (voices === undefined || this.#playing.size >= PLAYING_MAX || this.#level === 0) return;
    const context = this.#context!, gain = context.createGain(), panner = context.createStereoPanner();
    if (!isGlobal) {
      const metres = own === undefined ? HALF_METRES : Math.hypot(event.x - own.x, event.y - own.y);
      gain.gain.value = HALF_METRES / (HALF_METRES + metres);
      panner.pan.value = PAN_MAX * Math.max(-1, Math.min(1, 2 * event.x / width - 1));
    }
    gain.connect(panner).connect(this.#volume!);
    const sources = voices.map((voice) => this.#voice(voice, gain));
    this.#playing.set(event.key, { gain, sources });
    const longest = voices.map(endMs).indexOf(Math.max(...voices.map(endMs)));
    sources[longest]!.onended = () => this.#playing.delete(event.key);
  }

  #voice(voice: Voice, into: AudioNode): AudioScheduledSourceNode {
    const context = this.#context!, from = context.currentTime + (voice.afterMs ?? 0) / 1000;
    const to = from + voice.ms / 1000, envelope = context.createGain();
    envelope.gain.setValueAtTime(0.0001, from);
    envelope.gain.exponentialRampToValueAtTime(voice.gain, from + 0.008);
    envelope.gain.exponentialRampToValueAtTime(0.0001, to);
    const { source, pitch, out } = voice.wave === "noise" ? this.#filteredNoise() : this.#tone(voice.wave);
    pitch.setValueAtTime(voice.fromHz, from);
    pitch.exponentialRampToValueAtTime(voice.toHz, to);
    out.connect(envelope).connect(into);
    source.start(from);
    source.stop(to);
    return source;
  }

  #tone(wave: OscillatorType): { source: OscillatorNode; pitch: AudioParam; out: AudioNode } {
    const source = this.#context!.createOscillator();
    source.type = wave;
    return { source, pitch: source.frequency, out: source };
  }

  #filteredNoise(): { source: AudioBufferSourceNode; pitch: AudioParam; out: AudioNode } {
    const source = this.#context!.createBufferSource(), filter = this.#context!.createBiquadFilter();
    source.buffer = this.#noise!;
    source.loop = true;
    filter.type = "bandpass";
    source.connect(filter);
    return { source, pitch: filter.frequency, out: filter };
  }

  /** Noise that always runs, with a gain of 0 at first. */
  #startNoiseLoop(hz: number): GainNode {
    const { source, pitch, out } = this.#filteredNoise(), gain = this.#context!.createGain();
    pitch.value = hz;
    gain.gain.value = 0;
    out.connect(gain).connect(this.#volume!);
    source.start();
    return gain;
  }

  #fade(key: string): void {
    const playing = this.#playing.get(key), now = this.#context!.currentTime;
    if (playing === undefined) return;
    playing.gain.gain.setTargetAtTime(0, now, SOUND_FADE_MS / 4000);
    for (const source of playing.sources) source.stop(now + SOUND_FADE_MS / 1000);
    this.#playing.delete(key);
  }
}

/** Sprites of one archetype that burn. */
function countFires({ name, presenter }: NamedPresenter, scene: RenderScene): number {
  let fires = 0;
  for (const sprite of scene[name]) if (presenter.isBurning?.(sprite)) fires++;
  return fires;
}

function endMs({ ms, afterMs = 0 }: Voice): number {
  return afterMs + ms;
}

/** A second of white noise. */
function whiteNoise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate), samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  return buffer;
}
