/** The sprite of a dragon: the values that its drawing, its labels and the sound read. */
import type { SeatId } from "../../../../../shared/netcode/game.ts";
import { DEAD_TICKS, FLAP_RISE, TICK_HZ } from "../../../../../shared/games/dragons/tuning.ts";
import type { LootWord } from "../../../../../shared/games/dragons/loot_words.ts";
import { type Look, lookOf } from "../../render/palette.ts";
import { type DragonFrame, type ShownAs, type Sprite, spriteOf } from "../presenter.ts";

export interface DragonSprite extends Sprite {
  seat: SeatId;
  name: string;
  own: boolean;
  /** Whether it is the own one, or the one that a spectator follows. */
  isFollowed: boolean;
  npc: boolean;
  look: Look;
  /** m/s. */
  vx: number;
  vy: number;
  /** -1 faces left, 1 faces right. */
  facing: number;
  onGround: boolean;
  /** Ticks since its last flap, 0 … 255. */
  flapAge: number;
  /**
   * It has lost its rider, and tumbles until it respawns. A death shows when it is definitive, and
   * a respawn at once: it follows from a death that is definitive.
   */
  dead: boolean;
  /** Ticks for which nothing can hurt it. */
  invulnerableTicks: number;
  /**
   * Ticks for which it follows no command: it is stunned, or it reels because a death is predicted.
   */
  stunnedTicks: number;
  /** Fireballs that it can still breathe, 0 … 3. */
  charges: number;
  /** What it holds, and how often it can use that. */
  holds: "none" | LootWord;
  shots: number;
  score: number;
  /** The simulated height of its lance; undefined if it has no rider in the prediction. */
  lance: LanceHeight | undefined;
}

/**
 * Metres. `y` follows from the commands that are known and guessed, the other two from what the
 * guess may miss.
 */
export interface LanceHeight {
  readonly y: number;
  readonly lowest: number;
  readonly highest: number;
}

/**
 * Metres for each guessed tick by which a rival may be higher than simulated: they may have
 * flapped. A flap in the first guessed tick adds 0.25 m a tick, but few come so early. With people
 * in the lab at a round trip of 200 ms, 0.15 m has 3 % of wrong marks among the solid ones, and 68
 * % of marks are solid. With 0.17 m it is 1.7 % and 63 %.
 */
const UNKNOWN_RISE = 0.16;

/** The own dragon moves as it will at the next tick, with the keys as they are now. */
export function dragonSpriteOf(shown: ShownAs<"dragon">, frame: DragonFrame): DragonSprite {
  const { fields, definitive, own, npc, seat } = shown;
  const dead = fields.dead > 0 && (definitive?.fields.dead ?? 0) > 0;
  return {
    ...spriteOf(shown),
    seat,
    name: shown.label,
    own,
    isFollowed: shown === frame.followed,
    npc,
    look: lookOf({ hue: shown.hue, seat, own, npc, dead }),
    vx: shown.vx,
    vy: shown.vy,
    facing: fields.facing === "left" ? -1 : 1,
    onGround: fields.airborne === 0,
    flapAge: fields.flapAge,
    charges: fields.charges,
    holds: fields.holds,
    shots: fields.shots,
    dead,
    invulnerableTicks: fields.invulnerable,
    stunnedTicks: dead || !isReeling(fields.dead, own) ? fields.stun : fields.dead,
    score: Math.max((definitive ?? shown).fields.score, own && frame.ownScore || 0),
    lance: fields.dead > 0 ? undefined : lanceHeightOf(shown, frame),
  };
}

/**
 * Ticks. Of the predicted deaths that are taken back, nine in ten are gone by then, at a round trip
 * of 200 ms.
 */
const REELING_TICKS = 3;

/**
 * Whether a dragon is drawn stunned that has lost its rider in the prediction only. The own dragon
 * is, at once: its keys do nothing any more. A rival is when their death has lasted for some ticks.
 * @param dead ticks left without a rider
 */
function isReeling(dead: number, own: boolean): boolean {
  return dead > 0 && (own || dead <= DEAD_TICKS - REELING_TICKS);
}

/**
 * The flap that the prediction guessed may not have happened, and one that it did not guess may
 * have.
 */
function lanceHeightOf(
  { fields: { flapAge }, guessedTicks, simulated: { y } }: ShownAs<"dragon">,
  { fraction }: DragonFrame,
): LanceHeight {
  const fall = flapAge < guessedTicks ? (flapAge + fraction) * FLAP_RISE / TICK_HZ : 0;
  const rise = guessedTicks > 0 ? (guessedTicks + fraction) * UNKNOWN_RISE : 0;
  return { y, lowest: y - fall, highest: y + rise };
}

/** The sprite of the own dragon; undefined for a spectator. */
export function ownOf(dragons: readonly DragonSprite[]): DragonSprite | undefined {
  return dragons.find(({ own }) => own);
}

/** Whether the two are at most `metres` apart; false without an own dragon. */
export function isNear(
  dragon: DragonSprite,
  own: DragonSprite | undefined,
  metres: number,
): boolean {
  return own !== undefined && (dragon.x - own.x) ** 2 + (dragon.y - own.y) ** 2 <= metres ** 2;
}
