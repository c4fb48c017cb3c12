import { assertEquals, assertGreater } from "@std/assert";
import { type BotPlayer, NpcBot } from "../../../client/bots/npc_bot.ts";
import { runBots } from "../../../client/bots/run_bots.ts";
import { GAMES } from "../../../shared/games/registry.ts";
import type { Game } from "../../../shared/netcode/game.ts";
import { networkModelOf } from "../../../shared/netcode/simulated_network/network_profiles.ts";
import {
  type CounterCommand,
  counterGame,
  type CounterSimulation,
} from "../../tools/lab/counter_game.ts";
import { Lab } from "../../tools/lab/lab.ts";
import { runTask } from "../../support/task.ts";
import { TwoGames } from "../../support/two_games.ts";

Deno.test("NpcBot: a bot asks for what an NPC on its seat would ask for, with its commands that are not simulated yet", () => {
  const asked: { seat: number; queued: readonly CounterCommand[] }[] = [];
  const simulation = {
    ...counterGame.start({ npcs: 0 }, 9),
    tick: 0,
    npcCommand(seat: number, queued: readonly CounterCommand[]) {
      asked.push({ seat, queued: [...queued] });
      return { presses: asked.length % 4, dir: 1 };
    },
  } as unknown as CounterSimulation;
  const bot = new NpcBot(counterGame);
  assertEquals(bot.next(1), counterGame.command.neutral, "it is not attached");
  bot.attach({ seat: 3, simulation });
  const [first, second, third] = [1, 2, 3].map((tick) => bot.next(tick));
  assertEquals(asked.map(({ queued }) => queued), [[], [first!], [first!, second!]]);
  simulation.tick = 2;
  bot.next(4);
  assertEquals(asked.at(-1), { seat: 3, queued: [third!] });
});

Deno.test("NpcBot: it plays a game in the lab without a desync, and the server counts its presses", () => {
  const lab = new Lab<CounterCommand, CounterSimulation>({ game: counterGame, seed: 4, npcs: 2 });
  const players = Array.from({ length: 3 }, (_, i) => {
    const bot = new NpcBot(counterGame);
    const network = networkModelOf("cable", { correlated: false, runMs: 60_000 });
    const player = lab.join(`bot ${i}`, { commandSource: bot, network });
    bot.attach(player.session);
    return player;
  });
  lab.run(20);
  for (const { session } of players) {
    assertEquals(session.stats.desyncs, 0);
    assertGreater(lab.serverSimulation!.pressesOf(session.seat), 5);
  }
});

Deno.test("runBots: bots of two games play on one server at once", async () => {
  await using games = await TwoGames.open();
  const { game: dragons } = await GAMES["dragons"]!();
  const bot = await import("../../../client/games/dragons/bot.ts");
  const options = {
    network: { oneWayMs: 0, jitterMs: 0 },
    url: games.url.replace("http", "ws"),
    stream: "commands",
  } as const;
  const play = (game: Game<unknown>, newBot: (seed: number) => BotPlayer<unknown>) =>
    runBots({ ...options, game, newBot, room: "BOTS" }, { clients: 2, seconds: 1, seed: 1 });
  const [counted, flown] = await Promise.all([
    play(counterGame, () => new NpcBot(counterGame)),
    play(dragons, (seed) => new bot.Bot(seed)),
  ]);
  for (const { report, errors } of [counted, flown]) {
    assertEquals([errors, report.desyncs, report.errors], [[], 0, 0]);
    assertGreater(report.commandsSent, 0);
  }
});

Deno.test("bots: an unknown game is one line that lists the games, and exit code 2", async () => {
  const { code, stdout, stderr } = await runTask("bots", "--game", "chess");
  assertEquals([code, stdout], [2, ""]);
  assertEquals(
    stderr,
    `bots: --game cannot be "chess"; allowed: ${Object.keys(GAMES).join(", ")}\n`,
  );
});

Deno.test("bots: the address of a server has no path, because tickets and sockets have their own, and exit code 2", async () => {
  for (
    const url of ["ws://127.0.0.1:8080/socket", "ws://127.0.0.1:8080/?a", "http://127.0.0.1:8080"]
  ) {
    const { code, stdout, stderr } = await runTask("bots", "--url", url);
    assertEquals([code, stdout], [2, ""]);
    assertEquals(
      stderr,
      `bots: --url cannot be "${url}"; allowed: a ws:// or wss:// address without a path\n`,
    );
  }
});
