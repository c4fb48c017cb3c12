/**
 * A definitive tick as the bytes that each client needs. What is news to all is coded once; so is the state, for those who need it
 * in the same tick. Each client then gets its own end after it.
 *
 *     ordered link:    this tick, told by the ones before it; or with the state, where it is needed
 *     datagram link:   every tick since the one that the client has confirmed; a state goes by the stream instead
 */
import { CodeWriter } from "../../../shared/netcode/wire/range_coder.ts";
import type { Codec, Tick } from "../../../shared/netcode/game.ts";
import { TickRing } from "../../../shared/netcode/tick_ring.ts";
import {
  type Announcement,
  DATAGRAM_TICKS_MAX,
  type PiggybackedPong,
  type PresenceChange,
  SERVER_DATAGRAM_BYTES_MAX,
} from "../../../shared/netcode/wire/messages.ts";
import {
  beginState,
  beginTick,
  beginTicks,
  codeBodiesBase,
  codeHasBodies,
  type DeflatedSnapshot,
} from "../../../shared/netcode/wire/server_messages.ts";
import { codePiggybackedPong } from "../../../shared/netcode/wire/ping_codec.ts";
import { type Advice, codeAdvice, roundedAdvice } from "../../../shared/netcode/wire/advice_codec.ts";
import { AnnouncementBaselines, EMPTY_DELTA, type TickDelta } from "../../../shared/netcode/wire/tick_codec.ts";
import type { BodyBroadcaster } from "./body_broadcaster.ts";
import type { JoinState } from "../seats/join_state.ts";
import type { Client } from "../clients/client.ts";

/** What one tick has to tell. */
export interface TickBroadcast<Command> {
  readonly tick: Tick;
  readonly hash: number;
  /** News since the tick before. */
  readonly presence: readonly PresenceChange[];
  readonly announcements: readonly Announcement<Command>[];
  /** Somebody's link is of datagrams, which tell it again until it is confirmed. */
  readonly hasDatagramClients: boolean;
  /** S(tick) with everything known beyond it, for who needs it. Called at most once. */
  joinState(): JoinState<Command>;
  /** The answer that waits for the member, if any; it is given once. */
  piggybackedPongFor(client: Client<Command>): PiggybackedPong | undefined;
}

/** Makes bytes shorter (RFC 1951), or not: the shorter of both travels. */
export type Deflate = (bytes: Uint8Array) => Uint8Array;

/** One tick as all are told of it. */
interface SentTick<Command> {
  delta: TickDelta<Command>;
}

/** A datagram but for its end, for all who have confirmed the same tick. */
interface Bundle {
  readonly coder: CodeWriter;
  /** The tick that it was made in. */
  madeAt: Tick;
  /** The newest tick in it; the one before its first where not even that fits. */
  last: Tick;
}

/** What a datagram's end takes at most: slack, advice, and that no bodies follow. */
const ADVICE_BYTES_MAX = 5;
/** Slack is for looking at: it is told so often, in ticks, and where a command was the first or late. */
const SLACK_TICKS = 20;
/** Advice is told so often, in ticks, or where it has moved by so much, ms: rounder, commands would wait longer (SPEC 5.2). */
const ADVICE_TICKS = 8;
const ADVICE_MOVED_MS = 2;

