/** Gives rules the stage's joints, by name and with things in place of entities. */
import type { JointDef, JointPlacement } from "../../physics/core/types.ts";
import type { BrokenJoint, Joint } from "../../physics/joints/joints.ts";
import type { Stage } from "../../physics/stage/stage.ts";
import { GameError } from "../game_error.ts";
import { bindMethods } from "./bind_methods.ts";
import type { ThingHandle } from "./thing_table.ts";

/** What joints need from their world. */
interface JointsContext {
  readonly stage: Stage;
  /** Returns the stage while rules run. @throws GameError at any other time */
  readonly open: () => Stage;
  /** @throws GameError that names `what`, unless this tick's physics has run */
  readonly requirePhysics: (what: string) => void;
  readonly definitions: ReadonlyMap<string, JointDef>;
}

/** `Joints` from `world.ts` without the game's types. */
export class StageJoints {
  readonly #stage: Stage;
  readonly #open: () => Stage;
  readonly #requirePhysics: (what: string) => void;
  readonly #definitions: ReadonlyMap<string, JointDef>;

  constructor({ stage, open, requirePhysics, definitions }: JointsContext) {
    this.#stage = stage;
    this.#open = open;
    this.#requirePhysics = requirePhysics;
    this.#definitions = definitions;
    bindMethods(this);
  }

  get broken(): readonly BrokenJoint[] {
    this.#requirePhysics("joints.broken");
    return this.#stage.joints.broken;
  }

  of({ entity }: ThingHandle, name?: string): readonly Joint[] {
    const joints = this.#stage.joints.of(entity);
    if (name === undefined) return joints;
    const definition = this.#definition(name);
    return joints.filter((joint) => joint.definition === definition);
  }

  all(name: string): readonly Joint[] {
    return this.#stage.joints.all(this.#definition(name));
  }

  add(name: string, a: ThingHandle, b: ThingHandle, placement: JointPlacement): Joint {
    return this.#open().joints.add(this.#definition(name), a.entity, b.entity, placement);
  }

  addGear(
    name: string,
    first: Joint,
    second: Joint,
    fields: Readonly<Record<string, number>> = {},
  ): Joint {
    return this.#open().joints.addGear(this.#definition(name), first, second, { fields });
  }

  addFilter(
    name: string,
    a: ThingHandle,
    b: ThingHandle,
    fields: Readonly<Record<string, number>> = {},
  ): Joint {
    return this.#open().joints.addFilter(this.#definition(name), a.entity, b.entity, { fields });
  }

  remove(joint: Joint): void {
    this.#open().joints.remove(joint);
  }

  setMotor(joint: Joint, options: Parameters<Stage["joints"]["setMotor"]>[1]): void {
    this.#open().joints.setMotor(joint, options);
  }

  setLimits(joint: Joint, options: Parameters<Stage["joints"]["setLimits"]>[1]): void {
    this.#open().joints.setLimits(joint, options);
  }

  setSpring(joint: Joint, options: Parameters<Stage["joints"]["setSpring"]>[1]): void {
    this.#open().joints.setSpring(joint, options);
  }

  setStrength(joint: Joint, options: Parameters<Stage["joints"]["setStrength"]>[1]): void {
    this.#open().joints.setStrength(joint, options);
  }

  setTarget(joint: Joint, x: number, y: number): void {
    this.#open().joints.setTarget(joint, x, y);
  }

  setOffset(joint: Joint, offset: Parameters<Stage["joints"]["setOffset"]>[1]): void {
    this.#open().joints.setOffset(joint, offset);
  }

  setLength(joint: Joint, length: number): void {
    this.#open().joints.setLength(joint, length);
  }

  #definition(name: string): JointDef {
    const definition = this.#definitions.get(name);
    if (definition === undefined) throw new GameError(`"${name}" is no joint of this game`);
    return definition;
  }
}
