/** A real server whose disk takes no more: the match goes on, and operators read of it. */
import { assertEquals, assertGreater, assertMatch } from "@std/assert";
import { HonestBot } from "../../support/honest_bot.ts";
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
    assertEquals(await figuresOf(server), { open: 1, failed: 0 });
    assertMatch(server.stdout, / no_results /); // the tables do not fit, either
    await server.waitForOutput(/match_log_failed/);
    assertEquals(await figuresOf(server), { open: 0, failed: 1 });
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

async function figuresOf(server: ServerProcess) {
  const text = await (await fetch(`${server.url}metrics`)).text();
  const valueOf = (name: string) => Number(text.match(new RegExp(`^${name} (\\d+)$`, "m"))![1]);
  return { open: valueOf("wyvern_match_logs_open"), failed: valueOf("wyvern_match_logs_failed_total") };
}
