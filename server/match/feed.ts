/**
 * A definitive tick as the bytes that each client needs. What is news to all is encoded once; so is the state, for those who
 * need it in the same tick. Each client then gets its own head before it.
 *
 *     ordered link:    this tick, with the state where it is needed
 *     datagram link:   every tick since the one that the client has confirmed; a state goes by the stream instead
 */
import { BitWriter } from "../../shared/netcode/bytes.ts";
import type { Codec, Tick } from "../../shared/netcode/game.ts";
import { History } from "../../shared/netcode/history.ts";
import {
  type Announcement,
  DATAGRAM_DOWN_BYTES_MAX,
  DATAGRAM_TICKS_MAX,
  type PresenceChange,
} from "../../shared/netcode/protocol.ts";
import {
  addTick,
  encodeNews,
  encodeState,
  encodeTickHead,
  encodeTicksHead,
} from "../../shared/netcode/protocol_down.ts";
import type { Handover } from "./handover.ts";
import type { Member } from "./member.ts";

/** What one tick has to tell. */
export interface Telling<Command> {
  readonly tick: Tick;
  readonly hash: number;
  /** News since the tick before. */
  readonly presence: readonly PresenceChange[];
  readonly announcements: readonly Announcement<Command>[];
  /** S(tick) with everything known beyond it, for who needs it. Called at most once. */
  handover(): Handover<Command>;
}

/** One tick as all are told of it. */
class Told {
  hash = 0;
  readonly news = new BitWriter();

  get body(): Uint8Array {
    return this.news.bytes();
  }
}

/** A hash's bytes before each tick's body in a datagram, and at most so many of its head: kind, tick, advice, count. */
const HASH_BYTES = 2;
const TICKS_HEAD_BYTES_MAX = 11;

/** The encoder of one match's tick messages; its buffers are used again every tick. */
export class Feed<Command> {
  readonly #codec: Codec<Command>;
  readonly #told = new History<Told>(DATAGRAM_TICKS_MAX, () => new Told());
  readonly #handover = new BitWriter();
  readonly #message = new BitWriter();
  #handoverTick: Tick = -1;

  constructor(codec: Codec<Command>) {
    this.#codec = codec;
  }

  /** Encodes what all will be told. */
  begin(telling: Telling<Command>): void {
    const told = this.#told.claim(telling.tick);
    told.hash = telling.hash;
    told.news.reset();
    encodeNews(telling, this.#codec, told.news);
    encodeState(undefined, this.#codec, told.news);
  }

  /** Whether one message holds all that the member has not been told for certain. On an ordered link it always does. */
  reaches(member: Member<Command>, tick: Tick): boolean {
    return member.link.ordered || this.#newestTogether(member.toldTick(oldestOf(tick)), tick) === tick;
  }

  /** Sends `telling` to one member, with the state where it needs it. @returns the bytes sent */
  send(telling: Telling<Command>, member: Member<Command>): number {
    const { tick, hash } = telling;
    const { link, needsState } = member;
    if (!link.ordered && !needsState) return this.#sendTicks(tick, member);
    encodeTickHead({ tick, hash, slackMs: member.slackMs, advisedLeadMs: adviceTo(member) }, this.#message);
    this.#message.raw(needsState ? this.#encodedHandover(telling).bytes() : this.#told.get(tick)!.body);
    if (needsState) member.stateTick = tick;
    member.needsState = false;
    const bytes = this.#message.bytes();
    link.sendReliably(bytes);
    return bytes.length;
  }

  /** Where not all that it misses fits, the oldest of it does: so it comes nearer with every datagram. */
  #sendTicks(tick: Tick, member: Member<Command>): number {
    const first = member.toldTick(oldestOf(tick)) + 1;
    const last = this.#newestTogether(first - 1, tick);
    if (last < first) return 0;
    const count = last - first + 1;
    encodeTicksHead({ tick: last, count, slackMs: member.slackMs, advisedLeadMs: adviceTo(member) }, this.#message);
    for (let told = first; told <= last; told++) addTick(this.#told.get(told)!, this.#message);
    const bytes = this.#message.bytes();
    member.link.send(bytes);
    return bytes.length;
  }

  /** The newest tick up to `tick` that one datagram reaches which begins after `told`; `told` where it reaches none. */
  #newestTogether(told: Tick, tick: Tick): Tick {
    let bytes = TICKS_HEAD_BYTES_MAX;
    for (let newest = told; newest < tick; newest++) {
      const next = this.#told.get(newest + 1);
      bytes += HASH_BYTES + (next?.body.length ?? Infinity);
      if (bytes > DATAGRAM_DOWN_BYTES_MAX) return newest;
    }
    return tick;
  }

  #encodedHandover(telling: Telling<Command>): BitWriter {
    if (this.#handoverTick !== telling.tick) {
      this.#handoverTick = telling.tick;
      this.#handover.reset();
      const { state, presence, announcements } = telling.handover();
      encodeNews({ tick: telling.tick, presence, announcements }, this.#codec, this.#handover);
      encodeState(state, this.#codec, this.#handover);
    }
    return this.#handover;
  }
}

/** The oldest tick that is remembered when `tick` is the newest. */
function oldestOf(tick: Tick): Tick {
  return tick - DATAGRAM_TICKS_MAX + 1;
}

/** The lead that a message advises its member to have, ms: on the wire 0 means that there is no advice yet. */
function adviceTo<Command>({ advisor: { advisedLeadMs } }: Member<Command>): number {
  return advisedLeadMs === undefined ? 0 : Math.max(1, advisedLeadMs);
}
