/**
 * Sound made by the browser itself, in three classes: what all hear, what happens somewhere once, and what lasts as long as the state
 * has it (fire that burns). Each happening has its key, so that one that never was can be faded out; nothing here is the game's.
 *
 *     voices → the happening's gain and place → volume → ears
 */
import type { Sound } from "../../../presentation/view.ts";
import type { RenderScene } from "../scene.ts";
import type { PresentedEvent } from "../../../presentation/event_reconciler.ts";
import { ALL_PRESENTERS, EVENT_RECIPES, type NamedPresenter } from "../presenters/presenters.ts";
import type { Voice } from "./voices.ts";

/** More than these at once are noise; the newest are left out. */
const PLAYING_MAX = 16;
/** What never was is not heard after this, ms. */
const SOUND_FADE_MS = 120;
/** Half as loud at this distance from the own dragon, metres. */
const HALF_METRES = 9;
/** Nothing is all in one ear. */
const PAN_MAX = 0.6;
/** How loud one burning thing is, and all of them at most. */
const FIRE_GAIN = 0.05, FIRE_GAIN_MAX = 0.2;
const FIRE_HZ = 420;
/** How soon what lasts follows the state, s. */
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

  /** @param createContext makes the browser's context; it is asked once somebody has touched the page */
  constructor(createContext: () => AudioContext) {
    this.#createContext = createContext;
  }

  /** A key or finger came down: before that no browser lets a page be heard. */
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

  /** @param level 0 … 1 */
  setVolume(level: number): void {
    this.#level = level;
    if (this.#volume !== undefined) this.#volume.gain.value = level;
  }

  /** What a new scene sounds like. Show it each scene once. */
  play(scene: RenderScene): void {
    if (this.#context === undefined) return;
    const own = scene.dragons.find((dragon) => dragon.own);
    for (const key of scene.retractedEffects) this.#fade(key);
    for (const effect of scene.effects) this.#startEffect(effect, { own, width: scene.arena.width });
    let fires = 0;
    for (const named of ALL_PRESENTERS) fires += countFires(named, scene);
    this.#fire!.gain.setTargetAtTime(
      Math.min(FIRE_GAIN_MAX, FIRE_GAIN * fires),
      this.#context.currentTime,
      FIRE_RAMP_SECONDS,
    );
  }

  /** Nothing goes on: the match is left. */
  silence(): void {
    for (const key of [...this.#playing.keys()]) this.#fade(key);
    this.#fire?.gain.setTargetAtTime(0, this.#context!.currentTime, FIRE_RAMP_SECONDS);
  }

  #startEffect(
    effect: PresentedEvent,
    { own, width }: { own: { x: number; y: number } | undefined; width: number },
  ): void {
    const { voices, isGlobal } = EVENT_RECIPES[effect.kind] ?? {};
    if (voices === undefined || this.#playing.size >= PLAYING_MAX || this.#level === 0) return;
    const context = this.#context!, gain = context.createGain(), panner = context.createStereoPanner();
    if (!isGlobal) {
      const metres = own === undefined ? HALF_METRES : Math.hypot(effect.x - own.x, effect.y - own.y);
      gain.gain.value = HALF_METRES / (HALF_METRES + metres);
      panner.pan.value = PAN_MAX * Math.max(-1, Math.min(1, 2 * effect.x / width - 1));
    }
    gain.connect(panner).connect(this.#volume!);
    const sources = voices.map((voice) => this.#voice(voice, gain));
    this.#playing.set(effect.key, { gain, sources });
    const longest = voices.map(endMs).indexOf(Math.max(...voices.map(endMs)));
    sources[longest]!.onended = () => this.#playing.delete(effect.key);
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

  /** Noise that is always there, and mostly silent. */
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
