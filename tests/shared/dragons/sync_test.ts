import { assertEquals, assertGreater, assertGreaterOrEqual } from "@std/assert";
import { dragonGame } from "../../../shared/dragons/game.ts";
import { SnapshotError } from "../../../shared/snapshot.ts";
import type { Snapshot } from "../../../shared/snapshot.ts";
import { playStraight, type Straight, syncAgainst } from "./sync.ts";

/** Each its own match. A seed that once failed stays. */
const SEEDS = [20_261_121, 20_261_122, 20_261_123, 20_261_124];
const TICKS = 7000;

Deno.test("sync test: rolling back to any state, wrong turns in between, leads to the same words (SPEC 1.1, 9.1, 9.3)", () => {
  const total = { compared: 0, loads: 0, collisions: 0, contacts: 0, spawns: 0, despawns: 0, asleep: 0 };
  for (const seed of SEEDS) {
    const straight = playStraight(seed, TICKS);
    const report = syncAgainst(straight);
    assertEquals(report.different, 0, `seed ${seed}, first ${report.firstDifference}`);
    add(total, { ...report, ...straight.occurred });
  }
  assertGreaterOrEqual(total.compared, 20_000);
  assertGreater(total.loads, 1500);
  assertGreater(total.collisions, 50);
  assertGreater(total.contacts, 5000);
  assertGreater(total.spawns, 1000);
  assertGreater(total.despawns, 1000);
  assertGreater(total.asleep, 10_000);
});

/** Saved, and yet not missed: the rules do not read it before the next command has overwritten it. */
const UNREAD = ["dragon.tethersSeen"];

Deno.test("sync test: a state without one of its fields is seen to be another state (SPEC 9.2)", () => {
  const straight = playStraight(SEEDS[0]!, 1500);
  const fields = fieldsOf(straight);
  assertGreater(fields.length, 40);
  assertEquals(fields.filter((field) => !isSeenWithout(straight, field)), UNREAD);
});

function isSeenWithout(straight: Straight, field: string): boolean {
  const reader = dragonGame.start({ npcs: 0 }, 0);
  const blank = (state: Snapshot): void => {
    const names = reader.nameWords(state);
    for (let word = 0; word < names.length; word++) if (fieldOf(names[word]!) === field) state.words[word] = 0;
  };
  try {
    return syncAgainst(straight, blank).different > 0;
  } catch (error) {
    if (error instanceof SnapshotError) return true;
    throw error;
  }
}

/** Every kind of word that was ever not 0: "dragon.charges", "crate spin", "contact normalImpulse[0]". */
function fieldsOf({ states }: Straight): string[] {
  const reader = dragonGame.start({ npcs: 0 }, 0);
  const fields = new Set<string>();
  for (const state of states) {
    reader.nameWords(state).forEach((name, word) => state.words[word] !== 0 && fields.add(fieldOf(name)));
  }
  return [...fields].sort();
}

function fieldOf(word: string): string {
  return word.replace(/^entity \d+ /, "").replace(/^contact \S+/, "contact");
}

function add<Sums extends Record<string, number>>(sums: Sums, more: Record<keyof Sums, number>): void {
  for (const name in sums) sums[name] = sums[name]! + more[name] as Sums[typeof name];
}
