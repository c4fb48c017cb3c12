/**
 * The messages from the server (WIRE 7): their types, welcome, pong, notice and offer, and the
 * client's decoder. `tick_codec.ts` codes the ticks.
 */
import { type Coder, CodeReader, type CodeWriter, WireError } from "./range_coder.ts";
import type { BodyReader } from "./body_codec.ts";
import type { Codec, Tick } from "../game.ts";
import type { PathOffer } from "../link.ts";
import { TickRing } from "../tick_ring.ts";
import {
  checkedTick,
  codeChoices,
  codeDigits,
  codeToken,
  DATAGRAM_TICKS_MAX,
  type EarlyMessage,
  type Notice,
  NOTICE_BYTES_MAX,
  type Offer,
  type Pong,
  type Resume,
  SEAT_BITS,
  SERVER_DATAGRAM_BYTES_MAX,
  type ServerMessage,
  type TickMessage,
  type TicksMessage,
  type Welcome,
} from "./messages.ts";
import { type Advice, NO_ADVICE } from "./advice_codec.ts";
import { AnnouncementBaselines, codeEarlyAnnouncements } from "./announcement_codec.ts";
import {
  codeResume,
  codeState,
  codeTick,
  codeTicks,
  EMPTY_STATE,
  EMPTY_TICK,
} from "./tick_codec.ts";
import { readSnapshot } from "./packed_snapshot.ts";
import { codePong } from "./ping_codec.ts";
import { P_TICK } from "./probabilities.ts";
import { type BodyBaselines, NO_BASELINES } from "./quantized_body.ts";

/** Nearly all messages are ticks, so only the other types take more bits. */
const OTHER_TYPES = {
  welcome: 0,
  pong: 1,
  state: 2,
  ticks: 3,
  early: 4,
  notice: 5,
  offer: 6,
  resume: 7,
} as const;
const OTHER_TYPE_BITS = 3;
type MessageType = "tick" | keyof typeof OTHER_TYPES;

const NO_SNAPSHOT = new Uint8Array(0);

const PORT_BITS = 16;
/** A SHA-256 in 32-bit words. */
const HASH_WORDS = 8;

/** Codes the first bit in every message, and in every log record. */
export function codeIsTick(isTick: boolean, coder: Coder): boolean {
  return coder.flag(isTick, P_TICK);
}

/** Codes the type, with which each message begins. */
export function codeMessageType(type: MessageType, coder: Coder): MessageType {
  coder.part = "kind";
  if (codeIsTick(type === "tick", coder)) return "tick";
  const number = coder.bits(type === "tick" ? 0 : OTHER_TYPES[type], OTHER_TYPE_BITS);
  // Every 3-bit number is one of them.
  return (Object.keys(OTHER_TYPES) as (keyof typeof OTHER_TYPES)[])[number]!;
}

/** Writes a welcome. @returns the message, valid until `into` is used again */
export function encodeWelcome(message: Welcome, into: CodeWriter): Uint8Array {
  into.reset();
  codeMessageType("welcome", into);
  codeWelcome(message, into);
  return into.finish();
}

function codeWelcome(
  { seat, isResumed, resume, npcs, seed, choices, isOrdered }: Welcome,
  coder: Coder,
): Welcome {
  const hasSeat = coder.flag(seat !== undefined);
  return {
    type: "welcome",
    seat: hasSeat ? coder.bits(seat ?? 0, SEAT_BITS) : undefined,
    isResumed: hasSeat && coder.flag(isResumed),
    resume: codeToken(resume, coder),
    npcs: coder.bits(npcs, SEAT_BITS),
    seed: coder.bits(seed, 32),
    choices: codeChoices(choices, coder),
    isOrdered: coder.flag(isOrdered),
  };
}

const EMPTY_WELCOME: Welcome = {
  type: "welcome",
  seat: undefined,
  isResumed: false,
  resume: "0",
  npcs: 0,
  seed: 0,
  choices: [],
  isOrdered: false,
};

/** Writes a pong. @returns the message, valid until `into` is used again */
export function encodePong(message: Pong, into: CodeWriter): Uint8Array {
  into.reset();
  codeMessageType("pong", into);
  codePong(message, into);
  return into.finish();
}

/** Writes a notice. @returns the message, valid until `into` is used again */
export function encodeNotice(message: Notice, into: CodeWriter): Uint8Array {
  into.reset();
  codeMessageType("notice", into);
  codeNotice(message, into);
  return into.finish();
}

function codeNotice({ text }: Notice, coder: Coder): Notice {
  return { type: "notice", text: coder.text(text, NOTICE_BYTES_MAX) };
}

/** Writes an offer. @returns the message, valid until `into` is used again */
export function encodeOffer(offer: PathOffer, into: CodeWriter): Uint8Array {
  into.reset();
  codeMessageType("offer", into);
  codeOffer(offer, into);
  return into.finish();
}

function codeOffer({ port, token, certificateHash }: PathOffer, coder: Coder): Offer {
  const offer = {
    type: "offer",
    port: coder.bits(port, PORT_BITS),
    token: codeToken(token, coder),
  } as const;
  if (!coder.flag(certificateHash !== undefined)) return offer;
  return { ...offer, certificateHash: codeDigits(certificateHash ?? "", HASH_WORDS, coder) };
}

