/** Shows a replay's lanes: half a minute around the shown tick. */
import type { SeatId, Tick } from "../../shared/netcode/game.ts";
import {
  LANE_COLUMNS,
  laneColour,
  type LaneLooks,
  type LaneMark,
  LaneView,
} from "../debug/lane_view.ts";
import { COMMAND } from "./command_lanes.ts";
import type { ReplaySource } from "./replay_source.ts";

/** How a match log's lanes look. */
export const COMMAND_LOOKS: LaneLooks = {
  colours: {
    [COMMAND.same]: laneColour(0x2f6b4f),
    [COMMAND.changed]: laneColour(0x6cc5ff),
    [COMMAND.assumed]: laneColour(0xff5f56),
  },
  legend: [
    ["same", "the same command as before"],
    ["changed", "another one"],
    ["assumed", "none came in time, so the server assumed one"],
  ],
  label: "A lane per player: their commands",
  sliderLabel: "Moment of this half minute",
  marks: "events",
};
const MARK = laneColour(0xffd166);

export interface ShownLanes {
  readonly lanes: ReplaySource<unknown>["lanes"];
  readonly tick: Tick;
  readonly firstTick: Tick;
  readonly lastTick: Tick;
  readonly followed: SeatId;
  readonly nameOf: (seat: SeatId) => string;
}

export class CommandLaneView {
  readonly #view: LaneView;
  #drawn = "";

  /** Replaces whatever was there before. */
  constructor(into: HTMLElement, looks: LaneLooks, onScrub: (tick: Tick) => void) {
    this.#view = new LaneView(looks, onScrub);
    into.replaceChildren(this.#view.element);
  }

  /** May be called for each frame, because it draws only what differs. */
  show({ lanes, tick, firstTick, lastTick, followed, nameOf }: ShownLanes): void {
    const middle = Math.min(lastTick, tick + LANE_COLUMNS / 2);
    const newest = Math.max(middle, firstTick + LANE_COLUMNS);
    const key = [newest, Math.min(newest, lanes.newest), followed].join();
    if (key !== this.#drawn) {
      this.#drawn = key;
      const marks: LaneMark[] = [];
      for (let at = newest - LANE_COLUMNS + 1; at <= newest; at++) {
        if (lanes.hasMark(at)) marks.push({ tick: at, colour: MARK });
      }
      this.#view.show({ newest, at: (at, seat) => lanes.at(at, seat) }, marks, {
        ownSeat: followed,
        nameOf,
      });
    }
    this.#view.setCursor(tick);
  }
}
