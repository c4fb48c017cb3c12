/**
 * A match within a page or its worker: the server's own, whose ticks are due on a clock of the page.
 * Urgent commands are announced halfway to the next tick, as on a server. After a gap it runs the
 * newest due ticks and drops the others.
 */
import type { Game, Simulation } from "../../shared/netcode/game.ts";
import { LocalLink } from "../../shared/netcode/simulated_network/local_link.ts";
import type { HostLink, Link } from "../../shared/netcode/link.ts";
import {
  CloseCode,
  type Hello,
  PROTOCOL_VERSION,
  type ResumeToken,
} from "../../shared/netcode/wire/messages.ts";
import { WireError } from "../../shared/netcode/wire/range_coder.ts";
import { decodeHello } from "../../shared/netcode/wire/client_messages.ts";
import { Match } from "../../server/match/match.ts";
import type { MatchOptions } from "../../server/match/match_options.ts";

/** How many ticks run at once after a gap; the server's ticker does the same. */
const CATCH_UP_TICKS_MAX = 4;
/** A token has 128 bits, as hexadecimal digits. */
const TOKEN_DIGITS = 32;

export interface PageMatchOptions<Command>
  extends Pick<MatchOptions<Command>, "npcs" | "seed" | "choices" | "clock" | "from" | "recorder"> {
  /** Called with each tick, after it has run and before it is sent. */
  readonly onTick?: () => void;
  /** As `MatchOptions.keepsSeats`; by default NPCs keep them. */
  readonly keepsSeats?: boolean;
}

export class PageMatch<Command> {
  readonly match: Match<Command>;
  readonly #options: PageMatchOptions<Command>;
  readonly #tickMs: number;
  #nextTickMs: number;
  #nextEarlyMs: number;
  /** The token of the client that is being let in; undefined for one of the match's own. */
  #admitted: ResumeToken | undefined;

  constructor(game: Game<Command, Simulation<Command>>, options: PageMatchOptions<Command>) {
    this.#options = options;
    const { npcs, seed, choices, clock, from, recorder, keepsSeats = true } = options;
    this.#tickMs = 1000 / game.tickHz;
    this.#nextTickMs = clock.now() + this.#tickMs;
    this.#nextEarlyMs = this.#nextTickMs + this.#tickMs / 2;
    let tokens = 0;
    this.match = new Match<Command>(game, {
      npcs,
      seed,
      ...choices !== undefined && { choices },
      ...from !== undefined && { from },
      recorder,
      stream: "commands",
      clock,
      keepsSeats,
      restoredText: "Another player's device hosts the match now.",
      // Nobody here is deceived by a name that looks like another.
      nameForms: (name) => [name.toLowerCase()],
      // They need not be secret: nobody but this page can reach the match, or each link has its own.
      newToken: () => this.#admitted ?? ownToken(++tokens),
    });
  }

  /** Opens a link without delay. @returns the client's end */
  open(): Link {
    const [clientEnd, serverEnd] = LocalLink.pair();
    this.admit(serverEnd);
    return clientEnd;
  }

  /**
   * Lets a client in whose first message is a hello.
   * @param link the match's end
   * @param options.token the token of the client's seat, whatever its hello says; by default the
   *   hello's
   */
  admit(link: HostLink, { token }: { readonly token?: ResumeToken | undefined } = {}): void {
    link.onMessage((bytes, reliably) => {
      // A client's pings may overtake its hello.
      if (!reliably) return;
      const hello = this.#helloOf(link, bytes);
      if (hello === undefined) return;
      this.#admitted = token;
      const isIn = this.match.join(link, { ...hello, resume: token ?? hello.resume });
      this.#admitted = undefined;
      if (!isIn) link.close(CloseCode.roomFull, "no free seat");
    });
  }

  /** @returns undefined for bytes that are no hello, or one of another version: the link is closed */
  #helloOf(link: HostLink, bytes: Uint8Array): Hello | undefined {
    try {
      const hello = decodeHello(bytes);
      if (hello.protocolVersion === PROTOCOL_VERSION) return hello;
      link.close(CloseCode.version, `this page speaks version ${PROTOCOL_VERSION}`);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      link.close(CloseCode.protocol, error.message);
    }
    return undefined;
  }

  /** When `advance` must be called again at the latest, ms on the clock. */
  get nextDueMs(): number {
    return Math.min(this.#nextTickMs, this.#nextEarlyMs);
  }

  /** Runs what is due. */
  advance(): void {
    const nowMs = this.#options.clock.now();
    this.#skipUntil(nowMs - CATCH_UP_TICKS_MAX * this.#tickMs);
    while (this.#nextTickMs <= nowMs) this.#tick();
    if (this.#nextEarlyMs <= nowMs) {
      this.match.announceEarly();
      this.#nextEarlyMs = this.#nextTickMs + this.#tickMs / 2;
    }
  }

  /** Drops the ticks that were due before a moment. */
  #skipUntil(oldestMs: number): void {
    const behind = Math.ceil((oldestMs - this.#nextTickMs) / this.#tickMs);
    if (behind > 0) this.#nextTickMs += behind * this.#tickMs;
  }

  #tick(): void {
    const dueMs = this.#nextTickMs;
    this.#nextTickMs += this.#tickMs;
    this.#nextEarlyMs = dueMs + this.#tickMs / 2;
    this.match.run(dueMs);
    this.#options.onTick?.();
    this.match.record();
    this.match.broadcast();
  }
}

/** @param number from 1 on the match's own; 0 is free for a seat of a recorded state */
export function ownToken(number: number): ResumeToken {
  return number.toString(16).padStart(TOKEN_DIGITS, "0");
}
