import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { openWholeSession } from "../../../client/net/datagram_session.ts";
import { metricsOf, sampleOf } from "../../tools/bench/match/server_readings.ts";
import { RandomDragonControls } from "../../tools/lab/random_controls.ts";
import { HonestBot } from "../../support/honest_bot.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";

const TICK_MS = 50;
/** One second. */
const TICKS = 20;

for (const stallMs of [600, 1200]) {
  Deno.test(`server: a second after it was stopped for ${stallMs} ms, a client is as far ahead as before; each press counts once (SPEC 1.2, 2.13, 5.28)`, async () => {
    await using server = await ServerProcess.start("--seed", "5");
    const controls = new RandomDragonControls(1);
    const bot = new HonestBot(server.url, { name: "Wren", seed: 1, controls });

    try {
      const { session } = bot;
      /**
       * The least distance from the newest definitive tick to the head within a second: what is
       * more is late frames.
       */
      const leastAhead = async () => {
        let least = Infinity;
        const last = session.definitiveTick + TICKS;
        await bot.until(() => {
          least = Math.min(least, session.head - session.definitiveTick);
          return session.definitiveTick >= last;
        });
        return least;
      };
      await bot.until(() => bot.isPlaying);
      await leastAhead();
      const before = await leastAhead();

      const { head, definitiveTick } = session;
      server.signal("SIGSTOP");
      await bot.until(() => session.head >= head + stallMs / TICK_MS - 1);
      server.signal("SIGCONT");
      assert(
        await server.waitForOutput(/ticks_dropped ticks=([5-9]|\d\d)/),
        "the server has reported no drop",
      );
      await bot.until(() => session.definitiveTick >= definitiveTick + TICKS);
      assertLess(await leastAhead(), before + 3);

      controls.isIdle = true;
      await leastAhead();
      await leastAhead();
      const { flapPresses, firePresses } = session.simulation!.world.player(session.seat)!.fields;
      assertGreater(controls.flapTotal, 10);
      assertEquals([flapPresses, firePresses], [controls.flapTotal, controls.fireTotal]);
      await bot.assertUndisturbed();
    } finally {
      bot.stop();
    }
  });
}

/** Longer than the burst of messages that the test allows a link. */
const STOPPED_MS = 3_000;

Deno.test("server: what waits while it is stopped is nobody's flood: nobody is closed, all are in sync again (SPEC 14.13)", async () => {
  await using server = await ServerProcess.start(
    "--messages-per-link",
    "40/25",
    "--messages-per-address",
    "90/80",
  );
  const bots = [1, 2, 3].map((seed) => new HonestBot(server.url, { name: `Wren${seed}`, seed }));

  try {
    await Promise.all(bots.map((bot) => bot.until(() => bot.isPlaying)));
    const stoppedAtMs = performance.now();
    server.signal("SIGSTOP");
    await bots[0]!.until(() => performance.now() >= stoppedAtMs + STOPPED_MS);
    server.signal("SIGCONT");
    const ticks = bots[0]!.session.definitiveTick;
    await bots[0]!.until(() => bots[0]!.session.definitiveTick > ticks + 2 * TICKS);
    for (const bot of bots) {
      await bot.assertUndisturbed();
      // A message for each tick waited; an unfair server closes the link with 4006.
      assertGreater(bot.session.stats.ticks, 2 * TICKS);
    }
  } finally {
    for (const bot of bots) bot.stop();
  }
});

/** Two ticks come due in each pause. */
const PAUSE_MS = 100;
const PAUSES = 12;

Deno.test("server: commands that arrive at its sockets while it is stopped are taken, by WebSocket and by datagram (SPEC 2.15, 2.17)", async () => {
  await using server = await ServerProcess.start("--datagrams", "on", "--seed", "5");
  const { origin } = new URL(server.url);
  const openDatagrams = () =>
    openWholeSession(origin, {
      gameId: dragonGame.id,
      room: "BOTS",
      name: "Rook",
      spectate: false,
    });
  const bots = [
    new HonestBot(server.url, { name: "Wren", seed: 1 }),
    new HonestBot(server.url, { name: "Rook", seed: 2, open: openDatagrams }),
  ];

  try {
    await Promise.all(bots.map((bot) => bot.until(() => bot.isPlaying)));
    const [first] = bots;
    const { session } = first!;
    const ticksLater = (ticks: number) => {
      const last = session.definitiveTick + ticks;
      return first!.until(() => session.definitiveTick >= last);
    };
    await ticksLater(2 * TICKS);
    const lateBefore = bots.map(({ session: { stats } }) => stats.commandsLate);
    for (let pause = 0; pause < PAUSES; pause++) {
      const stoppedAtMs = performance.now();
      server.signal("SIGSTOP");
      await first!.until(() => performance.now() >= stoppedAtMs + PAUSE_MS);
      server.signal("SIGCONT");
      await ticksLater(TICKS / 2);
    }
    await ticksLater(5);
    // Where late ticks do not wait for the sockets, each pause costs each bot a command or two.
    bots.forEach(({ session: { stats } }, i) =>
      assertLess(stats.commandsLate - lateBefore[i]!, PAUSES / 2)
    );
    assertLess(
      sampleOf(await metricsOf(server.url), "wyvern_commands_late_by_server_total"),
      PAUSES / 2,
    );
    for (const bot of bots) await bot.assertUndisturbed();
  } finally {
    for (const bot of bots) bot.stop();
  }
});
