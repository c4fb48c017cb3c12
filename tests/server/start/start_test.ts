/**
 * Real servers that are asked 500 times a second from the first moment of their start, at every
 * route of every port.
 */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater } from "@std/assert";
import { portsFor } from "../../../server/gateway/ports.ts";
import { PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { builtPage } from "../../support/built_page.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { askFromTheFirstMoment, type Route } from "./start_load.ts";

/** One address asks for all, and none of it shall be refused for that. */
const NO_LIMITS = [
  "--requests-per-address",
  "100000/100000",
  "--upgrades-per-address",
  "100000/100000",
  "--connections-per-address",
  "2000",
  "--sockets-per-address",
  "2000",
  "--sockets",
  "2000",
];

const OPS_TOKEN = "0123456789abcdef0123456789abcdef";
const REQUEST = JSON.stringify({ game: dragonGame.id, protocol: PROTOCOL_VERSION });

/** Every route of the players' port. @param socketStatus of an upgrade without a ticket */
function playerRoutes(port: number, socketStatus: number): Route[] {
  const get = (path: string, ...statuses: number[]) => ({ port, line: `GET ${path}`, statuses });
  return [
    get("/", 200),
    // A busy machine drops ticks.
    get("/healthz", 200, 503),
    get("/readyz", 200, 503),
    get("/metrics", 200),
    get("/api/rooms", 200),
    get("/api/games", 200),
    get(`/api/games/${dragonGame.id}`, 200),
    get("/api/matches", 200),
    get("/api/matches/20261125T000000-CROW-00000000/log", 404),
    get("/api/results", 200),
    get("/api/results/best", 200),
    get("/replay", 200),
    get("/nothing", 404),
    get("/socket", 426),
    // 503 as an answer of its own: the ticks of a busy machine take too much.
    { port, line: "POST /api/rooms/CROW/join", statuses: [200, 503], body: REQUEST },
    {
      port,
      line: "OPTIONS /api/rooms/CROW/join",
      statuses: [204],
      headers: [`Origin: http://127.0.0.1:${port}`],
    },
    { port, line: "UPGRADE /socket", statuses: [socketStatus] },
  ];
}

function operatorRoutes(port: number): Route[] {
  const headers = [`Authorization: Bearer ${OPS_TOKEN}`];
  const get = (path: string, status = 200) => ({
    port,
    line: `GET ${path}`,
    statuses: [status],
    headers,
  });
  return [
    get("/ops"),
    get("/metrics"),
    get("/api/ops/rooms"),
    get("/ops.css"),
    get("/nothing", 404),
    { port, line: "POST /api/ops/announce", statuses: [200], headers, body: '{"text":"hello"}' },
  ];
}

/** A match process has probes and sockets for those with a ticket. */
function workerRoutes(port: number): Route[] {
  return [
    { port, line: "GET /healthz", statuses: [200, 503] },
    { port, line: "GET /readyz", statuses: [200, 503] },
    { port, line: "UPGRADE /socket", statuses: [403] },
  ];
}

/**
 * Every second request is a probe or a request for a ticket: those read the parts of the server
 * that come to be last, and a start has only some 20 ms between the open port and its end.
 */
function withProbesBetween(routes: readonly Route[]): Route[] {
  const probes = routes.filter(({ line }) => /healthz|readyz|metrics|join/.test(line));
  return routes.flatMap((route, i) => [route, probes[i % probes.length]!]);
}

async function assertAnsweredFromTheStart(workers: number): Promise<void> {
  await builtPage();
  using data = await TemporaryData.make();
  const { page, workers: others } = portsFor({
    host: "127.0.0.1",
    port: 0,
    workers: workers + 1,
    udpHost: "127.0.0.1",
  });
  const opsPort = others.at(-1)!;
  const routes = [
    ...playerRoutes(page, workers > 1 ? 403 : 101),
    ...operatorRoutes(opsPort),
    ...workers > 1 ? others.slice(0, workers).flatMap(workerRoutes) : [],
  ];
  const flags = [
    "--port",
    `${page}`,
    "--ops-port",
    `${opsPort}`,
    "--data",
    data.folder,
    ...NO_LIMITS,
  ];
  const starting = ServerProcess.startWith(
    { WYVERN_OPS_TOKEN: OPS_TOKEN },
    ...flags,
    "--workers",
    `${workers}`,
  );

  const outcomes = await askFromTheFirstMoment(withProbesBetween(routes), starting);
  const { code, stdout, stderr } = await (await starting).stop("SIGTERM");

  const wrong = outcomes.filter(({ route, answer, hasRetryAfter }) => {
    if (answer === "refused" || (answer === 503 && hasRetryAfter)) return false;
    return answer === "cut" || !route.statuses.includes(answer);
  });
  assertEquals(
    wrong.map(({ route, answer }) => `${route.line} at ${route.port - page}: ${answer}`),
    [],
  );
  assertEquals([
    stdout.match(/^.*(_failed|stray_error|TypeError|ReferenceError).*$/gm),
    stderr,
    code,
  ], [null, "", 0]);

  // It was asked before it listened, and every route was answered in the end.
  const count = (answer: string | number) =>
    outcomes.filter((each) => each.answer === answer).length;
  assertGreater(count("refused"), 0);
  for (const route of routes) {
    const own = outcomes.filter((each) => each.route === route);
    assert(own.some(({ answer }) => route.statuses.includes(answer as number)), route.line);
  }
}

Deno.test("serve: every route, join and socket asked from the first ms of a start gets 503 or its answer (SPEC 14.46)", async () => {
  await assertAnsweredFromTheStart(1);
});

Deno.test("serve --workers 2: the same at the ports of the page, the operators and the match processes (SPEC 14.46)", async () => {
  await assertAnsweredFromTheStart(2);
});
