/**
 * `deno task bots` against real nodes: it comes into a new room at once, and back after its node
 * has died.
 */
import { assertEquals, assertGreaterOrEqual, assertMatch } from "@std/assert";
import { natsTest } from "../../support/nats/with_nats.ts";
import { spawnTask, textOf } from "../../support/task.ts";
import { PATIENT, startNodes, until } from "../../support/cluster/play_now.ts";

const CLIENTS = 8;
const SECONDS = 12;

/** Runs bots at a node. @returns what they report, and their exit code, when they have ended */
async function startBots(url: string, { room, seconds }: { room: string; seconds: number }) {
  const flags = ["--room", room, "--clients", `${CLIENTS}`, "--seconds", `${seconds}`, "--json"];
  const child = await spawnTask("bots", "--url", url.replace("http", "ws"), ...flags);
  const ended = Promise.all([child.status, textOf(child.stdout), textOf(child.stderr)]);
  return {
    ended: ended.then(([{ code }, stdout, stderr]) => ({
      code,
      stderr,
      report: JSON.parse(stdout.trimEnd().split("\n").at(-1) || "{}"),
    })),
  };
}

natsTest(
  "bots: eight come into a new room of a cluster at once, also one that another node has (SPEC 17.203)",
  async () => {
    await using nodes = await startNodes([...PATIENT], [...PATIENT]);
    const [home, other] = nodes.all;
    const { ended } = await startBots(home!.url, { room: "NEWA", seconds: 1 });
    const { code, stderr, report } = await ended;
    assertEquals([code, report.errors, report.desyncs], [0, 0, 0], stderr);
    const first = await startBots(home!.url, { room: "BOTH", seconds: 4 });
    const second = await startBots(other!.url, { room: "BOTH", seconds: 4 });
    for (const { ended } of [first, second]) {
      const { code, stderr } = await ended;
      assertEquals(code, 0, stderr);
    }
  },
);

natsTest(
  "bots: when the node that orders their match is killed, they come back to it on another one (SPEC 8.41, 24.9)",
  async () => {
    const flags = [...PATIENT, "--authority", "order"];
    await using nodes = await startNodes(flags, flags);
    const [home] = nodes.all;
    const bots = await startBots(home!.url, { room: "BACK", seconds: SECONDS });
    const clients = async () =>
      Number(
        /^wyvern_clients (\d+)$/m.exec(await (await fetch(`${home!.url}/metrics`)).text())?.[1],
      );
    await until(async () => await clients() === CLIENTS, "all are in");
    // Their seats are kept for as long as they have played.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const figures = await (await fetch(`${home!.url}/metrics`)).text();
    assertMatch(figures, /^wyvern_rooms_ordered 1$/m);
    await home!.stop("SIGKILL");

    const { code, stderr, report } = await bots.ended;
    assertEquals([code, report.errors, report.desyncs], [0, 0, 0], stderr);
    assertGreaterOrEqual(report.returns, CLIENTS, "each came back");
  },
);
