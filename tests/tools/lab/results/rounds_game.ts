/** The counter game in rounds. A seat's score is its number of presses so far. */
import { type Game, PLAYER_SEATS, SEATS } from "../../../../shared/netcode/game.ts";
import { type CounterCommand, counterGame, type CounterSimulation } from "../counter_game.ts";

/** How many ticks a round lasts, and the time after it: two seconds and one. */
export const ROUND_TICKS = 40;
export const BETWEEN_TICKS = 20;
const PERIOD_TICKS = ROUND_TICKS + BETWEEN_TICKS;

export const roundsGame: Game<CounterCommand, CounterSimulation> = {
  ...counterGame,
  id: "rounds-1",
  rounds: {
    isOver: ({ tick }) => tick % PERIOD_TICKS >= ROUND_TICKS,
    result: (simulation) => ({
      round: Math.floor(simulation.tick / PERIOD_TICKS) + 1,
      scores: Array.from({ length: SEATS }, (_, seat) => seat)
        .filter((seat) => seat < PLAYER_SEATS && simulation.isPresent(seat))
        .map((seat) => ({ seat, score: simulation.pressesOf(seat) })),
    }),
  },
};
