import { assertEquals } from "@std/assert";
import {
  BEAT_MS,
  DEAF_MS,
  NODES_MAX,
  Silence,
  SILENCE_MS,
} from "../../../server/cluster/silence.ts";

/** Beats of some nodes at 5 Hz, `fromMs` included, `toMs` not. */
function beat(
  silence: Silence,
  nodes: readonly string[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): void {
  for (let nowMs = fromMs; nowMs < toMs; nowMs += BEAT_MS) {
    for (const node of nodes) silence.hear(node, nowMs);
  }
}

/** The nodes that may be taken over. */
function silentOnes(silence: Silence, nodes: readonly string[], nowMs: number): string[] {
  return nodes.filter((node) => silence.silenceMs(node, nowMs)! >= SILENCE_MS);
}

Deno.test("Silence: a node is silent a second after its last beat, even if only this one is left", () => {
  const silence = new Silence();
  const both = ["own", "other"];
  beat(silence, both, { fromMs: 0, toMs: 1000 });
  beat(silence, ["own"], { fromMs: 1000, toMs: 2000 });
  assertEquals(silentOnes(silence, both, 1799), []);
  assertEquals(silentOnes(silence, both, 800 + SILENCE_MS), ["other"]);
  assertEquals([silence.silenceMs("other", 1900), silence.sinceBeatMs("other", 1900)], [
    1100,
    1100,
  ]);
  assertEquals([silence.silenceMs("nobody", 1900), silence.sinceBeatMs("nobody", 1900)], [
    1900,
    undefined,
  ]);
  silence.forget("other");
  assertEquals(silence.sinceBeatMs("other", 1900), undefined);
});

Deno.test("Silence: a node that hears nobody, not even itself, takes nobody for silent, neither then nor when it hears again", () => {
  const silence = new Silence();
  const all = ["own", "a", "b"];
  beat(silence, all, { fromMs: 0, toMs: 1000 });
  for (const nowMs of [1000, 800 + DEAF_MS, 5000, 60_000]) {
    assertEquals(silentOnes(silence, all, nowMs), []);
  }
  assertEquals(silence.sinceBeatMs("a", 60_000), 59_200);
  // The first beat after the gap is the own one; those of the others follow.
  silence.hear("own", 60_000);
  assertEquals(silentOnes(silence, all, 60_150), []);
  beat(silence, ["own", "a"], { fromMs: 60_200, toMs: 61_200 });
  assertEquals(silentOnes(silence, all, 61_199), ["b"]);
});

Deno.test("Silence: a node that was silent before this one was cut off may have lived since: it is silent anew", () => {
  const silence = new Silence();
  const both = ["own", "other"];
  beat(silence, both, { fromMs: 0, toMs: 1000 });
  beat(silence, ["own"], { fromMs: 1000, toMs: 2000 });
  assertEquals(silentOnes(silence, both, 1999), ["other"]);
  beat(silence, ["own"], { fromMs: 9000, toMs: 10_200 });
  assertEquals(silentOnes(silence, both, 9000 + SILENCE_MS - 1), []);
  assertEquals(silentOnes(silence, both, 9000 + SILENCE_MS), ["other"]);
});

Deno.test("Silence: beats of more nodes than are watched are ignored", () => {
  const silence = new Silence();
  for (let i = 0; i <= NODES_MAX; i++) silence.hear(`node ${i}`, 0);
  assertEquals([
    silence.sinceBeatMs(`node ${NODES_MAX - 1}`, 0),
    silence.sinceBeatMs(`node ${NODES_MAX}`, 0),
  ], [
    0,
    undefined,
  ]);
});
