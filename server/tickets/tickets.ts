/**
 * Tickets: a client shows one before its socket opens, so that clients without a ticket do not cost
 * a socket.
 *
 *     ticket  = base64url( payload ) . base64url( HMAC-SHA-256( key, base64url( payload ) ) )
 *     payload = the claims, the time of issue and a nonce, as JSON
 *
 * A ticket is valid for `TICKET_SECONDS` and for one use, and used ones are remembered for as long.
 * A ticket issued before this process started is refused, because a restart forgets the used ones
 * and must not make them valid again.
 *
 * If other machines issue this process's tickets, their clocks may be apart. A ticket then stays
 * valid for that much longer, before its time and after it, and used ones are remembered for all of
 * that. Because the process draws its key, no ticket can have been issued before its start.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { PROTOCOL_VERSION } from "../../shared/netcode/wire/messages.ts";
import type { TicketClaims } from "../match/clients/peer.ts";
import { decodeBase64Url, encodeBase64Url } from "../ground/std_web.ts";
import { randomHex, sameTexts, ServerSecret } from "../ground/server_secret.ts";

/**
 * How long a ticket is valid, s. A page uses its ticket at once; an operator's link must also be
 * clicked.
 */
export const TICKET_SECONDS = 45;

/**
 * The longest ticket: two names of 96 characters, each escaped as six, and 300 other characters, in
 * base64.
 */
const TICKET_CHARACTERS_MAX = 2_048;

/** How far the clocks of two processes on one machine may be apart, ms. */
const SKEW_MS_MAX = 2_000;

/** 128 random bits, so that no two tickets share a nonce. */
const NONCE_BYTES = 16;

/**
 * How many used tickets are remembered: 1,400 new sockets a second, or 400 among nodes, which is
 * more than one core can open. Beyond that every ticket is refused, because a forgotten one could
 * be used again.
 */
const USED_MAX = 65_536;

/** What a ticket claims, or why it is refused. */
export type TicketReading = { readonly claims: TicketClaims } | { readonly fault: string };

type Payload = TicketClaims & { readonly issuedMs: number; readonly nonce: string };

export interface TicketsOptions {
  readonly apartMsMax?: number | undefined;
  readonly steadyClock?: Clock;
  readonly usedMax?: number;
}

export class Tickets {
  readonly #key: ServerSecret;
  readonly #clock: Clock;
  readonly #steadyClock: Clock;
  /** A ticket issued before this time is refused, ms. */
  readonly #startMs: number;
  /** A ticket is valid from this long before its time of issue, ms, until this long after it. */
  readonly #earlyMs: number;
  readonly #lateMs: number;
  /** When each ticket was used, ms on the steady clock, by its nonce; oldest first. */
  readonly #usedAtMs = new Map<string, number>();
  readonly #usedMax: number;

  /**
   * @param clock milliseconds since 1970; if one machine issues and redeems the tickets, it never
   * goes back
   * @param options.apartMsMax how far the clocks of the machines that issue tickets with this key
   * may be apart, ms; undefined for one machine, on which the next process uses the same key
   * @param options.steadyClock one that is never set; by default the same clock
   * @param options.usedMax for tests
   */
  constructor(
    secret: ServerSecret,
    clock: Clock,
    { apartMsMax, steadyClock = clock, usedMax = USED_MAX }: TicketsOptions = {},
  ) {
    this.#usedMax = usedMax;
    this.#key = new ServerSecret(secret.bytesFor("tickets, version 1"));
    this.#clock = clock;
    this.#steadyClock = steadyClock;
    this.#startMs = apartMsMax === undefined ? clock.now() : -Infinity;
    this.#earlyMs = apartMsMax ?? SKEW_MS_MAX;
    this.#lateMs = TICKET_SECONDS * 1000 + (apartMsMax ?? 0);
  }

  /** How many used tickets are remembered at the moment, at most 65,536. */
  get remembered(): number {
    return this.#usedAtMs.size;
  }

  /** Makes a ticket with these claims. */
  issue(claims: TicketClaims): string {
    const payload: Payload = {
      ...claims,
      issuedMs: this.#clock.now(),
      nonce: randomHex(NONCE_BYTES),
    };
    const text = encodeBase64Url(JSON.stringify(payload));
    return `${text}.${this.#macOf(text)}`;
  }

  /** Redeems a ticket that a client shows, which uses it up. @param ticket any text */
  redeem(ticket: string): TicketReading {
    if (ticket.length > TICKET_CHARACTERS_MAX) return { fault: "a ticket is shorter" };

    // Whether this server made it
    const at = ticket.indexOf(".");
    const text = ticket.slice(0, Math.max(0, at));

    // Compared as texts instead of bytes, because a text's last character carries bits that the
    // bytes lack.
    if (!sameTexts(ticket.slice(at + 1), this.#macOf(text))) {
      return { fault: "this server has not made that ticket" };
    }

    // Version and time
    const { issuedMs, nonce, ...claims } = JSON.parse(
      new TextDecoder().decode(decodeBase64Url(text)),
    ) as Payload;
    const nowMs = this.#clock.now();
    if (claims.protocolVersion !== PROTOCOL_VERSION) {
      return { fault: `protocol ${PROTOCOL_VERSION} is spoken here` };
    }
    if (issuedMs < this.#startMs || nowMs >= issuedMs + this.#lateMs) {
      return { fault: "the ticket is too old" };
    }

    // Another machine's clock may be wrong, and then its ticket would outlive the memory of its
    // use.
    if (issuedMs > nowMs + this.#earlyMs) return { fault: "the ticket is of a later time" };

    // Its one use
    this.#forgetOld();
    if (this.#usedAtMs.has(nonce)) return { fault: "the ticket was used before" };
    if (this.#usedAtMs.size >= this.#usedMax) {
      return { fault: "too many tickets are used; wait a minute" };
    }
    this.#usedAtMs.set(nonce, this.#steadyClock.now());
    return { claims };
  }

  #forgetOld(): void {
    const nowMs = this.#steadyClock.now();
    for (const [nonce, usedAtMs] of this.#usedAtMs) {
      if (nowMs < usedAtMs + this.#earlyMs + this.#lateMs) return;
      this.#usedAtMs.delete(nonce);
    }
  }

  #macOf(text: string): string {
    return encodeBase64Url(this.#key.bytesFor(text));
  }
}
