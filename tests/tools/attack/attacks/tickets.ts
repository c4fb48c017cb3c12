/**
 * Attacks on who may come in: tickets that were never issued, that were used, or that are for
 * somewhere else.
 */
import { assert, assertEquals, assertLess, assertLessOrEqual } from "@std/assert";
import type { Hello } from "../../../../shared/netcode/wire/messages.ts";
import { HELLO, type Stranger } from "../../../support/sockets/stranger.ts";
import { type Attack, countsOf, many, wait } from "../attack.ts";
import type { Target } from "../target.ts";

/** A server as strangers reach it: with tickets, and with figures for operators alone. */
const PUBLIC = { isPublic: true };

/** A valid ticket. */
export async function ticketFor(
  target: Target,
  address: string,
  request: Record<string, unknown> = {},
): Promise<string> {
  const { status, text } = await target.ask(address, request);
  assertEquals(status, 200, text);
  return text.match(/"ticket":"([\w.-]+)"/)![1]!;
}

function show(target: Target, address: string, ticket: string): Promise<Stranger> {
  return target.upgrade(address, { path: `/socket?ticket=${encodeURIComponent(ticket)}` });
}

/** Shows a ticket and sends a hello. @returns the code that closes the link; 0 for a welcome */
async function comeIn(
  target: Target,
  address: string,
  { ticket, hello }: { ticket: string; hello: Partial<Hello> },
): Promise<number> {
  const stranger = await show(target, address, ticket);
  assertEquals(stranger.status, 101);
  stranger.send({ ...HELLO, ...hello });
  await stranger.until(() => stranger.welcome !== undefined || stranger.closeInfo !== undefined);
  return stranger.closeInfo?.code ?? 0;
}

async function honestTicket(target: Target): Promise<string> {
  const address = target.newAddress();
  const ticket = await ticketFor(target, address);
  assertEquals(await comeIn(target, address, { ticket, hello: { room: "TICK" } }), 0);
  return "a ticket that was asked for opens a socket and a room";
}

/** Another text with the same length. */
export function altered(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
}

const forgedTickets: Attack = {
  name: "forged_tickets",
  threat: "2",
  isQuick: true,
  server: PUBLIC,
  honest: honestTicket,
  async commit(target) {
    const address = target.newAddress();
    const ticket = await ticketFor(target, address);
    const [payload, mac] = ticket.split(".") as [string, string];
    const claims = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    const forged = btoa(JSON.stringify({ ...claims, role: "operator" })).replaceAll("=", "");
    const tickets = [
      "",
      ".",
      "x.y",
      payload,
      `${payload}.`,
      `.${mac}`,
      `${forged}.${mac}`,
      `${forged}.`,
      `${payload}.${mac}.${mac}`,
      ...[0, 5, 20, payload.length - 1].map((at) => altered(ticket, at)),
      ...[1, 10, mac.length].map((at) => altered(ticket, payload.length + at)),
      `${payload} .${mac}`,
      `${payload}.${mac}=`,
      "a".repeat(10_000),
    ];
    const statuses: number[] = [(await target.upgrade(address)).status];
    for (const each of tickets) statuses.push((await show(target, address, each)).status);
    assertEquals(countsOf(statuses), `${statuses.length} × 403`);
    return `no ticket, and ${tickets.length} forged ones: ${countsOf(statuses)}`;
  },
};

const replayedTickets: Attack = {
  name: "replayed_tickets",
  threat: "3",
  isQuick: true,
  server: PUBLIC,
  honest: honestTicket,
  async commit(target) {
    const address = target.newAddress();
    const ticket = await ticketFor(target, address);
    const strangers = await many(30, () => show(target, address, ticket));
    const counts = countsOf(strangers.map(({ status }) => status));
    assertEquals(counts, "29 × 403, 1 × 101");
    return `one ticket shown 30 times at once: ${counts}`;
  },
};

/** A ticket's lifetime, and a second more. */
const EXPIRED_MS = 46_000;

const oldTickets: Attack = {
  name: "old_tickets",
  threat: "3",
  server: PUBLIC,
  honest: honestTicket,
  async commit(target) {
    const address = target.newAddress();
    const tickets = await Promise.all(Array.from({ length: 5 }, () => ticketFor(target, address)));
    await wait(EXPIRED_MS);
    const statuses = (await Promise.all(tickets.map((ticket) => show(target, address, ticket))))
      .map(({ status }) => status);
    assertEquals(countsOf(statuses), "5 × 403");
    return `5 tickets of 46 s ago: ${countsOf(statuses)}`;
  },
};

const otherPlaces: Attack = {
  name: "other_places",
  threat: "2",
  isQuick: true,
  server: PUBLIC,
  honest: honestTicket,
  async commit(target) {
    const address = target.newAddress();
    const codes: number[] = [];
    for (const hello of [{ room: "BOTS" }, { room: "TICK", spectate: true }, { room: "ELSE" }]) {
      codes.push(
        await comeIn(target, address, { ticket: await ticketFor(target, address), hello }),
      );
    }

    const watcher = await ticketFor(target, address, { room: "BOTS", role: "watcher" });
    codes.push(await comeIn(target, address, { ticket: watcher, hello: { room: "BOTS" } }));
    assertEquals(countsOf(codes), "4 × 4015");
    const statuses: number[] = [];
    for (const role of ["operator", "admin", "__proto__", 1]) {
      statuses.push((await target.ask(address, { role })).status);
    }
    assertEquals(countsOf(statuses), "4 × 400");
    return `tickets of another room or role: ${countsOf(codes)}; wishes for more: ${
      countsOf(statuses)
    }`;
  },
};

