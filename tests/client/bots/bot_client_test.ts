/** Bots whose connections an intermediary ruins. */
import { assertEquals, assertGreater } from "@std/assert";
import { BotClient } from "../../../client/bots/bot_client.ts";
import { NpcBot } from "../../../client/bots/npc_bot.ts";
import { GAMES } from "../../../shared/games/registry.ts";
import { Random } from "../../../shared/random.ts";
import { Intermediary, type Verdict } from "../../support/relay/intermediary.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";

const POLL_MS = 50;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** Lets one bot join through an intermediary, and waits until it plays. */
async function join(relay: Intermediary): Promise<BotClient> {
  const { game } = await GAMES["dragons"]!();
  const options = {
    game,
    newBot: () => new NpcBot(game),
    network: { oneWayMs: 0, jitterMs: 0 },
    url: relay.url.replace("http", "ws"),
    room: "BOTS",
    stream: "commands",
  } as const;
  const bot = new BotClient(options, 0, new Random(5));
  await until(() => bot.isPlaying);
  return bot;
}

Deno.test("BotClient: comes back after a connection that is swallowed without a word, and counts on (SPEC 8.50, 8.41) [seed 5]", async () => {
  await using server = await ServerProcess.start("--npcs", "0");
  await using relay = new Intermediary(server.port);
  const bot = await join(relay);
  await until(() => bot.stats.ticks > 40);
  const { ticks } = bot.stats;
  relay.swallow("both");
  await until(() => bot.returns === 1 && bot.isPlaying && bot.stats.ticks > ticks + 40);
  assertEquals([bot.error, bot.stats.desyncs], [undefined, 0]);
  assertGreater(bot.stats.ticks, ticks);
  bot.stop();
  await until(() => bot.isClosed);
});

Deno.test("BotClient: its first request hangs, and it is in the game all the same (SPEC 8.50) [seed 5]", async () => {
  await using server = await ServerProcess.start("--npcs", "0");
  await using relay = new Intermediary(server.port);
  let hung = 0;
  relay.judge = (): Verdict => hung++ === 0 ? "hang" : "pass";
  const bot = await join(relay);
  assertGreater(hung, 2);
  assertEquals([bot.error, bot.returns], [undefined, 0]);
  bot.stop();
  await until(() => bot.isClosed);
});
