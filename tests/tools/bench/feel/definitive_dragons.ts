/** A recording's definitive dragons, by tick and seat. */
import type { SeatId, Tick } from "../../../../shared/netcode/game.ts";
import { PoseList } from "../../../../shared/netcode/pose_list.ts";
import type { Columns } from "./columns.ts";
import type { DefinitiveRow } from "./recording.ts";

export class DefinitiveDragons {
  readonly #byTick = new Map<Tick, Map<SeatId, DefinitiveRow>>();
  readonly #living = new Map<Tick, PoseList>();

  constructor(rows: Columns<keyof DefinitiveRow>) {
    for (const row of rows) {
      const dragons = this.#byTick.get(row.tick) ?? new Map<SeatId, DefinitiveRow>();
      this.#byTick.set(row.tick, dragons.set(row.seat, row));
    }
  }

  /** A seat's dragon; undefined if it has none, or if the tick was not recorded. */
  at(tick: Tick, seat: SeatId): DefinitiveRow | undefined {
    return this.#byTick.get(tick)?.get(seat);
  }

  /**
   * Where it is between two ticks; undefined if it is missing in one of them, or if it was
   * teleported in between.
   */
  placeAt(ticks: number, seat: SeatId): Pick<DefinitiveRow, "x" | "y" | "teleports"> | undefined {
    const tick = Math.floor(ticks);
    const fraction = ticks - tick;
    const from = this.at(tick, seat);
    const to = fraction === 0 ? from : this.at(tick + 1, seat);
    if (from === undefined || to === undefined || from.teleports !== to.teleports) return undefined;
    const { teleports } = from;
    return {
      x: from.x + (to.x - from.x) * fraction,
      y: from.y + (to.y - from.y) * fraction,
      teleports,
    };
  }

  /**
   * A tick's living dragons as poses, with their seats as entities; undefined if it was not
   * recorded.
   */
  livingAt(tick: Tick): PoseList | undefined {
    const dragons = this.#byTick.get(tick);
    if (dragons === undefined) return undefined;
    let living = this.#living.get(tick);
    if (living !== undefined) return living;
    this.#living.set(tick, living = new PoseList());
    for (
      const { seat, x, y, teleports, dead } of [...dragons.values()].sort((a, b) => a.seat - b.seat)
    ) {
      if (dead === 0) {
        Object.assign(living.add(), { entity: seat, seat, x, y, angle: 0, teleports });
      }
    }
    return living;
  }

  /** How often a dragon on these seats lost its rider. */
  deaths(counts: (seat: SeatId) => boolean): number {
    let deaths = 0;
    for (const [tick, dragons] of this.#byTick) {
      for (const { seat, dead } of dragons.values()) {
        if (counts(seat) && dead === 1 && this.at(tick - 1, seat)?.dead === 0) deaths++;
      }
    }
    return deaths;
  }
}
