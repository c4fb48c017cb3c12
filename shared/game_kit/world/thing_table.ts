/** One simulation's things: a handle for each entity on the stage, made once. */
import type { Entity } from "../../physics/stage/entity.ts";
import type { Stage } from "../../physics/stage/stage.ts";
import { type CompiledGame, type CompiledThing, SEAT_FIELD } from "../compiled_game.ts";
import type { FieldContext, FindThing } from "../fields/field_access.ts";
import { GameError, listed } from "../game_error.ts";

/** An entity's handle for rules. Its values are live. */
export class ThingHandle {
  readonly id: number;
  readonly name: string;
  readonly fields: object;
  readonly entity: Entity;
  readonly #isPlayer: boolean;

  constructor(entity: Entity, name: string, fields: object, isPlayer: boolean) {
    this.id = entity.id;
    this.name = name;
    this.entity = entity;
    this.fields = fields;
    this.#isPlayer = isPlayer;
  }

  get x(): number {
    return this.entity.x;
  }

  get y(): number {
    return this.entity.y;
  }

  get angle(): number {
    return this.entity.angle;
  }

  get vx(): number {
    return this.entity.vx;
  }

  get vy(): number {
    return this.entity.vy;
  }

  get spin(): number {
    return this.entity.spin;
  }

  get mass(): number {
    return this.entity.mass;
  }

  worldPoint(x: number, y: number): { x: number; y: number } {
    return this.entity.worldPoint(x, y);
  }

  localPoint(x: number, y: number): { x: number; y: number } {
    return this.entity.localPoint(x, y);
  }

  worldVector(x: number, y: number): { x: number; y: number } {
    return this.entity.worldVector(x, y);
  }

  localVector(x: number, y: number): { x: number; y: number } {
    return this.entity.localVector(x, y);
  }

  get awake(): boolean {
    return this.entity.awake;
  }

  get seat(): number {
    return this.#isPlayer ? this.entity.fields[SEAT_FIELD]! : -1;
  }

  get isHere(): boolean {
    return this.entity.isOnStage;
  }

  /** Names it in errors: "car 12". */
  toString(): string {
    return `${this.name} ${this.id}`;
  }
}

const NO_FIELDS = Object.freeze({});

/** The handles for one name, made anew when the stage's list changes. */
interface NameList {
  readonly thing: CompiledThing;
  entities: readonly Entity[];
  handles: readonly ThingHandle[];
}

/**
 * How many numbers of a tick are told that were held at the end of their type. Each has a stack.
 */
const HELD_MAX = 8;

/** Handles by entity, id and name. */
export class ThingTable implements FieldContext {
  readonly ground: ThingHandle;
  readonly find: FindThing;
  readonly onHeld: FieldContext["onHeld"];
  /** Sentences about this tick's numbers that were held at the end of their type. */
  readonly held: string[] = [];
  readonly #stage: Stage;
  readonly #game: CompiledGame;
  readonly #handles = new WeakMap<Entity, ThingHandle>();
  readonly #lists: ReadonlyMap<string, NameList>;

  constructor(game: CompiledGame, stage: Stage) {
    this.#game = game;
    this.#stage = stage;
    this.#lists = new Map(
      [...game.things].map(([name, thing]) => [name, { thing, entities: [], handles: [] }]),
    );
    this.find = (id, name) => {
      const handle = this.get(id);
      return handle?.name === name ? handle : undefined;
    };
    this.onHeld = (sentence) => this.held.length < HELD_MAX && this.held.push(sentence);
    this.ground = new ThingHandle(stage.ground, "ground", NO_FIELDS, false);
    this.#handles.set(stage.ground, this.ground);
  }

  /** Finds or makes the handle for an entity on the stage, or for the ground. */
  of(entity: Entity): ThingHandle {
    const known = this.#handles.get(entity);
    if (known !== undefined) return known;
    const { name, access, isPlayer } = this.compiled(entity.archetype.name);
    const handle = new ThingHandle(entity, name, access(entity.fields, this, entity.id), isPlayer);
    this.#handles.set(entity, handle);
    return handle;
  }

  /**
   * Lists all things with one of these names, ascending by id. A returned list never changes.
   * @throws GameError
   */
  all(names: readonly string[]): readonly ThingHandle[] {
    return [...new Set(names)].flatMap((name) => this.named(name)).sort((a, b) => a.id - b.id);
  }

  /**
   * Lists all things with this name, as `all` does.
   * @throws GameError
   */
  named(name: string): readonly ThingHandle[] {
    const list = this.#lists.get(name);
    if (list === undefined) throw noThing(name, this.#game.things);
    const entities = this.#stage.all(list.thing.archetype);
    if (entities !== list.entities) {
      list.entities = entities;
      list.handles = entities.map((entity) => this.of(entity));
    }
    return list.handles;
  }

  /** Finds the thing with this id, but never the ground. */
  get(id: number): ThingHandle | undefined {
    const entity = id === 0 ? undefined : this.#stage.get(id);
    return entity === undefined ? undefined : this.of(entity);
  }

  /** @throws GameError */
  compiled(name: string): CompiledThing {
    const thing = this.#game.things.get(name);
    if (thing === undefined) throw noThing(name, this.#game.things);
    return thing;
  }
}

function noThing(name: string, things: CompiledGame["things"]): GameError {
  return new GameError(`"${name}" is no thing of this game: ${listed(things.keys())}`);
}
