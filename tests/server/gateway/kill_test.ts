/** A match process that dies: its matches go on in the next one, and nobody else notices. */
import { assert, assertEquals } from "@std/assert";
import { HonestBot } from "../../support/honest_bot.ts";
import { KEPT_SEAT_TICKS } from "../../support/kept_seat.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { WorkerServer } from "../../support/servers/worker_server.ts";

const ROOMS = ["ASHE", "BEAR", "CROW", "DOVE"];
const PLAYERS = 2;

Deno.test("serve --workers: a killed process's players have their seats again, and others feel nothing (SPEC 17.2, 17.5, 17.6)", async () => {
  using data = await TemporaryData.make();
  await using workers = await WorkerServer.start("--data", data.folder);
  const { server } = workers;
  const bots = ROOMS.flatMap((room, i) =>
    Array.from(
      { length: PLAYERS },
      (_, seat) =>
        new ReturningBot(server.url, { name: `${room} ${seat}`, seed: i * PLAYERS + seat, room }),
    )
  );
  const witnesses: HonestBot[] = [];

  try {
    await Promise.all(bots.map((bot) => bot.untilPlayed(KEPT_SEAT_TICKS)));
    const homes: number[] = [];
    for (const room of ROOMS) homes.push(await workers.workerOf(room));
    assert(homes.includes(1) && homes.includes(2), `rooms are spread over ${homes}`);
    const isHit = (bot: ReturningBot) => homes[Math.floor(bots.indexOf(bot) / PLAYERS)] === 1;
    const hit = bots.filter(isHit);
    const others = bots.filter((bot) => !isHit(bot));
    for (const room of ROOMS.filter((_, i) => homes[i] === 2)) {
      witnesses.push(await workers.play(room));
    }
    const sessions = bots.map(({ session }) => session);
    // Each room counts its own ticks.
    const newest = new Map(hit.map((bot) => [bot, bot.newestTick]));

    Deno.kill(workers.pidOf(1), "SIGKILL");
    await Promise.all(
      hit.map((bot) =>
        bot.until(() => bot.session !== sessions[bots.indexOf(bot)] && bot.isPlaying)
      ),
    );
    await server.waitForOutput(/worker_lost worker=1 .*[^]*match_process_ready worker=1 /);
    const resumed = ROOMS.filter((room) =>
      new RegExp(`match_resumed worker=1 .*room=${room} `).test(server.stdout)
    );
    assertEquals(resumed, ROOMS.filter((_, i) => homes[i] === 1));
    for (const bot of hit) {
      const { seats, newestTick, desyncs, session } = bot;
      assertEquals([seats.length, new Set(seats).size, desyncs + session.stats.desyncs], [2, 1, 0]);
      assert(newestTick >= newest.get(bot)!, `tick ${newestTick} after ${newest.get(bot)}`);
    }
    for (const witness of witnesses) await witness.assertUndisturbed();
    for (const bot of others) {
      assertEquals([bot.session === sessions[bots.indexOf(bot)], bot.seats.length, bot.isPlaying], [
        true,
        1,
        true,
      ]);
    }
    assert(!/link_closed worker=2 /.test(server.stdout), server.stdout);
  } finally {
    for (const bot of [...bots, ...witnesses]) bot.stop();
  }
});

Deno.test("serve --workers: match processes end with the gateway, and its successor goes on (SPEC 17.7)", async () => {
  using data = await TemporaryData.make();
  const first = await WorkerServer.start("--data", data.folder);
  const { port } = first.server;
  const bot = new ReturningBot(first.server.url, { name: "Wren", seed: 3, room: "CROW" });

  try {
    await bot.untilPlayed(KEPT_SEAT_TICKS);
    const { session } = bot;
    const pids = [first.pidOf(1), first.pidOf(2)];
    await first.server.stop("SIGKILL");
    while (pids.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 20));
    await using second = await WorkerServer.start("--data", data.folder, "--port", String(port));
    await bot.until(() => bot.session !== session && bot.isPlaying);
    assertEquals(new Set(bot.seats).size, 1);
    assert(await second.server.waitForOutput(/match_resumed .*room=CROW /));
  } finally {
    bot.stop();
    await first[Symbol.asyncDispose]();
  }
});

function isRunning(pid: number): boolean {
  try {
    // A process that has ended and that nobody has waited for has no command line.
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`) !== "";
  } catch {
    return false;
  }
}
