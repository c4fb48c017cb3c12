/**
 * One client's datagram path as the match sees it: when it is offered, when ticks go by it, and
 * when it ends.
 *
 *     closed  --offer, the client opens it-->  open  --first datagram of commands-->  in use  --back-->  closed
 *
 * Only the client decides when to switch to the path and back. So neither side's messages have a
 * gap: the client's first datagram of commands, and its `back`, tell which ticks it has.
 */
import type { HostLink, PathOffer } from "../../../shared/netcode/link.ts";
import { PathChoice } from "../lead/path_choice.ts";
import type { ReceivedCommands } from "./received_commands.ts";

/** How long after an offer, and after a path's end, the next offer waits, s. */
const OFFER_SECONDS_MIN = 60;
/** How long after an offer ticks are kept, s. A client that takes longer has given up. */
const KEPT_SECONDS = 5;
/** The code with which an unneeded path ends (RFC 6455 §7.4.1). */
const NORMAL = 1000;

/** One client's path. A spectator, and a link that cannot have a path, never get an offer. */
export class PathSwitch {
  readonly #path: HostLink["path"];
  readonly #link: HostLink;
  readonly #choice = new PathChoice();
  #ticksToOffer = 0;
  /** Since the server's newest offer. */
  #ticksSinceOffer = Infinity;
  /** How many ticks after an offer the sent ticks are kept. */
  #keptTicks = 0;
  #isWithdrawn = false;

  constructor(link: HostLink) {
    this.#link = link;
    this.#path = link.path;
  }

  /** Whether ticks must be kept, because the client may need them by datagram now or soon. */
  get needsTicks(): boolean {
    return !this.#link.ordered || this.#path?.isOpen() === true ||
      this.#ticksSinceOffer < this.#keptTicks;
  }

  /** Measures a command when it first arrives. @param slackMs negative if it was late */
  observe(
    { leadMs, atMs, commands }: Pick<ReceivedCommands<unknown>, "leadMs" | "atMs" | "commands">,
    slackMs: number,
  ) {
    if (this.#path !== undefined && commands === undefined) {
      this.#choice.observe({ leadMs, slackMs, atMs });
    }
  }

  /** Notes that commands came by datagram: from now on ticks go by the path. */
  onDatagram(tick: number): void {
    if (this.#path === undefined) return;
    this.#choice.observeDatagram(tick);
    if (!this.#link.ordered || !this.#path.isOpen() || this.#isWithdrawn) return;
    this.#path.use();
    this.#choice.reset();
  }

  /**
   * Notes that the client has left the path.
   * @returns whether ticks went by it, so that the client misses some
   */
  onBack(tickHz: number): boolean {
    const wasInUse = !this.#link.ordered;
    this.#path?.end(NORMAL, "left");
    this.#choice.reset();
    this.#ticksToOffer = OFFER_SECONDS_MIN * tickHz;
    return wasInUse;
  }

  /** Ends a tick. @returns the offer to send to the client now; undefined for none */
  endTick(tickHz: number): PathOffer | undefined {
    const path = this.#path;
    if (path === undefined) return undefined;
    if (this.#ticksToOffer > 0) this.#ticksToOffer--;
    this.#ticksSinceOffer++;

    if (path.isOpen()) {
      this.#withdrawIfGood();
      return undefined;
    }
    this.#isWithdrawn = false;

    const isWanted = path.isForAll || this.#choice.wouldGain;
    if (!this.#link.ordered || this.#ticksToOffer > 0 || !isWanted) return undefined;

    this.#ticksToOffer = OFFER_SECONDS_MIN * tickHz;
    const offer = path.offer();
    if (offer !== undefined) this.#ticksSinceOffer = 0;
    this.#keptTicks = KEPT_SECONDS * tickHz;
    return offer;
  }

  /** Ends the session of a path that is no longer needed, so that the client comes back. */
  #withdrawIfGood(): void {
    if (this.#isWithdrawn || this.#path!.isForAll || !this.#choice.isGood) return;
    this.#isWithdrawn = true;
    this.#path!.withdraw();
  }
}
