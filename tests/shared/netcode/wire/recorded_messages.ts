/**
 * Real messages as the flags and numbers that the decoders read from them. Encoders wrote their
 * bytes: those of a short match of dragons in the lab, and those of messages that no short match
 * has.
 */
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { bodyReaderOf, codeBodies } from "../../../../shared/netcode/wire/body_codec.ts";
import { BodyModel } from "../../../../shared/netcode/wire/body_model.ts";
import {
  ClientMessageDecoder,
  ClientMessageEncoder,
  decodeHello,
  encodeHello,
} from "../../../../shared/netcode/wire/client_messages.ts";
import type { Codec } from "../../../../shared/netcode/game.ts";
import {
  GAME_ID_BYTES_MAX,
  type Hello,
  NAME_BYTES_MAX,
  NOTICE_BYTES_MAX,
  ROOM_BYTES_MAX,
} from "../../../../shared/netcode/wire/messages.ts";
import { NO_BASELINES } from "../../../../shared/netcode/wire/quantized_body.ts";
import { CodeReader, CodeWriter } from "../../../../shared/netcode/wire/range_coder.ts";
import {
  encodeNotice,
  encodeOffer,
  encodePong,
  encodeWelcome,
  ServerMessageDecoder,
} from "../../../../shared/netcode/wire/server_messages.ts";
import { Random } from "../../../../shared/random.ts";
import { Lab } from "../../../tools/lab/lab.ts";
import { RandomDragonControls } from "../../../tools/lab/random_controls.ts";
import {
  encodeBodyDatagram,
  encodeBodyStream,
  model,
  quantizedBody,
  reader,
} from "./body_stream_messages.ts";
import {
  ARRIVALS,
  CLIENT_MESSAGES,
  codec,
  COMMANDS,
  datagramOf,
  HELLOS,
  OFFERS,
  resumeAt,
  SHORT_COMMANDS,
  type Tick,
  TickEncoder,
  TICKS,
} from "./messages.ts";
import { rovers } from "../../../tools/vectors/games/rovers.ts";
import { valuesOf } from "../../../tools/vectors/games/vector_game.ts";
import { observeReads } from "./read_observer.ts";
import type { Operation } from "./wire_matcher.ts";

export interface RecordedMessage {
  /** The part of WIRE.md that the message consists of. */
  readonly part: string;
  readonly operations: readonly Operation[];
  /** The game whose commands it has. */
  readonly game: "dragons" | "counter" | "rovers";
}

type Bytes = Uint8Array;
const longest = (bytes: number) => "x".repeat(bytes);

/** Decodes messages and keeps what the decoders read. */
class Recorder {
  readonly messages: RecordedMessage[] = [];
  readonly #game: RecordedMessage["game"];

  constructor(game: RecordedMessage["game"]) {
    this.#game = game;
  }

