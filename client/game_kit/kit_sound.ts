/** Plays a kit game's events from where they happen. */
import { EventSounds } from "../presentation/audio/event_sounds.ts";
import type { Sound } from "../presentation/view.ts";
import { type Recipes, strengthOf } from "./event_looks.ts";
import { gameFiles } from "./files/game_files.ts";
import { guarded } from "./guarded.ts";
import type { OpenHum } from "./hum.ts";
import type { KitFrame } from "./kit_frame.ts";
import type { LooseDefinition } from "./loose_definition.ts";
import { Music } from "./music.ts";
import type { ShownThing } from "./shown_thing.ts";

export class KitSound implements Sound<KitFrame> {
  readonly #sounds: EventSounds;
  readonly #recipes: Recipes;
  readonly #width: number;
  readonly #music: Music;
  readonly #hums: readonly (readonly [name: string, hum: OpenHum<ShownThing>])[];

  /**
   * @param width the picture's width in metres, which places a sound to a side
   * @param music the definition's, as `hums` are
   * @param createContext called once
   */
  constructor(
    createContext: () => AudioContext,
    { recipes, width, music, hums = {} }: {
      recipes: Recipes;
      width: number;
      music?: LooseDefinition["music"];
      hums?: LooseDefinition["hums"];
    },
  ) {
    this.#sounds = new EventSounds(createContext);
    this.#recipes = recipes;
    this.#width = width;
    this.#music = new Music(music, this.#sounds);
    this.#hums = Object.entries(hums).map(([name, hum]) => [name, hum.open(this.#sounds)]);
  }

  unlock(): void {
    this.#sounds.unlock();
  }

  setVolume(level: number): void {
    this.#sounds.setVolume(level);
  }

  play({ events, retractedEvents, followed: own, world, things }: KitFrame): void {
    this.#music.play(world);
    for (const [name, hum] of this.#hums) {
      const named = things.filter((thing) => thing.name === name);
      guarded(`hums.${name}`, () => hum.play(named, own), () => {});
    }
    for (const key of retractedEvents) this.#sounds.fade(key);
    for (const event of events) {
      const { key, kind, x, y } = event;
      const recipe = this.#recipes[kind] ?? {};
      const { sound, everywhere } = recipe;
      const heard = typeof sound === "string" ? gameFiles.sounds.get(sound) : sound;
      if (heard === undefined) continue;
      const side = 2 * (x - (own?.x ?? 0)) / this.#width;
      const place = everywhere ? undefined : { x, y, side, own };
      const isOwn = own !== undefined && (event.seat === own.seat || event.otherSeat === own.seat);
      this.#sounds.start(key, heard, place, { loudness: strengthOf(recipe, event), isOwn });
    }
  }

  silence(): void {
    this.#sounds.silence();
    this.#music.stop();
    for (const [, hum] of this.#hums) hum.stop();
  }
}
