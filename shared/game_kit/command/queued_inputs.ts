/**
 * The inputs that an NPC's queue holds, for `think`. A queue moves on by one command a tick, so
 * nearly all inputs are those of the tick before. They are read once, and kept as long as the
 * commands and the thing say that they are the same: reading 20 each time cost more than deciding.
 */
import type { Inputs } from "./inputs.ts";
import type { Command } from "./parts.ts";

/** The queue of one thing. */
export class QueuedInputs {
  readonly #inputs: Inputs;
  /** The commands that were read, what the thing kept before them, and the inputs. */
  #commands: readonly Command[] = [];
  readonly #before: Record<string, number> = {};
  readonly #list: ReturnType<Inputs["newInput"]>[] = [];
  /** Scratch. */
  readonly #keptThen: Record<string, number> = {};

  constructor(inputs: Inputs) {
    this.#inputs = inputs;
  }

  /**
   * Reads commands that the thing will get one after the other, without keeping anything in it.
   * @param kept the fields in the player's thing
   * @returns as many inputs, which are reused
   */
  read(
    commands: readonly Command[],
    kept: Readonly<Record<string, number>>,
  ): readonly ReturnType<Inputs["newInput"]>[] {
    // Most commands leave the thing as it was, and then only the commands say whether the queue has
    // moved on
    const list = this.#list;
    const unmoved = this.#isBefore(kept) ? this.#countKnown(commands, 0) : 0;
    const moved = this.#isAfterFirst(kept) ? this.#countKnown(commands, 1) : 0;
    if (moved > unmoved) list.push(list.shift()!);
    const known = Math.max(moved, unmoved);

    const { keptParts } = this.#inputs;
    const keptThen = this.#keptThen;
    const last = commands[known - 1];
    for (const { part, field, isChoice } of keptParts) {
      this.#before[field] = kept[field]!;
      keptThen[field] = last === undefined || isChoice ? kept[field]! : last[part]!;
    }
    for (let i = known; i < commands.length; i++) {
      this.#inputs.read(commands[i]!, keptThen, list[i] ??= this.#inputs.newInput());
    }
    list.length = commands.length;
    this.#commands = [...commands];
    return list;
  }

  /** Whether the thing is as it was before the commands that were read. */
  #isBefore(kept: Readonly<Record<string, number>>): boolean {
    for (const { field } of this.#inputs.keptParts) {
      if (this.#before[field] !== kept[field]) return false;
    }
    return true;
  }

  /** Whether the thing is as the first of those commands leaves it. */
  #isAfterFirst(kept: Readonly<Record<string, number>>): boolean {
    const first = this.#commands[0];
    if (first === undefined) return false;
    for (const { part, field, isChoice } of this.#inputs.keptParts) {
      if ((isChoice ? this.#before[field] : first[part]) !== kept[field]) return false;
    }
    return true;
  }

  /** Counts the leading commands that were read `moved` places later. */
  #countKnown(commands: readonly Command[], moved: number): number {
    let count = 0;
    const end = Math.min(commands.length, this.#commands.length - moved);
    while (count < end && commands[count] === this.#commands[count + moved]) count++;
    return count;
  }
}
