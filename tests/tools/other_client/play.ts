/**
 * Plays one combination of stream and network on a real server, with the other client, an observer
 * and company.
 */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { TICK_HZ } from "../../../shared/games/dragons/tuning.ts";
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import { HonestBot } from "../../support/honest_bot.ts";
import { Proxy } from "../../support/proxy.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { runClient } from "./client_process.ts";
import { type Combination, compare, type Row } from "./compare.ts";
import { Observer } from "./observer.ts";

const ROOM = "PEER";
const NPCS = 4;
/** Our own players in the room. */
const BOTS = 3;
/**
 * A client that has left by close code 1000 is out of the game by then. Its last command may be 64
 * ticks ahead, and the leaving follows it by the announce horizon, at most 40. The seat of a client
 * that only vanished is kept for 30 s (SPEC 3.3).
 */
const LEAVE_TICKS_MAX = 128;

/**
 * @param options.command the client's program and arguments
 * @param options.onSecond called each second of the match
 */
export async function play(
  combination: Combination,
  { command, seed, onSecond }: {
    command: readonly string[];
    seed: number;
    onSecond: (second: number) => void;
  },
): Promise<Row> {
  const { stream, rttMs, seconds } = combination;
  await using server = await ServerProcess.start(
    "--stream",
    stream,
    "--seed",
    `${seed}`,
    "--npcs",
    `${NPCS}`,
  );
  using _company = await joinBots(server.url, seed);
  using observer = new Observer(server.url, ROOM);
  await observer.until(() => observer.tick >= 0);
  await using proxy = rttMs === 0 ? undefined : new Proxy(server.port, networkOf(rttMs, seed));
  const beganAt = observer.tick;
  observer.onTick = (tick) => onSecond(Math.min(seconds, (tick - beganAt) / TICK_HZ));
  const { log, failures } = await runClient(command, {
    url: `http://127.0.0.1:${proxy?.port ?? server.port}`,
    game: dragonGame.id,
    room: ROOM,
    name: "other",
    seconds,
    seed,
  });
  const hasLeft = await waitUntilGone(observer, log.seat);
  const stayed = hasLeft
    ? []
    : [`seat ${log.seat} is still taken: the client did not leave by close code 1000`];
  return compare({ record: observer, log, failures: [...failures, ...stayed] }, combination);
}

/** The network of `deno task bots --latency-ms`. */
function networkOf(rttMs: number, seed: number) {
  return { model: { oneWayMs: rttMs / 2, jitterMs: 0 }, seed };
}

/** @throws Error if a bot cannot join */
async function joinBots(url: string, seed: number): Promise<Disposable> {
  const bots = Array.from(
    { length: BOTS },
    (_, i) => new HonestBot(url, { name: `bot ${i}`, seed: seed + i, room: ROOM }),
  );
  const stop = () => bots.forEach((bot) => bot.stop());
  try {
    await Promise.all(bots.map((bot) => bot.until(() => bot.isPlaying)));
    const closed = bots.find(({ session }) => session.phase === "closed")?.session;
    if (closed !== undefined) {
      throw new Error(`a bot cannot join: ${closed.closeCode} ${closed.closeReason}`);
    }
  } catch (error) {
    stop();
    throw error;
  }
  return { [Symbol.dispose]: stop };
}

/**
 * Waits until the client's seat is empty. All of its commands are definitive then.
 * @returns whether it became empty
 */
async function waitUntilGone(observer: Observer, seat: SeatId | undefined): Promise<boolean> {
  const last: Tick = observer.tick + LEAVE_TICKS_MAX;
  const isGone = () => seat === undefined || !observer.isPresent(seat);
  await observer.until(() => isGone() || observer.tick >= last);
  return isGone();
}
