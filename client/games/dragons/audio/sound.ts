/**
 * The sound of scenes. Events of the match are equally loud everywhere, other events come from
 * their place, and fire is audible for as long as something burns.
 */
import { EventSounds } from "../../../presentation/audio/event_sounds.ts";
import type { Sound } from "../../../presentation/view.ts";
import type { RenderScene } from "../scene.ts";
import { ALL_PRESENTERS, EVENT_RECIPES, type NamedPresenter } from "../presenters/presenters.ts";

/** The gain of one fire, and the most for all fires together. */
const FIRE_GAIN = 0.05;
const FIRE_GAIN_MAX = 0.2;
const FIRE_HZ = 420;
/** Time constant with which the fire's gain follows the scene, s. */
const FIRE_RAMP_SECONDS = 0.08;

export class DragonSound implements Sound<RenderScene> {
  readonly #sounds: EventSounds;
  #fire: GainNode | undefined;

  /** @param createContext called at the first `unlock` */
  constructor(createContext: () => AudioContext) {
    this.#sounds = new EventSounds(createContext);
  }

  unlock(): void {
    if (this.#sounds.unlock()) this.#fire = this.#sounds.startNoiseLoop(FIRE_HZ);
  }

  setVolume(level: number): void {
    this.#sounds.setVolume(level);
  }

  play(scene: RenderScene): void {
    const sounds = this.#sounds;
    const own = scene.dragons.find((dragon) => dragon.own);
    for (const key of scene.retractedEvents) sounds.fade(key);
    for (const { key, kind, x, y } of scene.events) {
      const { voices, isGlobal } = EVENT_RECIPES[kind] ?? {};
      if (voices === undefined) continue;
      sounds.start(
        key,
        voices,
        isGlobal ? undefined : { x, y, side: 2 * x / scene.arena.width - 1, own },
      );
    }
    let fires = 0;
    for (const named of ALL_PRESENTERS) fires += countFires(named, scene);
    this.#rampFire(Math.min(FIRE_GAIN_MAX, FIRE_GAIN * fires));
  }

  silence(): void {
    this.#sounds.silence();
    this.#rampFire(0);
  }

  #rampFire(gain: number): void {
    this.#fire?.gain.setTargetAtTime(gain, this.#fire.context.currentTime, FIRE_RAMP_SECONDS);
  }
}

/** Sprites of one archetype that burn. */
function countFires({ name, presenter }: NamedPresenter, scene: RenderScene): number {
  let fires = 0;
  for (const sprite of scene[name]) if (presenter.isBurning?.(sprite)) fires++;
  return fires;
}
