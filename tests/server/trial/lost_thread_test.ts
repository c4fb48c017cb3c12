/** A match whose loop nothing can end, and a real server that meets it at its start. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals } from "@std/assert";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { trapLog } from "../../support/trials/trap_game.ts";

const TRAPPED_SERVER = new URL("../../support/trials/trapped_server.ts", import.meta.url);

Deno.test("serve: a match that takes a thread for ever is set aside after two starts, and another one goes on (SPEC 15.37, 15.47)", async () => {
  using data = await TemporaryData.make();
  data.write(
    "20261127T000000-TRAP-0123abcd.open",
    trapLog("clings", { room: "TRAP", game: dragonGame }),
  );
  await using server = await ServerProcess.startScript(
    TRAPPED_SERVER,
    "--data",
    data.folder,
    "--tick-load",
    "100",
  );
  const bot = new ReturningBot(server.url, { name: "Wren", seed: 1, room: "CALM" });

  try {
    assert(
      await server.waitForOutput(
        /match_set_aside id=\S+-TRAP-\S+ room=TRAP game=\S+ error="tick 60 does not end/,
      ),
    );
    assert(
      await server.waitForNth(/server_started pid=\d+ restarts=\d/g, 2),
      "the last process has no such thread",
    );
    assert(await server.waitForNth(/^Wyvern listens on /gm, 3));
    await bot.untilPlayed(20);
    assertEquals(bot.desyncs, 0);
  } finally {
    bot.stop();
  }

  assertEquals(server.stdout.match(/ trial_thread_lost/g)?.length, 2);
  assert(data.names().includes("20261127T000000-TRAP-0123abcd.bad"));
});
