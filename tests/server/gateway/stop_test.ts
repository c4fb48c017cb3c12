/**
 * The end of a server of several processes, and servers with another number of them on the same
 * folder.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { SIGNALS_APART_MS } from "../../../server/ground/process.ts";
import { wait } from "../../../server/ground/ticker.ts";
import { GOING_AWAY, StopReason } from "../../../shared/netcode/wire/stop_reasons.ts";
import { KEPT_SEAT_TICKS } from "../../support/kept_seat.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { runServer, ServerProcess } from "../../support/servers/server_process.ts";
import { WorkerServer } from "../../support/servers/worker_server.ts";

const ON_TICKS = 20;

Deno.test("serve --workers: SIGTERM ends all processes, and any number of processes goes on with the matches (SPEC 17.7, 17.10)", async () => {
  using data = await TemporaryData.make();
  const first = await WorkerServer.start("--data", data.folder, "--workers", "3");
  const { port, url } = first.server;
  const bots = ["ASHE", "BEAR", "CROW"].map((room, seed) =>
    new ReturningBot(url, { name: room, seed, room })
  );
  const again = async (start: () => Promise<ServerProcess | WorkerServer>) => {
    const sessions = bots.map(({ session }) => session);
    const newest = bots.map(({ newestTick }) => newestTick);
    const running = await start();
    await Promise.all(
      bots.map((bot, i) => bot.until(() => bot.session !== sessions[i] && bot.isPlaying)),
    );
    await Promise.all(
      bots.map((bot, i) => bot.until(() => bot.newestTick > newest[i]! + ON_TICKS)),
    );
    return running;
  };
  let running: ServerProcess | WorkerServer = first;

  try {
    await Promise.all(bots.map((bot) => bot.untilPlayed(KEPT_SEAT_TICKS)));
    const ended = bots.map(({ session }) => session);
    const { code, stdout } = await first.server.stop();
    assertEquals(code, 0);
    for (const worker of [1, 2, 3]) {
      assertMatch(stdout, new RegExp(`worker_stopped worker=${worker} code=0`));
    }
    for (const { closeCode, closeReason } of ended) {
      assertEquals([closeCode, closeReason], [GOING_AWAY, StopReason.kept]);
    }

    const flags = ["--data", data.folder, "--port", String(port), "--npcs", "0"];
    running = await again(() => ServerProcess.start(...flags));
    assert(
      running instanceof ServerProcess && await running.waitForOutput(/match_logs_moved files=3/),
    );
    await running.stop();
    running = await again(() => WorkerServer.start(...flags));
    assert(running instanceof WorkerServer);
    for (const worker of [1, 2]) {
      assert(
        await running.server.waitForOutput(new RegExp(`match_resumed worker=${worker} `)),
        "each has one, or two",
      );
    }
    for (const { seats } of bots) assertEquals([seats.length, new Set(seats).size], [3, 1]);
  } finally {
    for (const bot of bots) bot.stop();
    await running[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
  }
});

Deno.test("serve --workers: a signal to the whole group counts once, and a second one ends all at once (SPEC 17.10)", async () => {
  await using workers = await WorkerServer.start("--grace", "60");
  const { server } = workers;
  const bot = await workers.play("CROW");

  try {
    const worker = await workers.workerOf("CROW");
    const { stats } = bot.session;
    const interrupt = () => {
      Deno.kill(workers.pidOf(worker), "SIGINT");
      server.signal("SIGINT");
    };
    interrupt();
    await server.waitForOutput(
      new RegExp(
        `stopping worker=${worker} [^]* stopping signal=|stopping signal=[^]*worker=${worker} `,
      ),
    );
    assertEquals((await (await fetch(`${server.url}readyz`)).json()).reason, "stopping");
    assertEquals((await workers.join("DOVE")).status, 503);
    const { ticks } = stats;
    await bot.until(() => stats.ticks >= ticks + ON_TICKS);
    await bot.assertUndisturbed();
    await wait(SIGNALS_APART_MS);
    interrupt();
    const { code, stdout } = await server.ended();
    assertEquals(code, 0);
    assertMatch(stdout, new RegExp(`drained worker=${worker} why="a second signal"`));
  } finally {
    bot.stop();
  }
});

Deno.test("serve --workers: what cannot start ends in one line, and leaves no process (SPEC 17.1, 17.13)", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr as Deno.NetAddr;

  for (
    const [flags, words] of [
      [["--port", String(port - 1), "--workers", "2"], `--port ${port} is in use on 127.0.0.1`],
      [["--port", "65534", "--workers", "2"], "leaves no ports"],
      [["--workers", "0"], "--workers cannot be"],
      [["--workers", "2", "--check-twin"], "--check-twin looks into one process"],
      [
        ["--workers", "2", "--cluster", "nats://127.0.0.1:1", "--data", "off"],
        "--cluster needs --data",
      ],
      [["--workers", "2", "--scale-hook", "./scale"], "--scale-hook needs --cluster"],
      [["--workers", "2", "--scale-seats", "100-200"], "--scale-seats cannot be"],
      [["--workers", "2", "--datagrams-port", "9000"], "--datagrams-port needs --workers 1"],
      [["--workers", "2", "--worker-url", "/match"], "--worker-url cannot be"],
      [["--workers", "2", "--origin", "https://play.example.org"], "needs --worker-url"],
    ] as const
  ) {
    const { code, stderr } = await runServer(...flags);
    assertEquals([flags.join(" "), code], [flags.join(" "), 2]);
    assertMatch(stderr, new RegExp(`^wyvern: .*${words.replaceAll(/[.*]/g, "\\$&")}`, "m"));
    assertEquals(stderr.trim().split("\n").length, 1, stderr);
  }
});
