/** How the events of a match look and sound, and what the line beside the arena says of them. */
import type { DragonTypes } from "../../../shared/games/dragons/declaration.ts";
import { LOOT_WORDS, type LootWord } from "../../../shared/games/dragons/loot_words.ts";
import { AROUND, type Burst, chime, type EventLook, RING } from "../../game_kit/client_kit.ts";
import { TICK } from "../../presentation/audio/voices.ts";
import { DUST, FLAME, GOLD, HOT, SHELL, SMOKE } from "../../presentation/picture/canvas.ts";
import { drawThrownRider } from "./presenters/dragon/draw_dragon.ts";

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

/** The stroke of a lance: two long sparks that stand for a sixth of a second. */
const SLASH: Burst = {
  shape: "spark",
  colour: "#ffffff",
  count: 2,
  speed: [0.5, 1],
  turns: [0.08, 0.16],
  lifeMs: 170,
  size: 1.4,
};

/** A rider who has lost their seat flies off, away from who took it. */
const THROWN_RIDER: Burst = {
  shape: drawThrownRider,
  colour: "seat",
  count: 1,
  speed: [7, 10],
  turns: [0.09, 0.19],
  lifeMs: 1300,
  size: 1,
  gravity: 14,
};

/** Drops of lava. */
const LAVA_SPLASH: Burst = {
  shape: "ember",
  colour: FLAME,
  count: 12,
  speed: [2, 6],
  turns: [0.1, 0.4],
  lifeMs: 700,
  size: 0.1,
  gravity: 14,
};

/** What players call what a chest holds. */
export const LOOT_NAMES: Readonly<Record<LootWord, string>> = {
  bow: "Bow",
  scatter: "Scatter",
  shield: "Shield",
  boost: "Boost",
};

/** Splinters of a crate or a chest. */
const SPLINTERS: Burst = {
  shape: "ember",
  colour: "#a98560",
  count: 10,
  speed: [2, 6],
  turns: [0.05, 0.45],
  lifeMs: 700,
  size: 0.07,
  gravity: 16,
};

/** Fire hits a dragon or a crate. */
const FLAMES = {
  burst: [
    { ...RING, colour: FLAME, lifeMs: 300, growth: 6 },
    {
      shape: "puff",
      colour: FLAME,
      count: 16,
      speed: [1, 5],
      turns: AROUND,
      lifeMs: 520,
      size: 0.28,
      growth: 0.3,
      drag: 3,
    },
    {
      shape: "puff",
      colour: "#57505f",
      count: 10,
      speed: [0.5, 2],
      turns: [0.1, 0.4],
      lifeMs: 1100,
      size: 0.25,
      growth: 0.5,
    },
    {
      shape: "ember",
      colour: HOT,
      count: 16,
      speed: [2, 7],
      turns: AROUND,
      lifeMs: 800,
      size: 0.06,
      gravity: 6,
    },
  ],
  sound: [
    { wave: "noise", fromHz: 1200, toHz: 90, ms: 420, gain: 0.7 },
    { wave: "sine", fromHz: 120, toHz: 40, ms: 320, gain: 0.5 },
  ],
  shake: 1,
} satisfies EventLook;

