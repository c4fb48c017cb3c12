/**
 * A player who wants to play all the time, and returns without help as a page does: with the seat's
 * token, after the page's waits.
 */
import { retryDelayMs } from "../../../../client/net/retry_delay.ts";
import type { TicketClaims } from "../../../../server/match/clients/peer.ts";
import type { JoinAnswer } from "../../../../server/tickets/admission.ts";
import type { SeatId, Simulation, Tick } from "../../../../shared/netcode/game.ts";
import {
  CloseCode,
  PROTOCOL_VERSION,
  type ResumeToken,
} from "../../../../shared/netcode/wire/messages.ts";
import { Random } from "../../../../shared/random.ts";
import { Connection } from "./connection.ts";
import type { PlayerSetup } from "../schedule.ts";
import { Broken, type Witness } from "../witness.ts";
import type { OnAnswer } from "../hunted_admission.ts";
import type { HuntedResident, HuntedWorld, WorthlessTicket } from "../hunted_world.ts";

/** How long a seat is kept at most, ticks; never longer than its player has played (SPEC 3.3). */
const RESERVED_TICKS_MAX = 600;
/**
 * How far the two ends may disagree about when a player came and was lost, ticks: a client gives a
 * silent link up after four seconds (`LINK_MS_MAX`).
 */
const DOUBT_TICKS = 100;

/**
 * How soon a player with a refused ticket has a new one and a connection, ms: two of the page's
 * waits.
 */
const VISIT_MS_MAX = 3_000;

/** How soon a client notices that its connection carries nothing, ms. */
const FORGOTTEN_MS_MAX = 10_000;

/** The seat that a lost player must get back. */
interface KeptSeat<Command> {
  readonly witness: Witness<Command>;
  readonly seat: SeatId;
  readonly name: string | undefined;
  /** From when they were in the game, and when they lost it. */
  readonly sinceTick: Tick;
  readonly lostTick: Tick;
}

/** How a player with a worthless ticket gets a new one. */
interface TicketVisit {
  /** Undefined once it has been shown. */
  worthless: WorthlessTicket | undefined;
  isAsking: boolean;
  /** When it was shown, ms; Infinity if the room has no place for the player. */
  sinceMs: number | undefined;
}

