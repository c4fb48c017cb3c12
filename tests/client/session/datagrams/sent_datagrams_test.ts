import { assertEquals } from "@std/assert";
import {
  type DatagramOutcome,
  SentDatagrams,
} from "../../../../client/session/datagrams/sent_datagrams.ts";

const ONCE = [1, 1, 1, 1, 1, 1, 1, 1];
const READ = ONCE.map(() => true);

/** Datagrams of the ticks `first` … `last`, whose lead is that of the tick. */
function sentTo(last: number, { first = 1 } = {}): SentDatagrams {
  const sent = new SentDatagrams();
  for (let tick = first; tick <= last; tick++) sent.record(tick, tick);
  return sent;
}

function outcomesOf(sent: SentDatagrams): DatagramOutcome[] {
  const outcomes: DatagramOutcome[] = [];
  sent.takeOutcomes((outcome) => outcomes.push(outcome));
  return outcomes;
}

Deno.test("SentDatagrams: a tick's outcome is known when one that is three ticks newer has arrived, and comes once (SPEC 1.23)", () => {
  const sent = sentTo(20, { first: 11 });
  sent.record(12, 12);
  sent.merge({
    newest: 15,
    counts: [1, 1, 0, 1, 0, 0, 0, 0],
    areRead: [true, true, false, true, false, false, false, false],
  });
  assertEquals(outcomesOf(sent), [
    { tick: 11, sent: 1, lost: 1, isRead: false },
    { tick: 12, sent: 2, lost: 1, isRead: true },
  ]);
  assertEquals(outcomesOf(sent), []);
  // More arrivals than were sent are the network's copies.
  sent.merge({ newest: 16, counts: [1, 1, 3, 3, 1, 0, 0, 0], areRead: READ });
  assertEquals(outcomesOf(sent), [{ tick: 13, sent: 1, lost: 0, isRead: true }]);
});

Deno.test("SentDatagrams: the reference of a tick is the nearer or the older one that has arrived (SPEC 1.23)", () => {
  const sent = sentTo(40);
  assertEquals(sent.referenceFor(41), undefined);
  sent.merge({ newest: 24, counts: ONCE, areRead: READ });
  assertEquals(sent.referenceFor(39), { tick: 24, leadMs: 24 });
  assertEquals(sent.referenceFor(41), { tick: 24, leadMs: 24 });
  assertEquals(sent.referenceFor(48), undefined);
  sent.merge({ newest: 33, counts: ONCE, areRead: READ });
  assertEquals(sent.referenceFor(41), { tick: 32, leadMs: 32 });
});

Deno.test("SentDatagrams: the next datagram continues the one before the last, or after an unread one what was read (SPEC 1.8, 1.23)", () => {
  const sent = sentTo(20);
  assertEquals([sent.newestRead, sent.newestLikelyRead], [-1, 19]);
  sent.merge({ newest: 17, counts: ONCE, areRead: READ });
  assertEquals([sent.newestRead, sent.newestLikelyRead], [17, 19]);
  sent.merge({ newest: 19, counts: ONCE, areRead: READ.with(0, false).with(1, false) });
  assertEquals([sent.newestRead, sent.newestLikelyRead], [17, 17]);
  sent.record(21, 21);
  sent.merge({ newest: 20, counts: ONCE, areRead: READ.with(1, false).with(2, false) });
  assertEquals([sent.newestRead, sent.newestLikelyRead], [20, 20]);
});

Deno.test("SentDatagrams: after a jump of the clock or on another path nothing earlier is used (SPEC 1.23, 5.28)", () => {
  const sent = sentTo(40);
  sent.merge({ newest: 40, counts: ONCE, areRead: READ });
  sent.rewind();
  sent.record(41, 41);
  sent.merge({ newest: 41, counts: ONCE, areRead: READ.with(0, false) });
  assertEquals([sent.referenceFor(42), sent.newestRead, sent.newestLikelyRead], [
    undefined,
    -1,
    -1,
  ]);
  const other = sentTo(40);
  other.merge({ newest: 40, counts: ONCE, areRead: READ });
  other.reset();
  assertEquals([
    other.referenceFor(42),
    other.newestRead,
    other.newestLikelyRead,
    outcomesOf(other).length,
  ], [
    undefined,
    -1,
    -1,
    0,
  ]);
});

Deno.test("SentDatagrams: a datagram that arrives after one six ticks newer is far overtaken (SPEC 1.23)", () => {
  const sent = sentTo(20, { first: 11 });
  sent.merge({ newest: 19, counts: ONCE.with(7, 0).with(3, 0), areRead: READ });
  outcomesOf(sent);
  assertEquals(sent.takeOvertaken(), 0);
  sent.merge({ newest: 19, counts: ONCE, areRead: READ });
  assertEquals([sent.takeOvertaken(), sent.takeOvertaken()], [1, 0]);
});
