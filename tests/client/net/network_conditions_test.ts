/** The network of a page, as its player has made it. */
import { assert, assertEquals } from "@std/assert";
import {
  ConditionedLink,
  JITTER_MS_MAX,
  LOSS_PERCENT_MAX,
  parseNetworkConditions,
  RTT_MS_MAX,
} from "../../../client/net/network_conditions.ts";
import type { Link, MessageHandler } from "../../../shared/netcode/link.ts";

function openConditionedLink(conditions = parseNetworkConditions("")) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const sent: number[] = [];
  const received: number[] = [];
  let onMessage: MessageHandler = () => {};
  const inner: Link = {
    ordered: true,
    send: (message) => sent.push(message[0]!),
    sendReliably: (message) => sent.push(message[0]!),
    onMessage: (handler) => onMessage = handler,
    onClose: () => {},
    close: () => {},
    bufferedBytes: 0,
  };
  const link = new ConditionedLink(inner, { conditions, clock, seed: 1 });
  link.onMessage((message) => received.push(message[0]!));
  const advanceBy = (ms: number) => {
    clock.nowMs += ms;
    link.advance();
  };
  return {
    link,
    conditions,
    sent,
    received,
    advanceBy,
    send: (id: number) => link.send(new Uint8Array([id])),
    deliver: (id: number) => onMessage(new Uint8Array([id]), true),
  };
}

Deno.test("ConditionedLink: without added conditions everything passes at once", () => {
  const { sent, received, send, deliver } = openConditionedLink();
  send(1);
  deliver(2);
  assertEquals([sent, received], [[1], [2]]);
});

Deno.test("ConditionedLink: delays each direction by half a round trip once it is set, and keeps the order", () => {
  const { link, conditions, sent, received, advanceBy, send, deliver } = openConditionedLink();
  conditions.rttMs = 100;
  send(1);
  deliver(2);
  assertEquals([sent, received, link.nextDueMs], [[], [], 50]);
  advanceBy(49);
  assertEquals([sent, received], [[], []]);
  conditions.rttMs = 0;
  send(3); // does not overtake
  assertEquals(sent, []);
  advanceBy(1);
  assertEquals([sent, received, link.nextDueMs], [[1, 3], [2], Infinity]);
});

Deno.test("ConditionedLink: a message lost on a reliable link arrives later, and so do all after it", () => {
  const { conditions, sent, advanceBy, send } = openConditionedLink();
  Object.assign(conditions, { rttMs: 100, lossPercent: 20 });
  const ids = Array.from({ length: 50 }, (_, i) => i);
  for (const id of ids) send(id);
  advanceBy(50);
  assert(sent.length < 50, "something is lost among fifty");
  advanceBy(1000);
  assertEquals(sent, ids);
});

Deno.test("ConditionedLink: other properties of a network model apply as soon as they are chosen", () => {
  const { conditions, sent, advanceBy, send } = openConditionedLink();
  send(1);
  conditions.more = { reroute: { atMs: 100, byMs: 60 } };
  advanceBy(100);
  send(2);
  assertEquals(sent, [1]);
  advanceBy(30);
  assertEquals(sent, [1, 2]);
});

Deno.test("parseNetworkConditions: reads the query and clamps it to the limits", () => {
  const makeConditions = (rttMs: number, jitterMs: number, lossPercent: number) => ({
    rttMs,
    jitterMs,
    lossPercent,
    more: {},
  });
  assertEquals(parseNetworkConditions("?rtt=200&jitter=10&loss=0.5"), makeConditions(200, 10, 0.5));
  assertEquals(parseNetworkConditions("?rtt=x&jitter=-3"), makeConditions(0, 0, 0));
  assertEquals(
    parseNetworkConditions("?rtt=1e9&jitter=1e9&loss=100"),
    makeConditions(RTT_MS_MAX, JITTER_MS_MAX, LOSS_PERCENT_MAX),
  );
});
