/**
 * A player of the hunted cluster, who asks any node where the match is, and comes back with the
 * seat's token.
 */
import { tapLink } from "../../../../client/net/link_tap.ts";
import { bodyStreamSupport } from "../../../../client/session/body_stream_client.ts";
import { Session } from "../../../../client/session/session.ts";
import { retryDelayMs } from "../../../../client/net/retry_delay.ts";
import { LOCAL_PEER } from "../../../../server/match/clients/peer.ts";
import type { NewPeer } from "../../../../server/tickets/admission.ts";
import type { SeatId, Simulation, Tick } from "../../../../shared/netcode/game.ts";
import type { Link } from "../../../../shared/netcode/link.ts";
import { LocalLink } from "../../../../shared/netcode/simulated_network/local_link.ts";
import { SimulatedLink } from "../../../../shared/netcode/simulated_network/simulated_link.ts";
import { HISTORY_TICKS } from "../../../../shared/netcode/timeline.ts";
import {
  type Announcement,
  CloseCode,
  PROTOCOL_VERSION,
  type ResumeToken,
} from "../../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import { Random } from "../../../../shared/random.ts";
import { ArrivedCommands } from "../../lab/stalls/arrived_commands.ts";
import type { VirtualTime } from "../../../support/virtual_time.ts";
import type { HuntedGameParts } from "../clients/games.ts";
import type { PlayerSetup } from "../schedule.ts";
import { Broken, lostCommand, type Witness } from "../witness.ts";
import type { HuntedNode } from "./hunted_node.ts";

/** How long a player waits for a node's answer before trying another one, ms. */
const ANSWER_MS_MAX = 2_000;
/** How long a player waits at most before coming back, ms. */
const RETRY_MS_MAX = 1_000;
/** Those who have played for this many ticks get the seat back within this many ms. */
const PLAYED_TICKS = 200;
const KEPT_MS = 8_000;
/** How many ticks a client in sync may be behind the newest one. */
const FRESH_TICKS = 18;
/**
 * How long a seat is kept for an absent player, ms (SPEC 3.3); it starts again after each
 * take-over.
 */
const SEAT_KEPT_MS = 30_000;

export interface PlayerWorld<Command, Sim extends Simulation<Command>> {
  readonly parts: HuntedGameParts<Command, Sim>;
  readonly time: VirtualTime;
  readonly room: string;
  readonly nodes: readonly HuntedNode<Command>[];
  /** The log of the room's match on the servers. */
  readonly witness: Witness<Command> | undefined;
  /** When a node last took the match, ms. */
  readonly takenMs: number;
  /**
   * Notes that a node sends a client a tick.
   * @returns whether the servers have the tick's record
   * @throws Broken if it may not be sent
   */
  sent(node: HuntedNode<Command>, tick: Tick, options: { isTick: boolean }): boolean;
  onDiscarded(ticks: number): void;
  /** Reports that a rule is broken, or that something has thrown. */
  fail(error: unknown): void;
}

/** One session. */
interface Sitting<Command, Sim extends Simulation<Command>> {
  readonly session: Session<Command, Sim>;
  readonly link: SimulatedLink;
  readonly serverEnd: LocalLink;
  readonly node: HuntedNode<Command>;
  /** Ticks that it got before the servers had them. */
  readonly unconfirmed: Set<Tick>;
  witness: Witness<Command> | undefined;
  firstTick: Tick;
  proven: Tick;
}

export class HuntedPlayer<Command, Sim extends Simulation<Command>> {
  readonly #world: PlayerWorld<Command, Sim>;
  readonly #name: string;
  readonly #setup: PlayerSetup;
  readonly #random: Random;
  #sitting: Sitting<Command, Sim> | undefined;
  #resume: ResumeToken | undefined;
  #kept:
    | { readonly witness: Witness<Command>; readonly seat: SeatId; readonly lostMs: number }
    | undefined;
  #retryAtMs = 0;
  #failed = 0;
  #closeCode = 0;
  /**
   * Grows with each request for the match's place, because answers to earlier requests are late.
   */
  #asked = 0;
  /** Seats that it got back. */
  seatsKept = 0;

  constructor(
    world: PlayerWorld<Command, Sim>,
    { name, setup, seed }: { name: string; setup: PlayerSetup; seed: number },
  ) {
    this.#world = world;
    this.#name = name;
    this.#setup = setup;
    this.#random = new Random(seed);
  }

  /** Cuts its connection, which both ends notice. */
  cut(): void {
    this.#sitting?.serverEnd.close(1006, "cut");
  }

