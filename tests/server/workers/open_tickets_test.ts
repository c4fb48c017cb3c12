import { assertEquals } from "@std/assert";
import { TICKET_SECONDS } from "../../../server/tickets/tickets.ts";
import { OpenTickets } from "../../../server/workers/front/open_tickets.ts";
import { RestartDelay } from "../../../server/workers/front/restart_delay.ts";

Deno.test("OpenTickets: a ticket takes a place until it is used, taken back or too old (SPEC 17.8)", () => {
  const clock = { nowMs: 0, now: () => clock.nowMs }, tickets = new OpenTickets(clock);
  const first = tickets.add("a", { isPlayer: true });
  tickets.add("a", { isPlayer: true });
  tickets.add("a", { isPlayer: false });
  tickets.add("b", { isPlayer: true });
  assertEquals(tickets.placesOf("a"), { rooms: 0, seats: 2, watchers: 1 });
  first.remove();
  assertEquals(tickets.placesOf("a"), { rooms: 0, seats: 1, watchers: 1 });
  tickets.use("a", 1);
  tickets.use("c", 1);
  assertEquals(tickets.placesOf("a"), { rooms: 0, seats: 0, watchers: 1 });
  clock.nowMs = TICKET_SECONDS * 1000;
  assertEquals([tickets.placesOf("a"), tickets.placesOf("b")], Array(2).fill({ rooms: 0, seats: 0, watchers: 0 }));
});

Deno.test("RestartDelay: the first restart comes at once, and a process that cannot live waits (SPEC 17.5)", () => {
  const delay = new RestartDelay(),
    waits = [60_000, 100, 100, 100, 100, 100, 100].map((livedMs) => delay.next(livedMs));
  assertEquals(waits, [0, 500, 1_000, 2_000, 5_000, 10_000, 10_000]);
  assertEquals(delay.next(30_000), 0);
});