/** The client's decoder for one link. */
export class ServerMessageDecoder<Command> {
  readonly #codec: Codec<Command>;
  /**
   * As of a reliable link's newest tick, or the newest full state; the scratch is for a datagram.
   */
  readonly #announced = new AnnouncementBaselines<Command>();
  readonly #scratch = new AnnouncementBaselines<Command>();
  #tick: Tick = -1;
  #lastAdvice: Advice = NO_ADVICE;
  /** Undefined for a client that cannot decode the body stream. */
  readonly #reader: BodyReader | undefined;
  /** By tick, as far back as a datagram may refer. */
  readonly #bodyBaselines = new TickRing<{ baselines: BodyBaselines }>(
    DATAGRAM_TICKS_MAX + 1,
    () => ({ baselines: NO_BASELINES }),
  );
  /**
   * The bodies in the newest reliable message that carried any: the next one is delta-coded against
   * them.
   */
  #reliableBodies: BodyBaselines = NO_BASELINES;
  /** Whether the last tick message on a reliable link carried bodies. */
  #hadBodies = false;

  constructor(codec: Codec<Command>, reader?: BodyReader) {
    this.#codec = codec;
    this.#reader = reader;
  }

  /** @throws WireError if the bytes are not a server's message */
  decode(bytes: Uint8Array): ServerMessage<Command> {
    const coder = new CodeReader(bytes);
    const type = codeMessageType("tick", coder);
    if (type === "state") return this.#readState(coder);
    // A longer message could hold tens of thousands of announcements.
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
        return codeWelcome(EMPTY_WELCOME, coder);
      case "pong":
        return codePong({ type: "pong", id: 0, serverTicks: 0 }, coder);
      case "ticks":
        return this.#readTicks(coder);
      case "early":
        return this.#readEarly(coder);
      case "notice":
        return codeNotice({ type: "notice", text: "" }, coder);
      case "offer":
        return codeOffer({ port: 0, token: "0" }, coder);
      case "resume":
        return this.#readResume(coder);
    }
  }

  #readResume(coder: CodeReader): Resume {
    const { tick, advice } = codeResume(NO_ADVICE, {
      tick: 0,
      announced: this.#announced,
      codec: this.#codec,
      coder,
    });
    this.#tick = tick;
    this.#lastAdvice = advice;
    return { type: "resume", tick };
  }

  #readEarly(coder: CodeReader): EarlyMessage<Command> {
    if (this.#tick < 0) throw new WireError("announcements before the first state");
    const context = { tick: this.#tick + 1, announced: this.#announced, codec: this.#codec, coder };
    return { type: "early", announcements: codeEarlyAnnouncements([], context) };
  }

  #readTick(coder: CodeReader): TickMessage<Command> {
    if (this.#tick < 0) throw new WireError("a tick before the first state");
    const tick = checkedTick(this.#tick + 1);
    const message = codeTick<Command>(EMPTY_TICK, {
      tick,
      announced: this.#announced,
      codec: this.#codec,
      coder,
      lastAdvice: this.#lastAdvice,
      hadBodies: this.#hadBodies,
      codeBodies: (tick) => this.#readReliableBodies(this.#reliableBodies, tick, coder),
    });
    this.#tick = tick;
    this.#lastAdvice = message;
    this.#hadBodies = message.bodies !== undefined;
    return message;
  }

  #readState(coder: CodeReader): TickMessage<Command> {
    const { tick, joinDelta: { seats, ...delta }, snapshot: head, advice, bodies } = codeState<
      Command
    >(EMPTY_STATE, {
      tick: 0,
      announced: this.#announced,
      codec: this.#codec,
      coder,
      codeBodies: (tick) => this.#readReliableBodies(NO_BASELINES, tick, coder),
    });
    this.#tick = tick;
    this.#lastAdvice = advice;
    const message = { type: "tick", tick, ...delta, ...advice } as const;
    if (head !== undefined) {
      return { ...message, state: { seats, snapshot: readSnapshot(head, coder) } };
    }
    coder.end();
    return { ...message, state: { seats, snapshot: NO_SNAPSHOT }, bodies };
  }

  /**
   * Reads a datagram of ticks. A client that lacks the bodies' baselines cannot read them, so it
   * leaves them, and the rest of the message, unread.
   */
  #readTicks(coder: CodeReader): TicksMessage<Command> {
    let isWhole = true;
    const coded = codeTicks<Command>([], {
      tick: 0,
      announced: this.#scratch,
      codec: this.#codec,
      coder,
      bodies: {
        baseTick: 0,
        code: (tick, baseTick) => {
          const baselines = baseTick < 0 ? undefined : this.#bodyBaselines.get(baseTick)?.baselines;
          isWhole = baselines !== undefined;
          return baselines && this.#readBodies(baselines, tick, coder);
        },
      },
    });
    if (isWhole) coder.end();
    return { type: "ticks", ...coded };
  }

  #readReliableBodies(baselines: BodyBaselines, tick: Tick, coder: CodeReader): BodyBaselines {
    this.#reliableBodies = this.#readBodies(baselines, tick, coder);
    this.#hadBodies = true;
    return this.#reliableBodies;
  }

  #readBodies(baselines: BodyBaselines, tick: Tick, coder: CodeReader): BodyBaselines {
    if (this.#reader === undefined) throw new WireError("bodies for who reads none");
    const bodies = this.#reader.read(baselines, tick, coder);
    this.#bodyBaselines.claim(tick).baselines = bodies;
    return bodies;
  }
}
