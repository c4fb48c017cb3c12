/** A page's line as its player makes it. */
import { assertEquals } from "@std/assert";
import { JITTER_MS_MAX, Line, qualityFrom, RTT_MS_MAX } from "../../client/line.ts";
import type { Link } from "../../shared/netcode/link.ts";

function openLine(quality = { rttMs: 0, jitterMs: 0 }) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const sent: number[] = [], heard: number[] = [];
  let arrive: (message: Uint8Array) => void = () => {};
  const inner: Link = {
    send: (message) => sent.push(message[0]!),
    onMessage: (handler) => arrive = handler,
    onClose: () => {},
    close: () => {},
    bufferedBytes: 0,
  };
  const line = new Line(inner, { quality, clock, seed: 1 });
  line.onMessage((message) => heard.push(message[0]!));
  const pass = (ms: number) => {
    clock.nowMs += ms;
    line.advance();
  };
  return {
    line,
    quality,
    sent,
    heard,
    pass,
    say: (id: number) => line.send(new Uint8Array([id])),
    tell: (id: number) => arrive(new Uint8Array([id])),
  };
}

Deno.test("Line: one that nobody has made worse passes everything at once", () => {
  const { sent, heard, say, tell } = openLine();
  say(1);
  tell(2);
  assertEquals([sent, heard], [[1], [2]]);
});

Deno.test("Line: half a round trip in each direction, from the moment that it is asked for, and in order", () => {
  const { line, quality, sent, heard, pass, say, tell } = openLine();
  quality.rttMs = 100;
  say(1);
  tell(2);
  assertEquals([sent, heard, line.nextDueMs], [[], [], 50]);
  pass(49);
  assertEquals([sent, heard], [[], []]);
  quality.rttMs = 0;
  say(3); // does not overtake
  assertEquals(sent, []);
  pass(1);
  assertEquals([sent, heard, line.nextDueMs], [[1, 3], [2], Infinity]);
});

Deno.test("qualityFrom: what the address asks for, within bounds", () => {
  assertEquals(qualityFrom("?rtt=200&jitter=10"), { rttMs: 200, jitterMs: 10 });
  assertEquals(qualityFrom("?rtt=x&jitter=-3"), { rttMs: 0, jitterMs: 0 });
  assertEquals(qualityFrom("?rtt=1e9&jitter=1e9"), { rttMs: RTT_MS_MAX, jitterMs: JITTER_MS_MAX });
});
