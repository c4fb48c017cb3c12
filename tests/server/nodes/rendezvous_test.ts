import { assertEquals, assertLess } from "@std/assert";
import {
  candidatesFor,
  RANK_STEP_MS,
  rankDelayMs,
  rankOf,
  RANKS_MAX,
} from "../../../server/nodes/rendezvous.ts";

const NODES = ["eu-1", "eu-2", "eu-3", "us-1", "us-2"];
const CODES = Array.from(
  { length: 2000 },
  (_, i) => `R${i.toString(36).toUpperCase().padStart(3, "0")}`,
);

Deno.test("candidatesFor: every node has the same order, however its list is ordered, and its own rank in it", () => {
  for (const code of CODES.slice(0, 100)) {
    const order = candidatesFor(code, NODES);
    assertEquals(order.toSorted(), NODES);
    assertEquals(candidatesFor(code, NODES.toReversed()), order);
    assertEquals(order.map((node) => rankOf(node, code, NODES)), [0, 1, 2, 3, 4]);
  }
});

Deno.test("candidatesFor: the matches of a node spread evenly over the others, and no other match moves", () => {
  const first = new Map(CODES.map((code) => [code, candidatesFor(code, NODES)[0]!]));
  const without = NODES.filter((node) => node !== "eu-2");
  const taken = new Map(without.map((node) => [node, 0]));
  for (const [code, owner] of first) {
    const next = candidatesFor(code, without)[0]!;
    if (owner === "eu-2") taken.set(next, taken.get(next)! + 1);
    else assertEquals(next, owner);
  }
  // About 400 matches over four nodes: the standard deviation is 9.
  for (const count of taken.values()) assertLess(Math.abs(count - 100), 40);
});

Deno.test("rankDelayMs: each rank waits a step longer, up to the last one that counts", () => {
  assertEquals([0, 1, 2].map(rankDelayMs), [0, RANK_STEP_MS, 2 * RANK_STEP_MS]);
  assertEquals(rankDelayMs(63), RANKS_MAX * RANK_STEP_MS);
});
