/** Attacks by WebTransport sessions: floods, streams, unread bytes, and masses of ends. */
import { assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { fileURLToPath } from "node:url";
import { frameOf } from "../../../../server/datagrams/http3/frame_reader.ts";
import { Http3Code } from "../../../../server/datagrams/http3/http3_error.ts";
import { openQuicEndpoint } from "../../../../server/datagrams/quic.ts";
import { RawQuic } from "../../../support/datagrams/raw_quic.ts";
import type { RawSession } from "../../../support/datagrams/raw_session.ts";
import { CloseCode } from "../../../../shared/netcode/wire/messages.ts";
import { type Attack, countsOf, many, until, wait } from "../attack.ts";
import type { Target } from "../target.ts";
import { DATAGRAMS, honestSession } from "./handshakes.ts";
import { statesMax, statesSent } from "./sync.ts";

/** Opens sessions from some addresses, each of which has received its first tick. */
async function openPlaying(
  target: Target,
  { count, addresses, room }: { count: number; addresses: number; room: string },
): Promise<RawSession[]> {
  await target.openRooms(room);
  const where = await target.datagramAddress();
  const froms = Array.from({ length: addresses }, () => target.newAddress());
  return await many(count, async (i) => {
    const session = await target.session(where, { from: froms[i % addresses]! });
    assertEquals(session.status, 200);
    session.hello({ room, spectate: true });
    await session.receive();
    return session;
  });
}

/** Counts open sessions. */
async function sessionsOf(target: Target): Promise<number> {
  return (await target.figures()).of("wyvern_sockets", 'transport="webtransport"');
}

async function untilEnded(sessions: readonly RawSession[], seconds: number): Promise<string> {
  await until("closed", () => sessions.every(({ closeCode }) => closeCode !== undefined), {
    seconds,
  });
  return countsOf(sessions.map(({ closeCode }) => closeCode!));
}

const datagramFlood: Attack = {
  name: "datagram_flood",
  threat: "33",
  isQuick: true,
  server: DATAGRAMS,
  honest: honestSession,
  async commit(target) {
    const sessions = await openPlaying(target, { count: 12, addresses: 4, room: "FLOO" });
    await Promise.all(sessions.map(async (session) => {
      for (let i = 0; i < 5_000 && session.closeCode === undefined; i++) {
        await session.sendUnreliably({ type: "ping", id: i % 256 });
      }
    }));
    const codes = await untilEnded(sessions, 5);
    assertEquals(codes, `12 × ${CloseCode.flood}`);
    return `5,000 pings by datagram of each of 12 sessions: ${codes}`;
  },
};

/**
 * How many streams a client may open besides its request and its messages: two, and its control
 * stream.
 */
const SPARE_STREAMS = 2;

const manyStreams: Attack = {
  name: "many_streams",
  threat: "32",
  server: DATAGRAMS,
  honest: honestSession,
  async commit(target) {
    const sessions = await openPlaying(target, { count: 4, addresses: 4, room: "STRM" });
    const opened = await many(sessions.length, async (i) => {
      const { connection } = sessions[i]!.quic;
      const kept: unknown[] = [];
      const open = (create: () => Promise<unknown>) =>
        create().then((stream) => void kept.push(stream), () => {});
      for (let n = 0; n < 500; n++) {
        await open(() => connection.createBidirectionalStream());
        await open(() => connection.createUnidirectionalStream());
      }
      return kept.length;
    });
    for (const count of opened) assertLessOrEqual(count, SPARE_STREAMS);
    for (const session of sessions) assertEquals(session.closeCode, undefined);
    return `1,000 further streams of each of 4 sessions: ${countsOf(opened)} opened`;
  },
};

/** Deno's QUIC takes a megabyte of one stream before it is read. */
const MEGABYTE = new Uint8Array(1 << 20).fill(0xff);

const unreadStreams: Attack = {
  name: "unread_streams",
  threat: "32",
  isQuick: true,
  server: DATAGRAMS,
  honest: honestSession,
  async commit(target) {
    const where = await target.datagramAddress();
    const froms = Array.from({ length: 4 }, () => target.newAddress());
    const codes: (number | undefined)[] = [];
    for (let wave = 0; wave < 3; wave++) {
      const sessions = await many(40, (i) => target.session(where, { from: froms[i % 4]! }));
      await Promise.all(sessions.map(async (session, i) => {
        // As a message, which is too long; and on a control stream.
        if (i % 2 === 0) session.write(MEGABYTE);
        else await session.quic.openControl(MEGABYTE);
      }));
      await untilEnded(sessions, 8);
      codes.push(...sessions.map(({ closeCode }) => closeCode));
    }
    const counts = countsOf(codes.map(Number));
    assertEquals(counts, `60 × 1009, 60 × ${Http3Code.excessiveLoad}`);
    return `120 sessions with a megabyte too much: ${counts}`;
  },
};

const earlyBytes: Attack = {
  name: "early_bytes",
  threat: "32",
  server: DATAGRAMS,
  honest: honestSession,
  async commit(target) {
    const where = await target.datagramAddress();
    const codes: number[] = [];
    const datagram = new Uint8Array(1_100);

    for (let wave = 0; wave < 3; wave++) {
      const endpoints = Array.from(
        { length: 4 },
        () => openQuicEndpoint({ hostname: target.newAddress(), port: 0 }),
      );
      const early = await many(60, (i) => RawQuic.connect(where, endpoints[i % 4]));
      await Promise.all(early.map(async (quic, i) => {
        if (i % 2 === 0) {
          // A request that never ends, and the stream behind it.
          await quic.openStream(Uint8Array.of(1)).catch(() => {});
          await quic.openStream(MEGABYTE).catch(() => {});
        } else for (let n = 0; n < 1_500; n++) await quic.sendDatagram(datagram).catch(() => {});
      }));
      codes.push(
        ...(await Promise.all(early.map(({ ended }) => ended))).map(({ closeCode }) => closeCode),
      );
      for (const endpoint of endpoints) endpoint.close();
      await wait(2_000);
    }

    return `180 connections with a megabyte before their session: ${countsOf(codes)}`;
  },
};

/** Reads a session's datagrams until it ends. */
async function readTicks(session: RawSession): Promise<void> {
  while (session.closeCode === undefined) await session.receive().catch(() => {});
}

/** A slow reader's link is closed before it costs this much. */
const UNSENT_BYTES_MAX = 10_000_000;

const deafSessions: Attack = {
  name: "deaf_sessions",
  threat: "33",
  server: DATAGRAMS,
  honest: honestSession,
  async commit(target) {
    const rooms = ["DEAF", "DEAG", "DEAH", "DEAI"];
    const sessions =
      (await many(4, (i) => openPlaying(target, { count: 10, addresses: 2, room: rooms[i]! })))
        .flat();

    // They read datagrams, because a report about a tick before the last state asks for nothing.
    // States come by stream.
    for (const session of sessions) void readTicks(session);
    const before = await statesSent(target);
    const beganMs = performance.now();

    while (performance.now() < beganMs + 5_000) {
      for (const session of sessions) {
        const received = Math.max(0, session.tick);
        const desynced = { received, isDesynced: true, leadMs: 0 };
        void session.sendUnreliably({
          type: "commands",
          ...desynced,
          tick: received + 1,
          commands: [],
        });
      }
      await wait(25);
    }

    const states = await statesSent(target) - before;
    const most = statesMax(40 + 10, performance.now() - beganMs);
    const unsent = (await target.figures()).of("wyvern_unsent_bytes");
    assertGreater(states, 40);
    assertLessOrEqual(states, most, "states sent");
    assertLessOrEqual(unsent, UNSENT_BYTES_MAX, "bytes for sessions that read nothing");
    return `40 sessions that leave their stream unread and ask for states for 5 s: ${states} states, ${unsent} bytes unsent`;
  },
};

const vanishedSessions: Attack = {
  name: "vanished_sessions",
  threat: "34",
  server: DATAGRAMS,
  honest: honestSession,
  async commit(target) {
    const before = await sessionsOf(target);
    const { url, certificateHash } = await target.datagramAddress();
    const script = fileURLToPath(new URL("../session_crowd.ts", import.meta.url));
    const froms = Array.from({ length: 6 }, () => target.newAddress()).join(",");
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", script, url, certificateHash!.toHex(), froms],
      stdout: "piped",
    }).spawn();
    await child.stdout.getReader().read();
    const open = await sessionsOf(target) - before;
    const beganMs = performance.now();
    child.kill("SIGKILL");
    await child.status;
    await until("gone", async () => await sessionsOf(target) <= before, { seconds: 10 });
    assertEquals(open, 60);
    return `60 players killed at once: all gone after ${
      ((performance.now() - beganMs) / 1_000).toFixed(1)
    } s`;
  },
};

