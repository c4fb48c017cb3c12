/**
 * Attacks on the UDP port before a session exists: half handshakes, silence, broken HTTP/3, and
 * wrong tickets.
 */
import {
  assert,
  assertEquals,
  assertGreater,
  assertGreaterOrEqual,
  assertLessOrEqual,
  assertRejects,
} from "@std/assert";
import { openQuicEndpoint } from "../../../../server/datagrams/quic.ts";
import { firstPackets, sendFrom } from "../../../support/datagrams/half_handshakes.ts";
import { HTTP3_VIOLATIONS } from "../../../support/datagrams/http3_violations.ts";
import { RawQuic } from "../../../support/datagrams/raw_quic.ts";
import { type Attack, countsOf, many, until, wait } from "../attack.ts";
import type { Target } from "../target.ts";
import { altered, ticketFor } from "./tickets.ts";

/** A server that offers WebTransport, which some of the honest players use. */
export const DATAGRAMS = { hasDatagrams: true };

/** The UDP port's limits. */
const OPENING_MAX = 64;
const OPENING_PER_ADDRESS_MAX = 16;
/**
 * A connection that is not a session after 3 s is closed; on a busy machine this may happen later.
 */
const OPENING_SECONDS = 6;

/** Opens a session, says hello and gets a tick. */
export async function honestSession(target: Target): Promise<string> {
  const session = await target.session(await target.datagramAddress(), {
    from: target.newAddress(),
  });
  assertEquals(session.status, 200);
  session.hello({ room: "HONE" });
  await session.receive();
  session.close();
  return "a session opens, and ticks come by datagrams";
}

/** Counts connections that are not sessions yet. */
async function opening(target: Target): Promise<number> {
  return (await target.figures()).of("wyvern_handshakes_open");
}

async function outcomes(target: Target, outcome: string): Promise<number> {
  return (await target.figures()).of("wyvern_handshakes_total", `outcome="${outcome}"`);
}

/** The most connections that were opening at once within a time. */
async function mostOpening(target: Target, ms: number): Promise<number> {
  const endMs = performance.now() + ms;
  let most = 0;
  while (performance.now() < endMs) {
    most = Math.max(most, await opening(target));
    await wait(50);
  }
  return most;
}

async function untilNoneOpens(target: Target): Promise<void> {
  await until("handshakes over", async () => await opening(target) === 0, {
    seconds: OPENING_SECONDS,
  });
}

const halfOpenHandshakes: Attack = {
  name: "half_open_handshakes",
  threat: "29",
  isQuick: true,
  server: DATAGRAMS,
  honest: honestSession,
  async commit(target) {
    const packets = await firstPackets(600);
    const addresses = Array.from({ length: 60 }, () => target.newAddress());
    const full = await outcomes(target, "full");
    const [most] = await Promise.all([
      mostOpening(target, 1_000),
      sendFrom(addresses, { packets, port: target.port }),
    ]);
    const refused = await outcomes(target, "full") - full;
    assertLessOrEqual(most, OPENING_MAX, "connections that open");
    assertGreater(refused, 200);
    await untilNoneOpens(target);
    await honestSession(target);
    return `600 first packets of 60 invented addresses: ${most} open at once, ${refused} refused, later a session opens`;
  },
};

const handshakesOfOneAddress: Attack = {
  name: "handshakes_of_one_address",
  threat: "29",
  isQuick: true,
  server: DATAGRAMS,
  honest: honestSession,
  async commit(target) {
    const packets = await firstPackets(150);
    const refused = await outcomes(target, "address_full");
    await sendFrom([target.newAddress()], { packets, port: target.port });
    await until("refused", async () => await outcomes(target, "address_full") > refused, {
      seconds: 2,
    });
    const open = await opening(target);
    assertLessOrEqual(open, OPENING_PER_ADDRESS_MAX, "connections that open");
    await honestSession(target);
    assertGreater(await opening(target), 0, "the session came while the others waited");
    await untilNoneOpens(target);
    return `150 first packets of one address: ${open} open, and meanwhile others come in`;
  },
};

