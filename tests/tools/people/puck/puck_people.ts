/** Puck with people who play it, for the lab. */
import { view } from "../../../../client/games/puck/view.ts";
import { game } from "../../../../shared/games/puck/game.ts";
import type { PeopleGame } from "../../lab/people/guess_row.ts";
import { DriverControls } from "../../../../client/lab/people/puck/driver_controls.ts";
import {
  type DriverStyle,
  FITTED_DRIVERS,
  JUDGING_DRIVERS,
} from "../../../../client/lab/people/puck/styles.ts";

type Puck = PeopleGame<typeof game.command.neutral, ReturnType<typeof game.start>>;

/** @param isJudging whether those play who only judge */
export function puckPeople(isJudging: boolean): Puck {
  const styles: readonly DriverStyle[] = isJudging ? JUDGING_DRIVERS : FITTED_DRIVERS;
  return {
    game,
    view: view as unknown as Puck["view"],
    styles: styles.map(({ name }) => name),
    person: (index, seed) => new DriverControls(styles[index % styles.length]!, seed),
  };
}
