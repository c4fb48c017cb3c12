/**
 * The replay page in Firefox. No driver controls it: a script that the test adds to the page seeks,
 * and reports.
 */
import { assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { packedLog, playedLog } from "../../tools/lab/logs/played_log.ts";
import { Firefox, firefoxPath } from "../firefox.ts";
import { browsersAreRequired } from "../places.ts";
import { builtPage } from "../../support/built_page.ts";

const NAME =
  "replay: Firefox has the hash of every tick, also after seeks, and plays on in a fork (SPEC 15.12, 15.14) [seed 96]";
const BUILT = new URL("../../../client/dist/dragons/", import.meta.url);
const ID = "20261125T081015-CROW-1a2b3c4d";
const TICKS = [150, 20, 199, 198, 77];

interface Report {
  readonly agent: string;
  readonly equalTicks: number;
  readonly moments: readonly (readonly [tick: number, hash: number])[];
  readonly fork: readonly [fromTick: number, phase: string, desyncs: number];
}

/** Runs in the page. */
const PROBE = `
const report = (value) => fetch("/report", { method: "POST", body: JSON.stringify(value) });
try {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const until = async (condition) => { while (!condition()) await frame(); };
  await until(() => globalThis.wyvernReplay?.player?.status.isComplete);
  const page = wyvernReplay, timeline = document.querySelector("#timeline"), moments = [];
  for (const tick of ${JSON.stringify(TICKS)}) {
    timeline.value = String(tick);
    timeline.dispatchEvent(new Event("input"));
    await frame();
    moments.push([page.tick, page.hash]);
  }
  document.querySelector("#fork").click();
  await until(() => page.fork.presenter.session.phase === "playing" && page.fork.match.tick > 100);
  const { fromTick, presenter: { session } } = page.fork;
  const fork = [fromTick, session.phase, session.stats.desyncs], { equalTicks } = page.player.status;
  await report({ agent: navigator.userAgent, equalTicks, moments, fork });
} catch (error) {
  await report({ agent: String(error) });
}
`;

/** Serves the page, one log, and takes the report. */
function serve(
  log: Uint8Array<ArrayBuffer>,
): { server: Deno.HttpServer<Deno.NetAddr>; report: Promise<Report> } {
  const { promise: report, resolve } = Promise.withResolvers<Report>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const path = new URL(request.url).pathname;
      if (path === "/report") {
        resolve(await request.json());
        return new Response();
      }
      if (path === `/api/matches/${ID}/log`) return new Response(log);
      if (path === "/probe.js") {
        return new Response(PROBE, {
          headers: { "Content-Type": "text/javascript" },
        });
      }

      if (path === "/replay") {
        const page = await Deno.readTextFile(new URL("replay.html", BUILT));
        const probed = page.replace(
          "</body>",
          '<script type="module" src="probe.js"></script></body>',
        );
        return new Response(probed, { headers: { "Content-Type": "text/html" } });
      }

      const type = path.endsWith(".js")
        ? "text/javascript"
        : path.endsWith(".css")
        ? "text/css"
        : "image/svg+xml";
      const file = await Deno.readFile(new URL(path.slice(1), BUILT)).catch(() => undefined);
      return new Response(file ?? null, {
        status: file === undefined ? 404 : 200,
        headers: { "Content-Type": type },
      });
    },
  );
  return { server, report };
}

async function run(): Promise<void> {
  await builtPage();
  const { bytes, hashes, lastTick } = playedLog({ seed: 96, seconds: 11 });
  const { server, report } = serve(packedLog(bytes));
  const firefox = await Firefox.open(`http://127.0.0.1:${server.addr.port}/replay#${ID}`);

  try {
    const ended = firefox.ended.then(({ code }) =>
      Promise.reject(new Error(`Firefox ended with code ${code}`))
    );
    const { agent, equalTicks, moments, fork } = await Promise.race([report, ended]);
    assertStringIncludes(agent, "Firefox/");
    assertGreater(lastTick, 199);
    assertEquals(equalTicks, lastTick);
    assertEquals(moments, TICKS.map((tick) => [tick, hashes.get(tick)!] as const));
    assertEquals(fork, [77, "playing", 0]);
  } finally {
    await firefox.close();
    await server.shutdown();
  }
}

const isLeftOut = firefoxPath === undefined && !browsersAreRequired();
if (isLeftOut) console.warn(`left out, for want of Firefox: ${NAME}`);
Deno.test({ name: NAME, ignore: isLeftOut, sanitizeOps: false, sanitizeResources: false, fn: run });
