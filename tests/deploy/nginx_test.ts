/** Crowds behind nginx, with the example of `docs/deploy`. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { wait } from "../../server/ground/ticker.ts";
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { pathToFileURL } from "node:url";
import { Certificate } from "../support/certificate.ts";
import { programTest } from "../support/programs.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { freePort, Nginx } from "./nginx.ts";
import { ProxiedPlayer } from "./proxied_player.ts";

const PROGRAMS = ["nginx", "openssl"];
const PLAYERS = 320;
/** Two players of one household each. */
const ADDRESSES = 160;
/** Between two looks at the server's figures, ms. */
const POLL_MS = 100;
/** Seats of a room. */
const SEATS = 16;

const roomOf = (index: number) => `ROO${String.fromCharCode(65 + Math.floor(index / SEATS))}`;

/** A public server behind nginx. @param flags further ones of the server */
async function openProxied(...flags: string[]) {
  const certificate = await Certificate.make();
  const port = freePort();
  const origin = `https://127.0.0.1:${port}`;
  const own = ["--public", "--origin", origin, "--npcs", "0", "--ops-port", "0"];
  const server = await ServerProcess.startWith({ WYVERN_SECRET: "0".repeat(32) }, ...own, ...flags);
  const [, opsUrl, token] =
    (await server.waitForOutput(/^Operators: (\S+); the token is (\w+)$/m))!;
  const nginx = await Nginx.start(server.port, certificate, port);

  /** @throws AssertionError if the operators' port does not have the metric */
  const metric = async (name: string) => {
    const response = await fetch(new URL("/metrics", opsUrl), {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    const front = `${name}{worker="front"} `;
    const line = text.split("\n").find((line) =>
      line.startsWith(`${name} `) || line.startsWith(front)
    );
    assert(line !== undefined, `${name}: ${response.status}`);
    return Number(line.split(" ")[1]);
  };
  return {
    nginx,
    metric,
    caCert: await Deno.readTextFile(certificate.certPath),
    /** Commands that have come in. */
    async commandCount(): Promise<number> {
      const counts = ["taken", "late"].map((verdict) =>
        metric(`wyvern_commands_total{verdict="${verdict}"}`)
      );
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
    async [Symbol.asyncDispose]() {
      await nginx[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await certificate[Symbol.asyncDispose]();
    },
  };
}

type Proxied = Awaited<ReturnType<typeof openProxied>>;

/** All players at once. */
function crowdOf({ nginx: { url }, caCert }: Proxied): ProxiedPlayer[] {
  return Array.from({ length: PLAYERS }, (_, i) => (
    new ProxiedPlayer({ url, caCert, room: roomOf(i), address: `127.0.1.${1 + i % ADDRESSES}` })
  ));
}

/**
 * As pages do, players come again if they found the machine busy; other tests run at the same time.
 */
async function retryBusy(crowd: ProxiedPlayer[], proxied: Proxied): Promise<void> {
  for (const [i, player] of crowd.entries()) {
    if (await player.status !== CloseCode.busy) continue;
    while (await proxied.metric("wyvern_ready") === 0) await wait(POLL_MS);
    crowd[i] = player.again();
    if (await crowd[i]!.status === CloseCode.busy) return await retryBusy(crowd, proxied);
  }
}

/** Counts by status. */
async function statusesOf(players: readonly ProxiedPlayer[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of players) {
    const each = await status;
    counts[each] = (counts[each] ?? 0) + 1;
  }
  return counts;
}

programTest("nginx: 320 players of 160 addresses are all in, and play (SPEC 14.6)", {
  programs: PROGRAMS,
  async run() {
    await using proxied = await openProxied("--trust-proxy", "127.0.0.1");
    const crowd = crowdOf(proxied);
    await retryBusy(crowd, proxied);
    assertEquals(await statusesOf(crowd), { 101: PLAYERS });
    // On a busy machine some commands are late.
    while (await proxied.commandCount() < PLAYERS) await wait(POLL_MS);
    assertEquals(await proxied.metric("wyvern_clients"), PLAYERS);
    for (const player of crowd) player.cut();
  },
});

programTest("nginx: a client that names another address counts under its own (SPEC 14.6)", {
  programs: PROGRAMS,
  async run() {
    await using proxied = await openProxied(
      "--trust-proxy",
      "127.0.0.1",
      "--sockets-per-address",
      "4",
    );
    const { caCert, nginx: { url } } = proxied;
    const liars = Array.from({ length: 12 }, (_, i) => (
      new ProxiedPlayer({
        url,
        caCert,
        room: "LIAR",
        address: "127.0.2.1",
        headers: { "X-Forwarded-For": `192.0.2.${i}` },
      })
    ));
    assertEquals(await statusesOf(liars), { 101: 4, 503: 8 });
    const honest = new ProxiedPlayer({ url, caCert, room: "LIAR", address: "127.0.2.2" });
    assertEquals(await honest.status, 101);
    for (const player of [...liars, honest]) player.cut();
  },
});

programTest("nginx: without --trust-proxy the crowd counts as one address (SPEC 14.6)", {
  programs: PROGRAMS,
  async run() {
    await using proxied = await openProxied();
    const crowd = crowdOf(proxied);
    const statuses = await statusesOf(crowd);
    assertGreater(statuses[429]!, PLAYERS / 4);
    for (const player of crowd) player.cut();
  },
});

programTest(
  "nginx: players of two match processes are in by one port, and a path leads to one of them alone (SPEC 17.3)",
  {
    programs: PROGRAMS,
    async run() {
      await using proxied = await openProxied(
        "--trust-proxy",
        "127.0.0.1",
        "--workers",
        "2",
        "--worker-url",
        "/match/*",
      );
      const { caCert, nginx: { url } } = proxied;
      const crowd = Array.from({ length: 4 * SEATS }, (_, i) => (
        new ProxiedPlayer({ url, caCert, room: roomOf(i), address: `127.0.4.${1 + i}` })
      ));
      await retryBusy(crowd, proxied);
      assertEquals(await statusesOf(crowd), { 101: crowd.length });
      const clients = await Promise.all(
        [1, 2].map((worker) => proxied.metric(`wyvern_clients{worker="${worker}"}`)),
      );
      assertEquals(clients[0]! + clients[1]!, crowd.length);
      assertGreater(Math.min(...clients), 0);
      for (const player of crowd) player.cut();
      using client = Deno.createHttpClient({ caCerts: [caCert] });

      for (
        const path of [
          "match/1/",
          "match/1/metrics",
          "match/3/socket",
          "match/9/socket",
          "match/1/api/rooms/CROW/join",
        ]
      ) {
        const response = await fetch(`${url}${path}`, { client } as RequestInit);
        await response.body?.cancel();
        assert(response.status >= 400, path);
      }
    },
  },
);

programTest("nginx: pages are shown, and figures and operators' paths are closed (SPEC 14.14)", {
  programs: PROGRAMS,
  async run() {
    await using proxied = await openProxied("--trust-proxy", "127.0.0.1");
    using client = Deno.createHttpClient({
      caCerts: [proxied.caCert],
      localAddress: "127.0.3.1",
    });
    const options: RequestInit & { client: Deno.HttpClient } = { client };
    const statusOf = async (path: string) => {
      const response = await fetch(`${proxied.nginx.url}${path}`, options);
      await response.body?.cancel();
      return [path, response.status];
    };
    const paths = [
      "",
      "play",
      "api/rooms",
      "healthz",
      "readyz",
      "metrics",
      "ops",
      "ops/login",
      "api/ops/state",
      "dev",
    ];
    const statuses = Object.fromEntries(await Promise.all(paths.map(statusOf)));
    assertEquals(statuses, {
      "": 200,
      "play": 200,
      "api/rooms": 200,
      "healthz": 403,
      "readyz": 403,
      "metrics": 403,
      "ops": 404,
      "ops/login": 404,
      "api/ops/state": 404,
      "dev": 404,
    });
  },
});

/** The server with pages of its own, which need no build. */
const OTHER_PAGES = new URL("../server/stop/rounds_server.ts", import.meta.url);
/** Requests for a file: nginx asks the nodes in turn. */
const REQUESTS = 20;

programTest(
  "nginx: while nodes of two builds are behind one name, a page of either finds its scripts (SPEC 8.42)",
  {
    programs: PROGRAMS,
    async run() {
      const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
      const builds = ["main-AAAA0001.js", "main-BBBB0002.js"];
      await using stack = new AsyncDisposableStack();
      stack.defer(() => Deno.remove(folder, { recursive: true }));
      const ports: number[] = [];

      for (const script of builds) {
        const pages = `${folder}/${script}`;
        await Deno.mkdir(`${pages}/counter`, { recursive: true });
        await Deno.writeTextFile(`${pages}/counter/index.html`, script);
        await Deno.writeTextFile(`${pages}/counter/${script}`, script);
        const server = stack.use(
          await ServerProcess.startScript(OTHER_PAGES, pathToFileURL(`${pages}/`).href),
        );
        ports.push(server.port);
      }

      await using certificate = await Certificate.make();
      await using nginx = await Nginx.start(ports as [number, number], certificate);
      using client = Deno.createHttpClient({
        caCerts: [await Deno.readTextFile(certificate.certPath)],
      });

      // Two requests in a row for each file, so that nginx, which asks in turn, asks both nodes for
      // it.
      for (let i = 0; i < REQUESTS; i++) {
        const script = builds[(i >> 1) % builds.length]!;
        const answer = await fetch(`${nginx.url}${script}`, { client } as RequestInit);
        assertEquals([i, answer.status, await answer.text()], [i, 200, script]);
      }

      const unknown = await fetch(`${nginx.url}main-CCCC0003.js`, { client } as RequestInit);
      await unknown.body?.cancel();
      assertEquals(unknown.status, 404);
    },
  },
);
