/**
 * The messages down. A tick message is told by the ones before it on its link; one with a state, and a datagram, by nothing
 * before. What is for all stands first, so that it is coded once for all; what is for one client only is its end.
 */
import { type Coder, CodeReader, type CodeWriter, WireError } from "./range_coder.ts";
import type { BodyReader } from "./body_codec.ts";
import type { Codec, Tick } from "../game.ts";
import { TickRing } from "../tick_ring.ts";
import { inflate } from "./inflate.ts";
import { SNAPSHOT_WORDS_MAX } from "../../snapshot.ts";
import {
  checkedTick,
  codeToken,
  DATAGRAM_TICKS_MAX,
  type Pong,
  SERVER_DATAGRAM_BYTES_MAX,
  type ServerMessage,
  type TickMessage,
  type TicksMessage,
  type Welcome,
} from "./messages.ts";
import { type Advice, codeAdvice } from "./advice_codec.ts";
import {
  AnnouncementBaselines,
  codeDelta,
  codeJoinDelta,
  EMPTY_DELTA,
  EMPTY_JOIN_DELTA,
  type JoinDelta,
  type TickDelta,
} from "./tick_codec.ts";
import { codePiggybackedPong, codePong } from "./ping_codec.ts";
import { P_BODIES_AGAIN, P_BODIES_IN_DATAGRAM, P_BODIES_START, P_BODY_STREAM_STARTS, P_TICK } from "./probabilities.ts";
import { type BodyBaselines, NO_BASELINES } from "./quantized_body.ts";

const SEAT_BITS = 5;
const COUNT_BITS = 5;

/** Nearly all messages are ticks; the others tell their kind in two bits. */
const OTHER_TYPES = { welcome: 0, pong: 1, state: 2, ticks: 3 } as const;
const OTHER_TYPE_BITS = 2;
type MessageType = "tick" | keyof typeof OTHER_TYPES;

const NO_SNAPSHOT = new Uint8Array(0);
const NO_ADVICE: Advice = { slackMs: 0, advisedLeadMs: 0 };

function codeMessageType(type: MessageType, coder: Coder): MessageType {
  coder.part = "kind";
  if (coder.flag(type === "tick", P_TICK)) return "tick";
  const number = coder.bits(type === "tick" ? 0 : OTHER_TYPES[type], OTHER_TYPE_BITS);
  return (Object.keys(OTHER_TYPES) as (keyof typeof OTHER_TYPES)[])[number]!;
}

/** The whole message; valid until `into` is used again. */
export function encodeWelcome(message: Welcome, into: CodeWriter): Uint8Array {
  into.reset();
  codeMessageType("welcome", into);
  codeWelcome(message, into);
  return into.finish();
}

function codeWelcome({ seat, resume, npcs, seed }: Welcome, coder: Coder): Welcome {
  return {
    type: "welcome",
    seat: coder.flag(seat !== undefined) ? coder.bits(seat ?? 0, SEAT_BITS) : undefined,
    resume: codeToken(resume, coder),
    npcs: coder.bits(npcs, SEAT_BITS),
    seed: coder.bits(seed, 32),
  };
}

/** The whole message; valid until `into` is used again. */
export function encodePong(message: Pong, into: CodeWriter): Uint8Array {
  into.reset();
  codeMessageType("pong", into);
  codePong(message, into);
  return into.finish();
}

interface TickCodingContext<Command> {
  readonly tick: Tick;
  readonly announced: AnnouncementBaselines<Command>;
  readonly codec: Codec<Command>;
  readonly coder: Coder;
}

/** What an ordered link's tick ends with: whether bodies follow. @param had whether they did in the one before */
export function codeHasBodies(has: boolean, had: boolean, coder: Coder): boolean {
  coder.part = "told";
  return coder.flag(has, had ? P_BODIES_AGAIN : P_BODIES_START);
}

/** What a datagram ends with, and its bodies. @param base the tick of the memory by which its bodies are told; undefined where none are */
export function codeBodiesBase(base: Tick | undefined, { tick, coder }: { tick: Tick; coder: Coder }): void {
  if (coder.flag(base !== undefined, P_BODIES_IN_DATAGRAM)) coder.bits(tick - base! - 1, COUNT_BITS);
}

/** A tick message but for its end: `codeAdvice`, `codePiggybackedPong`, `codeHasBodies`, and the bodies. */
export function beginTick<Command>(delta: TickDelta<Command>, context: TickCodingContext<Command>): void {
  codeMessageType("tick", context.coder);
  codeDelta(delta, context);
}

