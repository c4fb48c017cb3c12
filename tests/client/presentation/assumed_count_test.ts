import { assertEquals } from "@std/assert";
import { AssumedCount } from "../../../client/presentation/assumed_count.ts";
import { tickMessage } from "./tick_messages.ts";

Deno.test("AssumedCount: counts present seats whose command was not announced, from their entry until they leave", () => {
  const count = new AssumedCount();
  const announce = (tick: number, ...seats: number[]) => seats.map((seat) => ({ tick, seat, command: 0 }));
  const enter = { seat: 3, tick: 12, present: true, name: "" },
    leave = { seat: 31, tick: 13, present: false, name: "" };
  const state = { seats: [{ seat: 31, name: "", last: 0, ticksMissing: 0 }], snapshot: new Uint8Array() };
  assertEquals(count.addTick(tickMessage(10, { state, announcements: announce(11, 31) })), 0);
  assertEquals(count.addTick(tickMessage(11, { presence: [enter, leave] })), 0);
  assertEquals(count.addTick(tickMessage(12, { announcements: announce(12, 3) })), 1); // nothing of seat 31
  assertEquals(count.addTick(tickMessage(13)), 1); // 31 has left, nothing of seat 3
  assertEquals(count.addTick(tickMessage(13)), 0); // the same tick again
});
