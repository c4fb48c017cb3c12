import { assertEquals } from "@std/assert";
import { FalseEvents } from "../../../../client/debug/replay/false_events.ts";
import { PoseList } from "../../../../shared/netcode/pose_list.ts";

const poses = new PoseList();
Object.assign(poses.add(), { entity: 5, seat: 1, x: 0, y: 0, angle: 0, teleports: 0 });

const jousted = (tick: number) => ({ tick, kind: "joust", entity: 5, x: 0, y: 0 });

Deno.test("FalseEvents: an event that a resimulation no longer has is false, from its prediction to its end", () => {
  const events = new FalseEvents();
  events.record([jousted(10)], { tick: 10, poses });
  assertEquals(events.take({ head: 10, definitive: 5, atMs: 500 }), []);
  assertEquals(events.take({ head: 11, definitive: 6, atMs: 550 }), []);
  events.record([], { tick: 10, poses });
  const expected = { key: "10 joust 5", kind: "joust", seat: 1, fromMs: 500, toMs: 600 };
  assertEquals(events.take({ head: 12, definitive: 7, atMs: 600 }), [expected]);
  assertEquals(events.take({ head: 13, definitive: 8, atMs: 650 }), []);
});

Deno.test("FalseEvents: an event that happens a tick later, or is definitive, is true", () => {
  const events = new FalseEvents();
  events.record([jousted(10)], { tick: 10, poses });
  events.take({ head: 11, definitive: 5, atMs: 500 });
  events.record([], { tick: 10, poses });
  events.record([jousted(11)], { tick: 11, poses });
  assertEquals(events.take({ head: 12, definitive: 6, atMs: 550 }), []);
  assertEquals(events.take({ head: 90, definitive: 80, atMs: 4000 }), []);
});
