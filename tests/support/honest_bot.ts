/**
 * A bot of `deno task bots`, in this process. It can assert that nothing has disturbed it: its link
 * is open, its hashes agree, and its ticks have no gaps.
 */
import type { DragonCommand, DragonSimulation } from "../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../shared/games/dragons/game.ts";
import { assertEquals } from "@std/assert";
import { Bot } from "../../client/games/dragons/bot.ts";
import { SessionDatagrams } from "../../client/session/datagrams/session_datagrams.ts";
import { type CommandSource, Session } from "../../client/session/session.ts";
import { openNodeWebSocketLink } from "../../client/net/node_websocket_link.ts";
import type { Link } from "../../shared/netcode/link.ts";
import { ServerMessageDecoder } from "../../shared/netcode/wire/server_messages.ts";

const FRAME_MS = 16;
const clock = { now: () => performance.now() };

export class HonestBot {
  readonly session: Session<DragonCommand, DragonSimulation>;
  #gaps = 0;
  #newest = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #waiting = new Set<{ condition: () => boolean; resolve: () => void }>();

  /** Joins a room. @param url http://… of the server */
  constructor(
    url: string,
    { name, seed, room = "BOTS", controls, open = openNodeWebSocketLink }: {
      name: string;
      seed: number;
      room?: string;
      /** Plays instead of the bot. */
      controls?: CommandSource<DragonCommand>;
      /** Opens the link. */
      open?: (url: string) => Link;
    },
  ) {
    const bot = new Bot(seed);
    const link = this.#intercepted(open(`${url.replace("http", "ws")}socket`));
    const datagramSupport = (use: (Datagrams: typeof SessionDatagrams) => void) =>
      use(SessionDatagrams);
    const commandSource = controls ?? bot;
    this.session = new Session({
      game: dragonGame,
      link,
      clock,
      room,
      name,
      commandSource,
      datagramSupport,
    });
    bot.attach(this.session);
    this.#advance();
  }

  /**
   * Received ticks that did not follow the one before. A datagram has ticks in a row, and may
   * repeat some.
   */
  get gaps(): number {
    return this.#gaps;
  }

  /** Whether its dragon is in the game. */
  get isPlaying(): boolean {
    const { phase, simulation, seat } = this.session;
    return phase === "playing" && simulation?.world.player(seat) !== undefined;
  }

  /**
   * Resolves when the condition holds or the link is closed. The condition is evaluated every
   * frame.
   */
  until(condition: () => boolean): Promise<void> {
    if (this.session.phase === "closed") return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add({ condition, resolve }));
  }

  /**
   * Waits for five more ticks.
   * @throws AssertionError if the bot has been disturbed since its join
   */
  async assertUndisturbed(): Promise<void> {
    const { stats } = this.session;
    const from = stats.ticks;
    await this.until(() => stats.ticks >= from + 5);
    const { phase, closeCode, closeReason, isInSync } = this.session;
    assertEquals(
      { phase, closeCode, closeReason, isInSync, desyncs: stats.desyncs, gaps: this.#gaps },
      { phase: "playing", closeCode: 0, closeReason: "", isInSync: true, desyncs: 0, gaps: 0 },
    );
  }

  /**
   * Its program stands still, as a page does on a machine that sleeps. Nothing that it waits for
   * happens.
   */
  sleep(): void {
    clearTimeout(this.#timer);
  }

  wake(): void {
    this.#advance();
  }

  stop(): void {
    clearTimeout(this.#timer);
    if (this.session.phase !== "closed") this.session.close();
  }

  #advance(): void {
    this.session.advance();
    const isLost = this.session.phase === "closed";
    for (const waiting of this.#waiting) {
      if (!isLost && !waiting.condition()) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
    if (!isLost) this.#timer = setTimeout(() => this.#advance(), FRAME_MS);
  }

  /** The same link, but with a decoder that checks the ticks on their way. */
  #intercepted(link: Link): Link {
    const decoder = new ServerMessageDecoder(dragonGame.command);
    return {
      ordered: link.ordered,
      send: (message) => link.send(message),
      sendReliably: (message) => link.sendReliably(message),
      onMessage: (handler) =>
        link.onMessage((bytes, reliably) => {
          const message = decoder.decode(bytes);
          if (message.type === "ticks") {
            this.#countGap(message.ticks[0]!.tick, message.ticks.at(-1)!.tick);
          } else if (message.type === "tick" && link.ordered) {
            this.#countTick(message.tick);
          } else if (message.type === "tick") this.#newest = Math.max(this.#newest, message.tick); // a state
          handler(bytes, reliably);
        }),
      onClose: (handler) => link.onClose(handler),
      close: (code, reason) => link.close(code, reason),
      get bufferedBytes() {
        return link.bufferedBytes;
      },
    };
  }

  #countTick(tick: number): void {
    if (this.#newest >= 0 && tick !== this.#newest + 1) this.#gaps++;
    this.#newest = tick;
  }

  /** The same for the ticks of a datagram. */
  #countGap(oldest: number, newest = oldest): void {
    if (this.#newest >= 0 && oldest > this.#newest + 1) this.#gaps++;
    this.#newest = Math.max(this.#newest, newest);
  }
}
