/**
 * Lays out a definitive tick's messages (WIRE 7.2, 7.3, 10). One function writes, reads and
 * measures each of them (`Coder`):
 *
 *     tick  (codeTick)     delta | advice · piggybacked pong · has-bodies flag · bodies
 *     ticks (codeTicks)    newest tick · count · deltas | advice in full · arrivals · has-bodies flag · bodies
 *     state (codeState)    tick · join delta · snapshot's head | advice in full · bodies of a new stream | snapshot
 *     resume (codeResume)  tick · all baselines of announcements | advice in full
 *
 * The part before the first | is equal for all clients, so the server writes it once and copies it.
 * The rest is one client's end. A reliable link's tick is delta-coded against the tick before it;
 * datagrams and states are self-contained.
 */
import { type Advice, codeAdvice, NO_ADVICE } from "./advice_codec.ts";
import { codeArrivals } from "./uplink/arrivals_codec.ts";
import {
  AnnouncementBaselines,
  AnnouncementCoder,
  codeBaseline,
  codePresence,
  type TickCodingContext,
} from "./announcement_codec.ts";
import { type Coder, WireError } from "./range_coder.ts";
import { type Codec, SEATS, type Tick } from "../game.ts";
import {
  type Announcement,
  type Arrivals,
  checkedTick,
  DATAGRAM_TICKS_MAX,
  type FullState,
  NAME_BYTES_MAX,
  type PiggybackedPong,
  type TickMessage,
  type TicksMessage,
} from "./messages.ts";
import { codeSnapshotHead, type SnapshotHead } from "./packed_snapshot.ts";
import { codePiggybackedPong } from "./ping_codec.ts";
import {
  P_ANNOUNCES_MORE,
  P_ANNOUNCES_MORE_WITH_STATE,
  P_BODIES_AGAIN,
  P_BODIES_IN_DATAGRAM,
  P_BODIES_START,
  P_BODY_STREAM_STARTS,
} from "./probabilities.ts";
import type { BodyBaselines } from "./quantized_body.ts";
import type { SeatRecord } from "../timeline.ts";

const HASH_BITS = 16;
/**
 * How many ticks − 1 a datagram carries, and how many ticks − 1 its bodies' base is older than its
 * newest tick.
 */
const COUNT_BITS = 5;
if (DATAGRAM_TICKS_MAX !== 1 << COUNT_BITS) {
  throw new Error("a datagram's count of ticks has other bits");
}
/**
 * The longest end of a datagram without bodies: 12 + 14 bits for advice, one flag, at most 22 + 8 ·
 * 11 bits for arrivals, and the range coder's rounding.
 */
export const DATAGRAM_END_BYTES_MAX = 19;

/** The part of a tick message that all clients share. */
export type TickDelta<Command> = Pick<TickMessage<Command>, "hash" | "presence" | "announcements">;

/**
 * Codes the bodies at a message's end: the server writes those that it selects, a client reads
 * them.
 * @returns all bodies as of the message's tick; undefined if they cannot be coded
 */
export type CodeBodies = (tick: Tick) => BodyBaselines | undefined;

/** What it takes to code the end of a reliable link's tick. */
export interface TickEndContext {
  readonly tick: Tick;
  readonly coder: Coder;
  /** The advice in the previous message. */
  readonly lastAdvice: Advice;
  /** Whether the previous tick message carried bodies. */
  readonly hadBodies: boolean;
  /** A writer has none if no bodies follow. */
  readonly codeBodies: CodeBodies | undefined;
}

/** One client's end of a tick, with the values that both ends then know. */
export interface TickEnd {
  readonly advice: Advice;
  readonly pong: PiggybackedPong | undefined;
  readonly bodies: BodyBaselines | undefined;
}

/** What it takes to code a datagram's end. */
export interface DatagramEndContext {
  /** The datagram's newest tick. */
  readonly tick: Tick;
  readonly coder: Coder;
  /** A writer's report on the client's datagrams; undefined for none, and for a reader. */
  readonly arrivals?: Arrivals | undefined;
  /** A writer has none if no bodies follow. */
  readonly bodies: DatagramBodies | undefined;
}