  /** Leaves as a player who closes the page, and then comes again as a new one. */
  leave(): void {
    const sitting = this.#sitting;
    if (sitting === undefined) return;
    sitting.session.close();
    this.#leave(sitting);
    this.#kept = this.#resume = undefined;
  }

  advance(): void {
    const { time } = this.#world;
    const nowMs = time.now();
    const sitting = this.#sitting;
    if (sitting === undefined) {
      if (nowMs >= this.#retryAtMs) this.#ask();
      return;
    }
    sitting.link.advance(nowMs);
    sitting.session.advance();
    this.#check(sitting);
    if (sitting.session.phase === "closed") this.#leave(sitting);
  }

  /** @throws Broken for a player who is not back in the match after some quiet seconds */
  checkQuiet(): void {
    const { witness } = this.#world;
    const session = this.#sitting?.session;
    const tick = session?.definitiveTick ?? -1;
    const isFresh = witness !== undefined && witness.newestTick - tick <= FRESH_TICKS;
    if (session?.phase === "playing" && session.isInSync && isFresh) return;
    // All its seats are kept for players who left while no node heard it.
    if (
      this.#closeCode === CloseCode.roomFull &&
      this.#world.time.now() - this.#world.takenMs < SEAT_KEPT_MS
    ) return;
    const words = `${session?.phase ?? "without a session"}, tick ${tick} of ${
      witness?.newestTick ?? -1
    }`;
    throw new Broken("four quiet seconds bring everybody back", `${this.#name}: ${words}`);
  }

  #ask(): void {
    const { time, nodes } = this.#world;
    const living = nodes.filter(({ state }) => state !== "dead");
    const node = living[this.#random.below(Math.max(1, living.length))];
    const asked = ++this.#asked;
    this.#retryAtMs = time.now() + ANSWER_MS_MAX;
    if (node === undefined) return;
    time.after(
      this.#setup.network.oneWayMs,
      () =>
        node.reach(() =>
          void this.#wayFrom(node).then((server) => {
            if (asked !== this.#asked || this.#sitting !== undefined) return;
            const to = nodes.find(({ url, state }) => url === server && state !== "dead");
            if (to === undefined) this.#retry(1006);
            else time.after(this.#setup.network.oneWayMs, () => this.#join(to));
          })
        ),
    );
  }

  /**
   * The address of the match's node, as a ticket request finds it; undefined if the request is
   * refused.
   */
  async #wayFrom({ entrance }: HuntedNode<Command>): Promise<string | undefined> {
    const { parts: { game }, room } = this.#world;
    const request = {
      protocolVersion: PROTOCOL_VERSION,
      gameId: game.id,
      room,
      spectate: false,
      resume: this.#resume,
    };
    const placement = await entrance.placementOf(request, "");
    if ("code" in placement) return undefined;
    const peer: NewPeer = { ...LOCAL_PEER, ticket: undefined, placement };
    const refusal = await entrance.refusalOf(request, peer);
    // The match was set aside, so the room's next one begins without its token.
    if (refusal?.code === CloseCode.roomFailed) this.#resume = undefined;
    return refusal === undefined ? placement.server : undefined;
  }

