import { assertEquals } from "@std/assert";
import { TICKET_SECONDS } from "../../../server/tickets/tickets.ts";
import { OpenTickets } from "../../../server/workers/front/open_tickets.ts";

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
