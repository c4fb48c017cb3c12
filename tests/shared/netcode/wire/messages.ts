/**
 * Messages of all types in the counter game, and the server's end of a link, for tests of the
 * codecs.
 */
import { CodeWriter } from "../../../../shared/netcode/wire/range_coder.ts";
import {
  type Arrivals,
  type ClientMessage,
  type CommandsMessage,
  DATAGRAM_TICKS_MAX,
  type Hello,
  PROTOCOL_VERSION,
  type TickMessage,
} from "../../../../shared/netcode/wire/messages.ts";
import { codeMessageType } from "../../../../shared/netcode/wire/server_messages.ts";
import { type Advice, NO_ADVICE } from "../../../../shared/netcode/wire/advice_codec.ts";
import { AnnouncementBaselines } from "../../../../shared/netcode/wire/announcement_codec.ts";
import {
  codeResume,
  codeState,
  codeTick,
  codeTicks,
} from "../../../../shared/netcode/wire/tick_codec.ts";
import type { Deflate } from "../../../../shared/netcode/wire/packed_snapshot.ts";
import { type CounterCommand, counterGame } from "../../../tools/lab/counter_game.ts";

export const codec = counterGame.command;
export type Tick = TickMessage<CounterCommand>;
const command: CounterCommand = { presses: 3, dir: -1 };

const HELLO: Hello = {
  type: "hello",
  protocolVersion: PROTOCOL_VERSION,
  gameId: "counter-1",
  room: "ABCD",
  name: "Ægir 🐉",
  spectate: false,
  bodyStreamMode: "no",
  choices: [],
  resume: undefined,
};
export const HELLOS: readonly Hello[] = [HELLO, {
  ...HELLO,
  name: "",
  spectate: true,
  bodyStreamMode: "able",
  resume: "00ff00ffdeadbeef00ff00ffdeadbeef",
}, { ...HELLO, bodyStreamMode: "chosen" }];

/** One link's messages, in this order. */
export const CLIENT_MESSAGES: readonly Exclude<ClientMessage<CounterCommand>, Hello>[] = [
  { type: "ping", id: 255 },
  { type: "command", tick: 123_456, received: 123_449, leadMs: 87, isDesynced: false, command },
  { type: "command", tick: 123_457, received: 123_450, leadMs: 87, isDesynced: false, command },
  {
    type: "command",
    tick: 123_458,
    received: 123_450,
    leadMs: 88.75,
    isDesynced: false,
    command: { presses: 0, dir: 0 },
  },
  {
    type: "command",
    tick: 2 ** 31 - 1,
    received: 2 ** 31 - 64,
    leadMs: 4095.75,
    isDesynced: true,
    command,
  },
  { type: "command", tick: 7, received: 9, leadMs: 0, isDesynced: false, command },
  { type: "report", received: 77 },
  { type: "report", received: 78, bodyStreamRequest: "state" },
  { type: "back", received: 79 },
  { type: "proof", tick: 123_460, proof: 0xdeadbeef },
  {
    type: "command",
    tick: 8,
    received: 9,
    leadMs: 0,
    isDesynced: false,
    bodyStreamRequest: "bodies",
    command,
  },
  {
    type: "command",
    tick: 9,
    received: 10,
    leadMs: 0,
    isDesynced: false,
    bodyStreamRequest: "bodies",
    command,
  },
  {
    type: "command",
    tick: 10,
    received: 11,
    leadMs: 0,
    isDesynced: false,
    bodyStreamRequest: "state",
    command,
  },
  {
    type: "command",
    tick: 11,
    received: 12,
    leadMs: 0,
    isDesynced: false,
    bodyStreamRequest: "bodies",
    ping: 0,
    command,
  },
  { type: "command", tick: 12, received: 13, leadMs: 0, isDesynced: false, ping: 255, command },
];

