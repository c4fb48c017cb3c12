import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { encodeFrame, ShortFrameReader } from "../../../server/http/websocket_fast_path.ts";
import { Random } from "../../../shared/random.ts";
import { openEchoServer } from "../../support/echo_server.ts";
import { OPCODE, RawSocket } from "../../support/raw_socket.ts";

const SEEDS = [1, 2, 3, 4];
const FINAL = 0x80, MASKED = 0x80;

/** A client's frame. */
function frame(payload: readonly number[], mask: readonly number[], first = FINAL | OPCODE.binary): number[] {
  return [first, MASKED | payload.length, ...mask, ...payload.map((byte, i) => byte ^ mask[i & 3]!)];
}

/** The results of a reader: messages, pongs as "pong", and the bytes that are left to ws. */
function readAll(chunks: readonly Uint8Array[]): { read: (number[] | "pong")[]; left: number[] | undefined } {
  const read: (number[] | "pong")[] = [];
  const frames = new ShortFrameReader({
    onMessage(message) {
      assertEquals(message.buffer.byteLength, message.length, "no view on a buffer that others use");
      read.push([...message]);
    },
    onPong: () => read.push("pong"),
  });
  for (const [i, chunk] of chunks.entries()) {
    const left = frames.read(Buffer.from(chunk));
    if (left !== undefined) return { read, left: [...left, ...chunks.slice(i + 1).flatMap((rest) => [...rest])] };
  }
  return { read, left: undefined };
}

function cut(bytes: readonly number[], lengthMax: number, random: Random): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + random.below(lengthMax);
    chunks.push(new Uint8Array(bytes.slice(at, end)));
    at = end;
  }
  return chunks;
}

const someBytes = (count: number, random: Random) => Array.from({ length: count }, () => random.below(256));

for (const seed of SEEDS) {
  Deno.test(`ShortFrameReader: messages up to 125 bytes and pongs are read from any chunks [seed ${seed}]`, () => {
    const random = new Random(seed), sent: (number[] | "pong")[] = [], bytes: number[] = [];
    for (let i = 0; i < 300; i++) {
      const isPong = random.below(10) === 0, payload = someBytes(random.below(126), random);
      sent.push(isPong ? "pong" : payload);
      bytes.push(...frame(payload, someBytes(4, random), FINAL | (isPong ? OPCODE.pong : OPCODE.binary)));
    }
    for (const lengthMax of [1, 7, 150, 5000]) {
      assertEquals(readAll(cut(bytes, lengthMax, random)), { read: sent, left: undefined });
    }
  });
}

const MASK = [1, 2, 3, 4];
const OTHERS: Readonly<Record<string, number[]>> = {
  text: frame([104, 105], MASK, FINAL | OPCODE.text),
  ping: frame([], MASK, FINAL | OPCODE.ping),
  close: frame([3, 232], MASK, FINAL | OPCODE.close),
  "a message's first fragment": frame([1], MASK, OPCODE.binary),
  "a message's last fragment": frame([1], MASK, FINAL | OPCODE.continuation),
  "a fragment of a pong": frame([1], MASK, OPCODE.pong),
  "a reserved bit": frame([1], MASK, FINAL | 0x40 | OPCODE.binary),
  "no mask": [FINAL | OPCODE.binary, 1, 7],
  "a length of two bytes": [FINAL | OPCODE.binary, MASKED | 126, 0, 126, ...MASK],
  "a length of eight bytes": [FINAL | OPCODE.binary, MASKED | 127, 0, 0, 0, 0, 0, 0, 0, 126, ...MASK],
};

for (const [name, other] of Object.entries(OTHERS)) {
  Deno.test(`ShortFrameReader: ${name} is left to ws with all that follows; the frames before it are read`, () => {
    const before = frame([9, 8, 7], MASK), after = frame([6], MASK), bytes = [...before, ...other, ...after];
    for (const lengthMax of [1, 4, 100]) {
      const { read, left } = readAll(cut(bytes, lengthMax, new Random(lengthMax)));
      assertEquals(read, [[9, 8, 7]]);
      assertEquals(left, [...other, ...after]);
    }
  });
}

Deno.test("encodeFrame: the message follows the shortest header for its length (RFC 6455 §5.2)", () => {
  const headers: readonly [number, number[]][] = [
    [0, [0]],
    [125, [125]],
    [126, [126, 0, 126]],
    [0xffff, [126, 255, 255]],
    [0x10000, [127, 0, 0, 0, 0, 0, 1, 0, 0]],
  ];
  for (const [length, header] of headers) {
    const message = new Uint8Array(length).fill(7), frame = encodeFrame(message);
    assertEquals([...frame.subarray(0, frame.length - length)], [FINAL | OPCODE.binary, ...header], `${length} bytes`);
    assertEquals(new Uint8Array(frame.subarray(frame.length - length)), message);
    message.fill(8);
    assertEquals(frame.includes(8, frame.length - length), false, "a copy");
  }
});

Deno.test("Link: frames that either reader takes arrive in order, also byte by byte", async () => {
  const received: number[][] = [];
  await using server = await openEchoServer({
    admit(link) {
      link.onMessage((message) => {
        received.push([message.length, message[0]!]);
        if (message[0] === 0) link.send(message);
      });
    },
  });
  const long = [FINAL | OPCODE.binary, MASKED | 126, 0, 200, 0, 0, 0, 0, ...new Array<number>(200).fill(3)];
  const bytes = [
    ...frame([1, 1], MASK),
    ...frame([], MASK, FINAL | OPCODE.pong),
    ...frame([2], MASK),
    ...frame([5], MASK, FINAL | OPCODE.ping),
    ...long,
    ...frame([4], MASK, OPCODE.binary),
    ...frame([4, 4], MASK, FINAL | OPCODE.continuation),
    ...frame([5], MASK),
    ...frame([0], MASK),
  ];
  for (const step of [1, 9, bytes.length]) {
    received.length = 0;
    const { raw } = await RawSocket.upgrade(server.port);
    using _ = raw;
    for (let at = 0; at < bytes.length; at += step) await raw.write(new Uint8Array(bytes.slice(at, at + step)));
    assertEquals([...await raw.read(3)], [FINAL | OPCODE.pong, 1, 5]);
    assertEquals([...await raw.read(3)], [FINAL | OPCODE.binary, 1, 0]);
    assertEquals(received, [[2, 1], [1, 2], [200, 3], [3, 4], [1, 5], [1, 0]]);
  }
  assertEquals(server.links.length, 3);
});
