import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeBase64Url, encodeBase64Url } from "../../../server/ground/std_web.ts";
import type { TicketClaims } from "../../../server/match/clients/peer.ts";
import { ServerSecret } from "../../../server/ground/server_secret.ts";
import { TICKET_SECONDS, Tickets } from "../../../server/tickets/tickets.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import { PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { Random } from "../../../shared/random.ts";

const SECRET = ServerSecret.ofText("a secret of a test, which nobody else has");

const CLAIMS: TicketClaims = {
  gameId: "counter-1",
  room: "ABCD",
  role: "player",
  name: "Wren",
  protocolVersion: PROTOCOL_VERSION,
};

function newTickets({ secret = SECRET, nowMs = 1_000_000, ...limits }: Partial<Setup> = {}) {
  const clock = { nowMs, now: () => clock.nowMs };
  return { tickets: new Tickets(secret, clock, limits), clock };
}

interface Setup {
  readonly secret: ServerSecret;
  readonly nowMs: number;
  readonly usedMax: number;
  readonly apartMsMax: number;
  readonly steadyClock: Clock;
}

const faultOf = (tickets: Tickets, ticket: string) => {
  const reading = tickets.redeem(ticket);
  return "fault" in reading ? reading.fault : undefined;
};

/** Any text that claims may have. */
function randomText(random: Random, length: number): string {
  return String.fromCharCode(...Array.from({ length }, () => random.below(0x10000)));
}

Deno.test("Tickets: whatever the claims are, they come back once, and stand in an address as they are (SPEC 14.18)", () => {
  const { tickets } = newTickets();
  const random = new Random(71);

  for (let i = 0; i < 300; i++) {
    const claims: TicketClaims = {
      ...CLAIMS,
      role: (["player", "watcher", "operator"] as const)[random.below(3)]!,
      name: randomText(random, random.below(97)),
      ...random.below(2) === 0 && { identity: randomText(random, random.below(97)) },
      ...random.below(2) === 0 && { seat: random.below(16) },
      ...random.below(2) === 0 && { key: encodeBase64Url(SECRET.bytesFor(i)) },
    };
    const ticket = tickets.issue(claims);
    assertMatch(ticket, /^[\w-]+\.[\w-]{43}$/);
    const reading = tickets.redeem(ticket);
    // A lone half of a surrogate pair is no text in UTF-8.
    const expected = JSON.parse(
      new TextDecoder().decode(new TextEncoder().encode(JSON.stringify(claims))),
    );
    assertEquals(reading, { claims: expected });
    assertEquals(faultOf(tickets, ticket), "the ticket was used before");
  }
});

Deno.test("Tickets: a ticket with any one bit flipped is refused, and so is every part of one (SPEC 14.18)", () => {
  const { tickets } = newTickets();
  const ticket = tickets.issue({ ...CLAIMS, seat: 3, identity: "Wren" });
  const bytes = new TextEncoder().encode(ticket);

  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const flipped = bytes.slice();
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    assertEquals(
      faultOf(tickets, new TextDecoder().decode(flipped)),
      "this server has not made that ticket",
      `${bit}`,
    );
  }

  // The bits of the last character that no byte has: 43 characters have two more than 32 bytes.
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const twins = [...alphabet].map((last) => ticket.slice(0, -1) + last).filter((twin) =>
    twin !== ticket
  );
  const macOf = (text: string) => decodeBase64Url(text.split(".")[1]!).join();
  assert(twins.some((twin) => macOf(twin) === macOf(ticket)), "some have the same bytes");
  for (const twin of twins) assert(faultOf(tickets, twin) !== undefined, twin);
  for (let length = 0; length < ticket.length; length++) {
    assert(faultOf(tickets, ticket.slice(0, length)) !== undefined, `${length}`);
    assert(faultOf(tickets, ticket.slice(length + 1)) !== undefined, `${length}`);
  }
  for (
    const text of ["", ".", "..", `${ticket}.`, `.${ticket}`, `${ticket} `, "x".repeat(1_000_000)]
  ) {
    assert(faultOf(tickets, text) !== undefined, text.slice(0, 80));
  }

  // Nothing of all this has used it.
  assertEquals(faultOf(tickets, ticket), undefined);
});

Deno.test("Tickets: random texts are refused (SPEC 14.18)", () => {
  const { tickets } = newTickets();
  const random = new Random(72);
  for (let i = 0; i < 2_000; i++) {
    const [payload, mac] = [random.below(200), 32].map((length) =>
      encodeBase64Url(Uint8Array.from({ length }, () => random.below(256)))
    );
    assertEquals(faultOf(tickets, `${payload}.${mac}`), "this server has not made that ticket");
  }
});