const head = { received: 4700, isDesynced: false, leadMs: 87 };
const many = Array.from(
  { length: DATAGRAM_TICKS_MAX },
  (_, i): CounterCommand => ({ presses: i & 3, dir: 1 }),
);
export const COMMANDS: readonly CommandsMessage<CounterCommand>[] = [
  {
    type: "commands",
    ...head,
    tick: 4705,
    commands: [command, { presses: 2, dir: 0 }, { presses: 2, dir: 0 }],
  },
  { type: "commands", ...head, tick: 4705, commands: many },
  { type: "commands", ...head, tick: 4700, commands: [] },
  {
    type: "commands",
    received: 2 ** 31 - 1,
    isDesynced: true,
    leadMs: 4095,
    tick: 2 ** 31 - 9,
    commands: [command],
  },
  { type: "commands", received: 0, isDesynced: false, leadMs: 0, tick: 0, commands: [command] },
  {
    type: "commands",
    ...head,
    bodyStreamRequest: "bodies",
    bodiesAck: 4700,
    tick: 4705,
    commands: [command],
  },
  {
    type: "commands",
    ...head,
    bodyStreamRequest: "state",
    bodiesAck: 4691,
    tick: 4705,
    commands: [command],
  },
];

const at = (
  tick: number,
  commands: readonly CounterCommand[],
): CommandsMessage<CounterCommand> => ({
  type: "commands",
  ...head,
  received: tick - 5,
  tick,
  commands,
});
const still = { presses: 1, dir: 0 };
const pressed = { presses: 2, dir: 0 };
/** One connection's datagrams, in this order: full ones, and others that are coded against them. */
export const SHORT_COMMANDS: readonly CommandsMessage<CounterCommand>[] = [
  at(4688, [still, still]),
  at(4696, [still, still]),
  at(4700, [still, pressed]),
  at(4701, [still, pressed]),
  { ...at(4705, [pressed, still, still, still]), reference: 4688 },
  { ...at(4706, [pressed, pressed]), reference: 4688 },
  { ...at(4707, [pressed, pressed]), reference: 4688, received: 4703, leadMs: 90.25 },
  { ...at(4708, [still]), reference: 4688, isDesynced: true },
  { ...at(4709, [still]), reference: 4688, bodyStreamRequest: "bodies", bodiesAck: 4704 },
  { ...at(4710, [still]), reference: 4688, bodyStreamRequest: "state", bodiesAck: 4699 },
  { ...at(4711, [still, still]), reference: 4696 },
];

const advice = { slackMs: -33, advisedLeadMs: 120.25 };
const quiet = {
  type: "tick",
  presence: [],
  announcements: [],
  state: undefined,
  ...advice,
} as const;
/** One link's ticks, in this order: a client joins, plays, and gets a state again. */
export const TICKS: readonly Tick[] = [
  {
    ...quiet,
    tick: 4711,
    hash: 0xbeef,
    presence: [
      { seat: 4, tick: 4720, present: true, name: "Wren" },
      { seat: 31, tick: 4712, present: false, name: "" },
    ],
    announcements: [
      { seat: 0, tick: 4712, command },
      ...Array.from(
        { length: 20 },
        (_, i) => ({ seat: 17, tick: 4712 + i, command: { presses: 0, dir: 1 } }),
      ),
    ],
    state: {
      seats: [
        { seat: 2, name: "Wren", last: command, ticksMissing: 0 },
        { seat: 17, name: "", last: undefined, ticksMissing: 12 },
      ],
      snapshot: Uint8Array.from({ length: 64 }, (_, i) => i),
    },
  },
  { ...quiet, tick: 4712, hash: 0 },
  {
    ...quiet,
    tick: 4713,
    hash: 1,
    presence: [{ seat: 5, tick: 4740, present: true, name: "" }],
    announcements: [
      { seat: 0, tick: 4713, command },
      { seat: 2, tick: 4714, command: { presses: 0, dir: -1 } },
      { seat: 2, tick: 4713, command: { presses: 2, dir: -1 } },
      { seat: 17, tick: 4732, command: { presses: 0, dir: 1 } },
      { seat: 31, tick: 4740, command },
    ],
  },
  { ...quiet, tick: 4714, hash: 0xffff, slackMs: 20, advisedLeadMs: 118 },
  {
    ...quiet,
    tick: 4715,
    hash: 0,
    pong: { id: 200, serverTicks: 4715 + 1023 / 1024, waitedTicks: 0 },
  },
  {
    ...quiet,
    tick: 4716,
    hash: 0,
    pong: { id: 0, serverTicks: 4719.25, waitedTicks: 33 + 1 / 1024 },
  },
  {
    ...quiet,
    tick: 4720,
    hash: 7,
    state: {
      seats: [{ seat: 0, name: "A", last: command, ticksMissing: 7 }],
      snapshot: new Uint8Array(8),
    },
  },
];

