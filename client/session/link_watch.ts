/**
 * Decides when a connection is dead, because nothing else does: a network that forgets a connection
 * sends no close event, and a browser waits for minutes. Each stage of a connection is limited in
 * time:
 *
 *     address  →  open  →  welcome  →  state  →  tick      how long the server may be silent
 *                                       answer             how long a ping may be without a pong, though messages come
 *
 * Only time in which the program ran counts, because a program that slept could not hear anything:
 *
 *     silence += now − previous call      if that is at most PAUSED_MS; otherwise the silence has WAKE_MS left at least
 *
 * A match may stand still, so missing ticks alone do not prove that a connection is dead. After a
 * second of silence the watch asks for a ping, which a running server answers at once.
 */

/**
 * What a connection awaits next: a ticket, the open socket, the welcome, the first state, the next
 * tick.
 */
export type LinkStage = "address" | "open" | "welcome" | "state" | "tick";

/**
 * How long each stage may take, ms. A ticket may wait 4 s for an operator's hook, or for another
 * machine's match. Round trips of 5 s still get through. A client is back within 10 s, because the
 * next attempt follows at once (SPEC 8.50).
 */
export const LINK_MS_MAX = {
  address: 6_000,
  open: 5_000,
  welcome: 6_000,
  state: 8_000,
  tick: 4_000,
  answer: 7_000,
} as const;

/**
 * After this much silence in a match, and again after as much more, the client asks whether the
 * server is there, ms.
 */
const ASK_MS = 1_000;
/**
 * A program that was not called for longer than this slept, ms. Timers in hidden tabs fire once a
 * second.
 */
export const PAUSED_MS = 2_500;
/**
 * How much more silence to allow after a sleep, and after an event that makes a network doubtful,
 * ms: forty ticks at 20 Hz.
 */
export const WAKE_MS = 2_000;

export class LinkWatch {
  readonly #limitsMs: Readonly<Record<LinkStage | "answer", number>>;
  #nowMs: number;
  #stage: LinkStage = "address";
  /** How long this stage has lasted without a message, and without a pong. */
  #silentMs = 0;
  #unansweredMs = 0;
  #nextAskMs = ASK_MS;

  /**
   * @param nowMs when the link is opened
   * @param patience how many times as long as usual the first state may take
   */
  constructor(nowMs: number, patience = 1) {
    this.#nowMs = nowMs;
    this.#limitsMs = { ...LINK_MS_MAX, state: LINK_MS_MAX.state * patience };
  }

  /** Call it when a message from the server arrived. */
  heard(): void {
    this.#silentMs = 0;
    this.#nextAskMs = ASK_MS;
  }

  /** Call it when a ping was answered, which shows that the server hears this client. */
  answered(): void {
    this.#unansweredMs = 0;
  }

  /** Call it when the network may have changed, so that a live link must soon prove itself. */
  doubt(): void {
    if (this.#stage === "tick") {
      this.#silentMs = Math.max(this.#silentMs, this.#limitsMs.tick - WAKE_MS);
    }
  }

  /**
   * Call it at least once a second, after handling what arrived.
   * @param stage the present one
   * @returns "ask" to send a ping now; "dead" if the link is; undefined otherwise
   */
  advance(nowMs: number, stage: LinkStage): "ask" | "dead" | undefined {
    const elapsedMs = nowMs - this.#nowMs;
    const limitMs = this.#limitsMs[stage];
    this.#nowMs = nowMs;

    if (stage !== this.#stage) {
      this.#stage = stage;
      this.#unansweredMs = 0;
      this.heard();
    } else if (elapsedMs > PAUSED_MS || elapsedMs < 0) {
      this.#silentMs = Math.min(this.#silentMs, limitMs - WAKE_MS);
      this.#unansweredMs = 0;
    } else {
      this.#silentMs += elapsedMs;
      this.#unansweredMs += elapsedMs;
    }

    if (this.#silentMs >= limitMs) return "dead";
    if (stage !== "tick") return undefined;
    if (this.#unansweredMs >= this.#limitsMs.answer) return "dead";
    if (this.#silentMs < this.#nextAskMs) return undefined;
    this.#nextAskMs = this.#silentMs + ASK_MS;
    return "ask";
  }

  /** When to call `advance` at the latest, ms. */
  get dueMs(): number {
    const leftMs = Math.min(this.#limitsMs[this.#stage], this.#nextAskMs) - this.#silentMs;
    return this.#nowMs + Math.min(ASK_MS, Math.max(1, leftMs));
  }
}
