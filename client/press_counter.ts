/**
 * A button as the command carries it: presses counted modulo 4, never lost and never doubled.
 *
 * The game acts on the difference between the counter in a command and the one in its state, so a press in a command that came
 * too late is delivered by the next one. Two bits tell at most three presses apart: a fourth waits here until the server has
 * used the first.
 */

/** What two bits can tell apart. */
const OUTSTANDING_MAX = 3;

export class PressCounter {
  /** Presses that were made, and those that commands have told of. */
  #made = 0;
  #told = 0;

  /** @param total presses since the beginning, never less than before */
  setTotal(total: number): void {
    this.#made = total;
  }

  /**
   * The counter for the next command, 0 … 3.
   * @param definitive the counter that the server has used last, undefined where it has used none of ours yet
   */
  next(definitive: number | undefined): number {
    // Before the server has used a first command our counter is only its baseline: a press then would be no difference.
    const outstanding = definitive === undefined ? OUTSTANDING_MAX : (this.#told - definitive) & 3;
    if (this.#told < this.#made && outstanding < OUTSTANDING_MAX) this.#told++;
    return this.#told & 3;
  }
}
