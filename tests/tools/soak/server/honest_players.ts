/** Honest bots that play through a soak in this process. They feel whatever disturbs a player. */
import { wait } from "../../../../server/ground/ticker.ts";
import { CloseCode } from "../../../../shared/netcode/wire/messages.ts";
import type { Link } from "../../../../shared/netcode/link.ts";
import { HonestBot } from "../../../support/honest_bot.ts";

/** Events that disturbed the bots. */
export interface Disturbances {
  readonly closes: number;
  readonly closeReasons?: readonly string[];
  readonly desyncs: number;
  readonly gaps: number;
}

export const HONEST_ROOM = "BOTS";

/**
 * How often a bot that finds the machine busy tries again, and how long it waits in between, ms.
 */
const ATTEMPTS_MAX = 30;
const RETRY_MS = 1_000;

/** The page has caught up if a definitive tick arrived this recently, ms. */
const FRESH_MS = 300;

export class HonestPlayers implements Disposable {
  readonly bots: HonestBot[];
  readonly #newBot: (index: number) => HonestBot;
  readonly #ticks: number[];
  readonly #tickAtMs: number[];

  /** @param options.open opens a link to a room by other means than a WebSocket */
  constructor(
    url: string,
    { count, seed, open }: {
      count: number;
      seed: number;
      open?: ((name: string) => Link) | undefined;
    },
  ) {
    this.#newBot = (index) => {
      const name = `Wren${index + 1}`;
      return new HonestBot(url, {
        name,
        seed: seed + index,
        room: HONEST_ROOM,
        ...open && { open: () => open(name) },
      });
    };
    this.bots = Array.from({ length: count }, (_, index) => this.#newBot(index));
    this.#ticks = this.bots.map(() => -1);
    this.#tickAtMs = this.bots.map(() => -Infinity);
  }

  /**
   * As pages do, bots return if they find the machine busy.
   * @throws Error if a bot cannot join
   */
  async untilPlaying(): Promise<void> {
    for (let attempt = 1;; attempt++) {
      await Promise.all(this.bots.map((bot) => bot.until(() => bot.isPlaying)));
      const lost = this.bots.flatMap(({ session }, index) =>
        session.phase === "closed" ? [{ session, index }] : []
      );
      if (lost.length === 0) return;
      const { closeCode, closeReason } = lost[0]!.session;
      if (closeCode !== CloseCode.busy || attempt === ATTEMPTS_MAX) {
        throw new Error(`a bot cannot join: ${closeCode} ${closeReason}`);
      }
      await wait(RETRY_MS);
      for (const { index } of lost) this.bots[index] = this.#newBot(index);
    }
  }

  disturbances(): Disturbances {
    const sum = (valueOf: (bot: HonestBot) => number) =>
      this.bots.reduce((total, bot) => total + valueOf(bot), 0);
    return {
      closes: sum(({ session }) => session.phase === "closed" ? 1 : 0),
      closeReasons: this.bots.flatMap(({ session: { phase, closeCode, closeReason } }) =>
        phase === "closed" ? [`${closeCode} ${closeReason}`] : []
      ),
      desyncs: sum(({ session }) => session.stats.desyncs),
      gaps: sum(({ gaps }) => gaps),
    };
  }

  /** Whether every bot plays, agrees with the server, and got a tick just now. Call it often. */
  isCaughtUp(nowMs: number): boolean {
    this.bots.forEach(({ session: { definitiveTick } }, i) => {
      if (definitiveTick > this.#ticks[i]!) {
        [this.#ticks[i], this.#tickAtMs[i]] = [definitiveTick, nowMs];
      }
    });
    const isFresh = this.#tickAtMs.every((atMs) => nowMs - atMs < FRESH_MS);
    return isFresh &&
      this.bots.every(({ session }) => session.phase === "playing" && session.isInSync);
  }

  [Symbol.dispose](): void {
    for (const bot of this.bots) bot.stop();
  }
}
