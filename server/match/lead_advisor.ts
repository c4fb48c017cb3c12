/**
 * How far ahead of the server a client had better run, so that its commands arrive just before the tick that uses them.
 *
 *     delay = lead in force when the command was sent − its slack          (does not depend on the lead that we advise)
 *     advised lead = the largest delay of the last five seconds + a margin
 *
 * It grows at once after a late command and shrinks when the worst delay is forgotten. The client's own limit of 5 % time
 * dilation makes the change gentle.
 */
import { WindowedMax } from "./windowed_max.ts";

/** Five seconds of commands: long enough to hold one delay in a hundred, short enough to follow a line that got better. */
const WINDOW_COMMANDS = 100;
/** What the next delay may exceed all of these by. FACTS §4: 1.58 × the clairvoyant best wait at 1 % late. */
const MARGIN_MS = 10;
/** Until this many commands were seen their largest delay says little: the client's own first lead is a floor. */
const WARM_COMMANDS = 40;

/** One line's delays, and the lead that follows from them. */
export class LeadAdvisor {
  readonly #delaysMs = new WindowedMax(WINDOW_COMMANDS);
  #firstLeadMs: number | undefined;

  /** @param leadMs the lead that the client had when it sent the command @param slackMs negative where it came late */
  observe(leadMs: number, slackMs: number): void {
    this.#firstLeadMs ??= leadMs;
    this.#delaysMs.add(leadMs - slackMs);
  }

  /** In ms; undefined before the first command. */
  get advisedLeadMs(): number | undefined {
    if (this.#firstLeadMs === undefined) return undefined;
    const wanted = this.#delaysMs.max + MARGIN_MS;
    return this.#delaysMs.count < WARM_COMMANDS ? Math.max(wanted, this.#firstLeadMs) : wanted;
  }
}
