/**
 * A bot on a real server that records when each command left its line and when each server tick
 * came. Its device and line can be disturbed. All times are ms since 1970, so that they can be
 * compared with a page's in another process.
 */
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { Bot } from "../../../../client/games/dragons/bot.ts";
import {
  ConditionedLink,
  type NetworkConditions,
} from "../../../../client/net/network_conditions.ts";
import { tapLink } from "../../../../client/net/link_tap.ts";
import { openNodeWebSocketLink } from "../../../../client/net/node_websocket_link.ts";
import { Session } from "../../../../client/session/session.ts";
import type { Tick } from "../../../../shared/netcode/game.ts";
import type { Link } from "../../../../shared/netcode/link.ts";
import { ClientMessageDecoder } from "../../../../shared/netcode/wire/client_messages.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";

const ADVANCE_MS = 8;
/** How many ticks' times are kept. */
const TIMES_MAX = 20_000;

const clock = { now: () => performance.now() };

/** This process's time now, ms since 1970. */
export const epochMs = () => performance.timeOrigin + performance.now();

export class TimedRider {
  readonly conditions: NetworkConditions;
  /** By the command's tick: when it left the line. */
  readonly leftMs = new Map<Tick, number>();
  /** By tick: when the server's message came, before this line delayed it. */
  readonly cameMs = new Map<Tick, number>();
  /** By a command's seat and tick: the tick in which a message announced it. */
  readonly announcedBy = new Map<string, Tick>();
  readonly session: Session<DragonCommand, DragonSimulation>;
  readonly #link: ConditionedLink;
  #stalledUntilMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Messages that wait for the end of `hold`. */
  #held: (() => void)[] | undefined;

  constructor(
    url: string,
    { name, seed, room, rttMs }: { name: string; seed: number; room: string; rttMs: number },
  ) {
    this.conditions = { rttMs, jitterMs: 0, lossPercent: 0, more: {} };
    const bot = new Bot(seed);
    const sent = new ClientMessageDecoder(dragonGame.command, { ordered: true });
    const received = new ServerMessageDecoder(dragonGame.command);
    let hasHello = false;
    const inner = tapLink(openNodeWebSocketLink(`${url.replace("http", "ws")}socket`), {
      onSent: (bytes) => {
        // The first message is the hello.
        if (!hasHello) return void (hasHello = true);
        const message = sent.decode(bytes);
        if (message.type === "command") this.#keep(this.leftMs, message.tick);
      },
      onReceived: (bytes) => {
        const message = received.decode(bytes);
        if (message.type !== "tick") return;
        this.#keep(this.cameMs, message.tick);
        for (const { seat, tick } of message.announcements) {
          this.announcedBy.set(`${seat} ${tick}`, message.tick);
        }
      },
    });
    const held = this.#holding(inner);
    this.#link = new ConditionedLink(held, { conditions: this.conditions, clock, seed });
    this.session = new Session({
      game: dragonGame,
      link: this.#link,
      clock,
      room,
      name,
      commandSource: bot,
    });
    bot.attach(this.session);
    this.#advance();
  }

  /** Lets the device do nothing for this time. */
  stall(ms: number): void {
    this.#stalledUntilMs = epochMs() + ms;
  }

  /** Makes messages wait on the line from now on, until `release` sends them all at once. */
  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const send of held) send();
  }

  stop(): void {
    clearTimeout(this.#timer);
    if (this.session.phase !== "closed") this.session.close();
  }

  /** The same link, on which messages wait while `hold` is on. */
  #holding(inner: Link): Link {
    const send = (message: Uint8Array) => {
      const copy = message.slice();
      if (this.#held === undefined) inner.send(message);
      else this.#held.push(() => inner.send(copy));
    };
    return {
      ...inner,
      send,
      sendReliably: send,
      get bufferedBytes() {
        return inner.bufferedBytes;
      },
    };
  }

  #advance(): void {
    if (epochMs() >= this.#stalledUntilMs) {
      this.#link.advance();
      this.session.advance();
    }
    if (this.session.phase !== "closed") {
      this.#timer = setTimeout(() => this.#advance(), ADVANCE_MS);
    }
  }

  #keep(times: Map<Tick, number>, tick: Tick): void {
    if (times.size < TIMES_MAX && !times.has(tick)) times.set(tick, epochMs());
  }
}
