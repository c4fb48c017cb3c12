import { assertEquals } from "@std/assert";
import { FairQueue } from "../../../server/fairness/fair_queue.ts";

function queueOf(blocks: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  const counts = new Map<string, number>();
  for (const block of blocks) {
    const number = (counts.get(block) ?? 0) + 1;
    counts.set(block, number);
    queue.push(`${block} ${number}`, block);
  }
  return queue;
}

function drain(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}

Deno.test("FairQueue: addresses take turns, and each has its own order (SPEC 15.33)", () => {
  assertEquals(drain(queueOf(["a", "a", "a", "b", "c", "c"])), [
    "a 1",
    "b 1",
    "c 1",
    "a 2",
    "c 2",
    "a 3",
  ]);
});

Deno.test("FairQueue: a network with many addresses has one turn in a round (SPEC 15.33)", () => {
  const queue = queueOf([
    "2001:db8:1:1",
    "2001:db8:1:2",
    "2001:db8:1:100",
    "2001:db8:1:2",
    "b",
    "b",
  ]);
  assertEquals(drain(queue), [
    "2001:db8:1:1 1",
    "b 1",
    "2001:db8:1:100 1",
    "b 2",
    "2001:db8:1:2 1",
    "2001:db8:1:2 2",
  ]);
});

Deno.test("FairQueue: who comes later joins the round at its end (SPEC 15.33)", () => {
  const queue = queueOf(["a", "a"]);
  assertEquals(queue.shift(), "a 1");
  queue.push("b 1", "b");
  assertEquals([queue.next, queue.size], ["a 2", 2], "the last turn was the only one");
  assertEquals(drain(queue), ["a 2", "b 1"]);
});

Deno.test("FairQueue: an item that leaves has no turn, and its network is gone with the last one (SPEC 15.33)", () => {
  const queue = queueOf(["192.0.2.1", "192.0.2.2", "b"]);
  assertEquals([queue.delete("192.0.2.1 1"), queue.delete("192.0.2.1 1")], [true, false]);
  assertEquals(queue.countsOf("192.0.2.2"), [1, 1]);
  assertEquals(drain(queue), ["192.0.2.2 1", "b 1"]);
  assertEquals([queue.size, queue.next], [0, undefined]);
});

Deno.test("FairQueue: in a full queue one of the largest network goes, and none for a network that has as many (SPEC 15.33)", () => {
  const queue = queueOf(["a", "a", "a", "b"]);
  assertEquals([queue.itemFor("c"), queue.itemFor("b"), queue.itemFor("a")], [
    "a 1",
    "a 1",
    undefined,
  ]);
});
