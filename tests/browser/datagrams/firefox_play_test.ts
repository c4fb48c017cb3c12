/**
 * The real page of the real server in Firefox, by datagrams. No driver controls it: a proxy adds a
 * script to the page, which presses "play", and reports.
 */
import { assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { HonestBot } from "../../support/honest_bot.ts";
import { freePort } from "../../support/servers/public_server.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { Firefox, firefoxPath } from "../firefox.ts";
import { browsersAreRequired } from "../places.ts";

const NAME =
  "page: Firefox plays a match by WebTransport, in sync with a player by WebSocket (SPEC 16.9)";

interface Report {
  readonly agent: string;
  /** Hashes that were the server's, and those that were not. */
  readonly ticks: number;
  readonly desyncs: number;
  readonly isInSync: boolean;
}

/** Runs in the page. It plays for six seconds of ticks. */
const PROBE = `
const report = (value) => fetch("/report", { method: "POST", body: JSON.stringify(value) });
try {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const until = async (condition) => { while (!condition()) await frame(); };
  // The page takes clicks once it has its script for datagrams.
  await until(() => "wyvern" in globalThis);
  document.querySelector("#name").value = "Fox";
  document.querySelector("#play").click();
  await until(() => wyvern?.phase === "playing" && wyvern.simulation?.world.player(wyvern.seat) !== undefined);
  await until(() => wyvern.stats.ticks > 120 && wyvern.isInSync);
  const { stats: { ticks, desyncs }, isInSync } = wyvern;
  await report({ agent: navigator.userAgent, ticks, desyncs, isInSync });
} catch (error) {
  await report({ agent: String(error) });
}
`;

/** The server's page with the script, on another port. All other answers are the server's own. */
function serveProbed(target: () => string, port: number) {
  const { promise: report, resolve } = Promise.withResolvers<Report>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port, onListen: () => {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname === "/report") {
        resolve(await request.json());
        return new Response();
      }
      if (pathname === "/probe.js") {
        return new Response(PROBE, {
          headers: { "Content-Type": "text/javascript" },
        });
      }

      const { method } = request;
      const body = method === "POST" ? await request.text() : undefined;
      const headers = { "Content-Type": request.headers.get("Content-Type") ?? "text/plain" };
      const answer = await fetch(new URL(pathname + search, target()), {
        method,
        body: body ?? null,
        headers,
      });
      const passed = new Headers(answer.headers);
      for (const name of ["content-encoding", "content-length"]) passed.delete(name);
      if (pathname !== "/") {
        return new Response(answer.body, {
          status: answer.status,
          headers: passed,
        });
      }

      const page = (await answer.text()).replace(
        "</body>",
        '<script type="module" src="probe.js"></script></body>',
      );
      return new Response(page, { headers: passed });
    },
  );
  return { server, report };
}

async function run(): Promise<void> {
  const port = freePort();
  const origin = `http://127.0.0.1:${port}`;
  await using game = await ServerProcess.start("--datagrams", "on", "--origin", origin);
  const { server, report } = serveProbed(() => game.url, port);
  const witness = new HonestBot(game.url, { seed: 1, room: "FOXY", name: "witness" });
  const firefox = await Firefox.open(`${origin}/?transport=webtransport#FOXY`);

  try {
    const ended = firefox.ended.then(({ code }) =>
      Promise.reject(new Error(`Firefox ended with code ${code}`))
    );
    const { agent, ticks, desyncs, isInSync } = await Promise.race([report, ended]);
    assertStringIncludes(agent, "Firefox/");
    assertGreater(ticks, 120);
    assertEquals([desyncs, isInSync], [0, true]);
    await game.waitForOutput(/link_opened .*transport=webtransport/);
    await witness.assertUndisturbed();
    witness.stop();
  } finally {
    await firefox.close();
    await server.shutdown();
  }
}

const isLeftOut = firefoxPath === undefined && !browsersAreRequired();
if (isLeftOut) console.warn(`left out, for want of Firefox: ${NAME}`);
Deno.test({ name: NAME, ignore: isLeftOut, sanitizeOps: false, sanitizeResources: false, fn: run });
