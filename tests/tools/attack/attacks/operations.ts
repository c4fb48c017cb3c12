/** Attacks on the operators' port, and by players whom operators have sent away. */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { type Attack, countsOf, many, until, wait } from "../attack.ts";
import { requestText, type Target } from "../target.ts";

/** An operator reads the metrics, and performs an action without effect. */
async function operatorWorks(target: Target): Promise<string> {
  assertGreater((await target.figures()).of("wyvern_ticks_total"), 0);
  assertEquals((await target.operate("kick", { link: 999_999 })).status, 404);
  return "an operator reads and acts";
}

const PATHS = ["/metrics", "/ops", "/api/ops/rooms"];
const ACTIONS = ["kick", "ban", "unban", "close"];

const operatorsDoor: Attack = {
  name: "operators_door",
  threat: "22",
  isQuick: true,
  honest: operatorWorks,
  async commit(target) {
    const address = target.newAddress();
    const port = target.server.opsPort;
    const statuses: number[] = [];
    const wrong = [
      "",
      "Authorization: Bearer x",
      "Authorization: Basic eDp4",
      "Cookie: wyvern_ops=x",
      `Cookie: wyvern_ops=${target.server.token}`,
    ];

    for (const line of wrong) {
      const headers = line === "" ? [] : [line];
      for (const path of PATHS) {
        statuses.push((await target.request(address, { path, port, headers })).status);
      }
    }

    for (const action of ACTIONS) {
      const path = `/api/ops/${action}`;
      const body = '{"link": 1, "address": "127.0.0.1", "game": "dragons", "room": "BOTS"}';
      statuses.push((await target.request(address, { method: "POST", path, port, body })).status);
    }

    assertEquals(countsOf(statuses), `${statuses.length} × 401`);
    const bearer = `Authorization: Bearer ${target.server.token}`;
    const other = await target.request(address, {
      path: "/metrics",
      port,
      headers: [bearer, "Origin: http://evil.example"],
    });
    assertEquals(other.status, 403);
    return `pages, list and commands without the token: ${
      countsOf(statuses)
    }; a page of another site: 403`;
  },
};

const wrongTokens: Attack = {
  name: "wrong_tokens",
  threat: "22",
  isQuick: true,
  async honest(target) {
    const { status } = await target.request(target.newAddress(), {
      method: "POST",
      path: "/ops/session",
      port: target.server.opsPort,
      body: `token=${target.server.token}`,
    });
    assertEquals(status, 303);
    return "the token signs in: 303";
  },
  async commit(target) {
    const address = target.newAddress();
    const beganMs = performance.now();
    const answers = await many(20, async (i) => {
      const statuses: number[] = [];
      for (let j = 0; j < 20; j++) {
        const body = `token=${i}-${j}`;
        const options = { method: "POST", path: "/ops/session", port: target.server.opsPort, body };
        statuses.push((await target.request(address, options)).status);
      }
      return statuses;
    });
    const statuses = answers.flat();
    const looked = statuses.filter((status) => status === 401).length;
    assertLessOrEqual(looked, 20 + (performance.now() - beganMs) / 1000 + 20, countsOf(statuses));
    await wait(1_500);
    return `400 wrong tokens: ${countsOf(statuses)}; afterwards ${await operatorWorks(target)}`;
  },
};

const slowBodies: Attack = {
  name: "slow_bodies",
  threat: "22",
  honest: operatorWorks,
  async commit(target) {
    const { opsPort, token } = target.server;
    const address = target.newAddress();
    const headers = [`Authorization: Bearer ${token}`, "Content-Length: 500"];
    const connections = await many(25, () => target.connect(address, opsPort));
    for (const connection of connections) {
      connection.write(requestText(opsPort, { method: "POST", path: "/api/ops/kick", headers }));
    }
    for (let second = 0; second < 8; second++) {
      for (const connection of connections) {
        if (connection.closeInfo === undefined) connection.write(" ");
      }
      await wait(1_000);
    }
    const open = connections.filter(({ closeInfo }) => closeInfo === undefined).length;
    assertEquals(open, 0, "bodies that are still open");
    return `25 bodies at a byte a second: all closed within 8 s; ${await operatorWorks(target)}`;
  },
};

