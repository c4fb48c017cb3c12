/** Pauses of the server's process, and floods that wait until they end. */
import { assertEquals, assertLess } from "@std/assert";
import { medianOf } from "../../bench/median.ts";
import type { Stranger } from "../../../support/sockets/stranger.ts";
import { type Attack, countsOf, many, until, wait } from "../attack.ts";
import type { Target } from "../target.ts";

/**
 * How long a pause lasts, as with a garbage collector or a machine that swaps, ms: the server
 * catches up on its ticks, and drops none.
 */
const PAUSE_MS = 200;
/**
 * How many pauses an attack makes, and how long the server runs between them, ms: most of the time.
 */
const PAUSES = 20;
const BETWEEN_PAUSES_MS = 450;
/**
 * How large a share of honest players' commands may be late while the server pauses. If late ticks
 * do not wait for the sockets, a quarter is.
 */
const LATE_SHARE_MAX = 0.05;
/** The server's own count of such commands. */
const LATE_BY_SERVER = "wyvern_commands_late_by_server_total";

/** Stops the server once for a moment. */
async function pauseServer(target: Target): Promise<void> {
  target.server.signal("SIGSTOP");
  await wait(PAUSE_MS);
  target.server.signal("SIGCONT");
}

const serverPause: Attack = {
  name: "server_pause",
  threat: "W7",
  // Some of the honest players play by datagrams.
  server: { hasDatagrams: true },
  // A pause makes ticks late, and one is dropped if the machine adds to it.
  tolerates: ["droppedTicks", "latenessMs"],
  async honest(target) {
    await pauseServer(target);
    const { closes } = await target.players.sync();
    assertEquals(closes, []);
    return `stopped for ${PAUSE_MS} ms: all stay`;
  },
  async commit(target) {
    const before = await target.players.read();
    const metrics = await target.figures();
    for (let pause = 0; pause < PAUSES; pause++) {
      await pauseServer(target);
      await wait(BETWEEN_PAUSES_MS);
    }
    const { closes, ...after } = await target.players.sync();
    assertEquals(closes, [], "closes");
    const sent = after.commandsSent - before.commandsSent;
    const late = after.commandsLate - before.commandsLate;
    const byServer = (await target.figures()).of(LATE_BY_SERVER) - metrics.of(LATE_BY_SERVER);
    const words = `${late} of ${sent} commands late, ${byServer} of them by the server's count`;
    assertLess(late / sent, LATE_SHARE_MAX, words);
    assertLess(byServer / sent, LATE_SHARE_MAX, words);
    return `stopped ${PAUSES} times for ${PAUSE_MS} ms: ${words}`;
  },
};

/** How many flood, and how many messages each sends at once. Their link is closed after 300. */
const FLOODERS = 12;
const FLOOD_MESSAGES = 3_000;
/** After how many pauses the delay is measured; the median counts. */
const FLOODED_PAUSES = 7;
/**
 * How long a flood that waits at a pause's end may delay the first tick after it, in the median,
 * ms.
 */
const FLOOD_DELAY_MS_MAX = 15;

/** @returns how long after a pause's end a spectator receives the next tick, ms */
async function pausedFor(
  target: Target,
  watcher: Stranger,
  flood: () => void = () => {},
): Promise<number> {
  target.server.signal("SIGSTOP");
  flood();
  await wait(PAUSE_MS);
  const { tick } = watcher;
  target.server.signal("SIGCONT");
  const beganMs = performance.now();
  await watcher.until(() => watcher.tick > tick || watcher.closeInfo !== undefined);
  assertEquals(watcher.closeInfo, undefined);
  return performance.now() - beganMs;
}

async function quietDelayMs(target: Target): Promise<number> {
  const watcher = await target.join(target.newAddress(), { room: "BOTS", spectate: true });
  const delaysMs: number[] = [];
  for (let pause = 0; pause < FLOODED_PAUSES; pause++) {
    delaysMs.push(await pausedFor(target, watcher));
    await wait(BETWEEN_PAUSES_MS);
  }
  watcher.cut();
  return medianOf(delaysMs);
}

const floodAfterPause: Attack = {
  name: "flood_after_pause",
  threat: "W7",
  server: { hasDatagrams: true },
  // The pause itself makes ticks late.
  tolerates: ["droppedTicks", "latenessMs"],
  async honest(target) {
    return `the first tick ${Math.round(await quietDelayMs(target))} ms after a pause`;
  },
  async commit(target) {
    const quietMs = await quietDelayMs(target);
    const delaysMs: number[] = [];
    const codes: number[] = [];
    const watcher = await target.join(target.newAddress(), { room: "BOTS", spectate: true });

    for (let pause = 0; pause < FLOODED_PAUSES; pause++) {
      const flooders = await many(
        FLOODERS,
        () => target.join(target.newAddress(), { room: "BOTS", spectate: true }),
      );
      const flood = () => flooders.forEach((flooder) => flooder.write(floodOf(flooder)));
      delaysMs.push(await pausedFor(target, watcher, flood));
      await until("closes", () => flooders.every(({ closeInfo }) => closeInfo !== undefined), {
        seconds: 10,
      });
      codes.push(...flooders.map(({ closeInfo }) => closeInfo!.code));
      for (const flooder of flooders) flooder.cut();
    }

    const delayMs = medianOf(delaysMs);
    const rounded = `${Math.round(delayMs)} ms, without a flood ${Math.round(quietMs)} ms`;
    assertLess(delayMs, quietMs + FLOOD_DELAY_MS_MAX, rounded);
    const messages = FLOODERS * FLOOD_MESSAGES;
    return `${messages} messages wait at the end of a pause: the first tick after ${rounded}; ${
      countsOf(codes)
    }`;
  },
};

/** Pings as bytes that a socket takes in one go, so that the server finds all of them at once. */
function floodOf(flooder: Stranger): Uint8Array {
  const frame = flooder.frameOf({ type: "ping", id: 1 });
  const bytes = new Uint8Array(frame.length * FLOOD_MESSAGES);
  for (let i = 0; i < FLOOD_MESSAGES; i++) bytes.set(frame, i * frame.length);
  return bytes;
}

export const PAUSE_ATTACKS: readonly Attack[] = [serverPause, floodAfterPause];
