/**
 * One match's world: what rules do to the stage, in terms of names and things. `World` in
 * `world.ts` gives it its types.
 */
import { PLAYER_SEATS, type SeatId, SEATS } from "../../netcode/game.ts";
import type { MutableProperty, PropertyTypes } from "../../physics/core/types.ts";
import type { Blast } from "../../physics/stage/explosion.ts";
import type { PropertyValues } from "../../physics/stage/properties.ts";
import type { Stage } from "../../physics/stage/stage.ts";
import { nextRandom, RANDOM_RANGE, randomBits } from "../../random.ts";
import {
  ADDED_NPCS_FIELD,
  type CompiledGame,
  type CompiledThing,
  NPC_KINDS_FIELD,
  npcKindIn,
  NPCS_FIELD,
  RANDOM_FIELD,
  SEAT_FIELD,
  withNpcKind,
} from "../compiled_game.ts";
import { type RawFields, rawFields } from "../fields/compiled_fields.ts";
import { GameError, listed } from "../game_error.ts";
import { bindMethods } from "./bind_methods.ts";
import { describeThing, type ThingDescription } from "./describe_thing.ts";
import type { EventList } from "./event_list.ts";
import { StageJoints } from "./stage_joints.ts";
import { StageQueries } from "./stage_queries.ts";
import { type ThingHandle, ThingTable } from "./thing_table.ts";
import type { Place } from "./world.ts";

const NPC_SEATS: readonly SeatId[] = Array.from(
  { length: SEATS - PLAYER_SEATS },
  (_, i) => PLAYER_SEATS + i,
);

function bitOf(seat: SeatId): number {
  return 1 << (seat - PLAYER_SEATS);
}

/** The NPC seats that a match has: those that the room asked for, and those that rules added. */
function npcMask(fields: RawFields): number {
  return (1 << fields[NPCS_FIELD]!) - 1 | (fields[ADDED_NPCS_FIELD] ?? 0);
}

/** `Placement` from `world.ts` without the game's types. */
export interface LoosePlacement extends Partial<Place> {
  readonly fields?: Readonly<Record<string, unknown>>;
}

interface LooseBlast extends Omit<Blast, "except"> {
  readonly except?: ThingHandle;
}

/** The verbs throw a `GameError` outside rules, and a `StageError` for a value out of range. */
export class MatchWorld {
  readonly match: object;
  readonly options: object;
  readonly tune: object;
  readonly ground: ThingHandle;
  readonly queries: StageQueries;
  readonly joints: StageJoints;
  readonly #game: CompiledGame;
  readonly #stage: Stage;
  readonly #things: ThingTable;
  readonly #events: EventList;
  #isOpen = false;
  #hasPhysicsRun = false;
  /** The list for the seats in `#npcMask`, so that a match seldom makes one. */
  #npcSeats: readonly SeatId[] = [];
  #npcMask = 0;

  constructor(game: CompiledGame, stage: Stage, events: EventList) {
    const things = new ThingTable(game, stage);
    this.#game = game;
    this.#stage = stage;
    this.#things = things;
    this.#events = events;
    this.match = game.matchAccess(stage.fields, things, 0);
    this.options = optionsOf(game, stage);
    this.tune = game.tuning.readerOf(stage.fields);
    this.ground = things.ground;
    this.queries = new StageQueries(stage, things);
    this.joints = new StageJoints({
      stage,
      open: () => this.#open,
      requirePhysics: (what) => this.#requirePhysics(what),
      definitions: game.joints,
    });
    bindMethods(this);
  }

  /** Lets rules change the world until `close`. */
  open(): void {
    this.#isOpen = true;
  }

  /** Call it after physics, so that later rules may read what belongs only to this tick. */
  endPhysics(): void {
    this.#hasPhysicsRun = true;
  }

  close(): void {
    this.#isOpen = this.#hasPhysicsRun = false;
  }

  get things(): ThingTable {
    return this.#things;
  }

  get tick(): number {
    return this.#stage.tick;
  }

  get npcs(): number {
    return this.#stage.fields[NPCS_FIELD]!;
  }

