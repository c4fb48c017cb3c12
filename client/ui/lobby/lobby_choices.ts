/**
 * One game's choices in the lobby, as lists: what the player wants in a match, such as a team, and
 * what a room offers that they open, such as a map. Choices stay from visit to visit.
 */
import type { LobbyPart } from "../../presentation/view.ts";
import { findElement, make } from "../dom.ts";

/** One choice: a name and its words, with the default first. */
export interface Choice {
  /** Unique among the game's choices. */
  readonly name: string;
  readonly words: readonly string[];
}

export interface ChoiceOptions {
  /** The name under which choices are stored. */
  readonly storedAs: string;
  readonly join: readonly Choice[];
  readonly room: readonly Choice[];
  /**
   * Called at once, and after each change to a choice for joining.
   * @param chosen a word for each, by name
   */
  readonly onJoinChoice: (chosen: Readonly<Record<string, string>>) => void;
}

export class LobbyChoices implements LobbyPart {
  readonly #options: ChoiceOptions;
  readonly #key: string;
  readonly #chosen: Record<string, string>;

  /** @param root holds the markup of lobby.html. @throws Error if a part is missing */
  constructor(root: ParentNode, options: ChoiceOptions) {
    this.#options = options;
    this.#key = `wyvern.choices.${options.storedAs}`;
    this.#chosen = parseChoices(loadStored(this.#key), [...options.join, ...options.room]);
    const { join, room } = options;
    if (join.length > 0) findElement(root, ".who").after(this.#group("For you", join));
    if (room.length > 0) findElement(root, "#friends").append(this.#group("In a new room", room));
    this.#report();
  }

  roomChoices(): readonly number[] {
    return this.#options.room.map(({ name, words }) => words.indexOf(this.#chosen[name]!));
  }

  #group(legend: string, choices: readonly Choice[]): HTMLElement {
    return make(
      "fieldset",
      { className: "choices" },
      make("legend", { textContent: legend }),
      ...choices.map((choice) => this.#field(choice)),
    );
  }

  #field({ name, words }: Choice): HTMLElement {
    const options = words.map((word) => {
      return make("option", {
        value: word,
        textContent: inWords(word),
        selected: word === this.#chosen[name],
      });
    });
    const select = make("select", { id: `choice-${name}`, name }, ...options);
    select.addEventListener("change", () => {
      this.#chosen[name] = select.value;
      saveStored(this.#key, this.#chosen);
      this.#report();
    });
    return make("label", {}, make("span", { textContent: inWords(name) }), select);
  }

  #report(): void {
    const { join, onJoinChoice } = this.#options;
    onJoinChoice(Object.fromEntries(join.map(({ name }) => [name, this.#chosen[name]!])));
  }
}

/**
 * Reads the usable part of stored choices, and takes the first words for the rest.
 * @returns a word for each choice, by name
 */
export function parseChoices(
  text: string | null,
  choices: readonly Choice[],
): Record<string, string> {
  let stored: Readonly<Record<string, unknown>> = {};
  try {
    stored = (JSON.parse(text ?? "{}") ?? {}) as typeof stored;
  } catch {
    // Not JSON, so all choices are the defaults.
  }
  return Object.fromEntries(choices.map(({ name, words }) => [
    name,
    words.find((word) => word === stored[name]) ?? words[0]!,
  ]));
}

/** Turns a declaration's name into words: "blueTeam" and "blue_team" become "Blue team". */
export function inWords(name: string): string {
  const words = name.replaceAll("_", " ").replace(
    /([a-z\d])([A-Z])/g,
    (_, a: string, b: string) => `${a} ${b.toLowerCase()}`,
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function loadStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function saveStored(key: string, chosen: Readonly<Record<string, string>>): void {
  try {
    localStorage.setItem(key, JSON.stringify(chosen));
  } catch {
    // Storage is switched off, so the choices last for this visit.
  }
}