export const EVENT_LOOKS: { readonly [Kind in keyof DragonTypes["events"]]: EventLook } = {
  flap: {
    burst: [
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
    sound: [{ wave: "noise", fromHz: 900, toHz: 220, ms: 130, gain: 0.35 }],
  },
  land: {
    burst: [LANDING_DUST, { ...LANDING_DUST, turns: [0.4, 0.48] }],
    sound: [{ wave: "sine", fromHz: 130, toHz: 60, ms: 90, gain: 0.3 }],
  },
  joust: {
    burst: [
      { ...RING, colour: HOT, lifeMs: 300, growth: 7 },
      SLASH,
      THROWN_RIDER,
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
    sound: [
      { wave: "noise", fromHz: 3000, toHz: 300, ms: 160, gain: 0.5 },
      { wave: "sawtooth", fromHz: 420, toHz: 90, ms: 380, gain: 0.2 },
    ],
    caption: "unseated",
    shake: 1,
  },
  clash: {
    burst: [
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
    sound: [TICK, { wave: "square", fromHz: 1900, toHz: 1300, ms: 120, gain: 0.12 }],
    shake: 0.6,
  },
  crush: {
    burst: [
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
      { ...SPLINTERS, colour: "#c08a55" },
    ],
    sound: [{ wave: "noise", fromHz: 500, toHz: 80, ms: 200, gain: 0.5 }],
    shake: 0.8,
  },
  respawn: {
    burst: ARRIVAL_BURSTS,
    sound: [{ wave: "sine", fromHz: 220, toHz: 660, ms: 260, gain: 0.2 }],
  },
  enter: { burst: ARRIVAL_BURSTS },
  fire: {
    sound: [{ wave: "noise", fromHz: 400, toHz: 1800, ms: 220, gain: 0.4 }],
  },
  burn: { ...FLAMES, burst: [...FLAMES.burst, THROWN_RIDER], caption: "burned" },
  // Those who breathed the fire are not where it burns.
  ignite: { ...FLAMES, rumble: 0 },
  egg: {
    burst: [
      { ...RING, colour: SHELL, lifeMs: 350, growth: 2.2 },
      {
        shape: "puff",
        colour: SHELL,
        count: 6,
        speed: [0.6, 2],
        turns: AROUND,
        lifeMs: 420,
        size: 0.12,
        growth: 0.4,
      },
    ],
    sound: [{ wave: "sine", fromHz: 500, toHz: 320, ms: 110, gain: 0.25 }],
  },
  take: {
    burst: [
      { ...RING, colour: GOLD, lifeMs: 320, growth: 4 },
      {
        shape: "spark",
        colour: GOLD,
        count: 12,
        speed: [3, 7],
        turns: [0.05, 0.45],
        lifeMs: 520,
        size: 0.22,
        drag: 3,
      },
      {
        shape: "ember",
        colour: SHELL,
        count: 8,
        speed: [2, 5],
        turns: [0.1, 0.4],
        lifeMs: 600,
        size: 0.06,
        gravity: 12,
      },
    ],
    sound: [chime(660, 0), chime(990, 80)],
  },
  hatch: {
    burst: [
      { ...RING, colour: HOT, lifeMs: 380, growth: 5 },
      {
        shape: "ember",
        colour: SHELL,
        count: 18,
        speed: [3, 7],
        turns: [0.02, 0.48],
        lifeMs: 900,
        size: 0.09,
        gravity: 14,
      },
      {
        shape: "puff",
        colour: SMOKE,
        count: 8,
        speed: [0.8, 2.6],
        turns: AROUND,
        lifeMs: 600,
        size: 0.2,
        growth: 0.6,
        drag: 2,
      },
    ],
    sound: [TICK, { ...TICK, afterMs: 90 }, {
      wave: "sawtooth",
      fromHz: 300,
      toHz: 600,
      ms: 180,
      gain: 0.12,
    }],
    shake: 0.3,
  },
  wither: {
    burst: [
      {
        shape: "puff",
        colour: DUST,
        count: 8,
        speed: [0.3, 1.2],
        turns: [0.1, 0.4],
        lifeMs: 800,
        size: 0.16,
        growth: 0.4,
      },
    ],
  },
  wyrm: {
    burst: [{ ...RING, colour: FLAME, lifeMs: 900, growth: 14 }],
    sound: [{ wave: "sawtooth", fromHz: 110, toHz: 45, ms: 1100, gain: 0.4 }],
    everywhere: true,
    shake: 0.6,
  },
  slay: {
    burst: [
      { ...RING, colour: HOT, lifeMs: 600, growth: 9 },
      {
        shape: "ember",
        colour: FLAME,
        count: 36,
        speed: [4, 11],
        turns: AROUND,
        lifeMs: 1200,
        size: 0.12,
        gravity: 8,
      },
    ],
    sound: [chime(392, 0), chime(523, 120), chime(784, 240)],
    everywhere: true,
    shake: 0.8,
    caption: "slew the Wyrm",
  },
  devour: { ...FLAMES, caption: "fell to the Wyrm" },
  carry: {
    burst: [{ ...RING, colour: GOLD, lifeMs: 500, growth: 5 }],
    sound: [chime(660, 0), chime(880, 90)],
    caption: "has the golden egg",
  },
  drop: {
    burst: [{ ...RING, colour: GOLD, lifeMs: 300, growth: 3 }],
    sound: [chime(440, 0)],
  },
  capture: {
    burst: [
      { ...RING, colour: GOLD, lifeMs: 700, growth: 9 },
      {
        shape: "spark",
        colour: GOLD,
        count: 24,
        speed: [4, 10],
        turns: AROUND,
        lifeMs: 800,
        size: 0.3,
        drag: 2.5,
      },
    ],
    sound: [chime(523, 0), chime(784, 110), chime(1047, 220)],
    everywhere: true,
    caption: "brought the golden egg home",
  },
  hang: { sound: [{ wave: "sine", fromHz: 330, toHz: 220, ms: 120, gain: 0.12 }] },
  cut: {
    burst: [SPLINTERS],
    sound: [TICK, { wave: "noise", fromHz: 1400, toHz: 300, ms: 120, gain: 0.3 }],
  },
  open: {
    burst: [SPLINTERS, { ...RING, colour: GOLD, lifeMs: 360, growth: 4 }],
    sound: [{ wave: "noise", fromHz: 500, toHz: 90, ms: 200, gain: 0.4 }, chime(880, 60)],
  },
  grab: {
    burst: [{ ...RING, colour: GOLD, lifeMs: 320, growth: 4 }],
    sound: [chime(784, 0), chime(1047, 80)],
    caption: (amount) => `found a ${LOOT_NAMES[LOOT_WORDS[amount - 1]!].toLowerCase()}`,
  },
  loose: { sound: [{ wave: "noise", fromHz: 2400, toHz: 700, ms: 120, gain: 0.35 }] },
  dash: {
    burst: [{ ...LANDING_DUST, colour: SMOKE, count: 10, turns: AROUND }],
    sound: [{ wave: "noise", fromHz: 300, toHz: 2200, ms: 260, gain: 0.35 }],
  },
  block: {
    burst: [{ ...RING, colour: GOLD, lifeMs: 260, growth: 6 }],
    sound: [TICK, { wave: "square", fromHz: 1200, toHz: 900, ms: 160, gain: 0.12 }],
    shake: 0.6,
  },
  shoot: {
    burst: [{ ...RING, colour: HOT, lifeMs: 300, growth: 7 }, SLASH, {
      ...SPLINTERS,
      colour: "seat",
      count: 18,
    }],
    sound: [{ wave: "noise", fromHz: 2600, toHz: 200, ms: 220, gain: 0.5 }],
    caption: "shot",
    shake: 1,
  },
  collapse: {
    burst: [{ ...SPLINTERS, colour: FLAME, count: 40, speed: [2, 9], turns: AROUND }],
    sound: [{ wave: "noise", fromHz: 700, toHz: 60, ms: 900, gain: 0.5 }],
    everywhere: true,
    shake: 0.5,
  },
  grip: {
    burst: [LAVA_SPLASH],
    sound: [{ wave: "sawtooth", fromHz: 160, toHz: 70, ms: 320, gain: 0.25 }],
    shake: 0.3,
  },
  free: {
    burst: [LAVA_SPLASH, { ...RING, colour: HOT, lifeMs: 320, growth: 4 }],
    sound: [{ wave: "noise", fromHz: 400, toHz: 1600, ms: 200, gain: 0.3 }],
  },
  sink: {
    burst: [{ ...LAVA_SPLASH, count: 28, speed: [3, 9] }, {
      shape: "puff",
      colour: "#57505f",
      count: 12,
      speed: [0.5, 2],
      turns: [0.1, 0.4],
      lifeMs: 1100,
      size: 0.25,
      growth: 0.5,
    }],
    sound: [{ wave: "noise", fromHz: 900, toHz: 80, ms: 600, gain: 0.5 }],
    shake: 0.6,
    caption: "sank in the lava",
  },
  round: {
    burst: [
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
    sound: [chime(523, 0), chime(659, 140), chime(784, 280), chime(1047, 420)],
    everywhere: true,
  },
  suddenDeath: {
    burst: [{ ...RING, colour: FLAME, lifeMs: 900, growth: 20 }],
    sound: [chime(784, 0), chime(523, 160), chime(784, 320)],
    everywhere: true,
  },
  start: {
    burst: [
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
    sound: [chime(392, 0), chime(784, 160)],
    everywhere: true,
  },
};