Deno.test("Tickets: one of another secret is refused; one of the same secret holds (SPEC 14.18)", () => {
  const { tickets } = newTickets();
  const other = newTickets({
    secret: ServerSecret.ofText("a secret of another test, which is not that one"),
  });
  assertEquals(
    faultOf(tickets, other.tickets.issue(CLAIMS)),
    "this server has not made that ticket",
  );
  assertEquals(faultOf(tickets, newTickets().tickets.issue(CLAIMS)), undefined);
  // What the secret signs for other purposes is no ticket.
  const text = encodeBase64Url(JSON.stringify({ ...CLAIMS, issuedMs: 1_000_000, nonce: "1" }));
  assert(faultOf(tickets, `${text}.${encodeBase64Url(SECRET.bytesFor(text))}`) !== undefined);
});

Deno.test("Tickets: one holds for 45 s, and not before its time or before a restart (SPEC 14.18)", () => {
  const { tickets, clock } = newTickets();
  const [first, second] = [tickets.issue(CLAIMS), tickets.issue(CLAIMS)];
  clock.nowMs += TICKET_SECONDS * 1000 - 1;
  assertEquals(faultOf(tickets, first), undefined);
  clock.nowMs++;
  assertEquals(faultOf(tickets, second), "the ticket is too old");

  // The clocks of two processes may be 2 s apart.
  const [early, tooEarly] = [2_000, 2_001].map((ms) =>
    newTickets({ nowMs: clock.nowMs + ms }).tickets.issue(CLAIMS)
  );
  assertEquals(faultOf(tickets, tooEarly!), "the ticket is of a later time");
  assertEquals(faultOf(tickets, early!), undefined);
  clock.nowMs += TICKET_SECONDS * 1000 + 1_999;
  assertEquals(faultOf(tickets, early!), "the ticket was used before");

  const before = tickets.issue(CLAIMS);
  const restarted = newTickets({ nowMs: clock.nowMs + 1 });
  assertEquals(faultOf(tickets, before), undefined);
  assertEquals(faultOf(restarted.tickets, before), "the ticket is too old");
});

Deno.test("Tickets: machines whose clocks are up to a minute apart take each other's, once (SPEC 17.204)", () => {
  const apartMsMax = 60_000;
  const steady = { nowMs: 0, now: () => steady.nowMs };
  const { tickets, clock } = newTickets({ apartMsMax, steadyClock: steady });
  const issuedAt = (ms: number) =>
    newTickets({ nowMs: clock.nowMs + ms, apartMsMax }).tickets.issue(CLAIMS);

  // A process that began a moment ago takes tickets of a machine that is behind.
  const lateMs = TICKET_SECONDS * 1000 + apartMsMax;

  for (
    const [aheadMs, fault] of [
      [0, undefined],
      [apartMsMax, undefined],
      [apartMsMax + 1, "the ticket is of a later time"],
      [-lateMs + 1, undefined],
      [-lateMs, "the ticket is too old"],
    ] as const
  ) {
    assertEquals([aheadMs, faultOf(tickets, issuedAt(aheadMs))], [aheadMs, fault]);
  }

  // One that is used at the first moment at which it holds is known at the last one, whatever is
  // done to the clock.
  const early = issuedAt(apartMsMax);
  assertEquals(faultOf(tickets, early), undefined);
  for (const setMs of [0, 3_600_000, -3_600_000]) {
    clock.nowMs += setMs;
    assertEquals(faultOf(tickets, tickets.issue(CLAIMS)), undefined);
  }
  const passedMs = apartMsMax + lateMs - 1;
  clock.nowMs += passedMs;
  steady.nowMs += passedMs;
  assertEquals(faultOf(tickets, early), "the ticket was used before");
});

Deno.test("Tickets: one for another version of the protocol is refused (SPEC 14.18)", () => {
  const { tickets } = newTickets();
  const other = tickets.issue({ ...CLAIMS, protocolVersion: PROTOCOL_VERSION + 1 });
  assertEquals(faultOf(tickets, other), `protocol ${PROTOCOL_VERSION} is spoken here`);
});

Deno.test("Tickets: used ones are forgotten after 45 s, and with too many of them none is taken (SPEC 14.18)", () => {
  const { tickets, clock } = newTickets({ usedMax: 200 });
  for (let i = 0; i < 100; i++) assertEquals(faultOf(tickets, tickets.issue(CLAIMS)), undefined);
  assertEquals(tickets.remembered, 100);
  clock.nowMs += TICKET_SECONDS * 1000 + 2_000;
  assertEquals(faultOf(tickets, tickets.issue(CLAIMS)), undefined);
  assertEquals(tickets.remembered, 1);
  for (let i = 1; i < 200; i++) tickets.redeem(tickets.issue(CLAIMS));
  assertEquals(faultOf(tickets, tickets.issue(CLAIMS)), "too many tickets are used; wait a minute");
  assertEquals(tickets.remembered, 200);
  clock.nowMs += TICKET_SECONDS * 1000 + 2_000;
  assertEquals(faultOf(tickets, tickets.issue(CLAIMS)), undefined);
});
