/**
 * Encodes a definitive tick for each client. The part that clients share is encoded once, and so is
 * the full state for all clients that need it in the same tick. Each client's own end follows.
 *
 *     reliable link    this tick, delta-coded against the one before; or a full state
 *     datagram link    every tick that the client has not acknowledged; a full state uses the reliable channel
 */
import { CodeWriter } from "../../../shared/netcode/wire/range_coder.ts";
import type { Codec, Tick } from "../../../shared/netcode/game.ts";
import { TickRing } from "../../../shared/netcode/tick_ring.ts";
import {
  type Announcement,
  DATAGRAM_TICKS_MAX,
  type Hello,
  type PiggybackedPong,
  SERVER_DATAGRAM_BYTES_MAX,
} from "../../../shared/netcode/wire/messages.ts";
import { type Advice, roundedAdvice } from "../../../shared/netcode/wire/advice_codec.ts";
import {
  AnnouncementBaselines,
  codeEarlyAnnouncements,
  sortBySeat,
} from "../../../shared/netcode/wire/announcement_codec.ts";
import {
  type Deflate,
  type PackedSnapshot,
  packSnapshot,
} from "../../../shared/netcode/wire/packed_snapshot.ts";
import { codeMessageType } from "../../../shared/netcode/wire/server_messages.ts";
import { TickStart } from "../../../shared/netcode/tick_start.ts";
import {
  type CodeBodies,
  codeResume,
  codeState,
  codeStateEnd,
  codeStateStart,
  codeTickDeltas,
  codeTickEnd,
  codeTicksEnd,
  DATAGRAM_END_BYTES_MAX,
  EMPTY_DELTA,
  type TickDelta,
} from "../../../shared/netcode/wire/tick_codec.ts";
import type { BodyBroadcaster } from "./body_broadcaster.ts";
import { DeltaState } from "./delta_state.ts";
import type { JoinState } from "../../../shared/netcode/join_state.ts";
import type { LogState } from "../../../shared/netcode/match_log/records.ts";
import type { Client } from "../clients/client.ts";

/** One tick, for all clients. */
export interface TickBroadcast<Command> {
  readonly tick: Tick;
  readonly hash: number;
  /** S(tick), with all announcements beyond it; undefined while the server only orders commands. */
  joinState(): JoinState<Command> | undefined;
  /** Takes the pong that waits for this client; undefined if none does. */
  piggybackedPongFor(client: Client<Command>): PiggybackedPong | undefined;
}

export interface BroadcasterOptions {
  /** Undefined for a game without a body stream. */
  readonly bodies: BodyBroadcaster | undefined;
  /**
   * With "state" a client uses the body stream if it can, and otherwise gets the full state each
   * tick.
   */
  readonly stream: "commands" | "state";
  readonly deflate: Deflate | undefined;
}

/**
 * How many ticks are kept: 3.2 s at 20 Hz. A client notices within two seconds that its datagram
 * path is dead, and its `back` takes a round trip.
 */
const SENT_TICKS = 64;

/** One tick's delta, kept for datagrams. */
interface SentTick<Command> {
  delta: TickDelta<Command>;
}

/** A datagram without its end, shared by all clients that acknowledged the same tick. */
interface DatagramStart {
  readonly coder: CodeWriter;
  /** The tick in which it was encoded. */
  encodedAt: Tick;
  /** The longest datagram that it was encoded for. */
  bytesMax: number;
  /** The newest tick in it, or the one before the first if not even the first fits. */
  last: Tick;
}

/**
 * Slack is for display, so it is sent only in one of this many ticks, after a late command, and
 * before the first advice.
 */
const SLACK_TICKS = 20;
/**
 * Advice is sent in one of this many ticks, or when it has moved by this many ms. If it were
 * coarser, commands would wait longer (SPEC 5.2).
 */
const ADVICE_TICKS = 8;
const ADVICE_MOVED_MS = 2;

