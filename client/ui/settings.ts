/**
 * A player's settings, kept in the browser: name, colour, keys, volume, input delay, switches. Only
 * the name is sent.
 */
import type { ActionSet } from "../input/actions.ts";
import { defaultBindings, type KeyBindings, parseBindings } from "../input/key_bindings.ts";
import { INPUT_DELAYS, type InputDelayChoice } from "../session/input_delay.ts";

const KEY = "wyvern.settings";

/** The quality ladder's rung for each choice; undefined if the ladder decides. */
export const QUALITY_RUNGS = { automatic: undefined, full: 0, simple: 3 } as const;

/** The settings that are on or off, with their values on a first visit. */
export const SWITCHES = { oneButton: false, rumble: true, keepAwake: true } as const;

export interface Settings extends Readonly<Record<keyof typeof SWITCHES, boolean>> {
  /** Empty until the player enters one. */
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

/** The game's part in the settings. */
export interface SettingsSchema {
  /** The name under which keys and colour are stored. */
  readonly storedAs: string;
  readonly actions: ActionSet;
  /** The colours that a player may choose, by name; the first is the default. */
  readonly colours: readonly string[];
}

/** Sound belongs to the game, but full volume would surprise in an office. */
const DEFAULT_VOLUME = 0.5;

/** Returns the settings for a first visit. */
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
 * Names the entry in which a game stores its keys or its colour. Games share all other settings.
 */
function storedName(setting: "keys" | "colour", { storedAs }: SettingsSchema): string {
  return `${setting}.${storedAs}`;
}

/**
 * Makes the text to store.
 * @param before the text that is stored now, in which other games' keys and colours stay
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

/**
 * What a game has stored. Before pages had several games, their only one used the plain names: a
 * game without an entry of its own begins with what a player chose then.
 */
function ownStored(
  setting: "keys" | "colour",
  schema: SettingsSchema,
  stored: Readonly<Record<string, unknown>>,
): unknown {
  return stored[storedName(setting, schema)] ?? stored[setting];
}

/** Reads the usable part of stored settings, and takes defaults for the rest. */
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
    colour: schema.colours.find((known) => known === ownStored("colour", schema, stored)) ??
      defaults.colour,
    keys: parseBindings(ownStored("keys", schema, stored), schema.actions),
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

/** This page's settings, kept from visit to visit. */
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

  /** Sets the one listener, and calls it at once and after every change. */
  onChange(listener: (settings: Settings) => void): void {
    this.#onChange = listener;
    listener(this.#current);
  }

  change(changes: Partial<Settings>): void {
    this.#current = { ...this.#current, ...changes };
    try {
      localStorage.setItem(KEY, storedSettings(this.#current, this.schema, loadStored()));
    } catch {
      // Storage is switched off, so the settings last for this visit.
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