const largeBodies: Attack = {
  name: "large_bodies",
  threat: "22",
  honest: operatorWorks,
  async commit(target) {
    const { opsPort: port, token } = target.server;
    const statuses: number[] = [];
    for (let i = 0; i < 20; i++) {
      const headers = i % 2 === 0 ? [] : [`Authorization: Bearer ${token}`];
      const options = {
        method: "POST",
        path: "/api/ops/ban",
        port,
        headers,
        body: "x".repeat(5_000_000),
      };
      statuses.push((await target.request(target.newAddress(), options)).status);
    }
    assert(statuses.every((status) => [0, 401, 413].includes(status)), countsOf(statuses));
    return `20 bodies of 5 MB: ${countsOf(statuses)}; ${await operatorWorks(target)}`;
  },
};

const operatorsCrowd: Attack = {
  name: "operators_crowd",
  threat: "22",
  honest: operatorWorks,
  async commit(target) {
    const address = target.newAddress();
    const { opsPort } = target.server;
    const connections = await many(200, () => target.connect(address, opsPort));
    await until(
      "connections beyond 32 closed",
      () => connections.filter(({ closeInfo }) => closeInfo === undefined).length <= 32,
      { seconds: 2 },
    );
    return `200 silent connections to the operators' port: 32 open; ${await operatorWorks(target)}`;
  },
};

/** Values that change an object's prototype, or nest deeply, where JSON is trusted. */
const POLLUTED = [
  '{"__proto__": {"link": 1, "address": "127.0.0.1"}}',
  '{"constructor": {"prototype": {"link": 1}}}',
  '{"__proto__": {"isAdmin": true}, "link": "1e999"}',
  '{"link": {"valueOf": 1}}',
  '{"link": [1, 2]}',
  '{"address": {"__proto__": "127.0.0.1"}}',
  '{"game": "__proto__", "room": "BOTS"}',
  '{"game": "constructor", "room": "toString"}',
  `${"[".repeat(400)}${"]".repeat(400)}`,
  "null",
  '"text"',
  "{",
  '{"link": -1}',
  '{"link": 1.5}',
  '{"seconds": 1e308, "address": "127.0.0.250"}',
];
const POLLUTED_PATHS = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

const pollutedJson: Attack = {
  name: "polluted_json",
  threat: "12",
  isQuick: true,
  honest: operatorWorks,
  async commit(target) {
    const statuses: number[] = [];
    const { opsPort: port, token } = target.server;
    const address = target.newAddress();
    const headers = [`Authorization: Bearer ${token}`];

    for (const body of POLLUTED) {
      for (const action of ["kick", "ban", "close"]) {
        statuses.push(
          (await target.request(address, {
            method: "POST",
            path: `/api/ops/${action}`,
            port,
            headers,
            body,
          })).status,
        );
      }
    }

    for (const name of POLLUTED_PATHS) {
      statuses.push(
        (await target.request(address, {
          method: "POST",
          path: `/api/ops/${name}`,
          port,
          headers,
          body: "{}",
        })).status,
        (await target.request(address, { path: `/api/rooms?game=${name}` })).status,
        (await target.request(address, { path: `/api/games/${name}` })).status,
        (await target.join(address, { gameId: name })).closeInfo!.code,
      );
    }

    assert(statuses.every((status) => [400, 404, 4002].includes(status)), countsOf(statuses));
    assertEquals((await target.request(address, { path: "/api/rooms" })).status, 200);
    return `${statuses.length} polluted values and names: ${
      countsOf(statuses)
    }; ${await operatorWorks(target)}`;
  },
};

const banned: Attack = {
  name: "kicked_and_banned",
  threat: "22",
  isQuick: true,
  async honest(target) {
    assert((await target.join(target.newAddress(), { room: "BANS" })).welcome !== undefined);
    return "nobody is banned";
  },
  async commit(target) {
    const address = target.newAddress();
    const stranger = await target.join(address, { room: "BANS", name: "villain" });
    assertEquals((await target.operate("ban", { address, seconds: 60 })).status, 200);
    assertEquals((await stranger.ended()).code, 4011);
    const back = await many(30, () => target.upgrade(address));
    const counts = countsOf(back.map(({ status }) => status));
    assertEquals(counts, "30 × 403");
    const resumed = await target.upgrade(address, { headers: ["X-Forwarded-For: 192.0.2.1"] });
    assertEquals(resumed.status, 403);
    assert(
      (await target.join(target.newAddress(), { room: "BANS" })).welcome !== undefined,
      "others",
    );
    assertEquals((await target.operate("unban", { address })).status, 200);
    assertEquals((await target.upgrade(address)).status, 101);
    return `a banned address that comes back 30 times: ${counts}; others play; after the ban: 101`;
  },
};

export const OPERATION_ATTACKS: readonly Attack[] = [
  operatorsDoor,
  largeBodies,
  operatorsCrowd,
  pollutedJson,
  banned,
  slowBodies,
  wrongTokens,
];
