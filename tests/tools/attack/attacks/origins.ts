/**
 * Attacks by a false identity: other sites' pages, other names for this server, and invented
 * addresses.
 */
import { assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { admittedMax, type Attack, countsOf, many } from "../attack.ts";
import type { Target } from "../target.ts";

const crossSite: Attack = {
  name: "cross_site",
  threat: "1",
  isQuick: true,
  async honest(target) {
    const own = await target.upgrade(target.newAddress(), {
      headers: [`Origin: http://127.0.0.1:${target.port}`],
    });
    assertEquals(own.status, 101);
    return "a page of this server: 101";
  },
  async commit(target) {
    const address = target.newAddress();
    const { port } = target;
    const origins = [
      "http://evil.example",
      "null",
      "file://",
      `http://127.0.0.1:${port + 1}`,
      "http://127.0.0.1",
      `http://127.0.0.1:${port}.evil.example`,
      `http://evil.example/127.0.0.1:${port}`,
      "javascript:0",
      "",
    ];
    const statuses: number[] = [];
    for (const origin of origins) {
      statuses.push((await target.upgrade(address, { headers: [`Origin: ${origin}`] })).status);
    }
    assertEquals(countsOf(statuses), `${origins.length} × 403`);
    return `${origins.length} other origins: ${countsOf(statuses)}`;
  },
};

const dnsRebinding: Attack = {
  name: "dns_rebinding",
  threat: "1",
  isQuick: true,
  async honest(target) {
    const { status } = await target.request(target.newAddress(), {
      headers: [`Host: localhost:${target.port}`],
    });
    assertEquals(status, 200);

    const { opsPort, token } = target.server;
    const scrape = await target.request(target.newAddress(), {
      path: "/metrics",
      port: opsPort,
      headers: [`Host: scraped.example:${opsPort}`, `Authorization: Bearer ${token}`],
    });
    assertEquals(scrape.status, 200);
    return "under a name of this machine, and metrics with the token under any name: 200";
  },
  async commit(target) {
    const address = target.newAddress();
    const names = ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example"];
    const statuses: number[] = [];

    for (const name of names) {
      const host = `Host: ${name}:${target.port}`;
      const origin = `Origin: http://${name}:${target.port}`;
      for (const path of ["/", "/play", "/api/rooms", "/metrics"]) {
        statuses.push((await target.request(address, { path, headers: [host] })).status);
      }
      statuses.push((await target.upgrade(address, { headers: [host, origin] })).status);

      // A browser does not add a bearer token by itself, so a page under this name sends none.
      const { opsPort } = target.server;
      const headers = [`Host: ${name}:${opsPort}`];
      const ops = await target.request(address, { path: "/metrics", port: opsPort, headers });
      statuses.push(ops.status);
    }

    assertEquals(countsOf(statuses), `${statuses.length} × 421`);
    return `page, lists, socket and operators' port under 3 names of others: ${countsOf(statuses)}`;
  },
};

/** Upgrades from one address, each with another header. @returns their statuses */
async function forwarded(
  target: Target,
  address: string,
  headers: readonly string[],
): Promise<number[]> {
  const strangers = await many(
    headers.length,
    (i) => target.upgrade(address, { headers: [headers[i]!] }),
  );
  return strangers.map(({ status }) => status);
}

const spoofedProxy: Attack = {
  name: "spoofed_proxy",
  threat: "28",
  isQuick: true,
  async honest(target) {
    const statuses = await forwarded(target, target.newAddress(), ["X-Forwarded-For: 192.0.2.1"]);
    assertEquals(statuses, [101]);
    return "a socket with the header: 101";
  },
  async commit(target) {
    const headers = Array.from({ length: 200 }, (_, i) => `X-Forwarded-For: 192.0.2.${i}`);
    const beganMs = performance.now();
    const statuses = await forwarded(target, target.newAddress(), headers);
    const counts = countsOf(statuses);
    const admitted = statuses.filter((status) => status === 101).length;
    assertLessOrEqual(admitted, admittedMax(beganMs), counts);
    return `200 sockets that invent 200 addresses: ${counts}`;
  },
};

/** The address of the proxy that the server trusts. */
const PROXY = "127.99.0.1";

const spoofedHops: Attack = {
  name: "spoofed_hops",
  threat: "28",
  server: { flags: ["--trust-proxy", PROXY] },
  async honest(target) {
    const headers = Array.from({ length: 150 }, (_, i) => `X-Forwarded-For: 198.51.100.${i}`);
    const statuses = await forwarded(target, PROXY, headers);
    assertEquals(countsOf(statuses), "150 × 101");
    return "150 clients behind the trusted proxy: 150 × 101";
  },
  async commit(target) {
    const headers = Array.from(
      { length: 200 },
      (_, i) => `X-Forwarded-For: 192.0.2.${i}, 203.0.113.7`,
    );
    const beganMs = performance.now();
    const statuses = await forwarded(target, PROXY, headers);
    const counts = countsOf(statuses);
    const admitted = statuses.filter((status) => status === 101).length;
    assertLessOrEqual(admitted, admittedMax(beganMs), counts);
    assertGreater(admitted, 0);
    return `one client behind it that invents 200 addresses: ${counts}`;
  },
};

export const ORIGIN_ATTACKS: readonly Attack[] = [
  crossSite,
  dnsRebinding,
  spoofedProxy,
  spoofedHops,
];
