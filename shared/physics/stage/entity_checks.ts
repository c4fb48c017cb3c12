/** From a handle to who is behind it, refused by name where that is not on this stage or cannot do what is asked. */
import { type Actor, BodyActor, type Entity } from "./entity.ts";
import type { Roster } from "./entity_table.ts";
import { StageError } from "../core/types.ts";

/** Whoever it is, the ground, too. @throws StageError where it is not on this stage, like those below */
export function behind(roster: Roster, entity: Entity): Actor {
  const actor = roster.get(entity.id);
  if (actor?.entity === entity) return actor;
  throw new StageError(`entity ${entity.id} ${entity.archetype.name} is not on this stage`);
}

/** Whoever it is, but the ground. @throws StageError */
export function onStage(roster: Roster, entity: Entity): Actor {
  const actor = behind(roster, entity);
  if (actor.id === 0) throw new StageError("the ground cannot be moved or asked");
  return actor;
}

/** No cast. @throws StageError */
export function withBody(roster: Roster, entity: Entity): BodyActor {
  const actor = onStage(roster, entity);
  if (actor instanceof BodyActor) return actor;
  throw new StageError(`${actor} is a cast: it does not turn, touches nothing and takes no force`);
}

/** Nobody on a path. @throws StageError */
export function movable(roster: Roster, entity: Entity): Actor {
  return refusePath(onStage(roster, entity));
}

/** A body on no path. @throws StageError */
export function pushable(roster: Roster, entity: Entity): BodyActor {
  return refusePath(withBody(roster, entity));
}

function refusePath<A extends Actor>(actor: A): A {
  if (actor.kind.path !== undefined) throw new StageError(`${actor} is on a path: only its tick and fields move it`);
  return actor;
}
