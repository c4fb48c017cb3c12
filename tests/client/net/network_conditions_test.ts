/** A page's line as its player makes it. */
import { assert, assertEquals } from "@std/assert";
import {
  JITTER_MS_MAX,
  Line,
  LOSS_PERCENT_MAX,
  qualityFrom,
  RTT_MS_MAX,
} from "../../../client/net/network_conditions.ts";
import type { Link, MessageHandler } from "../../../shared/netcode/link.ts";

function openLine(quality = qualityFrom("")) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const sent: number[] = [], heard: number[] = [];
  let arrive: MessageHandler = () => {};
  const inner: Link = {
    ordered: true,
    send: (message) => sent.push(message[0]!),
    sendReliably: (message) => sent.push(message[0]!),
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
    tell: (id: number) => arrive(new Uint8Array([id]), true),
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

Deno.test("Line: what is lost of an ordered line comes later, with all that was said after it", () => {
  const { quality, sent, pass, say } = openLine();
  Object.assign(quality, { rttMs: 100, lossPercent: 20 });
  const said = Array.from({ length: 50 }, (_, i) => i);
  for (const id of said) say(id);
  pass(50);
  assert(sent.length < 50, "something is lost among fifty");
  pass(1000);
  assertEquals(sent, said);
});

Deno.test("Line: what a kind of line has besides holds from the moment that it is chosen", () => {
  const { quality, sent, pass, say } = openLine();
  say(1);
  quality.more = { reroute: { atMs: 100, byMs: 60 } };
  pass(100);
  say(2);
  assertEquals(sent, [1]);
  pass(30);
  assertEquals(sent, [1, 2]);
});

Deno.test("qualityFrom: what the address asks for, within bounds", () => {
  const quality = (rttMs: number, jitterMs: number, lossPercent: number) => ({
    rttMs,
    jitterMs,
    lossPercent,
    more: {},
  });
  assertEquals(qualityFrom("?rtt=200&jitter=10&loss=0.5"), quality(200, 10, 0.5));
  assertEquals(qualityFrom("?rtt=x&jitter=-3"), quality(0, 0, 0));
  assertEquals(qualityFrom("?rtt=1e9&jitter=1e9&loss=100"), quality(RTT_MS_MAX, JITTER_MS_MAX, LOSS_PERCENT_MAX));
});