/** The server's end of one reliable link. */
export class TickEncoder {
  readonly #coder = new CodeWriter();
  readonly announced = new AnnouncementBaselines<CounterCommand>();
  #lastAdvice: Advice = NO_ADVICE;

  /** @param deflate its result is sent even if it is longer than the snapshot */
  encode(message: Tick, deflate?: Deflate): Uint8Array {
    const { tick, state } = message;
    const coder = this.#coder;
    const { announced } = this;
    const context = { tick, announced, codec, coder, codeBodies: undefined };
    const lastAdvice = this.#lastAdvice;
    this.#lastAdvice = message;
    coder.reset();
    codeMessageType(state === undefined ? "tick" : "state", coder);
    if (state === undefined) {
      codeTick(message, { ...context, lastAdvice, hadBodies: false });
      return coder.finish().slice();
    }
    const bytes = deflate?.(state.snapshot) ?? state.snapshot;
    const snapshot = { length: state.snapshot.length, isDeflated: deflate !== undefined };
    codeState(
      { joinDelta: { ...message, seats: state.seats }, snapshot, advice: message },
      context,
    );
    return coder.finishWith(bytes).slice();
  }
}

/** Reports of a client's datagrams. */
export const ARRIVALS: readonly Arrivals[] = [
  { newest: 4715, counts: [1, 1, 1, 1, 1, 1, 1, 1], areRead: new Array(8).fill(true) },
  {
    newest: 4714,
    counts: [1, 1, 1, 1, 1, 1, 1, 1],
    areRead: [true, true, true, false, true, true, true, true],
  },
  {
    newest: 4740,
    counts: [5, 0, 1, 2, 3, 4, 0, 1],
    areRead: [true, false, false, true, false, true, false, true],
  },
];

/** A datagram of ticks. */
export function datagramOf(ticks: readonly Tick[], arrivals?: Arrivals): Uint8Array {
  const coder = new CodeWriter();
  const announced = new AnnouncementBaselines<CounterCommand>();
  coder.reset();
  codeMessageType("ticks", coder);
  codeTicks(ticks, {
    tick: ticks.at(-1)!.tick,
    announced,
    codec,
    coder,
    arrivals,
    bodies: undefined,
  });
  return coder.finish().slice();
}

export const hex = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");

export const OFFERS = [
  {
    type: "offer",
    port: 8080,
    token: "00ff00ffdeadbeef0123456789abcdef",
    certificateHash: "0f1e2d3c4b5a6978".repeat(4),
  },
  { type: "offer", port: 65_535, token: "0".repeat(32) },
] as const;

/** A resume in which two seats have an announced command. */
export function resumeAt(tick: number): Uint8Array {
  const coder = new CodeWriter();
  const announced = new AnnouncementBaselines<CounterCommand>();
  announced.set(2, tick + 1, { presses: 3, dir: 1 });
  announced.set(17, tick + 20, { presses: 0, dir: -1 });
  codeMessageType("resume", coder);
  codeResume({ slackMs: -33, advisedLeadMs: 120.25 }, { tick, announced, codec, coder });
  return coder.finish().slice();
}
