/**
 * A player who wants to play all the time, and comes back by themselves as a page does: with the token of their seat,
 * after the page's waits.
 */
import { retryDelayMs } from "../../../client/net/retry_delay.ts";
import type { SeatId, Simulation, Tick } from "../../../shared/netcode/game.ts";
import { CloseCode, type ResumeToken } from "../../../shared/netcode/wire/messages.ts";
import { Random } from "../../../shared/random.ts";
import { Connection } from "./connection.ts";
import type { PlayerSetup } from "../schedule.ts";
import { Broken, type Witness } from "../witness.ts";
import type { HuntedResident, HuntedWorld } from "../hunted_world.ts";

/** A seat is kept for so many ticks at most, and for no more than its player has played (SPEC 3.3). */
const RESERVED_TICKS_MAX = 600;
/** What the two ends may differ by about when a player came and was lost, ticks. */
const DOUBT_TICKS = 60;

/** The seat that a lost player has to get back. */
interface KeptSeat<Command> {
  readonly witness: Witness<Command>;
  readonly seat: SeatId;
  readonly name: string | undefined;
  /** From when they were in the game, and when they lost it. */
  readonly sinceTick: Tick;
  readonly lostTick: Tick;
}

export class Resident<Command, Sim extends Simulation<Command>> implements HuntedResident<Command, Sim> {
  readonly line: PlayerSetup;
  readonly #world: HuntedWorld<Command, Sim>;
  readonly #index: number;
  readonly #random: Random;
  connection: Connection<Command, Sim> | undefined;
  #retryAtMs = 0;
  #failedAttempts = 0;
  resume: ResumeToken | undefined;
  /** Tokens that were its own before, the newest last. */
  readonly oldTokens: ResumeToken[] = [];
  #kept: KeptSeat<Command> | undefined;
  #hasChecked = false;

  constructor(
    world: HuntedWorld<Command, Sim>,
    { index, line, seed }: { index: number; line: PlayerSetup; seed: number },
  ) {
    this.#world = world;
    this.#index = index;
    this.line = line;
    this.#random = new Random(seed);
  }

  /** Leaves for good; somebody else comes after a while. */
  leave(awayMs: number): void {
    this.connection?.session.close();
    this.forget();
    this.#retryAtMs = this.#world.lab.nowMs + awayMs;
  }

  /** Its program ends without a word. @param awayMs until it runs again, and shows its token */
  crash(awayMs: number): void {
    this.connection?.player.serverEnd.close(1006, "gone");
    this.#follow();
    this.#retryAtMs = this.#world.lab.nowMs + awayMs;
  }

  /** Its match is over, or somebody else has its seat. */
  forget(): void {
    this.resume = undefined;
    this.#kept = undefined;
  }

  /** Joins again while the older connection is still there. */
  takeOver(): void {
    if (this.resume === undefined || !this.#hasChecked || this.connection?.isLive !== true) return;
    this.#world.watch(this.connection);
    this.#rememberSeat(this.connection);
    this.#join();
  }

  poll(): void {
    this.#follow();
    if (this.connection !== undefined || this.#world.lab.nowMs < this.#retryAtMs || !this.#world.isUp) return;
    this.#join();
  }

  #join(): void {
    const { resume, line } = this, name = `player ${this.#index}`;
    // Only dragons have early announcements, and there it costs little to hear what everybody gets.
    const isHeard = this.#index === 0 || this.#world.game === "dragons";
    const onArrival = isHeard ? this.#world.newListener(line) : undefined;
    this.connection = this.#world.connect({ name, line, seed: this.#random.bits(), resume, onArrival });
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
    const kept = this.#kept, isSame = kept !== undefined && kept.witness === witness && session.seat === kept.seat;
    if (this.#isOwed(witness) && (!isSame || !session.isResumed)) {
      throw new Broken("a lost player gets their seat back", `seat ${session.seat} in place of ${kept!.seat}`);
    }
    if (
      isSame && kept.name !== undefined && session.names.has(session.seat) &&
      session.names.get(session.seat) !== kept.name
    ) {
      throw new Broken("a player keeps their name", `${session.names.get(session.seat)} in place of ${kept.name}`);
    }
    this.#kept = undefined;
  }

  /** As a page does: the token of each welcome at once. */
  #keepToken(token: ResumeToken | undefined): void {
    if (token === undefined || token === this.resume) return;
    if (this.resume !== undefined) this.oldTokens.push(this.resume);
    this.resume = token;
  }

  /** Whether the seat has to be kept still. */
  #isOwed(witness: Witness<Command> | undefined): boolean {
    const kept = this.#kept;
    if (kept === undefined || witness === undefined || kept.witness !== witness) return false;
    const playedTicks = kept.lostTick - kept.sinceTick, lostTicks = witness.newestTick - kept.lostTick;
    return lostTicks + DOUBT_TICKS < Math.min(playedTicks, RESERVED_TICKS_MAX);
  }

  #onClosed(connection: Connection<Command, Sim>): void {
    const { closeCode, closeReason } = connection.session, { lab } = this.#world;
    this.#world.watch(connection);
    this.connection = undefined;
    const isRefused = closeCode === CloseCode.roomFull || closeCode === CloseCode.addressFull;
    if (isRefused && this.resume !== undefined && this.#isOwed(this.#world.witness)) {
      throw new Broken("a lost player gets their seat back", `refused with ${closeCode}, ${closeReason}`);
    }
    if (closeCode === CloseCode.replaced || closeCode === CloseCode.idle || closeCode === 1000) this.forget();
    else if (this.#hasChecked) this.#rememberSeat(connection);
    const random = this.#random.fraction();
    this.#retryAtMs = Math.max(
      this.#retryAtMs,
      lab.nowMs + retryDelayMs(this.#failedAttempts++, { closeCode, random }),
    );
  }

  #rememberSeat({ session, witness }: Connection<Command, Sim>): void {
    if (witness === undefined || session.seat < 0) return;
    const { seat } = session, lostTick = witness.newestTick;
    this.#kept = {
      witness,
      seat,
      name: session.names.get(seat),
      sinceTick: witness.entersAt.get(seat) ?? Infinity,
      lostTick,
    };
  }
}