const privateRooms: Attack = {
  name: "private_rooms",
  threat: "5",
  isQuick: true,
  server: PUBLIC,
  async honest(target) {
    const address = target.newAddress();
    const key = "k".repeat(22);
    const ticket = await ticketFor(target, address, { room: "PRIV", key });
    assertEquals(await comeIn(target, address, { ticket, hello: { room: "PRIV" } }), 0);
    const friend = await ticketFor(target, target.newAddress(), { room: "PRIV", key });
    assertEquals(await comeIn(target, address, { ticket: friend, hello: { room: "PRIV" } }), 0);
    return "who has the key of a private room comes in";
  },
  async commit(target) {
    const owner = target.newAddress();
    const address = target.newAddress();
    const key = "q".repeat(22);
    const ticket = await ticketFor(target, owner, { room: "LOCK", key });

    // Before the room exists, a stranger may get a ticket for it.
    const early = await ticketFor(target, address, { room: "LOCK" });
    assertEquals(await comeIn(target, owner, { ticket, hello: { room: "LOCK" } }), 0);
    const statuses: number[] = [];
    for (const wrong of [undefined, "r".repeat(22), `${key.slice(0, 21)}r`]) {
      for (const role of ["player", "watcher"]) {
        statuses.push((await target.ask(address, { room: "LOCK", key: wrong, role })).status);
      }
    }

    assertEquals(countsOf(statuses), "6 × 403");
    const code = await comeIn(target, address, { ticket: early, hello: { room: "LOCK" } });
    assertEquals(code, 4015);
    const list = await target.request(address, { path: "/api/rooms" });
    assert(list.status === 200 && !list.text.includes("LOCK"), list.text);
    return `a private room without its key, to play and to watch: ${
      countsOf(statuses)
    }; an early ticket: ${code}; not listed`;
  },
};

const ticketFlood: Attack = {
  name: "ticket_flood",
  threat: "9",
  server: PUBLIC,
  honest: honestTicket,
  async commit(target) {
    const address = target.newAddress();
    const beganMs = performance.now();
    const statuses = (await many(20, async () => {
      const some: number[] = [];
      for (let i = 0; i < 60; i++) some.push((await target.ask(address)).status);
      return some;
    })).flat();
    const given = statuses.filter((status) => status === 200).length;
    assertLessOrEqual(
      given,
      600 + 100 * (performance.now() - beganMs) / 1000 + 1,
      countsOf(statuses),
    );
    const large = await target.request(target.newAddress(), {
      method: "POST",
      path: "/api/rooms/TICK/join",
      body: "x".repeat(1_000_000),
    });
    assert([413, 0].includes(large.status), `${large.status}`);
    return `1,200 wishes of one address: ${countsOf(statuses)}; a wish of 1 MB: ${large.status}`;
  },
};

const publicFigures: Attack = {
  name: "public_figures",
  threat: "16",
  server: PUBLIC,
  async honest(target) {
    const statuses = await Promise.all(
      ["/", "/healthz", "/readyz"].map((path) => target.request(target.newAddress(), { path })),
    );
    assertEquals(statuses.map(({ status }) => status), [200, 200, 200]);
    return "page and probes: 200";
  },
  async commit(target) {
    const address = target.newAddress();
    const statuses: number[] = [];
    for (const path of ["/metrics", "/dev", "/ops", "/api/ops/rooms", "/api/rooms/../../metrics"]) {
      statuses.push((await target.request(address, { path })).status);
    }
    assertEquals(countsOf(statuses), "5 × 404");
    const host = await target.request(address, { headers: ["Host: localhost"] });
    assertEquals(host.status, 421);
    return `figures and operators' pages on the players' port: ${
      countsOf(statuses)
    }; another name of this machine: 421`;
  },
};

/** A hook that answers everyone except those with credentials that say it must not. */
const HANGING_HOOK = `
export function authorise({ credentials, name, role }) {
  if (credentials === "hang") return new Promise(() => {});
  if (credentials === "throw") throw new Error("planted");
  if (credentials === "nonsense") return { name: 7, role: "king" };
  return { name, role };
}
`;

const hangingHook: Attack = {
  name: "hanging_hook",
  threat: "2",
  server: { ...PUBLIC, hook: HANGING_HOOK },
  honest: honestTicket,
  async commit(target) {
    const address = target.newAddress();
    const hanging = many(200, () => target.ask(address, { credentials: "hang" }));
    await wait(300);
    const beganMs = performance.now();
    const others = target.newAddress();
    await ticketFor(target, others);
    assertLess(performance.now() - beganMs, 1_000, "another address waits");
    const statuses: number[] = [];
    for (const credentials of ["throw", "nonsense"]) {
      statuses.push((await target.ask(others, { credentials })).status);
    }
    assertEquals(countsOf(statuses), "2 × 403");
    const answers = countsOf((await hanging).map(({ status }) => status));
    assertEquals(answers, "128 × 403, 72 × 503");
    return `200 wishes of one address for which the hook hangs: ${answers}; others get their tickets at once`;
  },
};

export const TICKET_ATTACKS: readonly Attack[] = [
  forgedTickets,
  replayedTickets,
  otherPlaces,
  privateRooms,
  ticketFlood,
  publicFigures,
  oldTickets,
  hangingHook,
];
