import { assertEquals } from "@std/assert";
import { EventReconciler } from "../../../client/presentation/event_reconciler.ts";
import type { GameEvent } from "../../../shared/netcode/game.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";

const noPoses = new PoseList();

function event(tick: number, kind: string, entity = 1): GameEvent {
  return { tick, kind, entity, x: 0, y: 0 };
}

function openReconciler() {
  const reconciler = new EventReconciler((kind) => kind === "joust");
  const record = (tick: number, ...kinds: string[]) =>
    reconciler.record(kinds.map((kind) => event(tick, kind)), { tick, poses: noPoses });
  const take = (head: number, definitive = 0) => {
    const { begun, retracted } = reconciler.collectChanges({ head, definitive });
    return [begun.map(({ key }) => key), retracted];
  };
  return { record, take };
}

Deno.test("EventReconciler: an event that a resimulation emits again shows once; one that it no longer emits is retracted", () => {
  const { record, take } = openReconciler();
  record(5, "burn", "flap");
  assertEquals(take(5), [["5 burn 1", "5 flap 1"], []]);
  record(5, "burn", "flap");
  assertEquals(take(6), [[], []]);
  record(5, "burn");
  assertEquals(take(6), [[], ["5 flap 1"]]);
  assertEquals(take(7), [[], []]);
});

Deno.test("EventReconciler: an event counts as definitive once, in its true form, whether it was shown or not (SPEC 8.20)", () => {
  const reconciler = new EventReconciler(() => false), poses = new PoseList();
  for (const entity of [1, 2, 3]) Object.assign(poses.add(), { entity, seat: 4 + entity });
  const definitiveAt = (definitive: number) => reconciler.collectChanges({ head: 9, definitive }).definitive;
  const record = (tick: number, other: number | undefined) =>
    reconciler.record(other === undefined ? [] : [{ ...event(tick, "joust"), other }], { tick, poses });
  record(5, 2);
  record(6, 2);
  assertEquals(definitiveAt(4), []);
  // The prediction was wrong: another dragon won, and the joust of tick 6 never happened.
  record(5, 3);
  record(6, undefined);
  assertEquals(definitiveAt(6).map(({ key, seat, otherSeat }) => [key, seat, otherSeat]), [["5 joust 1", 5, 7]]);
  assertEquals(definitiveAt(9), []);
});

Deno.test("EventReconciler: an event that a correction moves by a tick is the same event, in both directions", () => {
  const { record, take } = openReconciler();
  record(5, "burn");
  take(5);
  record(5);
  record(6, "burn");
  assertEquals(take(6), [[], []]);
  record(5, "burn");
  record(6);
  assertEquals(take(6), [[], []]);
  record(5);
  assertEquals(take(6), [[], ["5 burn 1"]], "and keeps the key under which it was shown");
  record(20, "burn");
  assertEquals(take(20), [["20 burn 1"], []], "far away it is another event");
});

Deno.test("EventReconciler: confirmed events wait until their tick is definitive, and never show if they did not happen", () => {
  const { record, take } = openReconciler();
  record(5, "joust");
  record(6, "joust");
  assertEquals(take(8, 4), [[], []]);
  record(5);
  assertEquals(take(8, 5), [[], []]);
  assertEquals(take(8, 6), [["6 joust 1"], []]);
  assertEquals(take(9, 9), [[], []]);
});
