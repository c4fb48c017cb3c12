/**
 * The 2-bit counter of one button's presses in the commands. No press is lost or doubled.
 *
 * The game acts on the difference between the counter in a command and the one in its state. So if
 * a command comes too late, the next one delivers its presses. Two bits distinguish at most three
 * presses: a fourth waits here until the server has acknowledged the first. The counter continues
 * from the seat's last command, which another player or an NPC may have made.
 */

/** The number of presses that two bits distinguish. */
const OUTSTANDING_MAX = 3;

export class PressCounter {
  /** All presses, and the presses that commands have carried. */
  #pressed = 0;
  #sent = 0;
  /**
   * The counter that the seat would have without the sent presses; undefined until the server has
   * acknowledged a command.
   */
  #base: number | undefined;

  /** @param total all presses so far; it never falls */
  setTotal(total: number): void {
    this.#pressed = total;
  }

  /**
   * The counter for the next command, 0 … 3.
   * @param acknowledged the counter in the seat's newest announced command; undefined before the
   *   first
   */
  next(acknowledged: number | undefined): number {
    // The first command is the baseline of the game's differences, so a press in it would be lost.
    if (acknowledged === undefined) return 0;
    this.#base = this.#baseFor(acknowledged);
    this.#sent = this.#nextSent(acknowledged);
    return (this.#base + this.#sent) & 3;
  }

  /**
   * Others have pressed: the counter goes on from the next acknowledged one. Presses that did not
   * count are sent again.
   * @param own the counter in the newest announced command that this client gave; undefined before
   *   the first
   */
  resume(own: number | undefined): void {
    if (this.#base !== undefined && own !== undefined) {
      this.#sent -= (this.#base + this.#sent - own) & 3;
    }
    this.#base = undefined;
  }

  /** The counter that `next` would return now. */
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
