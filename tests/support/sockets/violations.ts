/** Violations of the protocol that end their link, each with the close that SPEC.md names. */
import type { DragonCommand } from "../../../shared/games/dragons/declaration.ts";
import type { CommandMessage, Hello } from "../../../shared/netcode/wire/messages.ts";
import { Random } from "../../../shared/random.ts";
import { OPCODE } from "./raw_socket.ts";
import { commandOf, HELLO, type Stranger } from "./stranger.ts";

export function randomBytes(length: number, seed: number): Uint8Array {
  const random = new Random(seed);
  return Uint8Array.from({ length }, () => random.below(256));
}

/** One violation that ends the link, and the close that it gets. */
export interface Violation {
  readonly name: string;
  /** The stage up to which the client behaves well. */
  readonly after: "upgrade" | "join";
  readonly hello?: Partial<Hello>;
  commit(stranger: Stranger): void;
  readonly code: number;
  readonly reason: RegExp;
}

const hello = (wrong: Partial<Hello>) => (stranger: Stranger) =>
  stranger.send({ ...HELLO, ...wrong });
const command =
  (wrong: (stranger: Stranger) => Partial<CommandMessage<DragonCommand>>) => (stranger: Stranger) =>
    stranger.send(commandOf(stranger, wrong(stranger)));

export const FRAMES: readonly Violation[] = [
  {
    name: "a text frame",
    after: "upgrade",
    commit: (stranger) =>
      stranger.frame(new TextEncoder().encode("hello"), { opcode: OPCODE.text }),
    code: 1003,
    reason: /^binary messages only$/,
  },
  {
    name: "a frame of 1,025 bytes",
    after: "upgrade",
    commit: (stranger) => stranger.frame(new Uint8Array(1_025)),
    code: 1009,
    reason: /^$/,
  },
  {
    name: "a frame of 1 MiB",
    after: "upgrade",
    commit: (stranger) => stranger.frame(new Uint8Array(1 << 20)),
    code: 1009,
    reason: /^$/,
  },
  {
    name: "a name of 10,000 characters",
    after: "upgrade",
    commit: hello({ name: "x".repeat(10_000) }),
    code: 1009,
    reason: /^$/,
  },
  {
    name: "a message in endless fragments",
    after: "upgrade",
    commit(stranger) {
      stranger.frame(new Uint8Array(1), { last: false });
      for (let i = 0; i < 64; i++) {
        stranger.frame(new Uint8Array(1), { opcode: OPCODE.continuation, last: false });
      }
    },
    code: 1008,
    reason: /^$/,
  },
  {
    name: "a frame without a mask",
    after: "upgrade",
    commit: (stranger) => stranger.frame(new Uint8Array(1), { masked: false }),
    code: 1002,
    reason: /^$/,
  },
];

export const HELLOS: readonly Violation[] = [
  {
    name: "a ping before the hello",
    after: "upgrade",
    commit: (stranger) => stranger.send({ type: "ping", id: 1 }),
    code: 4000,
    reason: /no hello/,
  },
  {
    name: "a name of 97 bytes",
    after: "upgrade",
    commit: hello({ name: "x".repeat(97) }),
    code: 4000,
    reason: /a text of 97 bytes/,
  },
  {
    name: "another protocol version",
    after: "upgrade",
    commit: hello({ protocolVersion: 65_535 }),
    code: 4001,
    reason: /is spoken here/,
  },
  {
    name: "another game",
    after: "upgrade",
    commit: hello({ gameId: "chess-9" }),
    code: 4002,
    reason: /is played here/,
  },
  ...["", "ABC", "abcd", "A CD", "ABCDE", "Å\u0000Ä"].map((room): Violation => ({
    name: `room code ${JSON.stringify(room)}`,
    after: "upgrade",
    commit: hello({ room }),
    code: 4003,
    reason: /four letters/,
  })),
];

export const MESSAGES: readonly Violation[] = [
  {
    name: "a second hello",
    after: "join",
    commit: hello({}),
    code: 4000,
    reason: /more bytes/,
  },
  {
    name: "32 random bytes in play",
    after: "join",
    commit: (stranger) => stranger.frame(randomBytes(32, 77)),
    code: 4000,
    reason: /./,
  },
  {
    name: "a tick received that has not been run",
    after: "join",
    commit: command((stranger) => ({ received: stranger.tick + 1_000 })),
    code: 4000,
    reason: /has not been run/,
  },
  {
    name: "tick 2^31, as if the tick before had been received",
    after: "join",
    commit: command(() => ({ tick: 2 ** 31 - 1, received: 2 ** 31 - 2 })),
    code: 4000,
    reason: /has not been run/,
  },
  {
    name: "a spectator's command",
    after: "join",
    hello: { spectate: true },
    commit: command(() => ({})),
    code: 4000,
    reason: /without a seat/,
  },
  {
    name: "2,000 pings at once",
    after: "join",
    commit(stranger) {
      for (let i = 0; i < 2_000; i++) stranger.send({ type: "ping", id: i & 255 });
    },
    code: 4006,
    reason: /^too many messages$/,
  },
];
