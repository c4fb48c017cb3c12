import { assertEquals } from "@std/assert";
import { type EventKinds, isCertain } from "../../../client/presentation/event_certainty.ts";
import { EventReconciler } from "../../../client/presentation/event_reconciler.ts";
import type { GameEvent } from "../../../shared/netcode/game.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";

/** Entities by seat: the own one, two rivals and a crate. Entity 9 is new and has no pose yet. */
const OWN = 1;
const RIVAL = 2;
const OTHER_RIVAL = 3;
const CRATE = 4;
const NEW = 9;
const SEATS = { [OWN]: 0, [RIVAL]: 5, [OTHER_RIVAL]: 6, [CRATE]: -1 };

const poses = new PoseList();
for (const [entity, seat] of Object.entries(SEATS)) {
  Object.assign(poses.add(), { entity: Number(entity), seat, x: 0, y: 0, angle: 0, teleports: 0 });
}

function event(tick: number, kind: string, entity = OWN): GameEvent {
  return { tick, kind, entity, x: 0, y: 0 };
}

function reconcilerOf(
  { isConfirmedOnly, answersKey = () => true }:
    & Partial<EventKinds>
    & Pick<EventKinds, "isConfirmedOnly">,
) {
  return new EventReconciler((event, moment) =>
    isCertain(event, moment, { isConfirmedOnly, answersKey })
  );
}

function openReconciler() {
  const reconciler = reconcilerOf({ isConfirmedOnly: (kind) => kind === "joust" });
  const record = (tick: number, ...kinds: string[]) =>
    reconciler.record(kinds.map((kind) => event(tick, kind)), { tick, poses });
  const take = (head: number, definitive = 0) => {
    const { begun, retracted } = reconciler.collectChanges({
      head,
      definitive,
      ownSeat: SEATS[OWN],
    });
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
  const reconciler = new EventReconciler();
  const poses = new PoseList();
  for (const entity of [1, 2, 3]) Object.assign(poses.add(), { entity, seat: 4 + entity });
  const definitiveAt = (definitive: number) =>
    reconciler.collectChanges({ head: 9, definitive }).settled;
  const record = (tick: number, other: number | undefined) =>
    reconciler.record(other === undefined ? [] : [{ ...event(tick, "joust"), other }], {
      tick,
      poses,
    });
  record(5, 2);
  record(6, 2);
  assertEquals(definitiveAt(4), []);

  // The prediction was wrong: another dragon won, and the joust of tick 6 never happened.
  record(5, 3);
  record(6, undefined);
  assertEquals(definitiveAt(6).map(({ key, seat, otherSeat }) => [key, seat, otherSeat]), [[
    "5 joust 1",
    5,
    7,
  ]]);
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

/**
 * Records one event at tick 100, when the head is there, and moves on tick by tick.
 * @param guessed ticks up to the head in which the commands of each rival are not known
 * @param lag from the newest definitive tick to the head
 * @returns the head at which the event shows
 */
function shownAt(
  { entity, other, kind = "clash", guessed = {}, lag }: {
    entity: number;
    other?: number;
    kind?: string;
    guessed?: Record<number, number>;
    lag: number;
  },
): number {
  const reconciler = reconcilerOf({
    isConfirmedOnly: (kind, seat) => kind === "burn" && seat >= 0,
    answersKey: (kind) => kind === "flap",
  });
  const options = { tick: 100, poses };
  const emitted = event(100, kind, entity);
  reconciler.record([other === undefined ? emitted : { ...emitted, other }], options);
  for (let head = 100; head < 120; head++) {
    const { begun } = reconciler.collectChanges({
      head,
      definitive: head - lag,
      ownSeat: SEATS[OWN],
      guessedTicks: (seat) => guessed[seat] ?? 0,
    });
    if (begun.length > 0) return head;
  }
  return Infinity;
}

Deno.test("EventReconciler: an event that an own key causes shows at once (SPEC 8.26)", () => {
  assertEquals(shownAt({ entity: OWN, kind: "flap", lag: 8, guessed: { 5: 5 } }), 100);
  assertEquals(shownAt({ entity: RIVAL, kind: "flap", lag: 8 }), 104);
});

Deno.test("EventReconciler: another event of the own entity has to last for a quarter of the way, whoever else takes part (SPEC 8.26)", () => {
  const lag = 8;
  const guessed = { 5: 5 };
  assertEquals(shownAt({ entity: OWN, lag, guessed }), 102);
  assertEquals(shownAt({ entity: OWN, other: RIVAL, lag, guessed }), 102);
  assertEquals(shownAt({ entity: RIVAL, other: OWN, lag, guessed }), 102);
  assertEquals(shownAt({ entity: CRATE, other: OWN, lag, guessed }), 102);
  assertEquals(shownAt({ entity: OWN, lag: 1 }), 101);
  assertEquals(shownAt({ entity: OWN, lag: 0 }), 100);
});

Deno.test("EventReconciler: an event of others shows when all their commands are known, at the latest when definitive", () => {
  const lag = 6;
  assertEquals(shownAt({ entity: RIVAL, lag, guessed: { 5: 5 } }), 105);
  assertEquals(shownAt({ entity: RIVAL, other: OTHER_RIVAL, lag, guessed: { 5: 4, 6: 5 } }), 105);
  assertEquals(shownAt({ entity: CRATE, other: OTHER_RIVAL, lag, guessed: { 6: 4 } }), 104);
  assertEquals(shownAt({ entity: RIVAL, lag, guessed: { 5: 30 } }), 106);
});

Deno.test("EventReconciler: an event of others with known commands has to last for half of the way to definitive (SPEC 8.26)", () => {
  for (const [lag, head] of [[6, 103], [2, 101], [1, 101], [0, 100]] as const) {
    assertEquals(shownAt({ entity: RIVAL, lag }), head);
    assertEquals(shownAt({ entity: CRATE, lag }), head);
  }
});

Deno.test("EventReconciler: an event of an entity that is new in the prediction waits until it is definitive", () => {
  assertEquals(shownAt({ entity: NEW, lag: 6 }), 106);
});

Deno.test("EventReconciler: a kind may wait where it happens to a seat only", () => {
  assertEquals(shownAt({ entity: OWN, kind: "burn", lag: 6 }), 106);
  assertEquals(shownAt({ entity: CRATE, other: OWN, kind: "burn", lag: 6 }), 102);
});
