/**
 * What `think` may know of the ticks to come: the inputs that the NPC's queue holds, and random
 * numbers that every tick finds again. One simulation has one, because a new object with a getter
 * for each call cost a tenth of an NPC's time.
 */
import type { NpcRandom, SeatId } from "../../netcode/game.ts";
import { RANDOM_RANGE } from "../../random.ts";
import type { Inputs, LooseInput } from "../command/inputs.ts";
import type { Command } from "../command/parts.ts";
import { QueuedInputs } from "../command/queued_inputs.ts";
import type { ThingHandle } from "../world/thing_table.ts";

/** The foresight of one simulation's NPCs, of one after the other. */
export class Foresight {
  readonly #inputs: Inputs;
  /** The queues of NPCs as `think` has read them. */
  readonly #readers = new WeakMap<ThingHandle, QueuedInputs>();
  /** Whose turn it is; undefined before the first. */
  #me: ThingHandle | undefined;
  #seat: SeatId = 0;
  #commands: readonly Command[] = [];
  /**
   * Draws a number for the NPC whose turn it is.
   * @param key a whole number: the same one gives the same number
   * @returns 0 … 1, without 1
   */
  readonly draw: (key: number) => number;

  constructor(inputs: Inputs, npcRandom: NpcRandom) {
    this.#inputs = inputs;
    this.draw = (key) => npcRandom(this.#seat, key) / RANDOM_RANGE;
  }

  /** Turns to one NPC. @param commands its queue, the next one first */
  of(me: ThingHandle, seat: SeatId, commands: readonly Command[]): this {
    this.#me = me;
    this.#seat = seat;
    this.#commands = commands;
    return this;
  }

  /** The inputs that the queue holds, the next one first. Read only if a policy asks for them. */
  get queued(): readonly LooseInput[] {
    const me = this.#me!;
    let reader = this.#readers.get(me);
    if (reader === undefined) this.#readers.set(me, reader = new QueuedInputs(this.#inputs));
    return reader.read(this.#commands, me.entity.fields);
  }
}