/** The bodies in a datagram's newest tick. */
export interface DatagramBodies {
  /**
   * Their baselines' tick, 1 … 32 ticks older than the newest. A reader ignores this one and reads
   * it.
   */
  readonly baseTick: Tick;
  /** As `CodeBodies`. @param baseTick the baselines' tick, as written or read */
  code(tick: Tick, baseTick: Tick): BodyBaselines | undefined;
}

/** Empty values, for readers to pass, because a coder that reads ignores the given values. */
export const EMPTY_DELTA: TickDelta<never> = { hash: 0, presence: [], announcements: [] };
export const EMPTY_TICK: TickDelta<never> & Advice = { ...EMPTY_DELTA, ...NO_ADVICE };

/** Codes a reliable link's tick. @param message the values to write, except the bodies */
export function codeTick<Command>(
  message: TickDelta<Command> & Advice & Pick<TickMessage<Command>, "pong">,
  context: TickCodingContext<Command> & TickEndContext,
): TickMessage<Command> {
  const delta = codeTickDelta(message, context);
  const { advice, pong, bodies } = codeTickEnd(message, message.pong, context);
  const coded = tickMessageOf(context.tick, delta, advice);
  if (pong === undefined && bodies === undefined) return coded;
  return { ...coded, ...(pong !== undefined && { pong }), ...(bodies !== undefined && { bodies }) };
}

/**
 * Codes the part of a tick that all clients share.
 * @param delta with its announcements sorted by seat, then by tick
 */
export function codeTickDelta<Command>(
  delta: TickDelta<Command>,
  context: TickCodingContext<Command>,
): TickDelta<Command> {
  const { coder, tick } = context;
  coder.part = "hash";
  const hash = coder.bits(delta.hash & 0xffff, HASH_BITS);
  coder.part = "presence";
  const presence = codePresence(delta.presence, tick, coder);
  coder.part = "announcements";
  const announcements: Announcement<Command>[] = [];
  const announcementCoder = new AnnouncementCoder(context, {
    given: delta.announcements,
    coded: announcements,
    pMore: P_ANNOUNCES_MORE,
  });
  for (let seat = 0; seat < SEATS; seat++) announcementCoder.codeSeat(seat);
  return { hash, presence, announcements };
}

/** Codes one client's end of a tick. @param advice rounded (`roundedAdvice`) */
export function codeTickEnd(
  advice: Advice,
  pong: PiggybackedPong | undefined,
  { tick, coder, lastAdvice, hadBodies, codeBodies }: TickEndContext,
): TickEnd {
  const codedAdvice = codeAdvice(advice, lastAdvice, coder);
  const codedPong = codePiggybackedPong(pong, tick, coder);
  coder.part = "told";
  const hasBodies = coder.flag(
    codeBodies !== undefined,
    hadBodies ? P_BODIES_AGAIN : P_BODIES_START,
  );
  return {
    advice: codedAdvice,
    pong: codedPong,
    bodies: hasBodies ? codeBodies!(tick) : undefined,
  };
}

/**
 * Codes a datagram of ticks without gaps, the oldest first.
 * @param ticks a writer's ticks, among which only the newest one's advice is sent; empty for a
 *   reader
 * @returns the ticks, all with that advice, the newest one with the bodies; and the arrivals
 */
export function codeTicks<Command>(
  ticks: readonly (TickDelta<Command> & Advice)[],
  context: TickCodingContext<Command> & DatagramEndContext,
): Pick<TicksMessage<Command>, "ticks" | "arrivals"> {
  const { newest, deltas } = codeTickDeltas(ticks, context);
  const { advice, bodies, arrivals } = codeTicksEnd(ticks.at(-1) ?? NO_ADVICE, {
    ...context,
    tick: newest,
  });
  const coded = deltas.map((each, i) =>
    tickMessageOf(newest - deltas.length + 1 + i, each, advice)
  );
  if (bodies !== undefined) coded.push({ ...coded.pop()!, bodies });
  return { ticks: coded, ...(arrivals !== undefined && { arrivals }) };
}

