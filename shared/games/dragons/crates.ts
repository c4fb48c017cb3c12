/**
 * Crates form a stack that dragons push around. They burn, stun dragons that they fall on, and
 * return one at a time.
 */
import { nextRandom, RANDOM_RANGE, randomBits } from "../../random.ts";
import { type Arena, isOutside } from "./arena.ts";
import {
  CRATE,
  type Crate,
  type Dragon,
  type DragonStage,
  isCrate,
  isDragon,
} from "./archetypes.ts";
import type { EventList } from "./events.ts";
import {
  CRATE_BURN_TICKS,
  CRATE_DROP_TICKS,
  CRATES_MAX,
  CRUSH_SPEED,
  STUN_TICKS,
} from "./tuning.ts";

/** A crate hits from above if the y of the normal from crate to dragon is at most this. */
const DOWNWARDS = -0.7;
/** Metres below the ceiling at which a crate appears. */
const DROP_DEPTH = 1;
/** Least metres from the side walls at which a crate appears. */
const DROP_MARGIN = 1.5;

/** Spawns the arena's stack. */
export function spawnCrateStack(stage: DragonStage, arena: Arena): void {
  for (const { x, y } of arena.crates) stage.spawn(CRATE, { x, y });
}

/** Stuns every dragon with a rider that a crate fell on in the last `advance`. */
export function resolveCrateHits(stage: DragonStage, events: EventList): void {
  for (const touch of stage.contactEvents) {
    if (!touch.began || touch.approachSpeed <= CRUSH_SPEED) continue;
    const { a, b } = touch;
    if (isCrate(a) && isDragon(b)) stun(b, a, touch.ny, events);
    else if (isDragon(a) && isCrate(b)) stun(a, b, -touch.ny, events);
  }
}

/**
 * Ages the fires by a tick. Crates that have burnt down or are lost leave the stage.
 * @param burnt scratch
 */
export function tickBurningCrates(stage: DragonStage, arena: Arena, burnt: Crate[]): void {
  for (const crate of stage.all(CRATE)) {
    if (crate.fields.burning >= CRATE_BURN_TICKS || isOutside(arena, crate)) burnt.push(crate);
    else if (crate.fields.burning > 0) crate.fields.burning++;
  }
  for (const crate of burnt) stage.despawn(crate);
  burnt.length = 0;
}

/**
 * While crates are missing, one falls from below the ceiling every `CRATE_DROP_TICKS`, at a random
 * place.
 */
export function dropCrate(stage: DragonStage, arena: Arena): void {
  if ((stage.tick + 1) % CRATE_DROP_TICKS !== 0 || stage.all(CRATE).length >= CRATES_MAX) return;
  stage.fields.random = nextRandom(stage.fields.random);
  const along = randomBits(stage.fields.random) / RANDOM_RANGE;
  stage.spawn(CRATE, {
    x: DROP_MARGIN + along * (arena.width - 2 * DROP_MARGIN),
    y: arena.height - DROP_DEPTH,
  });
}

function stun(dragon: Dragon, crate: Crate, towardY: number, events: EventList): void {
  const { fields } = dragon;
  if (towardY > DOWNWARDS || fields.dead > 0 || fields.invulnerable > 0) return;
  fields.stun = STUN_TICKS;
  events.emit("crush", dragon, crate.id);
}
