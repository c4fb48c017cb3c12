/**
 * One player's way into a room and back into it: join, play, lose the line, try again, until he leaves or is refused. No DOM, no
 * timers: `advance` is called often.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import type { ResumeToken } from "../../shared/netcode/wire/messages.ts";
import { type ConnectionState, refusalOf, type RefusalWords } from "./connection_messages.ts";
import type { ConditionedLink } from "../net/network_conditions.ts";
import type { Entry } from "./lobby.ts";
import { MatchPresenter, type MatchPresenterOptions } from "../presentation/match_presenter.ts";

/** How long to wait before each try, ms; the last goes on for ever: a page may be open all night. */
const RETRY_MS = [1000, 1000, 2000] as const;
/** Back from a hidden tab, the player reads so for this long at least, ms. */
const WELCOME_MS = 1500;
/** A page that was hidden for less than this has missed nothing worth a word, ms. */
const HIDDEN_MS_MIN = 1000;
/** What came less than this ago is the present, ms: a few ticks and a slow line. */
const FRESH_MS = 300;

export interface ConnectionOptions extends Pick<MatchPresenterOptions, "telemetry"> {
  readonly clock: Clock;
  /** Of one match: another one's press counters are not its. */
  readonly newCommandSource: () => MatchPresenterOptions["commandSource"];
  readonly openLink: () => ConditionedLink;
}

/** What is known of somebody who is in, or wants to be. */
interface Stay {
  readonly entry: Entry;
  /** What brings our seat back; undefined before we had one. */
  resume: ResumeToken | undefined;
  /** Tries that failed since we were in. */
  tries: number;
  retryAtMs: number;
  lostAtMs: number | undefined;
  closeCode: number;
  wasIn: boolean;
}

export class Connection {
  readonly #options: ConnectionOptions;
  #stay: Stay | undefined;
  #link: ConditionedLink | undefined;
  #match: MatchPresenter | undefined;
  #refusal: RefusalWords | undefined;
  #hiddenAtMs: number | undefined;
  #back: { readonly atMs: number; readonly hiddenMs: number } | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** The newest match; undefined before the first entry and after leaving. */
  get match(): MatchPresenter | undefined {
    return this.#match;
  }

  get entry(): Entry | undefined {
    return this.#stay?.entry;
  }

  /** Comes in. @param resume of a seat that this page had before it was loaded anew */
  enter(entry: Entry, resume: ResumeToken | undefined): void {
    this.leave();
    const never = { tries: 0, retryAtMs: Infinity, lostAtMs: undefined, closeCode: 0, wasIn: false };
    this.#stay = { entry, resume: entry.spectate ? undefined : resume, ...never };
    this.#join(this.#stay);
  }

  /** Goes, and says so: the seat is free for the next one. */
  leave(): void {
    this.#stay = undefined;
    const match = this.#match;
    this.#match = this.#link = undefined;
    if (match !== undefined && match.session.phase !== "closed") match.session.close();
  }

  /** The page cannot be seen any more, or can again. */
  setHidden(hidden: boolean): void {
    const nowMs = this.#options.clock.now();
    if (hidden) this.#hiddenAtMs = nowMs;
    else if (this.#hiddenAtMs !== undefined) {
      const hiddenMs = nowMs - this.#hiddenAtMs;
      this.#hiddenAtMs = undefined;
      if (hiddenMs >= HIDDEN_MS_MIN) this.#back = { atMs: nowMs, hiddenMs };
    }
  }

  /** Everything that is due, also while the page is hidden. */
  advance(): void {
    const stay = this.#stay;
    if (stay === undefined) return;
    const nowMs = this.#options.clock.now();
    if (nowMs >= stay.retryAtMs) this.#join(stay);
    this.#link?.advance();
    this.#match?.advance();
    const session = this.#match?.session;
    if (session?.phase === "playing") this.#arrive(stay);
    if (session?.phase === "closed" && stay.retryAtMs === Infinity) this.#lose(stay, session.closeCode);
    if (this.#back !== undefined && nowMs - this.#back.atMs >= WELCOME_MS && this.#isCaughtUp) this.#back = undefined;
  }

  /** When `advance` has something to do again, at the latest, ms on the clock. */
  get nextDueMs(): number {
    const { retryAtMs = Infinity } = this.#stay ?? {};
    return Math.min(retryAtMs, this.#match?.session.nextDueMs ?? Infinity, this.#link?.nextDueMs ?? Infinity);
  }

  /** What another try would only meet again, once. */
  takeRefusal(): RefusalWords | undefined {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    return refusal;
  }

  /** For `noticeOf`; undefined where nobody wants to be anywhere. */
  get state(): ConnectionState | undefined {
    const stay = this.#stay;
    if (stay === undefined) return undefined;
    const nowMs = this.#options.clock.now();
    return {
      phase: stay.retryAtMs < Infinity ? "away" : this.#match?.session.phase === "playing" ? "playing" : "connecting",
      wasIn: stay.wasIn,
      closeCode: stay.closeCode,
      retryInMs: stay.retryAtMs - nowMs,
      lostMs: stay.lostAtMs === undefined || stay.entry.spectate ? undefined : nowMs - stay.lostAtMs,
      silentMs: this.#match?.silentMs ?? 0,
      hiddenMs: this.#back?.hiddenMs,
      isWaitingForDragon: this.#match?.isWaitingForDragon ?? false,
    };
  }

  get #isCaughtUp(): boolean {
    return this.#match !== undefined && this.#match.session.isInSync && this.#match.silentMs < FRESH_MS;
  }

  #join(stay: Stay): void {
    stay.retryAtMs = Infinity;
    this.#link = this.#options.openLink();
    const { clock, newCommandSource, telemetry } = this.#options;
    const { entry, resume } = stay;
    this.#match = new MatchPresenter({
      link: this.#link,
      clock,
      commandSource: newCommandSource(),
      telemetry,
      ...entry,
      resume,
    });
  }

  #arrive(stay: Stay): void {
    stay.wasIn = true;
    stay.tries = 0;
    stay.lostAtMs = undefined;
    stay.resume = this.#match!.session.resume;
  }

  #lose(stay: Stay, closeCode: number): void {
    const nowMs = this.#options.clock.now();
    this.#refusal = refusalOf(closeCode);
    if (this.#refusal !== undefined) return this.leave();
    if (stay.wasIn) stay.lostAtMs ??= nowMs;
    // A try that failed says less than the loss before it.
    if (stay.tries === 0) stay.closeCode = closeCode;
    stay.retryAtMs = nowMs + RETRY_MS[Math.min(stay.tries, RETRY_MS.length - 1)]!;
    stay.tries++;
  }
}