/** Codes the part of a datagram that is equal for all clients with the same acknowledged tick. */
export function codeTickDeltas<Command>(
  given: readonly TickDelta<Command>[],
  context: TickCodingContext<Command>,
): { newest: Tick; deltas: TickDelta<Command>[] } {
  const { coder, announced, codec } = context;
  const newest = checkedTick(coder.varint(context.tick));
  const count = coder.bits(given.length - 1, COUNT_BITS) + 1;
  if (coder.isReading && count > newest) throw new WireError(`${count} ticks up to ${newest}`);
  announced.clear();
  const deltas: TickDelta<Command>[] = [];
  for (let i = 0; i < count; i++) {
    deltas.push(
      codeTickDelta(given[i] ?? EMPTY_DELTA, {
        tick: newest - count + 1 + i,
        announced,
        codec,
        coder,
      }),
    );
  }
  return { newest, deltas };
}

/**
 * Codes one client's end of a datagram.
 * @returns `bodies` are also undefined if they could not be coded
 */
export function codeTicksEnd(
  advice: Advice,
  { tick, coder, arrivals, bodies }: DatagramEndContext,
): { advice: Advice; arrivals: Arrivals | undefined; bodies: BodyBaselines | undefined } {
  const start = {
    advice: codeAdvice(advice, undefined, coder),
    arrivals: codeArrivals(arrivals, tick, coder),
  };
  if (!coder.flag(bodies !== undefined, P_BODIES_IN_DATAGRAM)) {
    return { ...start, bodies: undefined };
  }
  const baseTick = tick - 1 - coder.bits(tick - 1 - bodies!.baseTick, COUNT_BITS);
  return { ...start, bodies: bodies!.code(tick, baseTick) };
}

/** The part of a full state that all clients share. */
export interface StateStart<Command> {
  readonly joinDelta: JoinDelta<Command>;
  /** Undefined if bodies follow instead of a snapshot, which starts the body stream. */
  readonly snapshot: SnapshotHead | undefined;
}

/** The value that readers pass to `codeState`. */
export const EMPTY_STATE: StateStart<never> & { readonly advice: Advice } = {
  joinDelta: { ...EMPTY_DELTA, seats: [] },
  snapshot: undefined,
  advice: NO_ADVICE,
};

/**
 * Codes a full state, up to the snapshot's bytes. The caller then appends them (`finishWith`) or
 * reads them (`readSnapshot`).
 */
export function codeState<Command>(
  state: StateStart<Command> & { readonly advice: Advice },
  context: TickCodingContext<Command> & { readonly codeBodies: CodeBodies | undefined },
): StateStart<Command> & Omit<TickEnd, "pong"> & { readonly tick: Tick } {
  const start = codeStateStart(state, context);
  return {
    ...start,
    ...codeStateEnd(state.advice, { ...context, tick: start.tick, snapshot: start.snapshot }),
  };
}

/** Codes the part of a full state that all clients share. */
export function codeStateStart<Command>(
  { joinDelta, snapshot }: StateStart<Command>,
  context: TickCodingContext<Command>,
): StateStart<Command> & { readonly tick: Tick } {
  const { coder } = context;
  const tick = checkedTick(coder.varint(context.tick));
  const coded = codeJoinDelta(joinDelta, { ...context, tick });
  if (coder.flag(snapshot === undefined, P_BODY_STREAM_STARTS)) {
    return { tick, joinDelta: coded, snapshot: undefined };
  }
  return {
    tick,
    joinDelta: coded,
    snapshot: codeSnapshotHead(snapshot ?? { length: 0, isDeflated: false }, coder),
  };
}

/**
 * Codes one client's end of a full state: the advice, and the bodies if the state carries no
 * snapshot.
 */
