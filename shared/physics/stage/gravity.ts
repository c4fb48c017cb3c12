/**
 * A gravity that the rules may change (`StageDef.mutable`). It is two words of the snapshot, behind
 * the stage's own fields, and two fields of the match in the body stream:
 *
 *     up = −gravity / |gravity|, and (0, 1) without gravity
 */
import { checkNumber, checkOptions, VECTOR_OPTIONS } from "../core/declaration_checks.ts";
import { type StageDef, StageError } from "../core/types.ts";
import type { World } from "../dynamics/world.ts";
import type { GravityWords } from "../snapshot/layout.ts";
import type { StageState } from "./internals.ts";

/** m/s², as declared. */
const GRAVITY_MAX = 1e5;

/** @returns the words if the declaration lets the gravity change @throws StageError */
export function gravityWordsOf({ mutable = [] }: Pick<StageDef, "mutable">) {
  for (const [i, property] of mutable.entries()) {
    if (property !== "gravity" || i > 0) {
      throw new StageError(`the stage's mutable has ${property}, which is unknown or there twice`);
    }
  }
  return mutable.length === 0 ? undefined : GRAVITY_WORDS;
}

/**
 * Changes the gravity, and wakes all bodies if it differs.
 * @param gravity m/s²: a number is downwards positive
 * @throws StageError for a number out of range
 */
export function setGravity(state: StageState, gravity: StageDef["gravity"]): void {
  const isVector = typeof gravity === "object" && gravity !== null;
  for (const value of isVector ? [gravity.x, gravity.y] : [gravity]) checkNumber(value, "gravity");
  if (isVector) checkOptions(gravity, VECTOR_OPTIONS, "gravity");
  state.phase.beginEdit();
  const x = Math.fround(isVector ? gravity.x : 0) + 0;
  const y = Math.fround(isVector ? gravity.y : -gravity) + 0;
  if (changeGravity(state.world, x, y)) {
    for (const { row } of state.entities.bodies) state.world.wake(row);
  }
}

/** @param x rounded to 32 bits, as is y @returns whether the gravity differs */
function changeGravity(world: World, x: number, y: number): boolean {
  if (Object.is(world.gravityX, x) && Object.is(world.gravityY, y)) return false;
  world.setGravity(x, y);
  return true;
}

const GRAVITY_WORDS: GravityWords = {
  names: ["gravity.x", "gravity.y"],
  begin: (world) =>
    world.setGravity(Math.fround(world.gravityX) + 0, Math.fround(world.gravityY) + 0),
  save: ({ gravityX, gravityY }, { floats }, at) => {
    floats[at] = gravityX;
    floats[at + 1] = gravityY;
  },
  load: (world, { floats }, at) => changeGravity(world, floats[at]!, floats[at + 1]!),
  isValid: ({ floats }, at) =>
    Math.abs(floats[at]!) <= GRAVITY_MAX && Math.abs(floats[at + 1]!) <= GRAVITY_MAX,
};
