/**
 * A player on a live server who stops reading, beside others who do not: what he costs, in the process and in the operating system,
 * what the others feel of it, and how soon he plays again. Time is counted in ticks that the others are told.
 *
 * The whole state goes to everybody each tick, which is hundreds of times more than a match needs: a stream of commands would not fill
 * what an operating system holds in an hour.
 */
import { assert, assertEquals, assertGreater, assertLess, assertLessOrEqual } from "@std/assert";
import { SKIP_BYTES } from "../../server/match/backlog.ts";
import { HonestBot } from "../support/honest_bot.ts";
import { PAUSABLE_ADDRESS, PausableSocket } from "../support/pausable_socket.ts";
import { ServerProcess } from "../support/server_process.ts";

const COST_BYTES_MAX = 1_000_000;
/** Ten seconds. */
const PAUSED_TICKS = 200;
/** Two seconds: half a second is what the lab holds it to, where no other process takes the core. */
const BACK_TICKS_MAX = 40;

async function metricOf(server: ServerProcess, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}metrics`)).text();
  return Number(text.match(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m"))![1]);
}

/** What the operating system holds for the paused player, at the server's end and at his own, which is the same machine here. */
async function heldBytes(port: number): Promise<number> {
  if (Deno.build.os !== "linux") return 0;
  const hex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, "0");
  const address = PAUSABLE_ADDRESS.split(".").reverse().map((part) => hex(Number(part), 2)).join("");
  let held = 0;
  for (const line of (await Deno.readTextFile("/proc/net/tcp")).split("\n").slice(1)) {
    const [, local = "", remote = "", , queues = ""] = line.trim().split(/\s+/);
    const [unacknowledged, unread] = queues.split(":").map((digits) => parseInt(digits, 16));
    if (local.endsWith(`:${hex(port, 4)}`) && remote.startsWith(address)) held += unacknowledged!;
    if (remote.endsWith(`:${hex(port, 4)}`) && local.startsWith(address)) held += unread!;
  }
  return held;
}

Deno.test("server: who reads nothing for ten seconds costs little, disturbs nobody, and plays again at once (SPEC 4.4)", async () => {
  await using server = await ServerProcess.start("--seed", "12", "--npcs", "16", "--stream", "state");
  const others = [1, 2].map((seed) => new HonestBot(server.url, { name: `honest ${seed}`, seed }));
  let line!: PausableSocket;
  const open = (url: string) => line = new PausableSocket(url);
  const slow = new HonestBot(server.url, { name: "slow", seed: 3, open });
  const bots = [slow, ...others];
  await Promise.all(bots.map((bot) => bot.until(() => bot.isPlaying)));
  await slow.assertUndisturbed();
  const now = () => others[0]!.session.definitiveTick;
  const until = (tick: number) => others[0]!.until(() => now() >= tick);

  line.pause();
  const paused = now();
  let costMax = 0;
  for (let tick = paused; tick < paused + PAUSED_TICKS; tick += 10) {
    await until(tick);
    const held = await heldBytes(server.port);
    costMax = Math.max(costMax, await metricOf(server, "wyvern_unsent_bytes") + held);
  }
  assertLess(slow.session.definitiveTick, paused + 20, "it has read nothing");
  const skipped = await metricOf(server, "wyvern_tick_messages_skipped_total");
  line.resume();
  const resumed = now();
  const isBack = () => slow.session.inStep && slow.session.definitiveTick >= resumed && slow.session.head > resumed;
  await slow.until(isBack);
  const backTicks = now() - resumed;
  assert(isBack(), slow.session.closeReason);
  assertLessOrEqual(backTicks, BACK_TICKS_MAX);
  assertGreater(skipped, 50);
  assertLessOrEqual(costMax, COST_BYTES_MAX);
  // It is told as much as it may leave unread, and that is seen where it is.
  if (Deno.build.os === "linux") assertGreater(costMax, SKIP_BYTES / 2);
  for (const bot of others) await bot.assertUndisturbed();
  assertEquals(slow.session.counts.desyncs, 0);
  for (const bot of bots) bot.stop();
  const { code, stderr } = await server.stop();
  assertEquals([code, stderr], [0, ""]);
});
