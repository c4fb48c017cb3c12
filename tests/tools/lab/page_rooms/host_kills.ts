/** Kills the host of a room again and again, and measures what the others have of it. */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { RandomDragonControls } from "../random_controls.ts";
import { PageLab } from "./page_lab.ts";

/** After this time a room is not back, ms. */
const AWAY_MS_MAX = 20_000;
/** How long the pages play before their host is killed, and afterwards, ms. */
const PLAYED_MS = 8000;
/** So that hosts are not all killed at one moment of a tick, ms. */
const SHIFT_MS = 130;

export interface HostKills {
  readonly kills: number;
  /** Until all others play on, ms. */
  readonly backMsP50: number;
  readonly backMsP95: number;
  readonly seats: number;
  readonly seatsKept: number;
  /** Ticks that the host had run and that are no more. */
  readonly ticksLost: number;
  /** The same, of those that any other page had. */
  readonly knownTicksLost: number;
  readonly desyncs: number;
}

export function killHosts(
  { kills, players, seed }: { kills: number; players: number; seed: number },
): HostKills {
  const backMs: number[] = [];
  const sums = { seats: 0, seatsKept: 0, ticksLost: 0, knownTicksLost: 0, desyncs: 0 };
  for (let kill = 0; kill < kills; kill++) {
    const lab = new PageLab({ game: dragonGame, seed: seed + kill, npcs: 2 });
    const pages = Array.from(
      { length: players },
      (_, i) => lab.addPage(new RandomDragonControls(i)),
    );
    lab.runUntil(AWAY_MS_MAX, () => pages.every(({ isPlaying }) => isPlaying));
    lab.run(PLAYED_MS + SHIFT_MS * kill);

    // The host is killed
    const [host, ...others] = pages;
    const seats = others.map(({ session }) => session!.seat);
    const newest = Math.max(...others.map(({ newestTick }) => newestTick));
    const hostTick = host!.hosted!.tick;
    host!.kill();
    const waitedMs = lab.runUntil(AWAY_MS_MAX, () =>
      others.some(({ room }) => room.isHost) &&
      others.every(({ isPlaying, newestTick }) => isPlaying && newestTick > newest));
    backMs.push(waitedMs ?? AWAY_MS_MAX);

    // And the others play on
    lab.run(PLAYED_MS);
    const { firstTick } = others.find(({ room }) => room.isHost)!.hosted!;
    sums.seats += seats.length;
    sums.seatsKept += others.filter(({ session }, i) => session!.seat === seats[i]).length;
    sums.ticksLost += Math.max(0, hostTick - firstTick);
    sums.knownTicksLost += Math.max(0, newest - firstTick);
    for (const { session, past } of others) {
      for (const each of [session!, ...past]) sums.desyncs += each.stats.desyncs;
    }
  }

  backMs.sort((a, b) => a - b);
  const at = (share: number) => backMs[Math.min(kills - 1, Math.ceil(share * kills) - 1)]!;
  return { kills, backMsP50: at(0.5), backMsP95: at(0.95), ...sums };
}
