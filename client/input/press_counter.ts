/**
 * The 2-bit counter for one button's presses in the commands, by which presses are neither lost nor
 * doubled.
 *
 * The game acts on the difference between the counter in a command and the one in its state, so if
 * a command comes too late, the next one delivers its presses. Two bits distinguish at most three
 * presses, so a fourth waits here until the server acknowledges the first. The counter continues
 * from the seat's last command, which another player or an NPC may have given.
 */

/** How many presses two bits distinguish. */
const OUTSTANDING_MAX = 3;

export class PressCounter {
  /** All presses, and those that commands carried. */
  #pressed = 0;
  #sent = 0;
  /**
   * The seat's counter without the sent presses; undefined until the server acknowledges a command.
   */
  #base: number | undefined;

  /** @param total all presses so far; never decreases */
  setTotal(total: number): void {
    this.#pressed = total;
  }

  /**
   * Returns the counter for the next command, 0 … 3.
   * @param acknowledged the counter in the seat's newest announced command; undefined before the
   *   first
   */
  next(acknowledged: number | undefined): number {
    // The first command is the baseline for the game's differences, so a press in it would be lost.
    if (acknowledged === undefined) return 0;
    this.#base = this.#baseFor(acknowledged);
    this.#sent = this.#nextSent(acknowledged);
    return (this.#base + this.#sent) & 3;
  }

  /**
   * Call it after others pressed: the counter continues from the next acknowledged one, and presses
   * that did not count are sent again.
   * @param own the counter in the newest announced command that this client gave; undefined before
   *   the first
   */
  resume(own: number | undefined): void {
    if (this.#base !== undefined && own !== undefined) {
      this.#sent -= (this.#base + this.#sent - own) & 3;
    }
    this.#base = undefined;
  }

  /** Returns the counter that `next` would return now. */
  peek(acknowledged: number | undefined): number {
    if (acknowledged === undefined) return 0;
    return (this.#baseFor(acknowledged) + this.#nextSent(acknowledged)) & 3;
  }

  #baseFor(acknowledged: number): number {
    return this.#base ?? (acknowledged - this.#sent) & 3;
  }

  #nextSent(acknowledged: number): number {
    const outstanding = (this.#baseFor(acknowledged) + this.#sent - acknowledged) & 3;
    return this.#sent < this.#pressed && outstanding < OUTSTANDING_MAX
      ? this.#sent + 1
      : this.#sent;
  }
}