  #join(node: HuntedNode<Command>): void {
    const { parts: { game, newHands }, time, room } = this.#world;
    if (node.state === "dead" || this.#sitting !== undefined) return;
    const [clientEnd, serverEnd] = LocalLink.pair();
    const { network } = this.#setup;
    const arrived = new ArrivedCommands(game, serverEnd);
    const socket = tapLink(clientEnd, {
      onSent(message) {
        const newestTick = node.rooms.matchOf(room)?.tick ?? 0;
        arrived.add(message, { reliably: true, nowMs: time.now(), newestTick });
      },
    });
    const link = new SimulatedLink(socket, {
      model: network,
      seed: this.#random.bits(),
      clock: time,
    });
    const unconfirmed = new Set<Tick>();
    const decoder = new ServerMessageDecoder<Command>(game.command);

    /** Ticks for which the server announced one of this seat's commands. */
    const taken = new Set<Tick>();
    const checkArrivals = (tick: Tick, announcements: readonly Announcement<Command>[]) => {
      const { seat } = session;
      const dueMs = node.dueMsOf(tick);
      for (const each of announcements) if (each.seat === seat) taken.add(each.tick);
      const beforeMs = dueMs === undefined ? undefined : arrived.inTimeFor(tick, dueMs);
      if (seat < 0 || beforeMs === undefined || taken.has(tick)) return;
      this.#world.fail(lostCommand({ seat, tick, beforeMs }));
    };
    node.links.add(serverEnd);
    if (node.state === "paused") serverEnd.pause();
    node.rooms.admit(heard(serverEnd, (bytes) => {
      const message = decoder.decode(bytes);
      // What a node sends on a closed link does not reach anyone, and may belong to the room's
      // previous match.
      if (node.state === "dead" || !node.links.has(serverEnd) || !("tick" in message)) return;
      const isTick = message.type === "tick";
      const tick = message.tick as Tick;
      if (message.type === "tick") checkArrivals(tick, message.announcements);
      if (!this.#world.sent(node, tick, { isTick })) unconfirmed.add(tick);
    }));
    const session: Session<Command, Sim> = new Session<Command, Sim>({
      game,
      link,
      clock: time,
      room,
      name: this.#name,
      bodyStream: bodyStreamSupport(game),
      commandSource: newHands(this.#random.bits()),
      resume: this.#resume,
    });
    this.#sitting = {
      session,
      link,
      serverEnd,
      node,
      unconfirmed,
      witness: undefined,
      firstTick: -1,
      proven: -1,
    };
  }

  #check(sitting: Sitting<Command, Sim>): void {
    const { session, unconfirmed } = sitting;
    const { definitiveTick: tick, stats } = session;
    if (stats.desyncs > 0) {
      throw new Broken("equal everywhere", `a client is desynced at tick ${tick}`);
    }
    if (tick < 0) return;
    if (sitting.firstTick < 0) this.#begin(sitting);
    const { witness } = sitting;
    if (witness === undefined) return;
    const last = Math.min(tick, session.head);

    for (let each = Math.max(sitting.proven + 1, last - HISTORY_TICKS + 1); each <= last; each++) {
      const hash = session.provenHash(each);
      if (hash === undefined || unconfirmed.has(each) || hash === witness.hashOf(each)) continue;
      throw new Broken(
        "a confirmed tick never changes",
        `tick ${each}: a client has ${hash}, the log has another`,
      );
    }

    sitting.proven = Math.max(sitting.proven, last);
  }

  #begin(sitting: Sitting<Command, Sim>): void {
    const { session } = sitting;
    const { witness, time } = this.#world;
    const kept = this.#kept;
    sitting.firstTick = session.definitiveTick;
    sitting.witness = witness;
    this.#failed = 0;
    if (kept === undefined || kept.witness !== witness || time.now() - kept.lostMs > KEPT_MS) {
      return;
    }
    if (kept.seat !== session.seat) {
      throw new Broken(
        "whoever comes back has the same seat",
        `${this.#name}: seat ${kept.seat}, then ${session.seat}`,
      );
    }
    this.seatsKept++;
  }

  #leave(sitting: Sitting<Command, Sim>): void {
    const { session, serverEnd, node, witness, firstTick, unconfirmed } = sitting;
    const { time } = this.#world;

    // A match that was set aside no longer holds a seat for the token.
    this.#resume = session.closeCode === CloseCode.roomFailed
      ? undefined
      : session.resume ?? this.#resume;

    if (witness !== undefined) {
      // Ticks that another node has played again were discarded.
      const isDiscarded = (tick: Tick) => {
        const hash = session.provenHash(tick);
        return hash !== undefined && hash !== witness.hashOf(tick);
      };
      this.#world.onDiscarded([...unconfirmed].filter(isDiscarded).length);
      const hasPlayed = session.definitiveTick - firstTick > PLAYED_TICKS;
      if (hasPlayed) this.#kept = { witness, seat: session.seat, lostMs: time.now() };
    }

    node.links.delete(serverEnd);
    this.#sitting = undefined;
    this.#closeCode = session.closeCode;
    this.#retry(session.closeCode);
  }

  #retry(closeCode: number): void {
    const ms = retryDelayMs(this.#failed++, { closeCode, random: this.#random.fraction() });
    this.#retryAtMs = this.#world.time.now() + Math.min(RETRY_MS_MAX, ms);
  }
}

/** The server's end of a link, which reports what the server sends. */
function heard(end: LocalLink, onSent: (message: Uint8Array) => void): Link {
  return {
    ordered: end.ordered,
    send(message) {
      onSent(message);
      end.send(message);
    },
    sendReliably(message) {
      onSent(message);
      end.sendReliably(message);
    },
    onMessage: (handler) => end.onMessage(handler),
    onClose: (handler) => end.onClose(handler),
    close: (code, reason) => end.close(code, reason),
    get bufferedBytes() {
      return end.bufferedBytes;
    },
  };
}
