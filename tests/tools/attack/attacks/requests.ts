/**
 * Single requests that are wrong: too large, for another path, or in another language than HTTP's.
 */
import { assert, assertEquals } from "@std/assert";
import { type Attack, countsOf } from "../attack.ts";
import type { RequestOptions, Target } from "../target.ts";

const PATHS = [
  "/../deno.json",
  "/../../etc/passwd",
  "/%2e%2e/deno.json",
  "/%2e%2e%2f%2e%2e%2fetc/passwd",
  "/..%5c..%5cdeno.json",
  "/./../server/main.ts",
  "/play/../../deno.json",
  "//etc/passwd",
  "/index.html/..%00/deno.json",
  "/%00",
  "/.git/config",
  "/node_modules/ws/package.json",
  "/client/dist/index.html",
  "/server/main.ts",
  "/api/games/../../deno.json",
  "/api/games/%2e%2e%2f%2e%2e%2fdeno.json",
  "/main.ts?/../deno.json",
  "/file:///etc/passwd",
];

const pathTraversal: Attack = {
  name: "path_traversal",
  threat: "28",
  async honest(target) {
    const paths = ["/", "/play", await target.scriptPath()];
    for (const path of paths) {
      assertEquals((await target.request(target.newAddress(), { path })).status, 200, path);
    }
    return `${paths.length} files of the page: 200`;
  },
  async commit(target) {
    const address = target.newAddress();
    const statuses: number[] = [];
    for (const path of PATHS) {
      const { status, text } = await target.request(address, { path });
      assertEquals(status, 404, path);
      assert(!text.includes("importMap") && !text.includes("root:"), path);
      statuses.push(status);
    }
    return `${PATHS.length} paths to other files: ${countsOf(statuses)}`;
  },
};

/** Requests that node:http or the server refuses, and the right statuses. */
const ODD: readonly (readonly [RequestOptions, readonly number[]])[] = [
  ...["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"].map((method) =>
    [{ method }, [405]] as const
  ),
  ...["BREW", "get", "G E T"].map((method) => [{ method }, [400]] as const),
  [{ method: "CONNECT", path: "example.org:443" }, [0, 400, 405]],
  [{ body: "x".repeat(100) }, [400]],
  [{ headers: ["Transfer-Encoding: chunked"] }, [400]],
  [{ headers: ["Content-Length: 5", "Transfer-Encoding: chunked"] }, [400]],
  [{ headers: ["Content-Length: 5", "Content-Length: 6"] }, [400]],
  [{ headers: ["Content-Length: -1"] }, [400]],
  [{ headers: ["Transfer-Encoding: chunked, identity"] }, [400]],
  [{ headers: ["X-Bad: a\u0000b"] }, [400]],
  [{ headers: ["X Bad: a"] }, [400]],
  [{ headers: ["Host: "] }, [400, 421]],
  [{ headers: ["Host: a b"] }, [400, 421]],
  [{ headers: ["Host: evil.example"] }, [421]],
  // The target's authority outranks the Host header (RFC 9112 §3.2.2).
  [{ path: "http://evil.example/" }, [421]],
  [{ path: "*", method: "OPTIONS" }, [405]],
  [{ path: "/socket" }, [426]],
  [{ path: "/ HTTP/9.9\r\nX: " }, [400, 505]],
  // An upgrade to anything but a WebSocket is as if it were not asked for (RFC 9110 §7.8).
  [{
    headers: [
      "Upgrade: h2c",
      "Connection: Upgrade, HTTP2-Settings",
      "HTTP2-Settings: AAMAAABkAAQAAP__",
    ],
  }, [200]],
];

const oddRequests: Attack = {
  name: "odd_requests",
  threat: "28",
  isQuick: true,
  async honest(target) {
    const address = target.newAddress();
    const statuses = await Promise.all(
      ["GET", "HEAD"].map((method) => target.request(address, { method })),
    );
    assertEquals(statuses.map(({ status }) => status), [200, 200]);
    return "GET and HEAD: 200";
  },
  async commit(target) {
    const address = target.newAddress();
    const statuses: number[] = [];
    for (const [options, allowed] of ODD) {
      const { status } = await target.request(address, options);
      assert(allowed.includes(status), `${JSON.stringify(options)}: ${status}`);
      statuses.push(status);
    }
    return `${ODD.length} odd requests: ${countsOf(statuses)}`;
  },
};

const LARGE: readonly RequestOptions[] = [
  { path: `/${"a".repeat(100_000)}` },
  { headers: [`X-Long: ${"a".repeat(100_000)}`] },
  { headers: Array.from({ length: 5_000 }, (_, i) => `X-${i}: ${i}`) },
  { headers: [`Cookie: ${"a=b; ".repeat(20_000)}`] },
  { headers: [`X-Forwarded-For: ${"192.0.2.1, ".repeat(10_000)}`] },
];

/** @returns the statuses of requests with large headers, ten of each */
async function largeRequests(target: Target, port: number): Promise<number[]> {
  const address = target.newAddress();
  const statuses: number[] = [];
  for (let i = 0; i < 10; i++) {
    for (const options of LARGE) {
      statuses.push((await target.request(address, { ...options, port })).status);
    }
  }
  return statuses;
}

const largeHeaders: Attack = {
  name: "large_headers",
  threat: "28",
  async honest(target) {
    const options = { headers: [`Cookie: ${"a".repeat(4_000)}`] };
    assertEquals((await target.request(target.newAddress(), options)).status, 200);
    return "a header of 4 kB: 200";
  },
  async commit(target) {
    const results: string[] = [];
    for (const port of [target.port, target.server.opsPort]) {
      const statuses = await largeRequests(target, port);
      assert(statuses.every((status) => status === 431 || status === 0), countsOf(statuses));
      results.push(countsOf(statuses));
    }
    return `headers of 50 to 110 kB, players' port: ${results[0]}; operators' port: ${results[1]}`;
  },
};

export const REQUEST_ATTACKS: readonly Attack[] = [pathTraversal, oddRequests, largeHeaders];