/** The encoder of one match's tick messages; its buffers are used again every tick. */
export class TickBroadcaster<Command> {
  readonly #codec: Codec<Command>;
  readonly #deflate: Deflate | undefined;
  readonly #bodyBroadcaster: BodyBroadcaster<Command> | undefined;
  readonly #sentTicks = new TickRing<SentTick<Command>>(DATAGRAM_TICKS_MAX, () => ({ delta: EMPTY_DELTA }));
  readonly #bundles = new TickRing<Bundle>(
    DATAGRAM_TICKS_MAX,
    () => ({ coder: new CodeWriter(), madeAt: -1, last: -1 }),
  );
  /** What ordered links' next tick is told by, and a datagram's scratch. */
  readonly #orderedBaselines = new AnnouncementBaselines<Command>();
  readonly #datagramBaselines = new AnnouncementBaselines<Command>();
  readonly #ordered = new CodeWriter();
  readonly #state = new CodeWriter();
  #snapshotBytes: Uint8Array = new Uint8Array(0);
  #stateTick: Tick = -1;
  readonly #message = new CodeWriter();

  /** @param options.bodies undefined where the game has no state stream */
  constructor(
    codec: Codec<Command>,
    { bodies, deflate }: { bodies: BodyBroadcaster<Command> | undefined; deflate: Deflate | undefined },
  ) {
    this.#codec = codec;
    this.#bodyBroadcaster = bodies;
    this.#deflate = deflate;
  }

  /** Whether anybody can be on the state stream. */
  get hasBodyStream(): boolean {
    return this.#bodyBroadcaster !== undefined;
  }

  /** Codes what all will be told. */
  encodeTick({ tick, hash, presence, announcements, hasDatagramClients }: TickBroadcast<Command>): void {
    const delta = { hash, presence, announcements: bySeat(announcements) };
    // What is kept for seconds is costly to collect. Who comes by datagrams later begins with a state, and what follows it.
    this.#sentTicks.claim(tick).delta = hasDatagramClients ? delta : EMPTY_DELTA;
    this.#ordered.reset();
    beginTick(delta, { tick, announced: this.#orderedBaselines, codec: this.#codec, coder: this.#ordered });
  }

  /** Whether one message holds all that the member has not been told for certain. On an ordered link it always does. */
  canCatchUp(client: Client<Command>, tick: Tick): boolean {
    if (client.link.ordered) return true;
    if (client.baselineHistory !== undefined && client.baselineHistory.baselinesFor(tick) === undefined) return false;
    const first = client.datagramBaseTick(oldestKept(tick)) + 1;
    return first >= oldestKept(tick) && this.#bundleFrom(first, tick).last === tick;
  }

  /** Sends `broadcast` to one member, with the state where it needs it. @returns the bytes sent */
  send(broadcast: TickBroadcast<Command>, client: Client<Command>): number {
    if (client.needsState) {
      const isOnBodyStream = client.baselineHistory !== undefined && !client.probe;
      return isOnBodyStream ? this.#startBodyStream(broadcast, client) : this.#sendState(broadcast, client);
    }
    if (!client.link.ordered) return this.#sendTicks(broadcast.tick, client);
    const message = this.#message;
    message.copyFrom(this.#ordered);
    const advice = adviceToSend(broadcast.tick, client);
    codeAdvice(advice, client.sentAdvice, message);
    client.sentAdvice = advice;
    codePiggybackedPong(broadcast.piggybackedPongFor(client), broadcast.tick, message);
    if (this.#bodyBroadcaster === undefined) codeHasBodies(false, false, message);
    else this.#bodyBroadcaster.encodeTick(broadcast.tick, { client, into: message });
    return sendReliably(message.finish(), client);
  }

  /** The state stream begins. */
  #startBodyStream(broadcast: TickBroadcast<Command>, client: Client<Command>): number {
    const { tick, hash } = broadcast, message = this.#message;
    const { state: { seats }, presence, announcements } = broadcast.joinState();
    message.reset();
    const joinDelta = { hash, presence, announcements: bySeat(announcements), seats };
    const context = { tick, announced: this.#orderedBaselines, codec: this.#codec, coder: message };
    beginState({ joinDelta, snapshot: undefined }, context);
    client.sentAdvice = codeAdvice(currentAdvice(client), undefined, message);
    this.#bodyBroadcaster!.encodeStart(tick, { client, into: message });
    client.stateTick = tick;
    client.needsState = false;
    return sendReliably(message.finish(), client);
  }

  #sendState(broadcast: TickBroadcast<Command>, client: Client<Command>): number {
    const message = this.#message;
    message.copyFrom(this.#encodedState(broadcast));
    client.sentAdvice = codeAdvice(currentAdvice(client), undefined, message);
    client.stateTick = broadcast.tick;
    client.needsState = client.probe = false;
    return sendReliably(message.finishWith(this.#snapshotBytes), client);
  }

  /** Where not all that it misses fits, the oldest of it does: so it comes nearer with every datagram. */
  #sendTicks(tick: Tick, client: Client<Command>): number {
    const first = client.datagramBaseTick(oldestKept(tick)) + 1;
    if (first < oldestKept(tick) || first > tick) return 0;
    const { coder, last } = this.#bundleFrom(first, tick);
    if (last < first) return 0;
    this.#message.copyFrom(coder);
    codeAdvice(currentAdvice(client), undefined, this.#message);
    // Bodies are the newest tick's: who is not told of that one has to wait for them, too.
    const bodies = last === tick ? this.#bodyBroadcaster : undefined;
    if (bodies === undefined) codeBodiesBase(undefined, { tick, coder: this.#message });
    else bodies.encodeDatagram(tick, { client, into: this.#message });
    const bytes = this.#message.finish();
    client.link.send(bytes);
    return bytes.length;
  }

  /** As many ticks from `first` on as fit one datagram, coded once for all who need them. */
  #bundleFrom(first: Tick, tick: Tick): Bundle {
    const bundle = this.#bundles.claim(first);
    if (bundle.madeAt === tick) return bundle;
    bundle.madeAt = tick;
    for (bundle.last = tick; bundle.last >= first; bundle.last--) {
      const deltas: TickDelta<Command>[] = [];
      for (let bundled = first; bundled <= bundle.last; bundled++) {
        deltas.push(this.#sentTicks.get(bundled)?.delta ?? EMPTY_DELTA);
      }
      bundle.coder.reset();
      beginTicks(deltas, {
        tick: bundle.last,
        announced: this.#datagramBaselines,
        codec: this.#codec,
        coder: bundle.coder,
      });
      if (bundle.coder.bytesMax + ADVICE_BYTES_MAX <= SERVER_DATAGRAM_BYTES_MAX) break;
    }
    return bundle;
  }

  #encodedState(broadcast: TickBroadcast<Command>): CodeWriter {
    const { tick, hash } = broadcast;
    if (this.#stateTick === tick) return this.#state;
    this.#stateTick = tick;
    const { state: { seats, snapshot }, presence, announcements } = broadcast.joinState();
    const packed = this.#deflateSnapshot(snapshot);
    this.#snapshotBytes = packed.bytes;
    this.#state.reset();
    const joinDelta = { hash, presence, announcements: bySeat(announcements), seats };
    const context = { tick, announced: this.#orderedBaselines, codec: this.#codec, coder: this.#state };
    beginState({ joinDelta, snapshot: packed }, context);
    return this.#state;
  }

  #deflateSnapshot(snapshot: Uint8Array): DeflatedSnapshot {
    const { length } = snapshot;
    const deflated = this.#deflate?.(snapshot);
    if (deflated === undefined || deflated.length >= length) return { bytes: snapshot, length, isDeflated: false };
    return { bytes: deflated, length, isDeflated: true };
  }
}

function sendReliably<Command>(bytes: Uint8Array, { link }: Client<Command>): number {
  link.sendReliably(bytes);
  return bytes.length;
}

/** As they are told: by seat, then by tick. */
function bySeat<Command>(announcements: readonly Announcement<Command>[]): Announcement<Command>[] {
  return announcements.slice().sort((a, b) => a.seat - b.seat || a.tick - b.tick);
}

/** The oldest tick that is remembered when `tick` is the newest. */
function oldestKept(tick: Tick): Tick {
  return tick - DATAGRAM_TICKS_MAX + 1;
}

/** What a message says to its member only. */
function currentAdvice<Command>({ slackMs, leadAdvisor }: Client<Command>): Advice {
  const advised = leadAdvisor.advisedLeadMs;
  // On the wire 0 means that there is no advice yet.
  return roundedAdvice({ slackMs, advisedLeadMs: advised === undefined ? 0 : Math.max(1, advised) });
}

/** Of the newest slack and advice what is worth its bits, else as told last. */
function adviceToSend<Command>(tick: Tick, client: Client<Command>): Advice {
  const sent = client.sentAdvice, advice = currentAdvice(client);
  if (sent === undefined) return advice;
  const sendsSlack = tick % SLACK_TICKS === 0 || advice.slackMs < 0 || sent.advisedLeadMs === 0;
  const sendsLead = tick % ADVICE_TICKS === 0 || Math.abs(advice.advisedLeadMs - sent.advisedLeadMs) >= ADVICE_MOVED_MS;
  if (!sendsSlack && !sendsLead) return sent;
  return {
    slackMs: sendsSlack ? advice.slackMs : sent.slackMs,
    advisedLeadMs: sendsLead ? advice.advisedLeadMs : sent.advisedLeadMs,
  };
}