  record(part: string, decode: () => unknown): void {
    const operations: Operation[] = [];
    using _observer = observeReads({
      onFlag: (value, p) => operations.push({ p, width: 0, value: Number(value) }),
      // A number without bits is always 0, and codes nothing.
      onBits: (value, width) => width > 0 && operations.push({ p: 0, width, value }),
    });
    decode();
    this.messages.push({ part, operations, game: this.#game });
  }

  /** Messages of one client; the first is a hello. */
  recordClient<Command>(
    all: readonly Bytes[],
    codec: Codec<Command>,
    { ordered }: { ordered: boolean },
  ): void {
    const decoder = new ClientMessageDecoder(codec, { ordered });
    const part = ordered ? "client message" : "client datagram";
    all.forEach((bytes, i) => {
      if (i === 0) this.record("hello", () => decodeHello(bytes));
      else this.record(part, () => decoder.decode(bytes));
    });
  }

  /** Messages of the server to one client. */
  recordServer<Command>(all: readonly Bytes[], decoder: ServerMessageDecoder<Command>): void {
    for (const bytes of all) this.record("server message", () => decoder.decode(bytes));
  }
}

/** Messages of all kinds. They are equal in each call. */
export function recordMessages(): RecordedMessage[] {
  const counter = new Recorder("counter");
  const dragons = new Recorder("dragons");
  const rovers = new Recorder("rovers");
  recordClientMessages(counter);
  recordServerMessages(counter);
  recordBodies(counter);
  recordMatch(dragons);
  recordNumbers(rovers);
  return [...counter.messages, ...dragons.messages, ...rovers.messages];
}

function recordClientMessages(recorder: Recorder): void {
  const hellos: Hello[] = [...HELLOS, { ...HELLOS[0]!, choices: [2, 0, 255] }, {
    ...HELLOS[1]!,
    gameId: longest(GAME_ID_BYTES_MAX),
    room: longest(ROOM_BYTES_MAX),
    name: longest(NAME_BYTES_MAX),
  }];
  for (const hello of hellos) {
    recorder.record("hello", () => decodeHello(encodeHello(hello, new CodeWriter())));
  }
  const [hello] = hellos;
  const ping = { type: "ping", id: 9 } as const;

  for (
    const [ordered, messages] of [[true, CLIENT_MESSAGES], [false, [ping, ...COMMANDS]], [
      false,
      SHORT_COMMANDS,
    ]] as const
  ) {
    const encoder = new ClientMessageEncoder(codec, { ordered });
    recorder.recordClient(
      [hello!, ...messages].map((each) => encoder.encode(each).slice()),
      codec,
      { ordered },
    );
  }
}

/** Commands with whole numbers of a range. */
function recordNumbers(recorder: Recorder): void {
  const { codec, schema } = rovers;
  const ordered = true;
  const encoder = new ClientMessageEncoder(codec, { ordered });
  const random = new Random(8);
  const lists = schema.command!.map(valuesOf);
  const commands = Array.from({ length: 40 }, (_, i) => ({
    ...{ type: "command", tick: i, received: i, leadMs: 90, isDesynced: false } as const,
    command: lists.map((values, field) =>
      random.chance(0.4) ? codec.neutral[field]! : values[random.below(values.length)]!
    ),
  }));
  const hello = { ...HELLOS[0]!, choices: [2, 200] };
  recorder.recordClient([hello, ...commands].map((each) => encoder.encode(each).slice()), codec, {
    ordered,
  });
}

function recordServerMessages(recorder: Recorder): void {
  const decoder = new ServerMessageDecoder(codec);
  const encoder = new TickEncoder();
  const writer = new CodeWriter();
  const [state, quiet, busy] = TICKS as [Tick, Tick, Tick];
  const welcome = {
    type: "welcome",
    seat: 3,
    isResumed: true,
    resume: "0123456789abcdef0123456789abcdef",
    npcs: 4,
    seed: 99,
    choices: [],
    isOrdered: false,
  } as const;
  recorder.recordServer([
    encodeWelcome(welcome, writer).slice(),
    encodeWelcome({
      ...welcome,
      seat: undefined,
      isResumed: false,
      choices: [0, 255, 7],
      isOrdered: true,
    }, writer)
      .slice(),
    encodePong({ type: "pong", id: 9, serverTicks: 4711.5 }, writer).slice(),
    encodeNotice({ type: "notice", text: longest(NOTICE_BYTES_MAX) }, writer).slice(),
    ...OFFERS.map((offer) => encodeOffer(offer, writer).slice()),
    ...TICKS.map((tick) => encoder.encode(tick)),
    ...[undefined, ...ARRIVALS].map((arrivals) =>
      datagramOf(
        [quiet, busy, TICKS[3]!].map((tick) => ({ ...tick, slackMs: -33, advisedLeadMs: 120.25 })),
        arrivals,
      )
    ),
    resumeAt(4780),
  ], decoder);

  const seats = [{
    seat: 2,
    name: longest(NAME_BYTES_MAX),
    last: { presses: 1, dir: 1 },
    ticksMissing: 0,
  }];
  const renamed: Tick = {
    ...busy,
    presence: [{ ...busy.presence[0]!, name: longest(NAME_BYTES_MAX) }],
  };

  // The server's baselines are not those that follow from this state: one is another, and one is
  // missing.
  const late = new TickEncoder();
  const lateState = { ...state, announcements: [], state: { ...state.state!, seats } };
  late.announced.set(5, state.tick + 3, { presses: 2, dir: 0 });
  const messages = [late.encode(lateState), late.encode({ ...renamed, tick: state.tick + 1 })];
  recorder.recordServer(messages, new ServerMessageDecoder(codec));
}

/** The kind of the joints in `SCHEMAS`. */
const ROPE = 3;

/**
 * Bodies that move at random, rest, and are removed, and joints. Bodies at rest are due after ten
 * ticks.
 */
function recordBodies(recorder: Recorder): void {
  recorder.recordServer(encodeBodyStream().messages, new ServerMessageDecoder(codec, reader));
  const late = new ServerMessageDecoder(codec, reader);
  late.decode(encodeBodyStream().messages[0]!);
  recorder.recordServer([encodeBodyDatagram()], late);

  const random = new Random(6);
  const number = (bits: number) => random.below(2 ** bits) - 2 ** (bits - 1);
  let baselines = NO_BASELINES;

  for (let tick = 901; tick < 930; tick++) {
    const motion = () => {
      const bits = 1 + random.below(22);
      const turns = { angle: number(bits), spin: number(bits), teleports: random.below(3) };
      return { x: number(bits), y: number(bits), vx: number(bits), vy: number(bits), ...turns };
    };
    const delta = new Map([...baselines].flatMap(([entity, body]) => {
      if (tick - body.tick === 10 && body.schemaIndex !== ROPE) {
        return [[entity, model.predict(body, tick)] as const];
      }
      if (entity % 3 === 0 || !random.chance(0.5)) return [];
      if (body.schemaIndex === ROPE) {
        return [[entity, quantizedBody(tick, ROPE, { fieldBits: [tick, 0, 7] })] as const];
      }
      return [[entity, random.chance(0.2) ? undefined : quantizedBody(tick, 2, motion())] as const];
    }));
    if (baselines.size < 6) {
      delta.set(
        tick,
        quantizedBody(tick, tick % 2 === 0 ? ROPE : 2, tick % 2 === 0 ? {} : motion()),
      );
    }
    const before = baselines;
    const writer = new CodeWriter();
    baselines = codeBodies(delta, { tick, baselines: before, model, coder: writer });
    const bytes = writer.finish().slice();
    recorder.record("bodies", () => reader.read(before, tick, new CodeReader(bytes)));
  }
}

/**
 * Five clients play for some seconds: by both kinds of links, with and without the body stream, and
 * one spectates.
 */
function recordMatch(recorder: Recorder): void {
  const lab = new Lab({ game: dragonGame, seed: 43, npcs: 3 });
  const network = { oneWayMs: 40, jitterMs: 10 };
  const model = new BodyModel(dragonGame.bodies!, 20);
  const clients = [
    { ordered: true },
    { ordered: true, startOnBodyStream: true },
    { ordered: true, spectate: true },
    { ordered: false },
    { ordered: false, startOnBodyStream: true },
  ].map((options, i) => {
    const up: Bytes[] = [];
    const down: Bytes[] = [];
    const commandSource = new RandomDragonControls(i);
    const onArrival = (bytes: Bytes) => down.push(bytes.slice());
    const { serverEnd } = lab.join(`p${i}`, { ...options, network, commandSource, onArrival });
    // A datagram may overtake the hello.
    serverEnd.tap = (bytes, reliably) =>
      reliably && !options.ordered ? up.unshift(bytes.slice()) : up.push(bytes.slice());
    return { up, down, ordered: options.ordered };
  });
  lab.run(4);

  for (const { up, down, ordered } of clients) {
    recorder.recordClient<DragonCommand>(up, dragonGame.command, { ordered });
    recorder.recordServer(
      down,
      new ServerMessageDecoder(dragonGame.command, bodyReaderOf(model)),
    );
  }
}
