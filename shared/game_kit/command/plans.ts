/**
 * Plans: what an NPC's command says in advance for things that nobody can foresee. A command carries
 * a small table, "if struck: rise", and every end sees in its own state whether that is so:
 *
 *     input' = input, with the answer of the first plan of the table whose condition holds in S(n−1)
 *
 * So an NPC whose commands are known 20 ticks ahead reacts at once, and nobody has to guess it.
 *
 * A plan is a part of the command: 0 for none, or the number of an answer.
 */
import type { CommandFieldSchema } from "../../netcode/game.ts";
import { GameError, listed } from "../game_error.ts";
import type { LooseInput } from "./inputs.ts";
import type { Command } from "./parts.ts";

/** Most plans of a game: a command's table has at most as many lines. */
export const PLANS_MAX = 4;
/** Most answers of a plan, so that it takes 3 bits of a command at most. */
export const ANSWERS_MAX = 7;
/** The chance, of 4096, that a plan is unchanged when its command differs from the one before. */
const UNCHANGED = 3_900;

/** `Plan` in `rules.ts` without the game's types: of a world and a seat's thing. */
export interface LoosePlan {
  when(world: unknown, me: unknown): boolean;
  readonly answers: Readonly<Record<string, LooseInput>>;
}

export type LoosePlans = Readonly<Record<string, LoosePlan>>;

/** The member of what `think` returns that is no part of the command. */
export const TABLE = "if";

/** The hidden part of the command. Authors' names contain no space. */
const partOf = (plan: string) => `if ${plan}`;

/** One plan, prepared. */
interface Row {
  readonly name: string;
  readonly part: string;
  readonly when: LoosePlan["when"];
  readonly words: readonly string[];
  /** What each answer sets, as rules see it. */
  readonly answers: readonly LooseInput[];
}

/** The plans of one game. */
export class Plans {
  readonly #rows: readonly Row[];

  /** @param plans checked ones */
  constructor(plans: LoosePlans) {
    this.#rows = Object.entries(plans).map(([name, { when, answers }]) => ({
      name,
      part: partOf(name),
      when,
      words: Object.keys(answers),
      answers: Object.values(answers),
    }));
  }

  /** How many there are. */
  get count(): number {
    return this.#rows.length;
  }

  /** The command's fields, one for each plan. */
  get schema(): readonly CommandFieldSchema[] {
    return this.#rows.map(({ part, words }) => ({
      name: part,
      type: "number",
      least: 0,
      greatest: words.length,
      wraps: false,
      neutral: 0,
      held: true,
      unchanged: UNCHANGED,
      names: ["", ...words],
    }));
  }

  /**
   * The number of a thought's answer for each plan, by part.
   * @param thing whose thought it is, for the error
   * @returns undefined for a thought without a table
   * @throws GameError for a plan or an answer that the game does not have
   */
  tableOf(thought: LooseInput, thing: { toString(): string }): Command | undefined {
    const lines = (thought as Record<string, unknown>)[TABLE] as
      | Readonly<Record<string, string | undefined>>
      | undefined;
    if (lines === undefined) return undefined;

    const table: Record<string, number> = {};
    for (const plan in lines) {
      const answer = lines[plan];
      const row = this.#rows.find(({ name }) => name === plan);
      if (row === undefined) {
        throw new GameError(
          `think of ${thing} returns if.${plan}, which is no plan: ${
            listed(this.#rows.map(({ name }) => name))
          }`,
        );
      }
      if (answer === undefined) continue;
      const number = row.words.indexOf(answer) + 1;
      if (number === 0) {
        throw new GameError(
          `think of ${thing} returns if.${plan}: "${answer}", which is none of ${
            row.words.join(", ")
          }`,
        );
      }
      table[row.part] = number;
    }
    return table;
  }

  /** The answer of the first line of a command's table whose condition holds; undefined if none does. */
  answerOf(command: Command, world: unknown, me: unknown): LooseInput | undefined {
    for (const { part, when, answers } of this.#rows) {
      const answer = answers[command[part]! - 1];
      if (answer !== undefined && when(world, me)) return answer;
    }
    return undefined;
  }
}
