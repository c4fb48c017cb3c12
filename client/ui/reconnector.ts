/**
 * Keeps one player in a room: it joins, and after a lost connection it joins again, until the
 * player leaves or the server refuses them. It uses no DOM and no timer; call `advance` often.
 */
import { type Clock, CUT } from "../../shared/netcode/link.ts";
import { CloseCode, type ResumeToken } from "../../shared/netcode/wire/messages.ts";
import { GOING_AWAY } from "../../shared/netcode/wire/stop_reasons.ts";
import {
  type ConnectionState,
  PRACTICE_FAILED,
  type Refusal,
  refusalOf,
} from "./connection_messages.ts";
import type { ConnectionRequest } from "../net/link_opener.ts";
import type { ConditionedLink } from "../net/network_conditions.ts";
import { Attempts } from "../net/retry_delay.ts";
import type { Entry } from "./lobby.ts";
import { newRoomCode } from "./page_url.ts";
import type { Simulation, Tick } from "../../shared/netcode/game.ts";
import type { Session } from "../session/session.ts";
import {
  MatchPresenter,
  type MatchPresenterOptions,
  type PlayableGame,
} from "../presentation/match_presenter.ts";

/** How long the notice after a hidden tab stays at least, ms. */
const RETURN_NOTICE_MS = 1500;
/** How long a page must be hidden to get a notice, ms. */
const HIDDEN_MS_MIN = 1000;
/** How long the notice after a return to another match or seat stays, ms. */
const ANEW_NOTICE_MS = 4000;
/** How long the server keeps a lost player's seat at most, ms (SPEC 3.3). */
const SEAT_RESERVED_MS_MAX = 30_000;
/** How long a sentence from the server stays, ms: long enough to read during a fight. */
const ANNOUNCED_MS = 15_000;
/**
 * The page counts as caught up if a definitive tick arrived within this time, ms, which allows for
 * a few ticks and a slow connection.
 */
const FRESH_MS = 300;

/**
 * How many codes to draw for one new room. With 125,000 open rooms 27 % of the codes are in use,
 * and this many draws all meet one of them once in 10^9 times.
 */
const CODES_DRAWN_MAX = 16;

export interface ReconnectorOptions<Command>
  extends Pick<MatchPresenterOptions<Command>, "telemetry" | "inputDelay"> {
  readonly clock: Clock;
  /**
   * Creates a separate command source for each match, because press counters belong to one match.
   */
  readonly newCommandSource: () => MatchPresenterOptions<Command>["commandSource"];
  readonly openLink: (joinRequest: ConnectionRequest) => ConditionedLink;
  /** Whether the device has no network at all; by default it is taken to have one. */
  readonly isOffline?: () => boolean;
  /** Whether the server logs its matches, which then outlive it; by default it does not. */
  readonly keepsMatches?: () => boolean;
  /**
   * @returns a random number, 0 … 1, which spreads many pages' attempts; by default the browser's
   */
  readonly random?: () => number;
}

type ClosedSession = Pick<Session<unknown>, "closeCode" | "closeReason" | "endedIn">;
type JoinedSession = Pick<Session<unknown>, "resume" | "isResumed" | "definitiveTick">;

/** The room that the player is in or wants to enter, and the attempts so far. */
interface RoomConnection {
  entry: Entry;
  /** How many codes were drawn for it, if it is a new room. */
  codesDrawn: number;
  /** The newest welcome's token, which resumes the seat; undefined before the first seat. */
  resume: ResumeToken | undefined;
  /** The token that the player last played with, or held before a reload. */
  playedToken: ResumeToken | undefined;
  /** The entry's ticket, until it is used. */
  ticket: string | undefined;
  readonly attempts: Attempts;
  disconnectedAtMs: number | undefined;
  /** When the player was first in the match on this seat; undefined before. */
  playingSinceMs: number | undefined;
  closeCode: number;
  closeReason: string;
  /** How many attempts in a row got a ticket but no open socket. */
  unopened: number;
  /** How many attempts in a row got no answer at all. */
  unanswered: number;
  wasJoined: boolean;
  /** The match's newest definitive tick; -1 before the first join. */
  tick: Tick;
  /** The last return to another match or seat. */
  anew: { readonly what: "match" | "seat" | "undone"; readonly atMs: number } | undefined;
}

export class Reconnector<Command, Sim extends Simulation<Command>, Frame> {
  readonly #playable: PlayableGame<Command, Sim, Frame>;
  readonly #options: ReconnectorOptions<Command>;
  #connection: RoomConnection | undefined;
  #link: ConditionedLink | undefined;
  #match: MatchPresenter<Command, Sim, Frame> | undefined;
  #refusal: Refusal | undefined;
  #hiddenAtMs: number | undefined;
  #returned: { readonly atMs: number; readonly hiddenMs: number } | undefined;

  constructor(playable: PlayableGame<Command, Sim, Frame>, options: ReconnectorOptions<Command>) {
    this.#playable = playable;
    this.#options = options;
  }

