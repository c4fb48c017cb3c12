/**
 * What Hunters and Shadows plan for, because they decide 8 to 40 ticks ahead: a clash, and a lance
 * that comes down on them.
 */
import type { Plan } from "../../../game_kit/game_kit.ts";
import type { DragonTypes, DragonWorldView, ReadonlyDragon } from "../declaration.ts";
import { areMates } from "../modes/modes.ts";
import { FLAP_COOLDOWN_TICKS, LANCE_LEAD, TRUCE_TICKS } from "../tuning.ts";

/** Metres sideways and above within which a dragon that comes down is a danger. */
const DANGER_ACROSS = 1.5;
const DANGER_ABOVE = 2.2;

/** As `Rules.plans` of the game. */
export const PLANS = {
  /** It has just clashed. Whoever flaps first is higher when the truce ends. */
  struck: {
    when: (_world, { fields }) =>
      fields.truce === TRUCE_TICKS - 1 || fields.truce === TRUCE_TICKS - 1 - FLAP_COOLDOWN_TICKS,
    answers: { riseLeft: { dir: -1, flaps: 1 }, riseRight: { dir: 1, flaps: 1 } },
  },
  /** Somebody dives at it. */
  dived: {
    when: isDivedAt,
    answers: { left: { dir: -1, flaps: 0 }, right: { dir: 1, flaps: 0 } },
  },
} as const satisfies Readonly<Record<string, Plan<DragonTypes>>>;

function isDivedAt(world: DragonWorldView, me: ReadonlyDragon): boolean {
  if (me.fields.invulnerable > 0) return false;
  for (const other of world.all("dragon")) {
    const above = other.y - me.y;
    const isNear = above > LANCE_LEAD && above < DANGER_ABOVE &&
      Math.abs(other.x - me.x) < DANGER_ACROSS;
    if (isNear && other.vy < me.vy && other.fields.dead === 0 && !areMates(other, me)) return true;
  }
  return false;
}
