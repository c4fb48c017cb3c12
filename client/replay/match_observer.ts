/**
 * Collects what a page needs from a whole match before it shows it: each seat's players, and the
 * ticks with captions.
 */
import { PLAYER_SEATS, type SeatId, type Simulation } from "../../shared/netcode/game.ts";
import type { MatchReplay } from "../../shared/netcode/match_log/replay.ts";
import { PoseList } from "../../shared/netcode/pose_list.ts";
import { EventReconciler } from "../presentation/event_reconciler.ts";
import type { View } from "../presentation/view.ts";

/** How often to read names: once a second at 20 Hz, because players stay longer. */
const NAMES_TICKS = 20;

type Match<Command, Sim extends Simulation<Command>> = Pick<
  MatchReplay<Command, Sim>,
  "simulation" | "timeline" | "presence" | "tick"
>;

/** Finds the players' names in a match's newest tick. */
export function playerNamesOf<Command, Sim extends Simulation<Command>>(
  { timeline, presence, tick }: Match<Command, Sim>,
): ReadonlyMap<SeatId, string> {
  const names = new Map<SeatId, string>();
  for (let seat = 0; seat < PLAYER_SEATS; seat++) {
    if (timeline.isPresent(tick, seat)) names.set(seat, presence.nameOf(seat));
  }
  return names;
}

export class MatchObserver<Command, Sim extends Simulation<Command>> {
  readonly #view: Pick<View<Command, Sim, unknown>, "caption" | "status">;
  readonly #events = new EventReconciler();
  readonly #poses = new PoseList();
  readonly #names = new Map<SeatId, string>();

  constructor(view: Pick<View<Command, Sim, unknown>, "caption" | "status">) {
    this.#view = view;
  }

  /** Returns the last player's or NPC's name on the seat. */
  nameOf(seat: SeatId): string {
    return this.#names.get(seat) ?? `seat ${seat}`;
  }

  /**
   * Call it with each tick in order.
   * @returns whether an event in the tick has a caption
   */
  observe(match: Match<Command, Sim>): boolean {
    const { simulation, tick } = match;
    if (tick % NAMES_TICKS === 0) {
      const { scores } = this.#view.status(simulation, {
        names: playerNamesOf(match),
        ownSeat: -1,
      });
      for (const { seat, name } of scores) this.#names.set(seat, name);
    }
    return simulation.events.length > 0 && this.#hasCaption(simulation);
  }

  #hasCaption(simulation: Sim): boolean {
    const { events, tick } = simulation;
    this.#poses.reset();
    simulation.poses(this.#poses);
    this.#events.record(events, { tick, poses: this.#poses });
    const { settled } = this.#events.collectChanges({ head: tick, definitive: tick });
    return settled.some((event) => this.#view.caption?.(event) !== undefined);
  }
}
