/** Honest bots that play through a soak in this process. They feel whatever disturbs a player. */
import { HonestBot } from "../../support/honest_bot.ts";

/** What disturbed the bots. */
export interface Disturbances {
  readonly closes: number;
  readonly desyncs: number;
  readonly gaps: number;
}

/** The page has caught up if a definitive tick arrived within this time, ms. */
const FRESH_MS = 300;

export class HonestPlayers implements Disposable {
  readonly bots: readonly HonestBot[];
  readonly #ticks: number[];
  readonly #tickAtMs: number[];

  constructor(url: string, { count, seed }: { count: number; seed: number }) {
    this.bots = Array.from(
      { length: count },
      (_, i) => new HonestBot(url, { name: `Wren${i + 1}`, seed: seed + i, room: "BOTS" }),
    );
    this.#ticks = this.bots.map(() => -1);
    this.#tickAtMs = this.bots.map(() => -Infinity);
  }

  /** @throws Error if a bot cannot join */
  async untilPlaying(): Promise<void> {
    await Promise.all(this.bots.map((bot) => bot.until(() => bot.isPlaying)));
    const lost = this.bots.find(({ session }) => session.phase === "closed");
    if (lost === undefined) return;
    throw new Error(`a bot cannot join: ${lost.session.closeCode} ${lost.session.closeReason}`);
  }

  disturbances(): Disturbances {
    const sum = (valueOf: (bot: HonestBot) => number) => this.bots.reduce((total, bot) => total + valueOf(bot), 0);
    return {
      closes: sum(({ session }) => session.phase === "closed" ? 1 : 0),
      desyncs: sum(({ session }) => session.stats.desyncs),
      gaps: sum(({ gaps }) => gaps),
    };
  }

  /** Whether every bot plays, agrees with the server, and got a tick just now. Call it often. */
  isCaughtUp(nowMs: number): boolean {
    this.bots.forEach(({ session: { definitiveTick } }, i) => {
      if (definitiveTick > this.#ticks[i]!) [this.#ticks[i], this.#tickAtMs[i]] = [definitiveTick, nowMs];
    });
    const isFresh = this.#tickAtMs.every((atMs) => nowMs - atMs < FRESH_MS);
    return isFresh && this.bots.every(({ session }) => session.phase === "playing" && session.isInSync);
  }

  [Symbol.dispose](): void {
    for (const bot of this.bots) bot.stop();
  }
}
