import { assertEquals } from "@std/assert";
import {
  DEAF_MS,
  HEARTBEAT_MS,
  MissedHeartbeats,
  NODES_MAX,
  SILENCE_MS,
} from "../../../server/bus/missed_heartbeats.ts";

/** Heartbeats of some nodes at 5 Hz, `fromMs` included, `toMs` not. */
function heartbeat(
  missed: MissedHeartbeats,
  nodes: readonly string[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): void {
  for (let nowMs = fromMs; nowMs < toMs; nowMs += HEARTBEAT_MS) {
    for (const node of nodes) missed.hear(node, nowMs);
  }
}

/** The nodes that may be taken over. */
function silentOnes(missed: MissedHeartbeats, nodes: readonly string[], nowMs: number): string[] {
  return nodes.filter((node) => missed.silenceMs(node, nowMs)! >= SILENCE_MS);
}

Deno.test("MissedHeartbeats: a node is silent a second after its last beat, even if only this one is left", () => {
  const missed = new MissedHeartbeats();
  const both = ["own", "other"];
  heartbeat(missed, both, { fromMs: 0, toMs: 1000 });
  heartbeat(missed, ["own"], { fromMs: 1000, toMs: 2000 });
  assertEquals(silentOnes(missed, both, 1799), []);
  assertEquals(silentOnes(missed, both, 800 + SILENCE_MS), ["other"]);
  assertEquals([missed.silenceMs("other", 1900), missed.sinceHeartbeatMs("other", 1900)], [
    1100,
    1100,
  ]);
  assertEquals([missed.silenceMs("nobody", 1900), missed.sinceHeartbeatMs("nobody", 1900)], [
    1900,
    undefined,
  ]);
  missed.forget("other");
  assertEquals(missed.sinceHeartbeatMs("other", 1900), undefined);
});

Deno.test("MissedHeartbeats: a node that hears nobody, not even itself, takes nobody for silent, neither then nor when it hears again", () => {
  const missed = new MissedHeartbeats();
  const all = ["own", "a", "b"];
  heartbeat(missed, all, { fromMs: 0, toMs: 1000 });
  for (const nowMs of [1000, 800 + DEAF_MS, 5000, 60_000]) {
    assertEquals(silentOnes(missed, all, nowMs), []);
  }
  assertEquals(missed.sinceHeartbeatMs("a", 60_000), 59_200);
  // The first heartbeat after the gap is the own one; those of the others follow.
  missed.hear("own", 60_000);
  assertEquals(silentOnes(missed, all, 60_150), []);
  heartbeat(missed, ["own", "a"], { fromMs: 60_200, toMs: 61_200 });
  assertEquals(silentOnes(missed, all, 61_199), ["b"]);
});

Deno.test("MissedHeartbeats: a node that was silent before this one was cut off may have lived since: it is silent anew", () => {
  const missed = new MissedHeartbeats();
  const both = ["own", "other"];
  heartbeat(missed, both, { fromMs: 0, toMs: 1000 });
  heartbeat(missed, ["own"], { fromMs: 1000, toMs: 2000 });
  assertEquals(silentOnes(missed, both, 1999), ["other"]);
  heartbeat(missed, ["own"], { fromMs: 9000, toMs: 10_200 });
  assertEquals(silentOnes(missed, both, 9000 + SILENCE_MS - 1), []);
  assertEquals(silentOnes(missed, both, 9000 + SILENCE_MS), ["other"]);
});

Deno.test("MissedHeartbeats: beats of more nodes than are watched are ignored", () => {
  const missed = new MissedHeartbeats();
  for (let i = 0; i <= NODES_MAX; i++) missed.hear(`node ${i}`, 0);
  assertEquals([
    missed.sinceHeartbeatMs(`node ${NODES_MAX - 1}`, 0),
    missed.sinceHeartbeatMs(`node ${NODES_MAX}`, 0),
  ], [
    0,
    undefined,
  ]);
});
