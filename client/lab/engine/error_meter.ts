/** The distribution of rivals' errors, and the pop-meter, since they were last reset. */
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import { between, PopMeter } from "./pop_meter.ts";

/** Bins of 2 cm up to 10 m; what is farther counts in the last one. */
const BIN_METRES = 0.02;
const BINS = 500;

export class ErrorMeter {
  #pops = new PopMeter();
  readonly #bins = new Uint32Array(BINS);
  #count = 0;
  readonly #players = new PoseList();
  readonly #real = { x: 0, y: 0 };

  reset(): void {
    this.#pops = new PopMeter();
    this.#bins.fill(0);
    this.#count = 0;
  }

  /**
   * Adds one frame.
   * @param moment the moment that the frame should show, in ticks
   * @param ownSeat whose screen it is
   */
  addFrame(
    drawn: PoseList,
    { moment, ownSeat, definitiveAt }: {
      moment: number;
      ownSeat: SeatId;
      definitiveAt: (tick: Tick) => PoseList | undefined;
    },
  ): void {
    const players = this.#players;
    players.reset();
    for (let i = 0; i < drawn.count; i++) {
      const pose = drawn.at(i);
      if (pose.seat < 0) continue;
      Object.assign(players.add(), pose);
      if (pose.seat !== ownSeat) this.#addRival(pose, moment, definitiveAt);
    }
    this.#pops.addFrame(players, moment, definitiveAt);
  }

  #addRival(
    pose: { entity: number; x: number; y: number; teleports: number },
    moment: number,
    definitiveAt: (tick: Tick) => PoseList | undefined,
  ): void {
    const tick = Math.floor(moment);
    const real = this.#real;
    const isKnown = between(
      definitiveAt(tick)?.find(pose.entity),
      definitiveAt(tick + 1)?.find(pose.entity),
      { fraction: moment - tick, teleports: pose.teleports, out: real },
    );
    if (!isKnown) return;
    const dx = pose.x - real.x;
    const dy = pose.y - real.y;
    const bin = Math.floor(Math.sqrt(dx * dx + dy * dy) / BIN_METRES);
    this.#bins[Math.min(BINS - 1, bin)]!++;
    this.#count++;
  }

  /** `pop_meter.ts`, over all players' bodies. */
  get pops(): number {
    return this.#pops.figures.pops;
  }

  /** The 95th percentile of rivals' distances from where they are, metres. */
  get rivalErrorP95(): number {
    let left = this.#count * 0.95;
    for (let bin = 0; bin < BINS; bin++) {
      left -= this.#bins[bin]!;
      if (left <= 0 && this.#count > 0) return (bin + 0.5) * BIN_METRES;
    }
    return 0;
  }
}