/** How a snapshot travels. */
export interface DeflatedSnapshot {
  readonly bytes: Uint8Array;
  /** Of the snapshot. */
  readonly length: number;
  readonly isDeflated: boolean;
}

/**
 * A tick message with its state but for its end: `codeAdvice`, and the packed snapshot's bytes as they are; where the state stream
 * begins, that is `snapshot` is undefined, `codeAdvice` and `codeBodies`.
 */
export function beginState<Command>(
  { joinDelta, snapshot }: { joinDelta: JoinDelta<Command>; snapshot: DeflatedSnapshot | undefined },
  context: TickCodingContext<Command>,
): void {
  const { coder, tick } = context;
  codeMessageType("state", coder);
  coder.varint(tick);
  codeJoinDelta(joinDelta, context);
  if (coder.flag(snapshot === undefined, P_BODY_STREAM_STARTS) || snapshot === undefined) return;
  coder.varint(snapshot.length);
  coder.flag(snapshot.isDeflated);
}

/** A datagram of ticks without gaps but for its end, `codeAdvice`. @param context its tick is the newest one's */
export function beginTicks<Command>(ticks: readonly TickDelta<Command>[], context: TickCodingContext<Command>): void {
  const { coder, tick, announced } = context;
  codeMessageType("ticks", coder);
  coder.varint(tick);
  coder.bits(ticks.length - 1, COUNT_BITS);
  announced.clear();
  ticks.forEach((delta, i) => codeDelta(delta, { ...context, tick: tick - ticks.length + 1 + i }));
}

