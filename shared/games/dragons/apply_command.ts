/**
 * Applies one tick's command to a dragon. Every press is counted; only a dragon in control acts on
 * it.
 */
import type { Dragon, DragonStage } from "./archetypes.ts";
import { type DragonCommand, pressesSince } from "./command.ts";
import type { EventList } from "./events.ts";
import { spawnFireball } from "./fireball.ts";
import { fly, tumble, type Velocity } from "./flight.ts";
import { isPlaying, requestNextRound } from "./rounds.ts";

/** Presses that wait for their fireball: as many as one command can carry. */
const FIRES_WAITING_MAX = 3;

/** Scratch. */
const velocity: Velocity = { vx: 0, vy: 0 };

/**
 * Runs before `advance`. Riderless and stunned dragons tumble, and so do all dragons while the
 * result is shown.
 */
export function applyCommand(
  stage: DragonStage,
  dragon: Dragon,
  command: DragonCommand,
  events: EventList,
): void {
  const { fields } = dragon;
  const flaps = pressesSince(fields.flapsSeen, command.flaps);
  const fires = pressesSince(fields.firesSeen, command.fires);
  fields.flapsSeen = command.flaps;
  fields.firesSeen = command.fires;
  fields.flapPresses = (fields.flapPresses + flaps) >>> 0;
  fields.firePresses = (fields.firePresses + fires) >>> 0;

  // deno-lint-ignore wyvern/module-state -- filled before it is read
  velocity.vx = dragon.vx;
  velocity.vy = dragon.vy;
  const isOver = !isPlaying(stage.fields);
  if (isOver && flaps > 0) requestNextRound(stage.fields, dragon);

  if (isOver || fields.dead > 0 || fields.stun > 0) {
    tumble(fields, velocity);
  } else {
    if (fly(fields, velocity, command, flaps)) events.emit("flap", dragon);
    fields.firesWaiting = Math.min(FIRES_WAITING_MAX, fields.firesWaiting + fires);
    spawnFireball(stage, dragon, events);
  }

  // A written velocity wakes the body. A dragon that does nothing may sleep.
  if (velocity.vx !== dragon.vx || velocity.vy !== dragon.vy) {
    stage.setVelocity(dragon, velocity.vx, velocity.vy);
  }
}