  /** The newest match; undefined before the first entry and after leaving. */
  get match(): MatchPresenter<Command, Sim, Frame> | undefined {
    return this.#match;
  }

  get entry(): Entry | undefined {
    return this.#connection?.entry;
  }

  /** Enters a room. @param resume the token for this tab's seat before a reload */
  enter(entry: Entry, resume: ResumeToken | undefined): void {
    this.leave();
    const initial = {
      codesDrawn: 1,
      attempts: new Attempts(),
      disconnectedAtMs: undefined,
      playingSinceMs: undefined,
      closeCode: 0,
      closeReason: "",
      unopened: 0,
      unanswered: 0,
      wasJoined: false,
      tick: -1,
      anew: undefined,
    };
    const { spectate, ticket } = entry;
    const token = spectate ? undefined : resume;
    this.#connection = { entry, resume: token, playedToken: token, ticket, ...initial };
    this.#join(this.#connection);
  }

  /** Leaves the room with a close message, so that the server frees the seat. */
  leave(): void {
    this.#connection = undefined;
    const match = this.#match;
    this.#match = this.#link = undefined;
    if (match !== undefined && match.session.phase !== "closed") match.session.close();
  }

  /** Call it when the tab is hidden or shown. */
  setHidden(hidden: boolean): void {
    const nowMs = this.#options.clock.now();
    if (hidden) this.#hiddenAtMs = nowMs;
    else if (this.#hiddenAtMs !== undefined) {
      const hiddenMs = nowMs - this.#hiddenAtMs;
      this.#hiddenAtMs = undefined;
      if (hiddenMs >= HIDDEN_MS_MIN) this.#returned = { atMs: nowMs, hiddenMs };
    }
  }

  /**
   * Call it when the network may have changed, because the browser is online again or the page is
   * shown or thawed. The session then soon gives up a silent link, and the next attempt is due at
   * once.
   */
  hurry(): void {
    this.#connection?.attempts.hurry(this.#options.clock.now());
    this.#match?.session.doubtLink();
  }

  /**
   * Call it when the page is about to be frozen, because it then cannot keep a connection. It comes
   * back to its seat after `hurry`.
   */
  freeze(): void {
    this.#match?.session.giveUp("the page was left");
  }

  /** Does everything that is due. Call it even while the page is hidden. */
  advance(): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    const nowMs = this.#options.clock.now();
    if (nowMs >= connection.attempts.dueMs) this.#join(connection);
    this.#link?.advance();
    this.#match?.advance();
    const session = this.#match?.session;

    // Take the new token at once, because the server forgets the older one at the first command,
    // and a connection may be cut before the first tick.
    if (session?.resume !== undefined) connection.resume = session.resume;
    if (session?.phase === "playing") this.#onJoined(connection, session);
    if (session?.phase === "closed" && connection.attempts.dueMs === Infinity) {
      this.#onDisconnected(connection, session);
    }