const silentConnections: Attack = {
  name: "silent_handshakes",
  threat: "29",
  server: DATAGRAMS,
  honest: honestSession,
  async commit(target) {
    const where = await target.datagramAddress();
    const before = await outcomes(target, "late");
    const endpoints = Array.from(
      { length: 4 },
      () => openQuicEndpoint({ hostname: target.newAddress(), port: 0 }),
    );
    const silent = await many(60, (i) => RawQuic.connect(where, endpoints[i % endpoints.length]));
    const open = await opening(target);
    assertGreaterOrEqual(open, 60);
    await untilNoneOpens(target);
    const ends = await Promise.all(silent.map(({ ended }) => ended));
    for (const endpoint of endpoints) endpoint.close();
    assertEquals(await outcomes(target, "late") - before, 60);
    return `60 connections that stay alive and ask for nothing: ${
      countsOf(ends.map(({ reason }) => reason))
    }`;
  },
};

const http3Violations: Attack = {
  name: "session_violations",
  threat: "30",
  isQuick: true,
  server: DATAGRAMS,
  honest: honestSession,
  async commit(target) {
    const where = await target.datagramAddress();
    const violations = Object.entries(HTTP3_VIOLATIONS);
    const request = { authority: new URL(where.url).host, path: "/socket", origin: undefined };
    const endpoint = openQuicEndpoint({ hostname: target.newAddress(), port: 0 });
    const codes = await many(violations.length, async (i) => {
      const [what, { commit, code }] = violations[i]!;
      const quic = await RawQuic.connect(where, endpoint);
      commit(quic, request).catch(() => {});
      const { closeCode } = await quic.ended;
      assertEquals(closeCode, code, what);
      return `0x${closeCode.toString(16)}`;
    });
    endpoint.close();
    assertEquals(await opening(target), 0);
    return `${violations.length} violations of HTTP/3: ${countsOf(codes)}`;
  },
};

/** A public server knows the secret of its tickets. */
const PUBLIC_DATAGRAMS = { isPublic: true, ...DATAGRAMS };

async function honestTicket(target: Target): Promise<string> {
  const from = target.newAddress();
  const ticket = await ticketFor(target, from);
  const session = await target.session(await target.datagramAddress(`?ticket=${ticket}`), { from });
  assertEquals(session.status, 200);
  return "a ticket opens a session";
}

const sessionTickets: Attack = {
  name: "session_tickets",
  threat: "31",
  isQuick: true,
  server: PUBLIC_DATAGRAMS,
  honest: honestTicket,
  async commit(target) {
    const from = target.newAddress();
    const ticket = await ticketFor(target, from);
    const statusOf = async (query: string, origin?: string) => {
      const session = await target.session(await target.datagramAddress(query), { from, origin });
      session.close();
      return session.status;
    };
    const wrong = [
      "",
      "?ticket=",
      "?ticket=x.y",
      ...[3, 40].map((at) => `?ticket=${altered(ticket, at)}`),
    ];
    const forged: number[] = [];
    const origins: number[] = [];
    for (const query of wrong) forged.push(await statusOf(query));
    for (const origin of ["https://elsewhere.example", "null", target.server.opsUrl.slice(0, -1)]) {
      origins.push(await statusOf(`?ticket=${ticket}`, origin));
    }
    const replayed = await many(12, () => statusOf(`?ticket=${ticket}`));
    assertEquals([countsOf(forged), countsOf(origins)], ["5 × 403", "3 × 403"]);
    assertEquals(countsOf(replayed), "11 × 403, 1 × 200");
    const socket = await target.upgrade(from, { path: `/socket?ticket=${ticket}` });
    assertEquals(socket.status, 403, "the same ticket for a socket");
    return `forged: ${countsOf(forged)}; other pages: ${countsOf(origins)}; used 12 times: ${
      countsOf(replayed)
    }`;
  },
};

const bannedAddress: Attack = {
  name: "banned_sessions",
  threat: "31",
  server: DATAGRAMS,
  honest: honestSession,
  async commit(target) {
    const from = target.newAddress();
    const where = await target.datagramAddress();
    const session = await target.session(where, { from });
    session.hello({ room: "BANS" });
    await session.receive();
    assertEquals((await target.operate("ban", { address: from, seconds: 60 })).status, 200);
    await assertRejects(async () => {
      for (;;) await session.receive();
    });
    const { closeCode } = await session.quic.ended;
    const again = await target.session(where, { from });
    assert(again.status === 403, `${again.status}`);
    return `a banned player is closed with ${closeCode}, and the next session: ${again.status}`;
  },
};

export const HANDSHAKE_ATTACKS: readonly Attack[] = [
  halfOpenHandshakes,
  handshakesOfOneAddress,
  silentConnections,
  http3Violations,
  bannedAddress,
  sessionTickets,
];
