/** Attacks on the process: its log, its descriptors, its time. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { OPCODE } from "../../../support/sockets/raw_socket.ts";
import { type Attack, many, until, wait } from "../attack.ts";
import type { Target } from "../target.ts";

/**
 * Sockets that leave with a long reason, which the log shows: 20 rounds of 40 from 10 addresses.
 */
async function fillLog(target: Target): Promise<number> {
  const addresses = Array.from({ length: 10 }, () => target.newAddress());
  const reason = new Uint8Array(120).fill(120);
  for (let round = 0; round < 20; round++) {
    await many(40, async (i) => {
      const stranger = await target.upgrade(addresses[i % 10]!);
      stranger.frame(new Uint8Array([4999 >> 8, 4999 & 255, ...reason]), { opcode: OPCODE.close });
      await stranger.ended();
    });
  }
  return 800;
}

async function ticksRun(target: Target): Promise<number> {
  return (await target.figures()).of("wyvern_ticks_total");
}

async function honestSocket(target: Target): Promise<string> {
  const stranger = await target.join(target.newAddress(), { room: "DISK" });
  assert(stranger.welcome !== undefined, stranger.closeInfo?.reason);
  await stranger.leave();
  return "a player comes and leaves";
}

const fullLogDisk: Attack = {
  name: "full_log_disk",
  threat: "W2",
  server: { log: "full disk" },
  honest: honestSocket,
  async commit(target) {
    const links = await fillLog(target);
    const figures = await target.figures();
    const ticks = await ticksRun(target);
    const errors = figures.of("wyvern_log_errors_total");
    const dropped = figures.of("wyvern_log_lines_dropped_total");
    assertGreater(errors, 0);
    await until("ticks", async () => await ticksRun(target) > ticks + 20, { seconds: 3 });
    return `${links} links for a log on a full disk: ${errors} failed writes, ${dropped} lines lost, the ticks go on`;
  },
};

const stuckLogReader: Attack = {
  name: "stuck_log_reader",
  threat: "W3",
  server: { log: "stuck reader" },
  honest: honestSocket,
  async commit(target) {
    const links = await fillLog(target);
    const ticks = await ticksRun(target);
    const dropped = (await target.figures()).of("wyvern_log_lines_dropped_total");
    assertGreater(dropped, 0);
    await until("ticks", async () => await ticksRun(target) > ticks + 20, { seconds: 3 });
    return `${links} links for a log that nobody reads: ${dropped} lines lost, the ticks go on`;
  },
};

/** How many descriptors the server may open in the next attack. Deno itself needs some thirty. */
const DESCRIPTORS = 120;

const noDescriptors: Attack = {
  name: "no_descriptors",
  threat: "W8",
  server: { descriptors: DESCRIPTORS },
  // While there is none, newcomers do not get in.
  tolerates: ["newcomerMs"],
  honest: honestSocket,
  async commit(target) {
    const address = target.newAddress();
    const silent = await many(2 * DESCRIPTORS, () => target.connect(address));
    await wait(3_000);
    for (const connection of silent) connection.cut();
    const beganMs = performance.now();
    const isAnswered = () =>
      fetch(target.server.url).then((answer) => answer.text()).catch(() => "");
    await until("the page", async () => (await isAnswered()).includes("<title>"), { seconds: 10 });
    const ms = Math.round(performance.now() - beganMs);
    const { closeCode } = await target.players.newcomer(target.server.url);
    assertEquals(closeCode, 0, "a newcomer afterwards");
    await until("the operators' port", () => target.figures().then(() => true, () => false), {
      seconds: 10,
    });
    return `${
      2 * DESCRIPTORS
    } connections for ${DESCRIPTORS} descriptors: the page again ${ms} ms after they were gone`;
  },
};

/** How long the server stands still, ms: longer than a link's burst of messages lasts. */
const STOPPED_MS = 16_000;

const stoppedServer: Attack = {
  name: "stopped_server",
  threat: "W7",
  // While the process stands still all lose time, but no player may lose their link.
  tolerates: ["droppedTicks", "latenessMs", "gaps", "newcomerMs"],
  async honest(target) {
    target.server.signal("SIGSTOP");
    await wait(300);
    target.server.signal("SIGCONT");
    const { closes } = await target.players.sync();
    assertEquals(closes, []);
    return "stopped for 300 ms: all stay";
  },
  async commit(target) {
    target.server.signal("SIGSTOP");
    await wait(STOPPED_MS);
    target.server.signal("SIGCONT");
    const beganMs = performance.now();
    const { closes } = await target.players.sync();
    assertEquals(closes, [], "closes");
    const ms = Math.round(performance.now() - beganMs);
    assert(ms < 2_000, `in sync after ${ms} ms`);
    return `stopped for ${STOPPED_MS / 1000} s: nobody is closed, all in sync ${ms} ms later`;
  },
};

export const PROCESS_ATTACKS: readonly Attack[] = [
  stoppedServer,
  fullLogDisk,
  stuckLogReader,
  noDescriptors,
];
