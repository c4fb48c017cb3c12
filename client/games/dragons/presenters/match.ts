/** The events of the match itself, which belong to no archetype. */
import { chime } from "../../../presentation/audio/voices.ts";
import { AROUND, RING } from "../../../presentation/picture/bursts.ts";
import { GOLD, HOT } from "../../../presentation/picture/canvas.ts";
import type { EventRecipes } from "./presenter.ts";

export const MATCH_EVENTS: EventRecipes = {
  round: {
    bursts: [
      { ...RING, colour: GOLD, lifeMs: 700, growth: 8 },
      {
        shape: "spark",
        colour: GOLD,
        count: 28,
        speed: [4, 11],
        turns: AROUND,
        lifeMs: 900,
        size: 0.3,
        drag: 2.5,
      },
      {
        shape: "ember",
        colour: "seat",
        count: 28,
        speed: [4, 10],
        turns: [0.1, 0.4],
        lifeMs: 1600,
        size: 0.09,
        gravity: 9,
      },
    ],
    voices: [chime(523, 0), chime(659, 140), chime(784, 280), chime(1047, 420)],
    isGlobal: true,
    isConfirmedOnly: true,
  },
  start: {
    bursts: [
      { ...RING, colour: HOT, lifeMs: 600, growth: 16 },
      {
        shape: "spark",
        colour: HOT,
        count: 24,
        speed: [8, 16],
        turns: AROUND,
        lifeMs: 500,
        size: 0.4,
        drag: 3,
      },
    ],
    voices: [chime(392, 0), chime(784, 160)],
    isGlobal: true,
    isConfirmedOnly: true,
  },
};
