/** Attacks by HTTP requests, all without a WebSocket. */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import type { Stranger } from "../../../support/sockets/stranger.ts";
import { type Attack, countsOf, many, until, wait } from "../attack.ts";
import { requestText, type Target } from "../target.ts";

/**
 * The statuses of all answers on a connection, in order. A body that looks like a status line would
 * count, too.
 */
function statusesOf({ http }: Stranger): number[] {
  return [...http.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

/**
 * Makes requests one after the other on one connection.
 * @returns their statuses, as far as they were answered
 */
async function requestInTurn(
  stranger: Stranger,
  { port, path, count }: { port: number; path: string; count: number },
) {
  for (let done = 0; done < count && stranger.closeInfo === undefined; done++) {
    stranger.write(requestText(port, { path, method: "HEAD" }));
    await stranger.until(() =>
      stranger.http.split("\r\n\r\n").length > done + 1 || stranger.closeInfo !== undefined
    );
  }
  return statusesOf(stranger);
}

/** @returns the statuses of one address's requests over many connections */
async function requestFlood(
  target: Target,
  { path, count }: { path: string; count: number },
): Promise<number[]> {
  const address = target.newAddress();
  const statuses: number[] = [];
  await many(20, async () => {
    for (let left = count / 20; left > 0;) {
      const connection = await target.connect(address);
      const some = await requestInTurn(connection, { port: target.port, path, count: left });
      connection.cut();
      statuses.push(...some);
      left -= Math.max(1, some.length);
    }
  });
  return statuses;
}

const PIPELINED_CONNECTIONS = 100;

const pipelinedRequests: Attack = {
  name: "pipelined_requests",
  threat: "W1",
  isQuick: true,
  async honest(target) {
    const connection = await target.connect(target.newAddress());
    const statuses = await requestInTurn(connection, {
      port: target.port,
      path: await target.scriptPath(),
      count: 3,
    });
    assertEquals(statuses, [200, 200, 200]);
    return "3 requests one after the other: 200";
  },
  async commit(target) {
    const address = target.newAddress();
    const request = requestText(target.port, { path: await target.scriptPath() });
    const connections = await many(PIPELINED_CONNECTIONS, () => target.connect(address));
    for (const connection of connections) {
      connection.pause();
      connection.write(request.repeat(3_000));
    }
    await wait(3_000);
    for (const connection of connections) connection.resume();
    await until(
      "all connections closed",
      () => connections.every(({ closeInfo }) => closeInfo !== undefined),
      {
        seconds: 10,
      },
    );
    const answers = connections.flatMap(statusesOf).length;
    assertLessOrEqual(answers, PIPELINED_CONNECTIONS, "answers");
    return `${PIPELINED_CONNECTIONS} connections with 3,000 requests each, unread: ${answers} answers, all closed`;
  },
};

/**
 * A flood of requests for one path.
 * @param counts how many an honest reader sends, and how many an attacker
 */
function floodOf(
  path: string,
  [few, many]: readonly [number, number],
  about: Pick<Attack, "name" | "threat" | "isQuick">,
): Attack {
  return {
    ...about,
    async honest(target) {
      const statuses = await requestFlood(target, { path, count: few });
      assertEquals(countsOf(statuses), `${few} × 200`);
      return `${few} requests of one address: 200`;
    },
    async commit(target) {
      const beganMs = performance.now();
      const statuses = await requestFlood(target, { path, count: many });
      const served = statuses.filter((status) => status === 200).length;
      assertLessOrEqual(
        served,
        600 + 100 * (performance.now() - beganMs) / 1000 + 1,
        countsOf(statuses),
      );
      return `${many} requests of ${path} by one address: ${countsOf(statuses)}`;
    },
  };
}

const requestFloodAttack = floodOf("/", [100, 3_000], {
  name: "request_flood",
  threat: "7",
  isQuick: true,
});
const metricsFlood = floodOf("/metrics", [20, 2_000], { name: "metrics_flood", threat: "16" });

const probeFlood: Attack = {
  name: "probe_flood",
  threat: "7",
  async honest(target) {
    const { status } = await target.request(target.newAddress(), { path: "/healthz" });
    assertEquals(status, 200);
    return "a probe: 200";
  },
  async commit(target) {
    const statuses = await requestFlood(target, { path: "/healthz", count: 3_000 });
    const probe = await fetch(`${target.server.url}healthz`);
    const { ok } = await probe.json();
    assert(ok, "the server is not healthy");
    return `3,000 probes of one address: ${countsOf(statuses)}; healthy afterwards`;
  },
};

const endlessConnection: Attack = {
  name: "endless_connection",
  threat: "7",
  isQuick: true,
  async honest(target) {
    const connection = await target.connect(target.newAddress());
    const statuses = await requestInTurn(connection, { port: target.port, path: "/", count: 50 });
    assertEquals(statuses.length, 50);
    return "50 requests on one connection: 200";
  },
  async commit(target) {
    const connection = await target.connect(target.newAddress());
    const statuses = await requestInTurn(connection, { port: target.port, path: "/", count: 300 });
    assertLessOrEqual(statuses.length, 100, "answers on one connection");
    return `300 requests on one connection: closed after ${statuses.length}`;
  },
};

const unreadAnswers: Attack = {
  name: "unread_answers",
  threat: "7",
  async honest(target) {
    const path = await target.scriptPath();
    const { status } = await target.request(target.newAddress(), { path });
    assertEquals(status, 200);
    return "an answer that is read: 200";
  },
  async commit(target) {
    const address = target.newAddress();
    const before = (await target.figures()).of("wyvern_connections");
    const request = requestText(target.port, { path: await target.scriptPath() });
    await many(300, async () => {
      const connection = await target.connect(address);
      connection.pause();
      connection.write(request);
    });
    const beganMs = performance.now();
    const open = async () => (await target.figures()).of("wyvern_connections") - before;
    await until("300 connections closed", async () => await open() < 10, { seconds: 25 });
    return `300 answers unread: all closed after ${Math.round(performance.now() - beganMs)} ms`;
  },
};

export const HTTP_ATTACKS: readonly Attack[] = [
  pipelinedRequests,
  requestFloodAttack,
  metricsFlood,
  probeFlood,
  endlessConnection,
  unreadAnswers,
];