/** Encodes one match's tick messages. It reuses its buffers every tick. */
export class TickBroadcaster<Command> {
  /** The newest tick's start, for reliable links. */
  readonly tickStart: TickStart<Command>;
  readonly #codec: Codec<Command>;
  readonly #stream: BroadcasterOptions["stream"];
  readonly #deflate: Deflate | undefined;
  readonly #bodyBroadcaster: BodyBroadcaster | undefined;
  readonly #sentTicks = new TickRing<SentTick<Command>>(SENT_TICKS, () => ({ delta: EMPTY_DELTA }));
  /** The tick since which all are kept; undefined while none are. */
  #keptFrom: Tick | undefined;
  readonly #datagramStarts = new TickRing<DatagramStart>(
    SENT_TICKS,
    () => ({ coder: new CodeWriter(), encodedAt: -1, bytesMax: 0, last: -1 }),
  );
  /** A datagram's baselines, which start empty. */
  readonly #datagramAnnounced = new AnnouncementBaselines<Command>();
  readonly #stateStart = new CodeWriter();
  #snapshot: PackedSnapshot = { bytes: new Uint8Array(0), length: 0, isDeflated: false };
  #stateTick: Tick = -1;
  /** The newest tick when that state was encoded, because what is announced beyond it grows. */
  #stateNewest: Tick = -1;
  readonly #message = new CodeWriter();

  constructor(codec: Codec<Command>, { bodies, stream, deflate }: BroadcasterOptions) {
    this.tickStart = new TickStart(codec);
    this.#codec = codec;
    this.#bodyBroadcaster = bodies;
    this.#stream = stream;
    this.#deflate = deflate;
  }

  /** Makes a new client's delta state. @param requested the body stream mode in its hello */
  newDeltaState(requested: Hello["bodyStreamMode"] = "no"): DeltaState {
    if (this.#bodyBroadcaster === undefined || requested === "no") {
      return new DeltaState({ bodyStreamMode: "no" });
    }
    return new DeltaState({ bodyStreamMode: this.#stream === "state" ? "always" : requested });
  }

  /**
   * Encodes the part of a tick that all clients share. Call it once for each tick, before `send`.
   * @param tick.presence changes since the previous tick, like the announcements
   * @param tick.keepsTicks whether ticks are kept, because datagrams repeat them until they are
   * acknowledged
   */
  encodeTick(
    { tick, hash, presence, announcements, keepsTicks }: TickDelta<Command> & {
      readonly tick: Tick;
      readonly keepsTicks: boolean;
    },
  ): void {
    const delta = { hash, presence, announcements: sortBySeat(announcements) };
    // Without datagrams no delta is kept, because objects that live for seconds are costly to
    // collect. A datagram client that joins later starts with a full state and needs only later
    // ticks.
    this.#keptFrom = keepsTicks ? this.#keptFrom ?? tick : undefined;
    this.#sentTicks.claim(tick).delta = keepsTicks ? delta : EMPTY_DELTA;
    this.tickStart.encode(tick, delta);
  }

  /**
   * Encodes commands that are announced before the next tick, for all clients that get them.
   * @param nextTick the tick that the server runs next
   * @returns the message, valid until the next one
   */
  encodeEarly(announcements: readonly Announcement<Command>[], nextTick: Tick): Uint8Array {
    const coder = this.#message;
    coder.reset();
    codeMessageType("early", coder);
    const context = {
      tick: nextTick,
      announced: this.tickStart.announced,
      codec: this.#codec,
      coder,
    };
    codeEarlyAnnouncements(sortBySeat(announcements), context);
    return coder.finish();
  }

  /**
   * Sends `broadcast` to one client, with the full state if the client needs it. A client that needs
   * a state which is not known here gets nothing (`sendPastState`).
   * @returns the bytes sent
   */
  send(broadcast: TickBroadcast<Command>, client: Client<Command>): number {
    const { deltaState, link } = client;
    const { tick } = broadcast;

    // Whether it needs a state because of what it misses
    if (this.#stream === "state" && !deltaState.isOnBodyStream) deltaState.restartDelta();
    else if (!link.ordered && !this.#canCatchUp(client, tick)) deltaState.requestFullState();

    if (deltaState.mode === "full" && broadcast.joinState() === undefined) return 0;
    if (deltaState.mode === "full" && deltaState.isOnBodyStream) {
      return this.#startBodyStream(broadcast, client);
    }
    if (deltaState.mode !== "delta") return this.#sendState(broadcast, client);
    if (link.ordered && deltaState.resumeAfter !== undefined) {
      return this.#resume(broadcast, client);
    }
    return link.ordered ? this.#sendTick(broadcast, client) : this.#sendTicks(tick, client);
  }

  /**
   * Sends the state of an earlier tick, which the client has not received yet, and what follows up
   * to the newest tick. All ticks after the state must still be kept.
   * @returns the bytes sent
   */
  sendPastState(
    { tick, seats, presence, announcements, snapshot }: LogState<Command>,
    { client, newest }: { client: Client<Command>; newest: Tick },
  ): number {
    const past: TickBroadcast<Command> = {
      tick,
      hash: 0,
      joinState: () => ({ state: { seats, snapshot }, presence, announcements }),
      piggybackedPongFor: () => undefined,
    };
    if (this.#stateNewest !== newest) this.#stateTick = -1;
    this.#stateNewest = newest;
    const bytes = this.#sendState(past, client);
    // Datagrams repeat by themselves what follows the state.
    if (tick === newest || !client.link.ordered) return bytes;
    client.deltaState.resumeFrom(tick);
    return bytes + this.#resume({ ...past, tick: newest, joinState: () => undefined }, client);
  }

  /**
   * Whether datagrams can bring everything that the client does not certainly have. One datagram
   * must hold it all, except for a client with a path, which leaves the path in time if several
   * datagrams do not arrive.
   */
  #canCatchUp(client: Client<Command>, tick: Tick): boolean {
    const { deltaState, link } = client;
    const bytesMax = bytesMaxOf(client);
    if (deltaState.isOnBodyStream && deltaState.bodyBaselinesFor(tick) === undefined) return false;
    const oldest = this.#oldestFor(client, tick);
    const first = deltaState.datagramBaseTick(oldest) + 1;
    return first >= oldest &&
      (link.path !== undefined || this.#datagramFrom(first, { tick, bytesMax }).last === tick);
  }

  /** The oldest missing tick that can still be sent to a client. */
  #oldestFor({ link }: Client<Command>, tick: Tick): Tick {
    const ticks = link.path === undefined ? DATAGRAM_TICKS_MAX : SENT_TICKS;
    return Math.max(tick - ticks + 1, this.#keptFrom ?? tick + 1);
  }

  /**
   * Sends the ticks that a client misses after leaving its datagram path on the reliable channel,
   * with what the next tick is delta-coded against. If those ticks are no longer kept, the client
   * gets a state.
   */
  #resume(broadcast: TickBroadcast<Command>, client: Client<Command>): number {
    const { deltaState } = client;
    const { tick } = broadcast;
    let first = deltaState.resumeAfter! + 1;
    if (first < this.#oldestFor(client, tick)) return this.#sendState(broadcast, client);

    // The missed ticks, in messages as long as datagrams
    const message = this.#message;
    const advice = currentAdvice(client);
    let bytes = 0;
    while (first <= tick) {
      const last = this.#encodeTicks({ first, tick, bytesMax: SERVER_DATAGRAM_BYTES_MAX }, message);
      // This tick alone is longer than a datagram.
      if (last < first) return bytes + this.#sendState(broadcast, client);
      codeTicksEnd(advice, { tick: last, coder: message, bodies: undefined });
      bytes += sendReliably(message.finish(), client);
      first = last + 1;
    }

    // What the next tick is delta-coded against
    message.reset();
    codeMessageType("resume", message);
    codeResume(advice, {
      tick,
      announced: this.tickStart.announced,
      codec: this.#codec,
      coder: message,
    });
    deltaState.recordResume(advice);
    return bytes + sendReliably(message.finish(), client);
  }

  #sendTick(broadcast: TickBroadcast<Command>, client: Client<Command>): number {
    const { deltaState } = client;
    const { tick } = broadcast;
    const message = this.#message;
    message.copyFrom(this.tickStart.coder);
    const end = codeTickEnd(adviceToSend(tick, client), broadcast.piggybackedPongFor(client), {
      tick,
      coder: message,
      lastAdvice: deltaState.lastAdvice,
      hadBodies: deltaState.hadBodies,
      codeBodies: this.#codeBodies(client, { tick, bytesMax: Infinity }),
    });
    deltaState.recordTick(tick, end);
    return sendReliably(message.finish(), client);
  }

  #startBodyStream(broadcast: TickBroadcast<Command>, client: Client<Command>): number {
    const { tick, hash } = broadcast;
    const message = this.#message;
    const { state: { seats }, presence, announcements } = broadcast.joinState()!;
    const joinDelta = { hash, presence, announcements: sortBySeat(announcements), seats };
    message.reset();
    codeMessageType("state", message);
    const end = codeState({ joinDelta, snapshot: undefined, advice: currentAdvice(client) }, {
      tick,
      announced: this.tickStart.announced,
      codec: this.#codec,
      coder: message,
      codeBodies: () => this.#bodyBroadcaster!.encodeAll(tick, message),
    });
    client.deltaState.recordState(tick, end);
    return sendReliably(message.finish(), client);
  }

  #sendState(broadcast: TickBroadcast<Command>, client: Client<Command>): number {
    const { tick } = broadcast;
    const message = this.#message;
    this.#encodeState(broadcast);
    message.copyFrom(this.#stateStart);
    const context = { tick, coder: message, snapshot: this.#snapshot, codeBodies: undefined };
    client.deltaState.recordState(tick, codeStateEnd(currentAdvice(client), context));
    return sendReliably(message.finishWith(this.#snapshot.bytes), client);
  }

  /**
   * Sends as many missing ticks as fit. If not all do, the oldest go first, so the client catches
   * up with every datagram.
   */
  #sendTicks(tick: Tick, client: Client<Command>): number {
    const { deltaState, link } = client;

    // The ticks that the client misses, encoded once for all clients with the same gap
    const oldest = this.#oldestFor(client, tick);
    const bytesMax = bytesMaxOf(client);
    const first = deltaState.datagramBaseTick(oldest) + 1;
    if (first < oldest || first > tick) return 0;
    const { coder, last } = this.#datagramFrom(first, { tick, bytesMax });
    if (last < first) return 0;

    // Bodies belong to the newest tick, so a client that does not receive it gets none.
    const code = last === tick ? this.#codeBodies(client, { tick, bytesMax }) : undefined;
    const bodies = code && { baseTick: deltaState.bodiesTick, code };

    // The client's own end
    const message = this.#message;
    const advice = currentAdvice(client);
    message.copyFrom(coder);
    const arrivals = client.decoder.arrivals(last);
    const end = codeTicksEnd(advice, { tick: last, coder: message, arrivals, bodies });
    if (end.bodies !== undefined) deltaState.recordBodies(tick, end.bodies);
    else if (bodies !== undefined) {
      // Not even the required bodies fit, so the datagram goes without bodies.
      message.copyFrom(coder);
      codeTicksEnd(advice, { tick: last, coder: message, arrivals, bodies: undefined });
    }

    const bytes = message.finish();
    link.send(bytes);
    return bytes.length;
  }

  /**
   * Encodes as many ticks from `first` on as fit one datagram, once for all clients that need them.
   * Nearly all paths carry the longest datagram. If some do not, it is encoded again whenever the
   * length differs from the previous client's.
   */
  #datagramFrom(first: Tick, { tick, bytesMax }: { tick: Tick; bytesMax: number }): DatagramStart {
    const start = this.#datagramStarts.claim(first);
    if (start.encodedAt === tick && start.bytesMax === bytesMax) return start;
    start.encodedAt = tick;
    start.bytesMax = bytesMax;
    start.last = this.#encodeTicks({ first, tick, bytesMax }, start.coder);
    return start;
  }

  /**
   * Encodes as many ticks up to `tick` as fit one datagram, without its end.
   * @returns the newest tick in it, `first` − 1 if not even the first fits
   */
  #encodeTicks(
    { first, tick, bytesMax }: { first: Tick; tick: Tick; bytesMax: number },
    coder: CodeWriter,
  ): Tick {
    let last = Math.min(tick, first + DATAGRAM_TICKS_MAX - 1);
    for (; last >= first; last--) {
      const deltas: TickDelta<Command>[] = [];
      for (let sent = first; sent <= last; sent++) {
        deltas.push(this.#sentTicks.get(sent)?.delta ?? EMPTY_DELTA);
      }

      coder.reset();
      codeMessageType("ticks", coder);
      codeTickDeltas(deltas, {
        tick: last,
        announced: this.#datagramAnnounced,
        codec: this.#codec,
        coder,
      });
      if (coder.bytesMax + DATAGRAM_END_BYTES_MAX <= bytesMax) break;
    }
    return last;
  }

  /**
   * Encodes the bodies that this client receives; undefined for a client that receives none.
   * @param bytesMax of the whole message
   */
  #codeBodies(
    client: Client<Command>,
    { tick, bytesMax }: { tick: Tick; bytesMax: number },
  ): CodeBodies | undefined {
    const broadcaster = this.#bodyBroadcaster;
    const baselines = client.deltaState.bodyBaselinesFor(tick);
    if (broadcaster === undefined || baselines === undefined) return undefined;
    const target = { into: this.#message, bytesMax };
    return () => broadcaster.encodeChanges({ tick, baselines, seat: client.player?.seat }, target);
  }

  /** Encodes the state once for all clients that need it in this tick. */
  #encodeState(broadcast: TickBroadcast<Command>): void {
    const { tick, hash } = broadcast;
    if (this.#stateTick === tick) return;
    this.#stateTick = tick;

    const coder = this.#stateStart;
    const { state: { seats, snapshot }, presence, announcements } = broadcast.joinState()!;
    const joinDelta = { hash, presence, announcements: sortBySeat(announcements), seats };
    this.#snapshot = packSnapshot(snapshot, this.#deflate);
    coder.reset();
    codeMessageType("state", coder);
    const context = { tick, announced: this.tickStart.announced, codec: this.#codec, coder };
    codeStateStart({ joinDelta, snapshot: this.#snapshot }, context);
  }
}

function sendReliably<Command>(bytes: Uint8Array, { link }: Client<Command>): number {
  link.sendReliably(bytes);
  return bytes.length;
}

/** The longest datagram that the client's path carries now. */
function bytesMaxOf<Command>(
  { link: { datagramBytesMax = SERVER_DATAGRAM_BYTES_MAX } }: Client<Command>,
): number {
  return datagramBytesMax;
}

/** A client's newest slack and advised lead. */
function currentAdvice<Command>({ slackMs, leadAdvisor }: Client<Command>): Advice {
  const advised = leadAdvisor.advisedLeadMs;
  // A lead of 0 would mean that there is no advice yet.
  return roundedAdvice({
    slackMs,
    advisedLeadMs: advised === undefined ? 0 : Math.max(1, advised),
  });
}

/**
 * Chooses the advice to send: the newest values if they are worth their bits, otherwise those sent
 * last.
 */
function adviceToSend<Command>(tick: Tick, client: Client<Command>): Advice {
  const sent = client.deltaState.lastAdvice;
  const advice = currentAdvice(client);
  const sendsSlack = tick % SLACK_TICKS === 0 || advice.slackMs < 0 || sent.advisedLeadMs === 0;
  const sendsLead = tick % ADVICE_TICKS === 0 ||
    Math.abs(advice.advisedLeadMs - sent.advisedLeadMs) >= ADVICE_MOVED_MS;
  if (!sendsSlack && !sendsLead) return sent;
  return {
    slackMs: sendsSlack ? advice.slackMs : sent.slackMs,
    advisedLeadMs: sendsLead ? advice.advisedLeadMs : sent.advisedLeadMs,
  };
}
