/**
 * The view of the dragon game: the kit places things, plays events and makes controls; the picture
 * is a renderer of its own.
 */
import { LEDGES } from "../../../shared/games/dragons/arenas/ledges.ts";
import { ARENA_WORDS, ARENAS } from "../../../shared/games/dragons/arenas/arenas.ts";
import { game } from "../../../shared/games/dragons/game.ts";
import type { DragonWorldView, ReadonlyDragon } from "../../../shared/games/dragons/declaration.ts";
import type { ModeWord } from "../../../shared/games/dragons/modes/mode.ts";
import { type Setting, settingOf } from "../../../shared/games/dragons/setting.ts";
import { ROUND_TICKS, TICK_HZ } from "../../../shared/games/dragons/tuning.ts";
import { isVoteOpen, turnOf, type Vote, VOTES } from "../../../shared/games/dragons/vote.ts";
import { defineRenderedView, hum, oneButton, trail } from "../../game_kit/client_kit.ts";
import { AROUND } from "../../presentation/picture/bursts.ts";
import { FLAME } from "../../presentation/picture/canvas.ts";
import { EVENT_LOOKS, LOOT_NAMES } from "./events.ts";
import { DragonRenderer } from "./render/renderer.ts";

/** What burns is audible. */
const FIRE = { wave: "noise", pitch: 420, gain: 0.08 } as const;

/**
 * An egg shows from the definitive tick that laid it to the one that took it. Fire leaves the mouth
 * in the frame after the key.
 */
export const APPEARANCES = {
  egg: "certain",
  fireball: "at once",
  arrow: "at once",
  pellet: "at once",
} as const;

/** For how long the words over the arena name a new round's arena and mode, seconds. */
const BANNER_SECONDS = 2.5;

const MODE_NAMES: Readonly<Record<ModeWord, string>> = {
  melee: "Melee",
  egg_rush: "Egg Rush",
  capture: "Capture",
  storm_walls: "Storm Walls",
};

/** The round's arena and mode, while it is new. */
function bannerOf({ match, seconds }: DragonWorldView): string | undefined {
  const isNew = match.phase === "playing" &&
    seconds(ROUND_TICKS - match.phaseTicksLeft) < BANNER_SECONDS;
  return isNew ? settingText(match) : undefined;
}

function settingText({ arena, mode }: Setting): string {
  return `${ARENAS[arena].name} · ${MODE_NAMES[mode]}`;
}

/** How a player votes for each. */
const VOTE_KEYS: Readonly<Record<Vote, string>> = { left: "←", middle: "Fire:", right: "→" };

/** What a dragon holds, and how often it can use that. */
function noteOf(dragon: ReadonlyDragon | undefined): string | undefined {
  if (dragon === undefined || dragon.fields.dead > 0) return undefined;
  const { holds, shots } = dragon.fields;
  if (holds === "none") return undefined;
  return shots === 0 ? LOOT_NAMES[holds] : `${LOOT_NAMES[holds]} × ${shots}`;
}

/** Duller than any player: earth for Hunters, dusk for Shadows; Drifters are grey. */
export const NPC_COLOURS = { hunter: "#6f5e4b", shadow: "#57506e" } as const;

export const dragonView = defineRenderedView(game, {
  view: [LEDGES.width, LEDGES.height],
  centre: [LEDGES.width / 2, LEDGES.height / 2],
  // No eased dragon is drawn within a ledge
  solid: [...ARENA_WORDS, "bridge"],
  renderer: (canvas) => new DragonRenderer(canvas),

  // Whoever is dead has nothing to show.
  interest: (_world, { fields: { dead } }) => dead > 0 ? -2 : 0,

  appear: APPEARANCES,
  npcColours: NPC_COLOURS,

  events: EVENT_LOOKS,
  decides: ["joust", "burn", "shoot"],
  trails: {
    fireball: trail({
      shape: "ember",
      colour: FLAME,
      perSecond: 22,
      speed: [0.2, 1.2],
      turns: AROUND,
      lifeMs: 420,
      size: 0.07,
      growth: -0.1,
      gravity: -1,
    }),
  },
  hums: {
    fireball: hum(FIRE),
    crate: hum({ ...FIRE, when: ({ fields }) => fields.burning > 0 }),
  },

  oneButton: oneButton({ tap: "flaps", turn: "dir", hold: "fires" }),

  status: (world) => ({
    banner: bannerOf(world),
    ...world.match.mode === "capture" && {
      teams: [
        { team: "blue", score: world.match.blue },
        { team: "orange", score: world.match.orange },
      ],
    },
    scores: world.all("dragon").map(({ seat, fields: { score } }) => ({ seat, score })),
    round: {
      number: world.match.round,
      phase: world.match.phase,
      secondsLeft: Math.ceil(world.match.phaseTicksLeft / TICK_HZ),
      note: world.match.suddenDeath ? "Sudden death" : undefined,
    },
    vote: isVoteOpen(world)
      ? {
        choices: VOTES.map((vote) =>
          `${VOTE_KEYS[vote]} ${settingText(settingOf(world, turnOf(world, vote)))}`
        ),
        of: (seat) => {
          const vote = world.player(seat)?.fields.vote ?? "none";
          return vote === "none" ? undefined : VOTES.indexOf(vote);
        },
      }
      : undefined,
    note: (seat) => noteOf(world.player(seat)),
    ready: (seat) => world.player(seat)?.fields.ready ?? false,
  }),

  words: { players: "dragons", readyHint: "flap when you are ready" },
});

export { dragonView as view };
