/** The events of dragons: looks, sound, and how the dragon itself reacts. */
import { TICK } from "../../../../presentation/audio/voices.ts";
import { AROUND, type Burst, RING } from "../../../../presentation/picture/bursts.ts";
import { DUST, HOT, SMOKE } from "../../../../presentation/picture/canvas.ts";
import type { EventRecipe } from "../presenter.ts";

export interface DragonEventRecipe extends EventRecipe {
  /** Strength that flattens the dragon; a negative one stretches it. */
  readonly squeeze?: number;
  /** The event is a blow: everybody near it stands still for a moment (`hit_stop.ts`). */
  readonly stops?: true;
}

/** The right half of the dust under a landing; the left half mirrors it. */
const LANDING_DUST: Burst = {
  shape: "puff",
  colour: DUST,
  count: 4,
  speed: [1, 2.6],
  turns: [0.02, 0.1],
  lifeMs: 420,
  size: 0.1,
  growth: 0.5,
  below: 0.5,
};

const ARRIVAL_BURSTS: readonly Burst[] = [
  RING,
  { ...RING, colour: HOT, lifeMs: 400, growth: 2.4 },
  {
    shape: "spark",
    colour: "seat",
    count: 14,
    speed: [2, 5],
    turns: AROUND,
    lifeMs: 500,
    size: 0.2,
    drag: 3,
  },
];

export const DRAGON_EVENTS: Readonly<Record<string, DragonEventRecipe>> = {
  flap: {
    bursts: [
      {
        shape: "puff",
        colour: SMOKE,
        count: 4,
        speed: [1, 2.4],
        turns: [0.6, 0.9],
        lifeMs: 320,
        size: 0.1,
        growth: 0.5,
        below: 0.5,
      },
    ],
    voices: [{ wave: "noise", fromHz: 900, toHz: 220, ms: 130, gain: 0.35 }],
    squeeze: -0.25,
    answersKey: true,
  },
  land: {
    bursts: [LANDING_DUST, { ...LANDING_DUST, turns: [0.4, 0.48] }],
    voices: [{ wave: "sine", fromHz: 130, toHz: 60, ms: 90, gain: 0.3 }],
  },
  joust: {
    bursts: [
      { ...RING, colour: HOT, lifeMs: 300, growth: 7 },
      {
        shape: "spark",
        colour: HOT,
        count: 18,
        speed: [5, 12],
        turns: AROUND,
        lifeMs: 420,
        size: 0.3,
        drag: 4,
      },
      {
        shape: "puff",
        colour: "seat",
        count: 14,
        speed: [1, 5],
        turns: AROUND,
        lifeMs: 700,
        size: 0.2,
        growth: 0.4,
        drag: 3,
      },
      {
        shape: "ember",
        colour: "seat",
        count: 16,
        speed: [3, 8],
        turns: [0.05, 0.45],
        lifeMs: 900,
        size: 0.07,
        gravity: 14,
      },
    ],
    voices: [
      { wave: "noise", fromHz: 3000, toHz: 300, ms: 160, gain: 0.5 },
      { wave: "sawtooth", fromHz: 420, toHz: 90, ms: 380, gain: 0.2 },
    ],
    shake: 1,
    squeeze: 1,
    isConfirmedOnly: true,
  },
  clash: {
    bursts: [
      {
        shape: "spark",
        colour: "#ffffff",
        count: 16,
        speed: [4, 11],
        turns: AROUND,
        lifeMs: 320,
        size: 0.28,
        drag: 3,
      },
      { ...RING, colour: "#ffffff", lifeMs: 200, growth: 5 },
    ],
    voices: [TICK, { wave: "square", fromHz: 1900, toHz: 1300, ms: 120, gain: 0.12 }],
    shake: 0.6,
    squeeze: 1,
    stops: true,
  },
  crush: {
    bursts: [
      {
        shape: "puff",
        colour: DUST,
        count: 12,
        speed: [1, 4],
        turns: AROUND,
        lifeMs: 600,
        size: 0.18,
        growth: 0.6,
        drag: 2,
      },
      {
        shape: "ember",
        colour: "#c08a55",
        count: 10,
        speed: [2, 6],
        turns: [0.05, 0.45],
        lifeMs: 700,
        size: 0.07,
        gravity: 16,
      },
    ],
    voices: [{ wave: "noise", fromHz: 500, toHz: 80, ms: 200, gain: 0.5 }],
    shake: 0.8,
    squeeze: 1,
    stops: true,
  },
  respawn: {
    bursts: ARRIVAL_BURSTS,
    voices: [{ wave: "sine", fromHz: 220, toHz: 660, ms: 260, gain: 0.2 }],
  },
  enter: { bursts: ARRIVAL_BURSTS },
};
