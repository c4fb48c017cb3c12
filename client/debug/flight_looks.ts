/** How a page recording's lanes look, which show what the page knew about each seat's commands. */
import { laneColour, type LaneLooks } from "./lane_view.ts";
import { LANE } from "./replay/seat_lanes.ts";

/**
 * Makes the looks.
 * @param marks what the mark lane shows
 * @param period how far the lanes reach back
 */
export function flightLooks(marks: string, period: string): LaneLooks {
  return {
    colours: {
      [LANE.known]: laneColour(0x2f6b4f),
      [LANE.guessed]: laneColour(0x3d5a99),
      [LANE.wrong]: laneColour(0xffb347),
      [LANE.late]: laneColour(0xff5f56),
    },
    legend: [
      ["known", "known when it was first simulated"],
      ["guessed", "guessed, and right"],
      ["wrong", "guessed wrong"],
      ["late", "late: the server had to assume it"],
    ],
    label: "A lane per player: what this page knew of their commands",
    sliderLabel: `Moment of ${period}`,
    marks,
  };
}