    if (
      this.#returned !== undefined && nowMs - this.#returned.atMs >= RETURN_NOTICE_MS &&
      this.#isCaughtUp
    ) {
      this.#returned = undefined;
    }
  }

  /** When `advance` must be called at the latest, ms on the clock. */
  get nextDueMs(): number {
    const dueMs = this.#connection?.attempts.dueMs ?? Infinity;
    return Math.min(
      dueMs,
      this.#match?.session.nextDueMs ?? Infinity,
      this.#link?.nextDueMs ?? Infinity,
    );
  }

  /** Returns the newest refusal once; undefined for none. */
  consumeRefusal(): Refusal | undefined {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    return refusal;
  }

  /** The state for `connectionMessageOf`; undefined outside a room. */
  get state(): ConnectionState | undefined {
    const connection = this.#connection;
    if (connection === undefined) return undefined;
    const nowMs = this.#options.clock.now();

    let phase: ConnectionState["phase"] = "connecting";
    if (connection.attempts.dueMs < Infinity) phase = "away";
    else if (this.#match?.session.phase === "playing") phase = "playing";

    return {
      phase,
      wasJoined: connection.wasJoined,
      closeCode: connection.closeCode,
      closeReason: connection.closeReason,
      unopened: connection.unopened,
      unanswered: connection.unanswered,
      isOffline: this.#options.isOffline?.() ?? false,
      keepsMatches: this.#options.keepsMatches?.() ?? false,
      retryInMs: connection.attempts.dueMs - nowMs,
      seatReservedMs: reservedMs(connection, nowMs),
      silentMs: this.#silentMs(nowMs),
      hiddenMs: this.#returned?.hiddenMs,
      beganAnew: nowMs - (connection.anew?.atMs ?? -Infinity) < ANEW_NOTICE_MS
        ? connection.anew!.what
        : undefined,
      announced: this.#announced(nowMs),
      isPlayedByNpc: this.#match?.session.isPlayedByNpc ?? false,
      isWaitingForBody: this.#match?.isWaitingForBody ?? false,
      isPageRoom: connection.entry.isPageRoom === true,
    };
  }

  /**
   * Counts the time without a tick. A server that sends a notice instead is not silent, because it
   * says why no tick comes.
   */
  #silentMs(nowMs: number): number {
    const silentMs = this.#match?.silentMs ?? 0;
    const notice = this.#match?.session.notice;
    return notice !== undefined && this.#announced(nowMs) !== "" && nowMs - notice.atMs < silentMs
      ? 0
      : silentMs;
  }

  #announced(nowMs: number): string {
    const { text, atMs } = this.#match?.session.notice ?? { text: "", atMs: -Infinity };
    return nowMs - atMs < ANNOUNCED_MS ? text : "";
  }

  get #isCaughtUp(): boolean {
    return this.#match !== undefined && this.#match.session.isInSync &&
      this.#match.silentMs < FRESH_MS;
  }

  #join(connection: RoomConnection): void {
    connection.attempts.begin(this.#options.clock.now());
    const { clock, newCommandSource, telemetry, inputDelay } = this.#options;
    const { entry, resume, ticket } = connection;
    connection.ticket = undefined;

    // A player who was in the room returns to it, so it need not be new.
    const isNew = entry.isNew === true && !connection.wasJoined ? true : undefined;

    // Only every second attempt, because the other way may be shut, too.
    const avoidsSocket = connection.unopened > 0 && connection.attempts.failed % 2 === 0;
    this.#link = this.#options.openLink({ ...entry, isNew, resume, ticket, avoidsSocket });
    this.#match = new MatchPresenter(this.#playable, {
      link: this.#link,
      clock,
      commandSource: newCommandSource(),
      telemetry,
      inputDelay,
      isAway: () => this.#hiddenAtMs !== undefined,
      patience: connection.attempts.patience,
      ...entry,
      resume,
    });
  }

  #onJoined(
    connection: RoomConnection,
    { resume, isResumed, definitiveTick }: JoinedSession,
  ): void {
    // Each use of a token makes a new one, so another token alone does not mean another seat.
    const isOtherSeat = connection.playedToken !== resume && !isResumed;

    // What to report to the player: a match that is behind where it was, or another seat
    let what: NonNullable<RoomConnection["anew"]>["what"] | undefined;
    if (definitiveTick < connection.tick) what = isResumed ? "undone" : "match";
    else if (connection.playedToken !== undefined && isOtherSeat) what = "seat";
    if (what !== undefined) connection.anew = { what, atMs: this.#options.clock.now() };

    connection.wasJoined = true;
    if (isOtherSeat) connection.playingSinceMs = undefined;
    connection.playingSinceMs ??= this.#options.clock.now();
    connection.attempts.succeeded();
    connection.unopened = connection.unanswered = 0;
    connection.disconnectedAtMs = undefined;
    connection.playedToken = resume;
    connection.tick = definitiveTick;
  }

  #onDisconnected(
    connection: RoomConnection,
    { closeCode, closeReason, endedIn }: ClosedSession,
  ): void {
    const nowMs = this.#options.clock.now();
    if (closeCode === CloseCode.roomTaken && connection.codesDrawn < CODES_DRAWN_MAX) {
      return this.#drawAgain(connection);
    }
    // Its worker is gone, so there is no match to come back to.
    this.#refusal = connection.entry.isSolo ? PRACTICE_FAILED : refusalOf(closeCode, closeReason);
    if (this.#refusal !== undefined) return this.leave();
    if (connection.wasJoined) connection.disconnectedAtMs ??= nowMs;
    const isUnanswered = endedIn === "address" && closeCode === CUT;
    if (endedIn === "open") connection.unopened++;
    else if (!isUnanswered) connection.unopened = 0;
    const isOffline = this.#options.isOffline?.() ?? false;
    connection.unanswered = isUnanswered && !isOffline ? connection.unanswered + 1 : 0;

    // A server's farewell says more to players than an attempt without an answer.
    const saysMore = connection.attempts.failed === 0 || closeCode !== CUT ||
      connection.closeCode !== GOING_AWAY;
    if (saysMore) Object.assign(connection, { closeCode, closeReason });
    const { random = Math.random } = this.#options;
    connection.attempts.ended(nowMs, { closeCode, random: random(), endedIn });
  }

  /** Draws another code, because the drawn room is in use. */
  #drawAgain(connection: RoomConnection): void {
    const { random = Math.random } = this.#options;
    connection.codesDrawn++;
    connection.entry = { ...connection.entry, room: newRoomCode(random) };
    connection.resume = connection.playedToken = undefined;
    this.#join(connection);
  }
}

/**
 * Computes how much longer the seat is reserved, ms: for as long as the player played (SPEC 3.3). 0
 * without a seat.
 */
function reservedMs(
  { entry, disconnectedAtMs, playingSinceMs }: RoomConnection,
  nowMs: number,
): number {
  if (entry.spectate || disconnectedAtMs === undefined || playingSinceMs === undefined) return 0;
  return Math.min(SEAT_RESERVED_MS_MAX, disconnectedAtMs - playingSinceMs) -
    (nowMs - disconnectedAtMs);
}
