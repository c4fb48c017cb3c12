/**
 * A button as the command carries it: presses counted modulo 4, never lost and never doubled.
 *
 * The game acts on the difference between the counter in a command and the one in its state, so a press in a command that came
 * too late is delivered by the next one. Two bits tell at most three presses apart: a fourth waits here until the server has
 * acknowledged the first. The counter goes on where the seat's last command left it: another hand may have flown before.
 */

/** What two bits can tell apart. */
const OUTSTANDING_MAX = 3;

export class PressCounter {
  /** Presses that were made, and those that commands have told of. */
  #pressed = 0;
  #sent = 0;
  /** The counter that the seat had when we took it; undefined until the server has acknowledged a command. */
  #base: number | undefined;

  /** @param total presses since the beginning, never less than before */
  setTotal(total: number): void {
    this.#pressed = total;
  }

  /**
   * The counter for the next command, 0 … 3.
   * @param acknowledged the counter in the seat's newest command that the server has announced, undefined where it has none
   */
  next(acknowledged: number | undefined): number {
    // A first command is only the game's baseline: a press in it would be no difference.
    if (acknowledged === undefined) return 0;
    this.#base ??= acknowledged;
    this.#sent = this.#nextSent(acknowledged);
    return (this.#base + this.#sent) & 3;
  }

  /** What `next` would give; nothing is told by it. */
  peek(acknowledged: number | undefined): number {
    if (acknowledged === undefined) return 0;
    return ((this.#base ?? acknowledged) + this.#nextSent(acknowledged)) & 3;
  }

  #nextSent(acknowledged: number): number {
    const outstanding = ((this.#base ?? acknowledged) + this.#sent - acknowledged) & 3;
    return this.#sent < this.#pressed && outstanding < OUTSTANDING_MAX ? this.#sent + 1 : this.#sent;
  }
}
