/**
 * A player on a live server who stops reading, beside others who do not: what he costs, in the process and in the operating system,
 * what the others feel of it, and how soon he plays again. Time is counted in ticks that the others are told.
 *
 * The whole state goes to everybody each tick, which is hundreds of times more than a match needs: a stream of commands would not fill
 * what an operating system holds in an hour.
 */
import { assert, assertEquals, assertGreater, assertLess, assertLessOrEqual } from "@std/assert";
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

/** What the operating system holds of the server's for the paused player: sent or not, but not acknowledged by the peer's; and what the peer's holds. */
async function heldBytes(port: number): Promise<{ atServer: number; atPeer: number }> {
  if (Deno.build.os !== "linux") return { atServer: 0, atPeer: 0 };
  const hex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, "0");
  const address = PAUSABLE_ADDRESS.split(".").reverse().map((part) => hex(Number(part), 2)).join("");
  const held = { atServer: 0, atPeer: 0 };
  for (const line of (await Deno.readTextFile("/proc/net/tcp")).split("\n").slice(1)) {
    const [, local = "", remote = "", , queues = ""] = line.trim().split(/\s+/);
    const [unacknowledged, unread] = queues.split(":").map((digits) => parseInt(digits, 16));
    if (local.endsWith(`:${hex(port, 4)}`) && remote.startsWith(address)) held.atServer += unacknowledged!;
    if (remote.endsWith(`:${hex(port, 4)}`) && local.startsWith(address)) held.atPeer += unread!;
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
  const paused = now(), read = slow.session.counts.bytesDown;
  let costMax = 0, unsentMax = 0;
  const held = { atServer: 0, atPeer: 0 };
  for (let tick = paused; tick < paused + PAUSED_TICKS; tick += 10) {
    await until(tick);
    const unsent = await metricOf(server, "wyvern_unsent_bytes"), kernel = await heldBytes(server.port);
    unsentMax = Math.max(unsentMax, unsent);
    costMax = Math.max(costMax, unsent + kernel.atServer + kernel.atPeer);
    held.atServer = Math.max(held.atServer, kernel.atServer);
    held.atPeer = Math.max(held.atPeer, kernel.atPeer);
  }
  assertLess(slow.session.definitiveTick, paused + 20, "it has read nothing");
  const skipped = await metricOf(server, "wyvern_tick_messages_skipped_total");
  line.resume();
  const resumed = now();
  const isBack = () => slow.session.inStep && slow.session.definitiveTick >= resumed && slow.session.head > resumed;
  await slow.until(isBack);
  const backTicks = now() - resumed;
  console.error({ unsentMax, ...held, costMax, skipped, backTicks, read: slow.session.counts.bytesDown - read });
  assert(isBack(), slow.session.closeReason);
  assertLessOrEqual(backTicks, BACK_TICKS_MAX);
  assertGreater(skipped, 50);
  assertLessOrEqual(costMax, COST_BYTES_MAX);
  for (const bot of others) await bot.assertUndisturbed();
  assertEquals(slow.session.counts.desyncs, 0);
  for (const bot of bots) bot.stop();
  const { code, stderr } = await server.stop();
  assertEquals([code, stderr], [0, ""]);
});
