/** Attacks by lies about what a client has received, and by clients that do not read. */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { commandOf, type Stranger } from "../../../support/sockets/stranger.ts";
import { type Attack, many, wait } from "../attack.ts";
import type { Target } from "../target.ts";

/** Does something with each tick until the time is over. */
async function eachTick(
  strangers: readonly Stranger[],
  ms: number,
  act: (stranger: Stranger) => void,
): Promise<void> {
  const endMs = performance.now() + ms;
  await Promise.all(strangers.map(async (stranger) => {
    while (performance.now() < endMs && stranger.closeInfo === undefined) {
      const { tick } = stranger;
      act(stranger);
      await Promise.race([
        stranger.until(() => stranger.tick > tick || stranger.closeInfo !== undefined),
        wait(500),
      ]);
    }
  }));
}

export async function statesSent(target: Target): Promise<number> {
  return (await target.figures()).of("wyvern_states_sent_total");
}

/** A client gets two states at once, and then one every half second (SPEC 4.3). */
export function statesMax(clients: number, ms: number): number {
  return clients * (1 + 2 + 2 * ms / 1000);
}

const outOfStep: Attack = {
  name: "desync_reports",
  threat: "8",
  async honest(target) {
    const stranger = await target.join(target.newAddress(), { room: "SYNC" });
    const { length } = stranger.ticks;
    stranger.send(commandOf(stranger, { isDesynced: true }));
    await stranger.until(() =>
      stranger.ticks.slice(length).some(({ state }) => state !== undefined) ||
      stranger.closeInfo !== undefined
    );
    assertEquals(stranger.closeInfo, undefined);
    return "a client that reports a desync gets a state";
  },
  async commit(target) {
    const ms = 4_000;
    const before = await statesSent(target);
    const beganMs = performance.now();
    const rooms = ["SYNA", "SYNB", "SYNC"];
    const strangers = (await Promise.all(rooms.map((room) => {
      const address = target.newAddress();
      return many(14, () => target.join(address, { room }));
    }))).flat();
    await eachTick(strangers, ms, (stranger) => {
      stranger.send(commandOf(stranger, { isDesynced: true }));
      stranger.send({ type: "report", received: stranger.tick, bodyStreamRequest: "state" });
    });
    const sent = await statesSent(target) - before;
    const most = statesMax(42 + 10, performance.now() - beganMs);
    assertGreater(sent, 42);
    assertLessOrEqual(sent, most, "states sent");
    return `42 clients that report a desync with each tick for 4 s: ${sent} states, of ${
      Math.round(most)
    } allowed`;
  },
};

/**
 * Joins the honest players' room and plays.
 * @returns how many ticks pass from the first command to the seat's entry
 */
async function entryTicks(target: Target): Promise<number> {
  const stranger = await target.join(target.newAddress());
  const from = stranger.tick;
  await stranger.playUntil(() => stranger.entry !== undefined);
  assert(stranger.closeInfo === undefined, "the newcomer was closed");
  await stranger.leave();
  return stranger.entry!.tick - from;
}

/**
 * How many ticks liars may delay others (SPEC 6.8), and one more for the time between two ticks.
 */
const DELAY_TICKS_MAX = 8 + 1;

const liars: Attack = {
  name: "liars",
  threat: "13",
  async honest(target) {
    return `a newcomer's entry takes ${await entryTicks(target)} ticks`;
  },
  async commit(target) {
    const before = await entryTicks(target);
    const address = target.newAddress();
    const strangers = await many(3, () => target.join(address));
    const lying = eachTick(strangers, 7_000, (stranger) => {
      const received = Math.max(0, stranger.tick - 30);
      stranger.send(commandOf(stranger, { tick: stranger.tick + 8, received }));
    });
    await wait(5_000);
    const during = await entryTicks(target);
    await lying;
    // They leave, because seats that were played and then cut would be kept for a while.
    await Promise.all(strangers.map((stranger) => stranger.leave()));
    assertLessOrEqual(during, before + DELAY_TICKS_MAX, "ticks to the entry");
    return `3 liars among 7 players: a newcomer's entry takes ${during} ticks, ${before} before`;
  },
};

/**
 * How much a client may leave unread before it is skipped (SPEC 4.4), and the frames of one more
 * tick.
 */
const UNREAD_BYTES_MAX = 64 * 1024 + 8 * 1024;

const deafPlayers: Attack = {
  name: "deaf_players",
  threat: "10",
  server: { flags: ["--stream", "state", "--npcs", "12"] },
  async honest(target) {
    const stranger = await target.join(target.newAddress(), { room: "DEAF" });
    stranger.pause();
    await wait(1_000);
    stranger.resume();
    const { tick } = stranger;
    await stranger.until(() => stranger.tick >= tick + 20 || stranger.closeInfo !== undefined);
    assertEquals(stranger.closeInfo, undefined);
    return "a player who reads nothing for a second gets all ticks afterwards";
  },
  async commit(target) {
    const address = target.newAddress();
    const figures = await target.figures();
    const strangers = await many(
      15,
      () => target.join(address, { room: "DEAF", bodyStreamMode: "no" }),
    );
    for (const stranger of strangers) {
      stranger.pause();
      stranger.send(commandOf(stranger));
    }
    let most = 0;
    for (let i = 0; i < 40; i++) {
      await wait(250);
      most = Math.max(most, (await target.figures()).of("wyvern_unsent_bytes"));
    }
    const after = await target.figures();
    const skipped = after.of("wyvern_tick_messages_skipped_total") -
      figures.of("wyvern_tick_messages_skipped_total");
    assertGreater(skipped, 100, "messages skipped");
    assertLessOrEqual(most, 15 * UNREAD_BYTES_MAX, "unsent bytes");
    return `15 players who read nothing for 10 s: ${skipped} messages skipped, ${most} bytes unsent`;
  },
};

export const SYNC_ATTACKS: readonly Attack[] = [outOfStep, liars, deafPlayers];
