/**
 * A server that hangs, or that dies: its supervisor names the match, and another server goes on.
 */
import type { DragonCommand } from "../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { commandOf } from "../../support/dragons.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { joinedSocketUrl } from "../../../client/net/join.ts";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import type { Link } from "../../../shared/netcode/link.ts";
import { HonestBot } from "../../support/honest_bot.ts";
import { KEPT_SEAT_TICKS } from "../../support/kept_seat.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";

const HANGING = new URL("../../support/servers/hanging_server.ts", import.meta.url);

/** Opens a link as a page does, with a ticket for the process that has the room. */
function joining(url: string, room: string): () => Link {
  const request = { gameId: dragonGame.id, room, name: room, spectate: false };
  return () => openNodeWebSocketLink(joinedSocketUrl(new URL(url).origin, request));
}

function isRunning(pid: number): boolean {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`) !== "";
  } catch {
    return false;
  }
}

/** Fires twice in each tick, which makes the planted mistake show. */
function twoShots(): { next(): DragonCommand } {
  let fires = 0;
  return { next: () => commandOf({ fires: fires = (fires + 2) & 3 }) };
}

for (const mistake of ["loop", "death"] as const) {
  Deno.test(`serve: a rule with a planted ${mistake} costs the others two seconds and a return (SPEC 17.14, 17.15)`, async () => {
    using data = await TemporaryData.make();
    await using server = await ServerProcess.startScript(
      HANGING,
      mistake,
      "--data",
      data.folder,
    );
    const firstPid = server.pid;
    const bots = ["CALM", "DOVE"].map((room, i) =>
      new ReturningBot(server.url, { name: room, seed: i, room })
    );

    try {
      await Promise.all(bots.map((bot) => bot.untilPlayed(KEPT_SEAT_TICKS)));
      const sessions = bots.map(({ session }) => session);
      const newest = bots.map(({ newestTick }) => newestTick);

      const villain = new HonestBot(server.url, {
        name: "Loop",
        seed: 9,
        room: "HANG",
        controls: twoShots(),
      });
      const named = mistake === "loop" ? /tick_hangs (.*)/ : /died_in_tick (.*)/;
      const [, fields = ""] = (await server.waitForOutput(named))!;
      villain.stop();
      assertMatch(
        fields,
        /game=dragons-10 room=HANG id=\d{8}T\d{6}-HANG-[0-9a-f]{8} tick=\d+ phase=tick ms=\d+/,
      );

      await Promise.all(
        bots.map((bot, i) => bot.until(() => bot.session !== sessions[i] && bot.isPlaying)),
      );
      for (const [i, { seats, newestTick, desyncs, session }] of bots.entries()) {
        assertEquals([seats.length, new Set(seats).size, desyncs + session.stats.desyncs], [
          2,
          1,
          0,
        ]);
        assert(newestTick >= newest[i]!, `tick ${newestTick} after ${newest[i]}`);
      }
      assert(server.pid !== firstPid, "another process");
      for (const room of ["CALM", "DOVE"]) {
        await server.waitForOutput(new RegExp(`match_resumed .*room=${room} `));
      }
    } finally {
      for (const bot of bots) bot.stop();
    }
  });
}

Deno.test("serve --workers: a match process that hangs is named and replaced, and another one feels nothing (SPEC 17.14)", async () => {
  using data = await TemporaryData.make();
  await using server = await ServerProcess.startScript(
    HANGING,
    "loop",
    "--workers",
    "2",
    "--data",
    data.folder,
  );
  const bot = new HonestBot(server.url, {
    name: "Calm",
    seed: 1,
    room: "CALM",
    open: joining(server.url, "CALM"),
  });
  const villain = new HonestBot(server.url, {
    name: "Loop",
    seed: 9,
    room: "HANG",
    controls: twoShots(),
    open: joining(server.url, "HANG"),
  });

  try {
    const [, worker] = (await server.waitForOutput(
      /tick_hangs worker=(\d) game=dragons-10 room=HANG .*phase=tick/,
    ))!;
    await server.waitForOutput(
      new RegExp(`worker_lost worker=${worker} [^]*match_process_ready worker=${worker} `),
    );
    await bot.assertUndisturbed();
  } finally {
    bot.stop();
    villain.stop();
  }
});

Deno.test("serve: a server whose supervisor was killed ends, also while it hangs (SPEC 17.16)", async () => {
  for (const isHanging of [false, true]) {
    const server = await ServerProcess.startScript(HANGING, "loop");
    const { pid } = server;
    const villain = new HonestBot(server.url, {
      name: "Loop",
      seed: 9,
      room: "HANG",
      controls: twoShots(),
    });
    if (isHanging) await villain.until(() => villain.isPlaying);
    server.killSupervisor();
    villain.stop();
    // The pipe of its output is at its end: nothing holds it any more.
    await server.ended();
    assertEquals(isRunning(pid), false);
  }
});

Deno.test("serve: a server that was killed is started again on its ports, with its metrics counting it (SPEC 17.15)", async () => {
  await using server = await ServerProcess.start();
  const { pid, url } = server;
  Deno.kill(pid, "SIGKILL");
  await server.waitForOutput(/server_lost code=137 signal=SIGKILL[^]*Wyvern listens on/);
  assertEquals(new URL(server.url).port, new URL(url).port);
  const metrics = await (await fetch(`${url}metrics`)).text();
  assertMatch(metrics, /^wyvern_server_restarts_total 1$/m);
});

Deno.test("serve: without permission to start programs it says that nothing supervises it (SPEC 17.17)", async () => {
  await using server = await ServerProcess.startUnsupervised();
  await server.waitForOutput(/warn unsupervised reason="Deno runs without --allow-run"/);
});