const closeStorm: Attack = {
  name: "close_storm",
  threat: "34",
  server: DATAGRAMS,
  honest: honestSession,
  async commit(target) {
    const before = await sessionsOf(target);
    const descriptors = await target.server.descriptors();
    const where = await target.datagramAddress();
    const froms = Array.from({ length: 20 }, () => target.newAddress());
    await target.openRooms("CLOS");
    await many(20, async (i) => {
      for (let n = 0; n < 15; n++) {
        const session = await target.session(where, { from: froms[i]! });
        session.hello({ room: "CLOS", spectate: true });
        // Two of three become clients before they end, and one of these sends an invalid message.
        const how = (i + n) % 3;
        if (how > 0) await session.receive().catch(() => {});
        if (how === 1) session.write(frameOf(0, [1, 2, 3]));
        session.close([0, 4999, 1 << 20][how]);
      }
    });
    await until("gone", async () => await sessionsOf(target) <= before, { seconds: 10 });
    const after = await target.server.descriptors();
    assertLessOrEqual(after, descriptors + 5);
    return `300 sessions of 20 addresses that end at once: none left, ${after} descriptors of ${descriptors}`;
  },
};

export const SESSION_ATTACKS: readonly Attack[] = [
  datagramFlood,
  manyStreams,
  unreadStreams,
  earlyBytes,
  deafSessions,
  vanishedSessions,
  closeStorm,
];
