/**
 * The view of the dragon game: the kit places things, plays events and makes controls; the picture
 * is a renderer of its own.
 */
import { LEDGES } from "../../../shared/games/dragons/arena.ts";
import { game } from "../../../shared/games/dragons/game.ts";
import { TICK_HZ } from "../../../shared/games/dragons/tuning.ts";
import { defineRenderedView, hum, oneButton, trail } from "../../game_kit/client_kit.ts";
import { AROUND } from "../../presentation/picture/bursts.ts";
import { FLAME } from "../../presentation/picture/canvas.ts";
import { EVENT_LOOKS } from "./events.ts";
import { DragonRenderer } from "./render/renderer.ts";

/** What burns is audible. */
const FIRE = { wave: "noise", pitch: 420, gain: 0.08 } as const;

/**
 * An egg shows from the definitive tick that laid it to the one that took it. Fire leaves the mouth
 * in the frame after the key.
 */
export const APPEARANCES = { egg: "certain", fireball: "at once" } as const;

export const dragonView = defineRenderedView(game, {
  view: [LEDGES.width, LEDGES.height],
  centre: [LEDGES.width / 2, LEDGES.height / 2],
  renderer: (canvas) => new DragonRenderer(canvas),

  appear: APPEARANCES,

  events: EVENT_LOOKS,
  decides: ["joust", "burn"],
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
    round: {
      number: world.match.round,
      phase: world.match.phase,
      secondsLeft: Math.ceil(world.match.phaseTicksLeft / TICK_HZ),
      note: world.match.suddenDeath ? "Sudden death" : undefined,
    },
    ready: (seat) => world.player(seat)?.fields.ready ?? false,
  }),

  words: { players: "dragons", readyHint: "flap when you are ready" },
});

export { dragonView as view };