/** One link's messages down, as they come. */
export class ServerMessageDecoder<Command> {
  readonly #codec: Codec<Command>;
  /** As of the newest tick message on an ordered link, or the newest state; the scratch is a datagram's. */
  readonly #announced = new AnnouncementBaselines<Command>();
  readonly #scratch = new AnnouncementBaselines<Command>();
  #tick: Tick = -1;
  #advice: Advice = NO_ADVICE;
  /** Undefined for who is never on the state stream. */
  readonly #reader: BodyReader | undefined;
  /** By tick, as far back as a datagram may be told by; and whether the last tick on an ordered link had bodies. */
  readonly #bodyBaselines = new TickRing<{ baselines: BodyBaselines }>(
    DATAGRAM_TICKS_MAX + 1,
    () => ({ baselines: NO_BASELINES }),
  );
  #newestBodies: BodyBaselines = NO_BASELINES;
  #hadBodies = false;

  constructor(codec: Codec<Command>, reader?: BodyReader) {
    this.#codec = codec;
    this.#reader = reader;
  }

  /** @throws WireError for bytes that are no message down */
  decode(bytes: Uint8Array): ServerMessage<Command> {
    const coder = new CodeReader(bytes);
    const type = codeMessageType("tick", coder);
    if (type === "state") return this.#readState(coder);
    // More than fits one datagram would be ten thousands of announcements.
    if (type === "ticks" && bytes.length > SERVER_DATAGRAM_BYTES_MAX) {
      throw new WireError(`${bytes.length} bytes of ticks`);
    }
    const message = this.#read(type, coder);
    if (message.type !== "ticks") coder.end();
    return message;
  }

  #read(type: Exclude<MessageType, "state">, coder: CodeReader): ServerMessage<Command> {
    switch (type) {
      case "tick":
        return this.#readTick(coder);
      case "welcome":
        return codeWelcome({ type: "welcome", seat: undefined, resume: "0", npcs: 0, seed: 0 }, coder);
      case "pong":
        return codePong({ type: "pong", id: 0, serverTicks: 0 }, coder);
      case "ticks":
        return this.#readTicks(coder);
    }
  }

  #readTick(coder: CodeReader): TickMessage<Command> {
    if (this.#tick < 0) throw new WireError("a tick before the first state");
    const tick = checkedTick(this.#tick + 1);
    const delta = codeDelta<Command>(EMPTY_DELTA, { tick, announced: this.#announced, codec: this.#codec, coder });
    this.#tick = tick;
    this.#advice = codeAdvice(NO_ADVICE, this.#advice, coder);
    const pong = codePiggybackedPong(undefined, tick, coder);
    const hasBodies = codeHasBodies(false, this.#hadBodies, coder);
    this.#hadBodies = hasBodies;
    const bodies = hasBodies ? this.#readBodies(this.#newestBodies, tick, coder) : undefined;
    const message = tickMessageOf(tick, delta, this.#advice);
    if (pong === undefined && bodies === undefined) return message;
    return { ...message, ...(pong !== undefined && { pong }), ...(bodies !== undefined && { bodies }) };
  }

  #readState(coder: CodeReader): TickMessage<Command> {
    const tick = checkedTick(coder.varint(0));
    const context = { tick, announced: this.#announced, codec: this.#codec, coder };
    const { seats, ...delta } = codeJoinDelta<Command>(EMPTY_JOIN_DELTA, context);
    if (coder.flag(false, P_BODY_STREAM_STARTS)) return this.#readBodyStreamStart(tick, { seats, delta }, coder);
    const length = coder.varint(0);
    if (length > SNAPSHOT_WORDS_MAX * 4) throw new WireError(`a snapshot of ${length} bytes`);
    const isDeflated = coder.flag(false);
    this.#tick = tick;
    this.#advice = codeAdvice(NO_ADVICE, undefined, coder);
    const tail = coder.tail();
    if (!isDeflated && tail.length !== length) throw new WireError(`${tail.length} bytes of a snapshot of ${length}`);
    const snapshot = isDeflated ? inflate(tail, length) : tail.slice();
    return { type: "tick", tick, ...delta, ...this.#advice, state: { seats, snapshot } };
  }

  #readBodyStreamStart(
    tick: Tick,
    { seats, delta }: Pick<JoinDelta<Command>, "seats"> & { delta: TickDelta<Command> },
    coder: CodeReader,
  ): TickMessage<Command> {
    this.#tick = tick;
    this.#advice = codeAdvice(NO_ADVICE, undefined, coder);
    const bodies = this.#readBodies(NO_BASELINES, tick, coder);
    coder.end();
    return { type: "tick", tick, ...delta, ...this.#advice, state: { seats, snapshot: NO_SNAPSHOT }, bodies };
  }

  #readBodies(baselines: BodyBaselines, tick: Tick, coder: CodeReader): BodyBaselines {
    if (this.#reader === undefined) throw new WireError("bodies for who reads none");
    const bodies = this.#reader.read(baselines, tick, coder);
    this.#hadBodies = true;
    this.#newestBodies = bodies;
    this.#bodyBaselines.claim(tick).baselines = bodies;
    return bodies;
  }

  /** What they are told by may not be here, or not any more: then they are not read, and the message ends before them. */
  #readDatagramBodies(tick: Tick, coder: CodeReader): BodyBaselines | undefined {
    if (!coder.flag(false, P_BODIES_IN_DATAGRAM)) {
      coder.end();
      return undefined;
    }
    const base = tick - 1 - coder.bits(0, COUNT_BITS);
    const baselines = base < 0 ? undefined : this.#bodyBaselines.get(base)?.baselines;
    if (baselines === undefined) return undefined;
    const bodies = this.#readBodies(baselines, tick, coder);
    coder.end();
    return bodies;
  }

  #readTicks(coder: CodeReader): TicksMessage<Command> {
    const newest = checkedTick(coder.varint(0));
    const count = coder.bits(0, COUNT_BITS) + 1;
    if (count > newest) throw new WireError(`${count} ticks up to ${newest}`);
    const announced = this.#scratch, codec = this.#codec;
    announced.clear();
    const deltas: TickDelta<Command>[] = [];
    for (let tick = newest - count + 1; tick <= newest; tick++) {
      deltas.push(codeDelta<Command>(EMPTY_DELTA, { tick, announced, codec, coder }));
    }
    const advice = codeAdvice(NO_ADVICE, undefined, coder);
    const bodies = this.#readDatagramBodies(newest, coder);
    const ticks = deltas.map((each, i) => tickMessageOf(newest - count + 1 + i, each, advice));
    if (bodies !== undefined) ticks.push({ ...ticks.pop()!, bodies });
    return { type: "ticks", ticks };
  }
}

/** Each key by its name: spread, they would be looked up for each of the many ticks that a datagram tells again. */
function tickMessageOf<Command>(
  tick: Tick,
  { hash, presence, announcements }: TickDelta<Command>,
  { slackMs, advisedLeadMs }: Advice,
): TickMessage<Command> {
  return { type: "tick", tick, hash, presence, announcements, slackMs, advisedLeadMs, state: undefined };
}

if (DATAGRAM_TICKS_MAX !== 1 << COUNT_BITS) throw new Error("a datagram's count of ticks has other bits");
