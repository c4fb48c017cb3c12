import { assertEquals, assertThrows } from "@std/assert";
import { MessageSplitter, streamedMessage } from "../../../shared/netcode/message_stream.ts";
import { WireError } from "../../../shared/netcode/wire/range_coder.ts";
import { Random } from "../../../shared/random.ts";

const BYTES_MAX = 70_000;

Deno.test("MessageSplitter: messages of every length come back however the stream is cut [seed 3] (SPEC 16.4)", () => {
  const random = new Random(3);
  for (let round = 0; round < 200; round++) {
    const lengths = Array.from(
      { length: random.below(6) },
      () => random.chance(0.3) ? 0 : random.below(400),
    );
    if (round === 0) lengths.push(BYTES_MAX);
    const messages = lengths.map((length) => Uint8Array.from({ length }, () => random.below(256)));
    const stream = messages.flatMap((message) => [...streamedMessage(message)]);
    const splitter = new MessageSplitter(BYTES_MAX);
    const received: Uint8Array[] = [];
    for (let at = 0; at < stream.length;) {
      const chunk = Uint8Array.from(
        stream.slice(at, at += 1 + random.below(round === 0 ? 9_000 : 30)),
      );
      received.push(...splitter.push(chunk));
      chunk.fill(0); // the owner of a chunk reuses it
    }
    assertEquals(received, messages, `round ${round}`);
  }
});

Deno.test("MessageSplitter: a message that is too long is refused at its length, and takes no memory", () => {
  const splitter = new MessageSplitter(1_024);
  assertEquals(splitter.push(Uint8Array.of(0, 4, 0, 0, 1)), []);
  assertThrows(
    () => new MessageSplitter(1_024).push(Uint8Array.of(1, 4, 0, 0)),
    WireError,
    "1025 bytes",
  );
  assertThrows(() => new MessageSplitter(1_024).push(new Uint8Array(9).fill(255)), WireError);
});
