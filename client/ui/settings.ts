/**
 * A player's settings, kept in the browser: name, colour, keys, volume, input delay, switches. Only
 * the name is sent.
 */
import type { ActionSet } from "../input/actions.ts";
import { defaultBindings, type KeyBindings, parseBindings } from "../input/key_bindings.ts";
import { INPUT_DELAYS, type InputDelayChoice } from "../session/input_delay.ts";

const KEY = "wyvern.settings";

/** The rung of the quality ladder by a player's choice; undefined if the ladder decides. */
export const QUALITY_RUNGS = { automatic: undefined, full: 0, simple: 3 } as const;

/** The settings that are on or off, with what they are on a first visit. */
export const SWITCHES = { oneButton: false, rumble: true, keepAwake: true } as const;

export interface Settings extends Readonly<Record<keyof typeof SWITCHES, boolean>> {
  /** Empty until the player has entered one. */
  readonly name: string;
  /** One of the view's colours. */
  readonly colour: string;
  readonly keys: KeyBindings;
  readonly quality: keyof typeof QUALITY_RUNGS;
  /** 0 … 1. */
  readonly volume: number;
  readonly muted: boolean;
  readonly inputDelay: InputDelayChoice;
}

/** The game's part of the settings. */
export interface SettingsSchema {
  /**
   * The name under which keys and colour are stored; undefined for the game that has the plain
   * names.
   */
  readonly storedAs?: string | undefined;
  readonly actions: ActionSet;
  /** Names of the colours that a player may choose; the first is the default. */
  readonly colours: readonly string[];
}

/** Sound is part of the game, but full volume is a surprise in an office. */
const DEFAULT_VOLUME = 0.5;

/** The settings of a first visit. */
function defaultSettings({ actions, colours }: SettingsSchema): Settings {
  return {
    name: "",
    colour: colours[0]!,
    keys: defaultBindings(actions),
    ...SWITCHES,
    quality: "automatic",
    volume: DEFAULT_VOLUME,
    muted: false,
    inputDelay: "automatic",
  };
}

/**
 * The name under which a game stores its keys or its colour. All other settings are for all games.
 */
function storedName(setting: "keys" | "colour", { storedAs }: SettingsSchema): string {
  return storedAs === undefined ? setting : `${setting}.${storedAs}`;
}

/**
 * The text to store.
 * @param before the text that is stored now: the keys and the colours of other games stay in it
 */
export function storedSettings(
  settings: Settings,
  schema: SettingsSchema,
  before: string | null,
): string {
  const { keys, colour, ...common } = settings;
  return JSON.stringify({
    ...parseStored(before),
    ...common,
    [storedName("keys", schema)]: keys,
    [storedName("colour", schema)]: colour,
  });
}

/** The usable part of stored settings, and defaults for the rest. */
export function parseSettings(text: string | null, schema: SettingsSchema): Settings {
  const defaults = defaultSettings(schema);
  const stored = parseStored(text);
  const { name, quality, volume, muted, inputDelay } = stored;
  const switches = Object.entries(SWITCHES).map(([id, byDefault]) => {
    const value = stored[id];
    return [id, typeof value === "boolean" ? value : byDefault];
  });
  return {
    ...Object.fromEntries(switches) as Record<keyof typeof SWITCHES, boolean>,
    name: typeof name === "string" ? name : defaults.name,
    colour: schema.colours.find((known) => known === stored[storedName("colour", schema)]) ??
      defaults.colour,
    keys: parseBindings(stored[storedName("keys", schema)], schema.actions),
    quality: quality === "full" || quality === "simple" ? quality : defaults.quality,
    volume: typeof volume === "number" && volume >= 0 && volume <= 1 ? volume : defaults.volume,
    muted: muted === true,
    inputDelay: INPUT_DELAYS.find((known) => known === inputDelay) ?? defaults.inputDelay,
  };
}

function parseStored(text: string | null): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text!) ?? {};
  } catch {
    return {};
  }
}

/** The settings of this page, kept from visit to visit. */
export class SettingsStore {
  readonly schema: SettingsSchema;
  #current: Settings;
  #onChange: (settings: Settings) => void = () => {};

  constructor(schema: SettingsSchema) {
    this.schema = schema;
    this.#current = parseSettings(loadStored(), schema);
  }

  get current(): Settings {
    return this.#current;
  }

  /** Calls the listener at once, and after every change. There is one listener at a time. */
  onChange(listener: (settings: Settings) => void): void {
    this.#onChange = listener;
    listener(this.#current);
  }

  change(changes: Partial<Settings>): void {
    this.#current = { ...this.#current, ...changes };
    try {
      localStorage.setItem(KEY, storedSettings(this.#current, this.schema, loadStored()));
    } catch {
      // Storage is switched off: the settings last for this visit.
    }
    this.#onChange(this.#current);
  }
}

function loadStored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