  /** The same list as long as there are the same seats. */
  get npcSeats(): readonly SeatId[] {
    const mask = npcMask(this.#stage.fields);
    if (mask !== this.#npcMask) {
      this.#npcMask = mask;
      this.#npcSeats = NPC_SEATS.filter((seat) => (mask & bitOf(seat)) !== 0);
    }
    return this.#npcSeats;
  }

  npcKind(seat: SeatId): string | undefined {
    const { npcKinds } = this.#game;
    if (seat < PLAYER_SEATS || npcKinds.length === 0) return undefined;
    return npcKinds[npcKindIn(this.#stage.fields[NPC_KINDS_FIELD]!, seat - PLAYER_SEATS)];
  }

  /** Whether rules have removed the NPC from this seat, so that nothing enters for it. */
  isSeatRemoved(seat: SeatId): boolean {
    if (seat < PLAYER_SEATS || this.#game.npcKinds.length === 0) return false;
    return (npcMask(this.#stage.fields) & bitOf(seat)) === 0;
  }

  addNpc(kind: string): SeatId | undefined {
    const { fields } = this.#open;
    const { npcKinds, player } = this.#game;
    const index = npcKinds.indexOf(kind);
    if (index < 0) {
      throw new GameError(`"${kind}" is no kind of NPC of this game: ${listed(npcKinds)}`);
    }

    // A seat is free once its last thing has left
    let taken = npcMask(fields);
    for (const { seat } of this.#things.named(player.name)) {
      if (seat >= PLAYER_SEATS) taken |= bitOf(seat);
    }
    const seat = NPC_SEATS.find((seat) => (taken & bitOf(seat)) === 0);
    if (seat === undefined) return undefined;

    const kinds = fields[NPC_KINDS_FIELD]!;
    fields[ADDED_NPCS_FIELD] = fields[ADDED_NPCS_FIELD]! | bitOf(seat);
    fields[NPC_KINDS_FIELD] = withNpcKind(kinds, seat - PLAYER_SEATS, index);
    return seat;
  }

  removeNpc(seat: SeatId): void {
    const { fields } = this.#open;
    const added = fields[ADDED_NPCS_FIELD] ?? 0;
    if (seat >= PLAYER_SEATS && (added & bitOf(seat)) !== 0) {
      fields[ADDED_NPCS_FIELD] = added & ~bitOf(seat);
    }
  }

  ticks(seconds: number): number {
    return Math.round(seconds * this.#game.tickHz);
  }

  seconds(ticks: number): number {
    return ticks / this.#game.tickHz;
  }

  all(name: string, ...more: readonly string[]): readonly ThingHandle[] {
    return more.length === 0 ? this.#things.named(name) : this.#things.all([name, ...more]);
  }

  one(name: string): ThingHandle | undefined {
    return this.#things.named(name)[0];
  }

  get(id: number): ThingHandle | undefined {
    return this.#things.get(id);
  }

  player(seat: number): ThingHandle | undefined {
    const players = this.#things.named(this.#game.player.name);
    return players.find(({ entity }) => entity.fields[SEAT_FIELD] === seat);
  }

  isSupported(thing: ThingHandle): boolean {
    return this.#stage.isSupported(thing.entity);
  }

  supportOf(thing: ThingHandle): ThingHandle | undefined {
    const support = this.#stage.supportOf(thing.entity);
    return support === undefined ? undefined : this.#things.of(support);
  }

  touchingNow(thing: ThingHandle): readonly ThingHandle[] {
    return this.#stage.touchingNow(thing.entity).map((entity) => this.#things.of(entity));
  }

  describe(thing: ThingHandle): ThingDescription {
    const isGround = thing === this.ground;
    const kinds = isGround ? {} : this.#things.compiled(thing.name).fields.kinds;
    return describeThing(this.#stage, thing, kinds);
  }

  get gravity(): Place {
    return this.#stage.gravity;
  }

  property<Property extends MutableProperty>(
    thing: ThingHandle,
    property: Property,
    fixture?: number,
  ): PropertyTypes[Property] {
    return this.#stage.properties.get(thing.entity, property, fixture);
  }

  random(count: number): number {
    if (!Number.isInteger(count) || count < 1 || count > RANDOM_RANGE) {
      throw new GameError(`random(${count}): a whole number from 1 to 2^32 is allowed`);
    }
    const { fields } = this.#open;
    const state = nextRandom(fields[RANDOM_FIELD]!);
    fields[RANDOM_FIELD] = state;
    return Math.floor(randomBits(state) / RANDOM_RANGE * count);
  }

  spawn(name: string, at: LoosePlacement = {}): ThingHandle {
    const thing = this.#things.compiled(name);
    if (thing.isPlayer) {
      throw new GameError(`a ${name} comes with its player: rules cannot spawn one`);
    }
    return this.place(thing, at, this.rawFields(thing, at.fields ?? {}));
  }

  /** Converts a new thing's fields. @throws GameError */
  rawFields(
    { name, fields: { kinds } }: CompiledThing,
    values: Readonly<Record<string, unknown>>,
  ): RawFields {
    return rawFields(kinds, values, { owner: name, onHeld: this.#things.onHeld });
  }

  /** Spawns a thing with raw fields, including a player's. */
  place(
    { archetype, isOnPath }: CompiledThing,
    at: LoosePlacement,
    fields: Record<string, number>,
  ): ThingHandle {
    const { x = 0, y = 0 } = at;
    // The stage refuses a position for a body on a path.
    const spawn = isOnPath ? { ...at, fields } : { ...at, x, y, fields };
    return this.#things.of(this.#open.spawn(archetype, spawn as { x: number; y: number }));
  }

  despawn(thing: ThingHandle): void {
    this.#open.despawn(thing.entity);
  }

  become(
    thing: ThingHandle,
    name: string,
    fields: Readonly<Record<string, unknown>> = {},
  ): ThingHandle {
    const compiled = this.#things.compiled(name);
    const { archetype, isPlayer, fields: { bounds } } = compiled;
    if (isPlayer) {
      throw new GameError(`a ${name} comes with its player: ${thing} cannot become one`);
    }
    const raw = this.rawFields(compiled, fields);
    // A choice with the same name may offer fewer words.
    for (const { field, count } of bounds) {
      if ((thing.entity.fields[field] ?? 0) >= count) raw[field] ??= 0;
    }
    return this.#things.of(this.#open.become(thing.entity, archetype, raw));
  }

  emit(
    event: string,
    at: Place & { readonly id?: number },
    other?: ThingHandle,
    amount?: number,
  ): void {
    if (!this.#isOpen) throw outsideRules();
    const { events = {} } = this.#game.declaration;
    if (events[event] === undefined) {
      throw new GameError(
        `"${event}" is no event of this game: ${listed(Object.keys(events))}`,
      );
    }
    if (amount !== undefined && !Number.isFinite(amount)) {
      throw new GameError(`the amount of the event "${event}" is ${amount}: it is a finite number`);
    }
    this.#events.emit(event, at, other?.id, amount);
  }

  applyForce(thing: ThingHandle, fx: number, fy: number, point?: Place): void {
    this.#open.applyForce(thing.entity, fx, fy, point);
  }

  applyTorque(thing: ThingHandle, torque: number): void {
    this.#open.applyTorque(thing.entity, torque);
  }

  applyImpulse(thing: ThingHandle, ix: number, iy: number, point?: Place): void {
    this.#open.applyImpulse(thing.entity, ix, iy, point);
  }

  applyAngularImpulse(thing: ThingHandle, impulse: number): void {
    this.#open.applyAngularImpulse(thing.entity, impulse);
  }

  explode(x: number, y: number, { except, ...blast }: LooseBlast): readonly ThingHandle[] {
    const pushed = this.#open.explode(x, y, {
      ...blast,
      ...(except !== undefined && { except: except.entity }),
    });
    return pushed.map((entity) => this.#things.of(entity));
  }

  setVelocity(thing: ThingHandle, vx: number, vy: number): void {
    this.#open.setVelocity(thing.entity, vx, vy);
  }

  setSpin(thing: ThingHandle, spin: number): void {
    this.#open.setSpin(thing.entity, spin);
  }

  teleport(
    things: ThingHandle | readonly ThingHandle[],
    x: number,
    y: number,
    angle?: number,
  ): void {
    const entities = "entity" in things ? things.entity : things.map(({ entity }) => entity);
    this.#open.teleport(entities, x, y, angle);
  }

  setGravity(gravity: number | Place): void {
    this.#open.setGravity(gravity);
  }

  wake(thing: ThingHandle): void {
    this.#open.wake(thing.entity);
  }

  setProperties(thing: ThingHandle, values: PropertyValues, fixture?: number): void {
    this.#open.properties.set(thing.entity, values, fixture);
  }

  /**
   * Refuses to read a tick's lists outside it. Snapshots do not contain them, so a rule that read
   * them in the next tick would find them where the match ran on, but not after a rollback.
   */
  #requirePhysics(what: string): void {
    if (this.#hasPhysicsRun) return;
    const where = this.#isOpen
      ? "before physics, in start, enter, leave or drive"
      : "between two ticks, by think, round or a view";
    throw new GameError(
      `${what} is read ${where}: it belongs to one tick; read it in afterPhysics, touch, touchEnd or tick`,
    );
  }

  get #open(): Stage {
    if (!this.#isOpen) throw outsideRules();
    return this.#stage;
  }
}

function outsideRules(): GameError {
  return new GameError("only rules change the world: think() and views read it");
}

/** Gives the chosen word for each room option, by its name. */
function optionsOf({ options }: CompiledGame, { fields }: Stage): object {
  const object = {};
  for (const { name, field, words } of options) {
    Object.defineProperty(object, name, { enumerable: true, get: () => words[fields[field]!] });
  }
  return Object.freeze(object);
}
