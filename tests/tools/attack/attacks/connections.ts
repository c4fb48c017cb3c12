/** Attacks by connections that do nothing, or next to nothing. */
import { assert, assertEquals, assertLess, assertLessOrEqual } from "@std/assert";
import type { Stranger } from "../../../support/sockets/stranger.ts";
import { HELLO } from "../../../support/sockets/stranger.ts";
import { HANDSHAKE } from "../../../support/sockets/raw_socket.ts";
import { type Attack, countsOf, many, until, wait } from "../attack.ts";
import { requestText, type Target } from "../target.ts";

/** The server's default limits. */
const CONNECTIONS = 2_500;
const CONNECTIONS_PER_ADDRESS = 320;
/** How many connections honest players and operators open. */
const OTHERS_MAX = 30;

/** Loads the page as a newcomer. @returns the slowest of five, ms */
async function pageMs(target: Target): Promise<number> {
  let slowest = 0;
  for (let i = 0; i < 5; i++) {
    const beganMs = performance.now();
    const { status } = await target.request("127.0.0.1");
    assertEquals(status, 200, "the page");
    slowest = Math.max(slowest, performance.now() - beganMs);
  }
  return Math.round(slowest);
}

/** Opens connections that send nothing, and closes none. */
async function openSilent(target: Target, count: number): Promise<void> {
  const address = target.newAddress();
  for (let opened = 0; opened < count; opened += 100) {
    await many(100, () => target.connect(address));
  }
}

async function honestSilence(target: Target): Promise<string> {
  const connection = await target.connect(target.newAddress());
  await wait(1_000);
  connection.write(requestText(target.port, { close: true }));
  await connection.ended();
  assertEquals(connection.status, 200);
  return "a request after a second of silence: 200";
}

const silentConnections: Attack = {
  name: "silent_connections",
  threat: "W4",
  isQuick: true,
  honest: honestSilence,
  async commit(target) {
    await openSilent(target, 2_600);
    const open = (await target.figures()).of("wyvern_connections");
    const ms = await pageMs(target);
    assertLessOrEqual(open, CONNECTIONS_PER_ADDRESS + OTHERS_MAX, "open connections");
    return `2,600 silent connections of one address: ${open} open; the page after ${ms} ms`;
  },
};

const silentCrowd: Attack = {
  name: "silent_crowd",
  threat: "W4",
  honest: honestSilence,
  async commit(target) {
    for (let i = 0; i < 12; i++) await openSilent(target, 300);
    const open = (await target.figures()).of("wyvern_connections");
    const ms = await pageMs(target);
    assertLessOrEqual(open, CONNECTIONS, "open connections");
    assertLess(ms, 1_000, "the page");
    return `3,600 silent connections of 12 addresses: ${open} open; the page after ${ms} ms`;
  },
};

const halfHeaders: Attack = {
  name: "half_headers",
  threat: "7",
  async honest(target) {
    const connection = await target.connect(target.newAddress());
    const text = requestText(target.port, { close: true });
    for (const part of [text.slice(0, 9), text.slice(9, 20), text.slice(20)]) {
      connection.write(part);
      await wait(200);
    }
    await connection.ended();
    assertEquals(connection.status, 200);
    return "a header in three pieces within a second: 200";
  },
  async commit(target) {
    const address = target.newAddress();
    const beganMs = performance.now();
    const upgrade = [
      "GET /socket HTTP/1.1",
      `Host: 127.0.0.1:${target.port}`,
      ...HANDSHAKE,
      "X-Slow: ",
    ].join("\r\n");
    const connections = await many(300, (i) =>
      target.connect(address).then((connection) => {
        connection.write(i % 2 === 0 ? "GET / HTTP/1.1\r\nX-Slow: " : upgrade);
        return connection;
      }));

    for (let second = 0; second < 6; second++) {
      for (const connection of connections) {
        if (connection.closeInfo === undefined) connection.write("x");
      }
      await wait(1_000);
    }

    const open = connections.filter(({ closeInfo }) => closeInfo === undefined).length;
    assertEquals(open, 0, "half headers that are still open");
    const statuses = countsOf(connections.map(({ status }) => status || "no answer"));
    return `300 headers at a byte a second: ${statuses} within ${
      Math.round((performance.now() - beganMs) / 1000)
    } s`;
  },
};

const silentSockets: Attack = {
  name: "silent_sockets",
  threat: "20",
  async honest(target) {
    const stranger = await target.upgrade(target.newAddress());
    await wait(1_000);
    stranger.send({ ...HELLO, room: "SLOW" });
    await stranger.until(() => stranger.welcome !== undefined || stranger.closeInfo !== undefined);
    assert(stranger.welcome !== undefined, stranger.closeInfo?.reason);
    return "a hello after a second: welcome";
  },
  async commit(target) {
    const address = target.newAddress();
    const strangers = await many(90, () => target.upgrade(address));
    await endOf(strangers, 8);
    const codes = countsOf(strangers.map(({ closeInfo }) => closeInfo!.code));
    assertEquals(codes, "90 × 4008");
    return `90 sockets without a hello: ${codes}`;
  },
};

const unansweredClose: Attack = {
  name: "unanswered_close",
  threat: "20",
  async honest(target) {
    const stranger = await target.join(target.newAddress(), { room: "GONE" });
    await stranger.leave();
    return `a close that is answered: ${stranger.closeInfo!.code}`;
  },
  async commit(target) {
    const address = target.newAddress();
    const before = (await target.figures()).of("wyvern_sockets");
    const strangers = await many(80, () => target.upgrade(address));
    for (const stranger of strangers) {
      stranger.pause(); // So that it does not answer.
      stranger.frame(new Uint8Array(3));
    }
    await until(
      "sockets gone",
      async () => (await target.figures()).of("wyvern_sockets") <= before + 2,
      {
        seconds: 5,
      },
    );
    return "80 peers that answer no close: gone within 5 s";
  },
};

const churn: Attack = {
  name: "churn",
  threat: "9",
  async honest(target) {
    const stranger = await target.join(target.newAddress(), { room: "CHRN" });
    await stranger.leave();
    return "a player comes and leaves";
  },
  async commit(target) {
    await target.openRooms("CHRN");
    const address = target.newAddress();
    const before = await counts(target);
    for (let i = 0; i < 320; i++) {
      const stranger = await target.upgrade(address).catch(() => undefined);
      if (i % 3 === 0) stranger?.send({ ...HELLO, room: "CHRN", spectate: true });
      setTimeout(() => stranger?.cut(), 200);
      await wait(25);
    }
    await until("everything given back", async () => {
      const now = await counts(target);
      return now.every((count, i) => count <= before[i]! + 5);
    }, { seconds: 10 });
    return `320 sockets in 8 s, cut: sockets, connections, clients and descriptors are as before (${await counts(
      target,
    )})`;
  },
};

/** Counts sockets, connections, clients and descriptors. */
async function counts({ server }: Target): Promise<number[]> {
  const figures = await server.figures();
  return [
    ...["wyvern_sockets", "wyvern_connections", "wyvern_clients"].map((name) => figures.of(name)),
    await server.descriptors(),
  ];
}

async function endOf(strangers: readonly Stranger[], seconds: number): Promise<void> {
  await until("closed", () => strangers.every(({ closeInfo }) => closeInfo !== undefined), {
    seconds,
  });
}

export const CONNECTION_ATTACKS: readonly Attack[] = [
  silentConnections,
  silentCrowd,
  halfHeaders,
  silentSockets,
  unansweredClose,
  churn,
];
