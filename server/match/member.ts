/** One client of a match as the server sees it: its line, and what it is owed. A player's member has a player, a watcher's none. */
import type { Tick } from "../../shared/netcode/game.ts";
import type { Link } from "../../shared/netcode/link.ts";
import type { CommandMessage, CommandsMessage } from "../../shared/netcode/protocol.ts";
import type { Advice } from "../../shared/netcode/protocol_tick.ts";
import { Backlog } from "./backlog.ts";
import { LeadAdvisor } from "./lead_advisor.ts";
import type { Player } from "./player.ts";
import { NeedEstimator } from "./need_estimator.ts";

/** Messages with commands that may arrive between two ticks: a line that stalled for ten seconds delivers 210 at once, a flood more than this. */
export const INBOX_MESSAGES_MAX = 256;
/** Heals that a client may ask for at once, and how many ticks pay for one more: two a second at 20 Hz. */
const HEALS_AT_ONCE = 3;
const TICKS_PER_HEAL = 10;

/** Commands and when they came. */
export interface Arrival<Command> {
  readonly message: CommandMessage<Command> | CommandsMessage<Command>;
  readonly atMs: number;
}

/** One connected client. */
export class Member<Command> {
  readonly link: Link;
  /** Whose line it is; undefined for a watcher. */
  readonly player: Player<Command> | undefined;
  readonly advisor = new LeadAdvisor();
  readonly inbox: Arrival<Command>[] = [];
  /** Its next message must carry the state. */
  needsState = true;
  /** The newest tick whose state it was sent. */
  stateTick: Tick = -1;
  /** On a datagram link: the newest tick up to which it has everything, as far as it said so. */
  #confirmed: Tick = -1;
  /** It can do nothing with ticks until a state has arrived. */
  #waits = true;
  /** Of its newest command. */
  slackMs = 0;
  /** What it was told of that and of its lead on an ordered link: what comes next is told by this. */
  toldAdvice: Advice | undefined;
  readonly backlog: Backlog;

  readonly #needs = new NeedEstimator();
  #heals = HEALS_AT_ONCE;

  constructor(link: Link, player?: Player<Command>) {
    this.link = link;
    this.player = player;
    this.backlog = new Backlog({ confirms: link.ordered && player !== undefined });
  }

  /** Takes note of a command's first arrival, for `tick`. @param dueMs when the server runs that tick */
  observe({ message, atMs }: Arrival<Command>, { tick, dueMs }: { tick: Tick; dueMs: number }): void {
    this.slackMs = dueMs - atMs;
    this.advisor.observe({ leadMs: message.leadMs, slackMs: this.slackMs, received: message.received });
    // What a datagram says once more was simulated earlier, when less was known.
    if (tick === message.tick) this.#needs.observe(tick - message.received);
  }

  /** It is out of step. @param received the newest definitive tick that it had when it said so */
  complain(received: Tick): void {
    // A complaint that was under way when the last state was sent is about the time before it; one that comes twice is one.
    if (this.needsState || received < this.stateTick || this.#heals < 1) return;
    this.#heals--;
    this.needsState = true;
  }

  /** It is out of step and has no command to say so with. */
  report(received: Tick): void {
    this.backlog.confirm(received);
    this.complain(received);
  }

  /** It has everything up to `received`; datagrams say so in any order. */
  confirm({ received, outOfStep }: { received: Tick; outOfStep: boolean }): void {
    this.backlog.confirm(received);
    if (received > this.#confirmed) this.#waits = outOfStep;
    else if (received === this.#confirmed && outOfStep) this.#waits = true;
    this.#confirmed = Math.max(this.#confirmed, received);
  }

  /** A datagram cannot hold what it misses: it gets the state, unless one is under way to it or it had too many lately. */
  fallBehind(): void {
    this.complain(this.#confirmed);
  }

  /**
   * The tick after which a datagram to it begins. A state that was sent will arrive, so who waits for it needs only what follows
   * it; but who can go on without it, when it is late or lies behind him, gets what he misses.
   * @param oldest what is remembered begins here
   */
  toldTick(oldest: Tick): Tick {
    const goesOn = !this.#waits && this.#confirmed + 1 >= oldest;
    return goesOn ? this.#confirmed : Math.max(this.#confirmed, this.stateTick);
  }

  /** How many ticks before their use this client must be told of commands. 0 while nothing is known of it. */
  get neededTicks(): number {
    return this.#needs.neededTicks;
  }

  /** Its commands for this tick have been taken. @param tick the one that is being run */
  settle(tick: Tick): void {
    this.advisor.settle(tick);
    this.#needs.settle();
    this.#heals = Math.min(HEALS_AT_ONCE, this.#heals + 1 / TICKS_PER_HEAL);
  }
}
