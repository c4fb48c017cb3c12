/**
 * The scene's projectiles. Bolts bounce and push the bodies that they hit. Darts end at the first
 * hit. Motes are points that push nothing and end at crates. No projectile hits the jumper that
 * shot it.
 */
import type { Stage } from "../../../../shared/physics/stage/stage.ts";
import { archetype, type StagedEntity } from "../../../../shared/physics/core/types.ts";

export const BOLT = archetype({
  name: "bolt",
  projectile: {
    radius: 0.12,
    gravityScale: 0.5,
    restitution: 0.7,
    mass: 0.1,
    bouncesMax: 6,
    lifeTicks: 30,
    mask: 1,
  },
  fields: { shooter: "u32", struck: "u8" },
});
export const DART = archetype({
  name: "dart",
  projectile: { radius: 0.05, gravityScale: 0.2, mass: 0.3, lifeTicks: 60 },
  fields: { shooter: "u32" },
});
export const MOTE = archetype({
  name: "mote",
  projectile: { radius: 0, restitution: 1, bouncesMax: 255, lifeTicks: 25, expiresOn: 2 },
  fields: { shooter: "u32" },
});

export const PROJECTILES = [BOLT, DART, MOTE] as const;

/** Counts of hits. They are part of the state, so that the sync test detects every difference. */
export const PROJECTILE_FIELDS = {
  castHits: "u32",
  castBounces: "u32",
  castsSpent: "u32",
  castPush: "f32",
} as const;

type ProjectileStage = Stage<typeof PROJECTILE_FIELDS & Record<string, "u32" | "f32">>;
type Draw = (salt: number) => number;

/** Before `advance`: shoots from a jumper, and sometimes despawns, reverses or teleports a bolt. */
export function shootProjectiles(
  stage: ProjectileStage,
  jumpers: ReturnType<Stage["all"]>,
  random: Draw,
): void {
  const draw = random(77);
  const jumper = jumpers[(draw >>> 5) % jumpers.length]!;
  const kind = PROJECTILES[draw % PROJECTILES.length]!;
  const side = (draw >>> 3) % 2 === 0 ? 1 : -1;

  if ((draw >>> 12) % 4 !== 0) {
    const speed = (draw >>> 14) % 16 === 0 ? 400 : 14;
    const vy = jumper.vy + (draw >>> 18) % 9 - 4;
    stage.spawn(kind, {
      x: jumper.x,
      y: jumper.y,
      vx: side * speed,
      vy,
      fields: { shooter: jumper.id },
    });
  }

  const bolts = stage.all(BOLT);
  const bolt = bolts[(draw >>> 7) % Math.max(1, bolts.length)];
  if (bolt === undefined) return;
  if (draw % 31 === 0) stage.despawn(bolt);
  else if (draw % 31 === 1) stage.setVelocity(bolt, -bolt.vx, 5);
  else if (draw % 31 === 2) stage.teleport(bolt, side * 10, 7);
}

/** After `advance`: counts the hits. */
export function countHits(stage: ProjectileStage): void {
  const { fields } = stage;
  for (const { projectile, target, approachSpeed, expired } of stage.hits) {
    fields.castHits++;
    if (expired) fields.castsSpent++;
    else fields.castBounces++;
    if (projectile.archetype === BOLT) projectile.fields["struck"]!++;
    fields.castPush += approachSpeed * target.id % 7;
  }
}

/** Whether neither entity has shot the other. */
export function mayHit(a: StagedEntity, b: StagedEntity): boolean {
  return a.fields["shooter"] !== b.id && b.fields["shooter"] !== a.id;
}
