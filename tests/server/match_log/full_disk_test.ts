/**
 * A real server whose disk takes no more, and later has room again: the match goes on, and
 * operators read of it.
 */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import type { Game } from "../../../shared/netcode/game.ts";
import { headerOf, replayedLog } from "../../../shared/netcode/match_log/replayed_log.ts";
import { HonestBot } from "../../support/honest_bot.ts";
import { canMount, SmallDisk } from "../../support/logs/small_disk.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";

/** Blocks of 512 bytes. No file of the server may be longer, and a log is after some seconds. */
const FILE_BLOCKS = 8;

Deno.test("serve: on a full disk the match goes on; /readyz and the metrics say that it has no log (SPEC 15.8)", async () => {
  using data = await TemporaryData.make();
  await using server = await ServerProcess.startWithFileLimit(FILE_BLOCKS, "--data", data.folder);
  const bot = new HonestBot(server.url, { name: "Wren", seed: 3 });

  try {
    await bot.until(() => bot.isPlaying);
    assertEquals(await figuresOf(server), { open: 1, failed: 0, recovered: 0 });
    assertMatch(server.stdout, / no_results /); // the tables do not fit, either
    await server.waitForOutput(/match_log_failed/);
    assertEquals(await figuresOf(server), { open: 0, failed: 1, recovered: 0 });
    const readiness = await (await fetch(`${server.url}readyz`)).json();
    assertEquals(readiness.ready, false);
    assertMatch(readiness.reason, /^matches have no log: /);
    const { definitiveTick } = bot.session;
    await bot.assertUndisturbed();
    assertGreater(bot.session.definitiveTick, definitiveTick);
    assertEquals(data.names().map((name) => name.slice(name.lastIndexOf("."))), [".bad"]);
    // A match without a log ends with its process, and its players read so.
    const { code } = await server.stop("SIGTERM");
    assertEquals(code, 0);
    await bot.until(() => false); // resolves when the link is closed
    assertEquals(bot.session.closeReason, "the match is over");
  } finally {
    bot.stop();
  }
});

/** The state of `/readyz`. */
async function readinessOf(server: ServerProcess): Promise<{ ready: boolean; reason: string }> {
  return await (await fetch(`${server.url}readyz`)).json();
}

const replayed = (log: Uint8Array) =>
  replayedLog(log, { gameOf: () => dragonGame as unknown as Game<unknown> });

for (const flags of [[], ["--workers", "2"]]) {
  Deno.test({
    name: `serve ${
      flags.join(" ")
    }: a disk that has room again gives a match its log back (SPEC 15.45)`,
    ignore: !await canMount(),
    fn: async () => await assertRecovers(flags),
  });
}

async function assertRecovers(flags: readonly string[]): Promise<void> {
  using data = await TemporaryData.make();
  await using disk = await SmallDisk.mount(data, 4);
  const name = (extension: string) => {
    const all = data.paths().filter((path) => path.endsWith(extension));
    assertEquals(all.length, 1, `${extension} of ${data.paths()}`);
    return all[0]!;
  };
  const server = await ServerProcess.start("--data", data.folder, ...flags);
  const bot = new ReturningBot(server.url, { name: "Wren", seed: 3, room: "CROW" });

  try {
    await bot.until(() => bot.newestTick > 20);
    disk.fill();
    await server.waitForOutput(/match_log_failed/);
    assertEquals(data.paths().filter((path) => path.endsWith(".open")), []);
    if (flags.length === 0) {
      assertMatch((await readinessOf(server)).reason, /^matches have no log: /);
    }
    const failedAt = bot.newestTick;
    await bot.until(() => bot.newestTick > failedAt + 20);

    disk.empty();
    await server.waitForOutput(/data_recovered/);
    await server.waitForOutput(/match_log_recovered/);
    while (!(await readinessOf(server)).ready);
    if (flags.length === 0) {
      assertEquals(await figuresOf(server), { open: 1, failed: 1, recovered: 1 });
    }
    const recoveredAt = bot.newestTick;
    await bot.until(() => bot.newestTick > recoveredAt + 40);
    assertEquals([bot.desyncs, bot.seats.length], [0, 1]);
  } finally {
    await server.stop("SIGKILL");
  }

  const tick = bot.newestTick;

  // The piece of before, and a log that begins with the state of a later tick, under the header of
  // the match.
  const before = data.read(name(".bad"));
  const after = data.read(name(".open"));
  assertEquals(headerOf(after), headerOf(before));
  assertEquals(replayed(before).firstTick, 0);
  const { firstTick, replay, counts, names, error, fault } = replayed(after);
  assertEquals([error, fault, counts.header, counts.seat], [undefined, undefined, 1, 1]);
  assert(names.includes("Wren"), "a list counts the player");
  assertGreater(firstTick, replayed(before).replay.tick);
  assert(
    replay.tick >= tick,
    `the log ends at tick ${replay.tick}, and the client has seen ${tick}`,
  );

  // The next server goes on with it, and the player has their seat.
  await using next = await ServerProcess.start(
    "--port",
    `${server.port}`,
    "--data",
    data.folder,
    ...flags,
  );
  await next.waitForOutput(/match_resumed/);
  await bot.until(() => bot.newestTick > tick + 20);
  assertEquals([bot.seats[0], bot.seats.length, bot.desyncs], [bot.seats[1], 2, 0]);
  bot.stop();
}

async function figuresOf(server: ServerProcess) {
  const text = await (await fetch(`${server.url}metrics`)).text();
  const valueOf = (name: string) => Number(text.match(new RegExp(`^${name} (\\d+)$`, "m"))![1]);
  return {
    open: valueOf("wyvern_match_logs_open"),
    failed: valueOf("wyvern_match_logs_failed_total"),
    recovered: valueOf("wyvern_match_logs_recovered_total"),
  };
}
