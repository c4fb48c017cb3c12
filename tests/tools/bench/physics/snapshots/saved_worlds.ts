/** Worlds of both engines that save their whole state, with the same verbs. */
import { rapierEngine } from "../../../engines/rapier_engine.ts";
import type { Scene } from "../../../engines/scene.ts";
import { stageEngine } from "../../../engines/stage_engine.ts";
import { Snapshot } from "../../../../../shared/snapshot.ts";
import { RATE } from "./scene.ts";

/** A world that is stepped, saved and loaded. */
export interface SavedWorld<State> {
  tick(): void;
  /** A state that `save` may write to, or undefined if it makes one each time. */
  newState(): State | undefined;
  save(into: State | undefined): State;
  load(from: State): void;
  /** The loads that follow begin with a world that has nothing but the scene's declaration. */
  forget(): void;
  bytesOf(state: State): Uint8Array;
  /** Places and velocities of all bodies, in their order. */
  motions(): Float64Array;
  awake(): number;
}

/** @returns the stage of a scene */
export function stageWorld(scene: Scene): SavedWorld<Snapshot> {
  const world = stageEngine.build(scene, RATE);
  let { stage } = world;
  return {
    tick: () => {
      stage.advance();
      stage.endTick();
    },
    newState: () => new Snapshot(),
    save: (into) => {
      stage.save(into!);
      return into!;
    },
    load: (from) => stage.load(from),
    forget: () => stage = world.newStage(),
    bytesOf: ({ words, length }) => new Uint8Array(words.slice(0, length).buffer),
    motions: () =>
      Float64Array.from(
        stage.entities().flatMap(({ x, y, angle, vx, vy, spin }) => [x, y, angle, vx, vy, spin]),
      ),
    awake: () => stage.entities().filter(({ awake }) => awake).length,
  };
}

/** @returns rapier's world of a scene; a load makes another one, so it also frees the old one */
export function rapierWorld(scene: Scene): SavedWorld<Uint8Array> {
  let { world } = rapierEngine.build(scene, RATE);
  const { length } = scene.bodies;
  return {
    tick: () => world.step(),
    newState: () => undefined,
    save: () => world.takeSnapshot(),
    load: (from) => {
      const old = world;
      world = rapierEngine.restore(from);
      old.free();
    },
    forget: () => {},
    bytesOf: (state) => state,
    motions: () => {
      const motions: number[] = [];
      world.forEachRigidBody((body) => {
        const { x, y } = body.translation();
        const { x: vx, y: vy } = body.linvel();
        // The first body is the ground
        motions.push(x, y, body.rotation(), vx, vy, body.angvel());
      });
      return Float64Array.from(motions.slice(-6 * length));
    },
    awake: () => {
      let count = 0;
      world.forEachRigidBody((body) => {
        if (body.isDynamic() && !body.isSleeping()) count++;
      });
      return count;
    },
  };
}