export class Resident<Command, Sim extends Simulation<Command>>
  implements HuntedResident<Command, Sim> {
  readonly line: PlayerSetup;
  readonly #world: HuntedWorld<Command, Sim>;
  readonly #index: number;
  readonly #random: Random;
  connection: Connection<Command, Sim> | undefined;
  #retryAtMs = 0;
  #failedAttempts = 0;
  resume: ResumeToken | undefined;
  /** Tokens that it had before, newest last. */
  readonly oldTokens: ResumeToken[] = [];
  #kept: KeptSeat<Command> | undefined;
  #hasChecked = false;
  #visit: TicketVisit | undefined;
  /** How long its next connection carries nothing, ms. */
  #hangsMs = 0;

  constructor(
    world: HuntedWorld<Command, Sim>,
    { index, line, seed }: { index: number; line: PlayerSetup; seed: number },
  ) {
    this.#world = world;
    this.#index = index;
    this.line = line;
    this.#random = new Random(seed);
  }

  /** Leaves for good; another player comes after a while. */
  leave(awayMs: number): void {
    this.connection?.session.close();
    this.forget();
    this.#retryAtMs = this.#world.lab.nowMs + awayMs;
  }

  /** Ends its program without a word. @param awayMs until it runs again, and shows its token */
  crash(awayMs: number): void {
    this.connection?.player.serverEnd.close(1006, "gone");
    this.#follow();
    this.#retryAtMs = this.#world.lab.nowMs + awayMs;
  }

  /** Forgets its token, because its match is over or another player has its seat. */
  forget(): void {
    this.resume = undefined;
    this.#kept = undefined;
    this.#visit = undefined;
  }

  /** Cuts its connection, and lets the next one carry nothing for `ms`. */
  hangNext(ms: number): void {
    this.#hangsMs = ms;
    this.connection?.player.serverEnd.close(1006, "cut");
  }

  /** Joins again while the older connection is still open. */
  takeOver(): void {
    if (this.resume === undefined || !this.#hasChecked || this.connection?.isLive !== true) return;
    this.#world.watch(this.connection);
    this.#rememberSeat(this.connection);
    this.#join();
  }

  /** Asks for a ticket with its seat's token. */
  askForTicket(onAnswer: OnAnswer): void {
    const { admission, room, parts: { game } } = this.#world;
    const { resume, name } = this;
    admission.ask(
      { gameId: game.id, protocolVersion: PROTOCOL_VERSION, room, name, resume },
      onAnswer,
    );
  }

  /** Ends its program without a word, and comes back with a ticket that admits nobody. */
  comeBackWith(worthless: WorthlessTicket, awayMs: number): void {
    if (!this.#hasChecked || this.connection?.isLive !== true) return;
    this.crash(awayMs);
    this.#visit = { worthless, isAsking: false, sinceMs: undefined };
  }

  get name(): string {
    return `player ${this.#index}`;
  }

  poll(): void {
    this.#follow();
    this.#checkForgotten();
    this.#checkVisit();
    if (
      this.connection !== undefined || this.#visit?.isAsking === true ||
      this.#world.lab.nowMs < this.#retryAtMs ||
      !this.#world.isUp
    ) return;
    this.#join();
  }

  /** Checked here, because no event reports it. A device that stands still notices nothing. */
  #checkForgotten(): void {
    const { isOpen = false, link, player } = this.connection ?? {};
    const { nowMs } = this.#world.lab;
    const sinceMs = Math.max(link?.forgottenSinceMs ?? Infinity, player?.sleep?.untilMs ?? 0);
    if (isOpen && nowMs > sinceMs + FORGOTTEN_MS_MAX) {
      throw new Broken(
        "a dead line is seen within ten seconds",
        `${this.name} waits since ${nowMs - sinceMs} ms`,
      );
    }
  }

  #join(): void {
    if (this.#visit === undefined) this.#enter();
    else this.#goOn(this.#visit);
  }

  /** Shows the ticket that admits nobody, or asks for another one. */
  #goOn(visit: TicketVisit): void {
    const { admission, lab } = this.#world;
    const { worthless } = visit;
    if (worthless === undefined) {
      visit.isAsking = true;
      return this.askForTicket((answer) => this.#onAnswer(visit, answer));
    }
    visit.worthless = undefined;
    visit.sinceMs = lab.nowMs;
    const verdict = admission.redeem(worthless.ticket);
    if (!("fault" in verdict) || !worthless.words.includes(verdict.fault)) {
      throw new Broken(
        "a ticket that is used or too old lets nobody in",
        JSON.stringify(verdict),
      );
    }
    // A browser hides the words from the page, which sees a lost connection.
    this.#retryAfter(1006);
  }

  #onAnswer(visit: TicketVisit, answer: JoinAnswer | undefined): void {
    visit.isAsking = false;
    if (this.#visit !== visit) return;
    if (answer === undefined) return this.#retryAfter(1006);
    if ("code" in answer) {
      this.#checkRefusal(answer.code, answer.reason);
      visit.sinceMs = Infinity;
      return this.#retryAfter(answer.code);
    }
    const verdict = this.#world.admission.redeem(answer.ticket);
    if ("fault" in verdict) {
      throw new Broken("a new ticket lets its player in", verdict.fault);
    }
    this.#visit = undefined;
    this.#enter(verdict.claims);
  }

  /** A server that has been up all the time must let them in soon. */
  #checkVisit(): void {
    const { sinceMs = Infinity } = this.#visit ?? {};
    const { lab: { nowMs }, isUp, upAtMs } = this.#world;
    if (nowMs > sinceMs + VISIT_MS_MAX && isUp && upAtMs <= sinceMs) {
      throw new Broken(
        "three quiet seconds bring everybody back",
        `${this.name} still stands at the door`,
      );
    }
  }

  #enter(ticket?: TicketClaims): void {
    const { resume, line, name } = this;
    // Only dragons have early announcements, and there hearing what everyone gets costs little.
    const isHeard = this.#index === 0 || this.#world.game === "dragons";
    const onArrival = isHeard ? this.#world.newListener(line) : undefined;
    this.connection = this.#world.connect({
      name,
      line,
      seed: this.#random.bits(),
      resume,
      ticket,
      onArrival,
      hangsMs: this.#hangsMs,
    });
    this.#hangsMs = 0;
    this.#hasChecked = false;
  }

  #follow(): void {
    const { connection } = this;
    if (connection === undefined) return;
    this.#keepToken(connection.session.resume);
    if (!connection.isOpen) return this.#onClosed(connection);
    if (connection.firstTick < 0 || this.#hasChecked) return;
    this.#hasChecked = true;
    this.#failedAttempts = 0;
    this.#onSeat(connection);
  }

  #onSeat({ session, witness }: Connection<Command, Sim>): void {
    const kept = this.#kept;
    const isSame = kept !== undefined && kept.witness === witness && session.seat === kept.seat;

    if (this.#isOwed(witness) && (!isSame || !session.isResumed)) {
      throw new Broken(
        "a lost player gets their seat back",
        `seat ${session.seat} in place of ${kept!.seat}`,
      );
    }

    if (
      isSame && kept.name !== undefined && session.names.has(session.seat) &&
      session.names.get(session.seat) !== kept.name
    ) {
      throw new Broken(
        "a player keeps their name",
        `${session.names.get(session.seat)} in place of ${kept.name}`,
      );
    }

    this.#kept = undefined;
  }

  /** Keeps each welcome's token at once, as a page does. */
  #keepToken(token: ResumeToken | undefined): void {
    if (token === undefined || token === this.resume) return;
    if (this.resume !== undefined) this.oldTokens.push(this.resume);
    this.resume = token;
  }

  /** Whether the seat must still be kept. */
  #isOwed(witness: Witness<Command> | undefined): boolean {
    const kept = this.#kept;
    if (kept === undefined || witness === undefined || kept.witness !== witness) return false;
    const playedTicks = kept.lostTick - kept.sinceTick;
    const lostTicks = witness.newestTick - kept.lostTick;
    // The server may have lost the player before the client noticed, and then they played for less.
    return lostTicks + DOUBT_TICKS < Math.min(playedTicks - DOUBT_TICKS, RESERVED_TICKS_MAX);
  }

  #onClosed(connection: Connection<Command, Sim>): void {
    const { closeCode, closeReason } = connection.session;
    this.#world.watch(connection);
    this.connection = undefined;
    this.#checkRefusal(closeCode, closeReason);
    if (closeCode === CloseCode.replaced || closeCode === CloseCode.idle || closeCode === 1000) {
      this.forget();
    } else if (this.#hasChecked) this.#rememberSeat(connection);
    this.#retryAfter(closeCode);
  }

  #checkRefusal(code: number, reason: string): void {
    const isRefused = code === CloseCode.roomFull || code === CloseCode.addressFull;
    if (isRefused && this.resume !== undefined && this.#isOwed(this.#world.witness)) {
      throw new Broken("a lost player gets their seat back", `refused with ${code}, ${reason}`);
    }
  }

  #retryAfter(closeCode: number): void {
    const { nowMs } = this.#world.lab;
    const random = this.#random.fraction();
    const delayMs = retryDelayMs(this.#failedAttempts++, { closeCode, random });
    this.#retryAtMs = Math.max(this.#retryAtMs, nowMs + delayMs);
  }

  #rememberSeat({ session, witness }: Connection<Command, Sim>): void {
    if (witness === undefined || session.seat < 0) return;
    const { seat } = session;
    const lostTick = witness.newestTick;
    this.#kept = {
      witness,
      seat,
      name: session.names.get(seat),
      sinceTick: witness.entersAt.get(seat) ?? Infinity,
      lostTick,
    };
  }
}
