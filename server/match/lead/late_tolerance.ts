/**
 * Decides how many late commands a client's network is worth (DESIGN 8).
 *
 * A reliable link holds everything back behind a lost segment. Each loss then makes several
 * commands late, and only a lead of a whole additional round trip would save them, so such a link
 * accepts more late commands. On every other link the last late commands are cheap to avoid.
 *
 * The server does not see losses. It sees commands that arrive together although they were sent one
 * by one. Because wide jitter also makes them arrive together, the delays must show losses as well
 * (loss_detector.ts).
 */
import { type ArrivedCommand, LossDetector } from "./loss_detector.ts";

/**
 * The fewest commands between two ticks that reveal a blocked link: 150 ms held back. Jitter alone
 * causes two.
 */
const BLOCKED_COMMANDS_MIN = 4;
/**
 * If commands' leads differ by more, ms, a page that had stalled sent them together (SPEC 5.30).
 */
const LEADS_DIFFER_MS_MAX = 25;
/**
 * How far the share of blocked ticks moves towards the newest tick: halfway after 3.5 min. A link
 * with wide jitter for 20 s does not count as blocked.
 */
const BLOCKED_GAIN = 1 / 6000;
/** The first share, 0, weighs as much as this many ticks: half a minute. */
const BLOCKED_PRIOR_TICKS = 600;
/**
 * Shares of blocked ticks at which the tolerance begins and ends. In the lab's rows with 1 % loss
 * the share is between 0.65 % and 6 % after two minutes; in rows without loss it is at most 0.72 %.
 */
const BLOCKED_SHARE_BEGIN = 0.0085;
const BLOCKED_SHARE_END = 0.005;

/** The two parameters of the law that depend on the link. */
export interface Tolerance {
  /** The price of a late command in ms of waiting, as a multiple of the jitter's width. */
  readonly pricePerWidth: number;
  /**
   * The largest share of late commands that an estimate accepts, whatever waiting costs. It matters
   * on networks that are quiet except for pauses or stalls, because their narrow jitter means a low
   * price.
   */
  readonly lateShareMax: number;
}

/** DESIGN 12.5 reports the measurements of both. */
const USUAL: Tolerance = { pricePerWidth: 330, lateShareMax: 0.015 };
const BLOCKED: Tolerance = { pricePerWidth: 150, lateShareMax: 0.045 };

/** Detects whether a client's link is blocked now and then, and sets the tolerance accordingly. */
export class LateTolerance {
  readonly #isReliable: boolean;
  readonly #losses = new LossDetector();
  /** Since the last tick. */
  #commands = 0;
  #leadMsMin = Infinity;
  #leadMsMax = -Infinity;
  #ticks = 0;
  #blockedShare = 0;
  #isBlocked = false;

  /** @param isReliable whether the link holds messages back behind a lost one */
  constructor({ isReliable }: { isReliable: boolean }) {
    this.#isReliable = isReliable;
  }

  /** Observes a command. @param command its `leadMs` is the lead that its client reports */
  observe(command: ArrivedCommand & { readonly leadMs: number }): void {
    this.#losses.observe(command);
    this.#commands++;
    this.#leadMsMin = Math.min(this.#leadMsMin, command.leadMs);
    this.#leadMsMax = Math.max(this.#leadMsMax, command.leadMs);
  }

  /** Ends a tick in which commands arrived. */
  endTick(): void {
    const isBlocked = this.#commands >= BLOCKED_COMMANDS_MIN &&
      this.#leadMsMax - this.#leadMsMin <= LEADS_DIFFER_MS_MAX;
    this.#commands = 0;
    this.#leadMsMin = Infinity;
    this.#leadMsMax = -Infinity;
    if (!this.#isReliable) return;

    const gain = Math.max(BLOCKED_GAIN, 1 / (BLOCKED_PRIOR_TICKS + ++this.#ticks));
    this.#blockedShare += gain * (Number(isBlocked) - this.#blockedShare);
    this.#losses.endTick();
    this.#isBlocked = this.#losses.hasLosses &&
      this.#blockedShare > (this.#isBlocked ? BLOCKED_SHARE_END : BLOCKED_SHARE_BEGIN);
  }

  /** The tolerance at present. */
  get present(): Tolerance {
    return this.#isBlocked ? BLOCKED : USUAL;
  }
}