export function codeStateEnd(
  advice: Advice,
  { tick, coder, snapshot, codeBodies }: {
    tick: Tick;
    coder: Coder;
    snapshot: SnapshotHead | undefined;
    codeBodies: CodeBodies | undefined;
  },
): Omit<TickEnd, "pong"> {
  const codedAdvice = codeAdvice(advice, undefined, coder);
  return { advice: codedAdvice, bodies: snapshot === undefined ? codeBodies!(tick) : undefined };
}

/**
 * Codes what the next tick on a reliable channel is delta-coded against, after earlier ones went by
 * a datagram path.
 * @param context.tick the newest tick that went elsewhere
 * @param context.announced a writer's baselines as of that tick; a reader's become equal to them
 */
export function codeResume<Command>(
  advice: Advice,
  context: TickCodingContext<Command>,
): { readonly tick: Tick; readonly advice: Advice } {
  const { coder } = context;
  const tick = checkedTick(coder.varint(context.tick));
  const fresh = { ...context, tick, announced: new AnnouncementBaselines<Command>() };
  for (let seat = 0; seat < SEATS; seat++) codeBaseline(seat, context.announced, fresh);
  return { tick, advice: codeAdvice(advice, undefined, coder) };
}

/**
 * Copies each key by name, because a spread would look them up for each of the many ticks that a
 * datagram repeats.
 */
function tickMessageOf<Command>(
  tick: Tick,
  { hash, presence, announcements }: TickDelta<Command>,
  { slackMs, advisedLeadMs }: Advice,
): TickMessage<Command> {
  return {
    type: "tick",
    tick,
    hash,
    presence,
    announcements,
    slackMs,
    advisedLeadMs,
    state: undefined,
  };
}

/** A full state without its snapshot: the seats, and everything announced beyond it. */
export type JoinDelta<Command> = TickDelta<Command> & {
  readonly seats: FullState<Command>["seats"];
};

/**
 * Codes the seats of S(tick) and all announcements beyond it, self-contained. Encoder and decoder
 * must share the same baselines afterwards, so this sets both to the same values.
 * @param context.announced a writer's baselines as of `tick`; a reader's become equal to them
 */
function codeJoinDelta<Command>(
  joinDelta: JoinDelta<Command>,
  context: TickCodingContext<Command>,
): JoinDelta<Command> {
  const { coder, tick, announced, codec } = context;

  const hash = coder.bits(joinDelta.hash & 0xffff, HASH_BITS);
  const presence = codePresence(joinDelta.presence, tick, coder);
  const seats: FullState<Command>["seats"][number][] = [];
  const announcements: Announcement<Command>[] = [];

  // Announcements from fresh baselines, because a client that joins has none
  const fresh = { ...context, announced: new AnnouncementBaselines<Command>() };
  const announcementCoder = new AnnouncementCoder(fresh, {
    given: joinDelta.announcements,
    coded: announcements,
    pMore: P_ANNOUNCES_MORE_WITH_STATE,
  });

  // Seat by seat: who is there, what is announced, and the baseline that both ends keep
  for (let seat = 0; seat < SEATS; seat++) {
    const given = joinDelta.seats.find((each) => each.seat === seat);
    if (coder.flag(given !== undefined)) {
      const record = codeRecord(
        given ?? { seat, name: "", ticksMissing: 0, last: undefined },
        codec,
        coder,
      );
      seats.push(record);
      if (record.last !== undefined) {
        fresh.announced.update(seat, tick - record.ticksMissing, record.last);
      }
    }

    announcementCoder.codeSeat(seat);
    codeBaseline(seat, announced, fresh);
  }

  return { hash, presence, announcements, seats };
}

type NamedRecord<Command> = SeatRecord<Command> & { readonly name: string };

function codeRecord<Command>(
  { seat, name, ticksMissing, last }: NamedRecord<Command>,
  codec: Codec<Command>,
  coder: Coder,
): NamedRecord<Command> {
  return {
    seat,
    name: coder.text(name, NAME_BYTES_MAX),
    ticksMissing: coder.varint(ticksMissing),
    last: coder.flag(last !== undefined)
      ? codec.code(last ?? codec.neutral, codec.neutral, coder)
      : undefined,
  };
}
