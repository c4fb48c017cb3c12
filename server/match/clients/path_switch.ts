/**
 * One client's datagram path as the match sees it: when it is offered, when ticks go by it, and
 * when it ends.
 *
 *     closed  --offer, the client opens it-->  open  --first datagram of commands-->  in use  --back-->  closed
 *
 * Only the client decides when to go over and back. So each side's messages have no gap: the
 * client's first datagram of commands, and its `back`, say which ticks it has.
 */
import type { HostLink, PathOffer } from "../../../shared/netcode/link.ts";
import { PathChoice } from "../lead/path_choice.ts";
import type { ReceivedCommands } from "./received_commands.ts";

/** After an offer, and after the end of a path, the next offer waits so long, s. */
const OFFER_SECONDS_MIN = 60;
/** So long after an offer ticks are kept, s: a client that takes longer has given up. */
const KEPT_SECONDS = 5;
/** The code of a path that has ended because it is not needed (RFC 6455 §7.4.1). */
const NORMAL = 1000;

/** The path of one client; a spectator, and a link that cannot have one, never get an offer. */
export class PathSwitch {
  readonly #path: HostLink["path"];
  readonly #link: HostLink;
  readonly #choice = new PathChoice();
  #ticksToOffer = 0;
  /** Since the newest offer that the server has made. */
  #ticksSinceOffer = Infinity;
  /** For how many ticks after an offer the ticks that were sent are kept. */
  #keptTicks = 0;
  #isWithdrawn = false;

  constructor(link: HostLink) {
    this.#link = link;
    this.#path = link.path;
  }

  /** Whether ticks must be kept, because the client may ask for them by datagram, now or soon. */
  get needsTicks(): boolean {
    return !this.#link.ordered || this.#path?.isOpen() === true ||
      this.#ticksSinceOffer < this.#keptTicks;
  }

  /** Measures a command at its first arrival. @param slackMs negative if it was late */
  observe(
    { leadMs, atMs, commands }: Pick<ReceivedCommands<unknown>, "leadMs" | "atMs" | "commands">,
    slackMs: number,
  ) {
    if (this.#path !== undefined && commands === undefined) {
      this.#choice.observe({ leadMs, slackMs, atMs });
    }
  }

  /** A message with commands has come by datagram: from now on ticks go by the path. */
  onDatagram(tick: number): void {
    if (this.#path === undefined) return;
    this.#choice.observeDatagram(tick);
    if (!this.#link.ordered || !this.#path.isOpen() || this.#isWithdrawn) return;
    this.#path.use();
    this.#choice.reset();
  }

  /**
   * The client has left the path.
   * @returns whether ticks went by it, so that the client misses some
   */
  onBack(tickHz: number): boolean {
    const wasInUse = !this.#link.ordered;
    this.#path?.end(NORMAL, "left");
    this.#choice.reset();
    this.#ticksToOffer = OFFER_SECONDS_MIN * tickHz;
    return wasInUse;
  }

  /** A tick has passed. @returns the offer to send to the client now; undefined for none */
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

  /** Ends the session of a path that is not needed any more, so that the client comes back. */
  #withdrawIfGood(): void {
    if (this.#isWithdrawn || this.#path!.isForAll || !this.#choice.isGood) return;
    this.#isWithdrawn = true;
    this.#path!.withdraw();
  }
}
