/**
 * One match of dragons: a stage whose rules are run around each tick of physics.
 *
 *     S(n) = close( rules( advance( obey( admit( S(n-1), C(n) ) ) ) ) )
 *
 * Everything that lasts stands in fields of the stage; what this object holds besides it is scratch.
 */
import { type Commands, PLAYER_SEATS, type PoseList, type SeatId, SEATS, type Simulation } from "../netcode/game.ts";
import type { GameEvent, GameOptions, Tick } from "../netcode/game.ts";
import { type Entity, Stage } from "../physics/stage.ts";
import { hashOf } from "../random.ts";
import { type Snapshot, SnapshotError } from "../snapshot.ts";
import { type Arena, isOutside } from "./arena.ts";
import {
  CRATE,
  type Crate,
  DRAGON,
  type Dragon,
  type DragonStage,
  dragonStageDef,
  FIREBALL,
  type Fireball,
} from "./archetypes.ts";
import { type DragonCommand, pressesSince } from "./command.ts";
import { burnDown, crush, dropCrate, stackCrates } from "./crates.ts";
import { drift, DRIFTER_REACTION_TICKS } from "./drifter.ts";
import { EventList } from "./events.ts";
import { ageFireballs, breathe, recharge, scorch } from "./fire.ts";
import { CLOCK_MAX, fly, tumble, type Velocity } from "./flight.ts";
import { joust } from "./joust.ts";
import { enter, returnTheDead } from "./pads.ts";
import { COYOTE_TICKS } from "./tuning.ts";

/** Presses that wait for their fireball: as many as one command can tell. */
const FIRES_WAITING_MAX = 3;

export class DragonSimulation implements Simulation<DragonCommand> {
  readonly arena: Arena;
  readonly #stage: DragonStage;
  readonly #events = new EventList();
  #contactsBegun = 0;

  // Scratch, so that a tick allocates next to nothing.
  readonly #bySeat: (Dragon | undefined)[] = new Array(SEATS).fill(undefined);
  readonly #velocity: Velocity = { vx: 0, vy: 0 };
  readonly #spent: Fireball[] = [];
  readonly #burnt: Crate[] = [];
  #npcSeats: SeatId[] = [];

  constructor(arena: Arena, options: GameOptions, seed: number) {
    if (!Number.isInteger(options.npcs) || options.npcs < 0 || options.npcs > SEATS - PLAYER_SEATS) {
      throw new RangeError(`${options.npcs} NPCs; 0 … ${SEATS - PLAYER_SEATS} have a seat`);
    }
    this.arena = arena;
    this.#stage = new Stage(dragonStageDef(arena));
    const { fields } = this.#stage;
    fields.seed = seed >>> 0;
    fields.random = hashOf(seed, 0x63726174);
    fields.npcs = options.npcs;
  }

  get tick(): Tick {
    return this.#stage.tick;
  }

  get events(): readonly GameEvent[] {
    return this.#events.list;
  }

  /** Touches between two entities, the ground excluded, that began in the last step. Not part of the state; 0 after `load`. */
  get contactsBegun(): number {
    return this.#contactsBegun;
  }

  /** Ascending id; like the two below valid until the next step or load. */
  get dragons(): readonly Dragon[] {
    return this.#stage.all(DRAGON);
  }

  get fireballs(): readonly Fireball[] {
    return this.#stage.all(FIREBALL);
  }

  get crates(): readonly Crate[] {
    return this.#stage.all(CRATE);
  }

  /** The dragon whose rider sits there; undefined where nobody does. */
  dragonOfSeat(seat: SeatId): Dragon | undefined {
    for (const dragon of this.dragons) if (dragon.fields.seat === seat) return dragon;
    return undefined;
  }

  get npcSeats(): readonly SeatId[] {
    const { npcs } = this.#stage.fields;
    if (this.#npcSeats.length !== npcs) this.#npcSeats = Array.from({ length: npcs }, (_, npc) => PLAYER_SEATS + npc);
    return this.#npcSeats;
  }

  step(commands: Commands<DragonCommand>): void {
    const stage = this.#stage, events = this.#events;
    events.begin(stage.tick + 1);
    if (stage.tick === 0) stackCrates(stage, this.arena);
    this.#admit(commands);
    this.#obey(commands);
    stage.advance();
    this.#countContacts();
    this.#feelGround();
    joust(stage, events);
    scorch(stage, events);
    crush(stage, events);
    this.#age();
    ageFireballs(stage, this.arena, this.#spent);
    burnDown(stage, this.arena, this.#burnt);
    dropCrate(stage, this.arena);
    stage.close();
    events.end();
  }

  save(into: Snapshot): void {
    this.#stage.save(into);
  }

  load(from: Snapshot): void {
    this.#events.begin(0);
    this.#contactsBegun = 0;
    this.#stage.load(from);
    this.#check();
  }

  /** What each word of a state of this game is, e.g. "entity 12 dragon.charges": names what two states differ in. */
  nameWords(state: Snapshot): readonly string[] {
    return this.#stage.nameWords(state);
  }

  think(seat: SeatId, queued: readonly DragonCommand[]): DragonCommand {
    return drift({ stage: this.#stage, arena: this.arena, dragon: this.dragonOfSeat(seat) }, seat, queued);
  }

  /** The Drifter's, whoever's seat it flies. */
  reactionTicks(_seat: SeatId): number {
    return DRIFTER_REACTION_TICKS;
  }

  poses(out: PoseList): void {
    out.reset();
    const { dragons, fireballs, crates } = this;
    let d = 0, f = 0, c = 0;
    for (let left = dragons.length + fireballs.length + crates.length; left > 0; left--) {
      const dragon = dragons[d]?.id ?? Infinity,
        fireball = fireballs[f]?.id ?? Infinity,
        crate = crates[c]?.id ?? Infinity;
      if (dragon < fireball && dragon < crate) addPose(out, dragons[d]!, dragons[d++]!.fields.seat);
      else if (fireball < crate) addPose(out, fireballs[f++]!, -1);
      else addPose(out, crates[c++]!, -1);
    }
  }

  /** A dragon is there exactly while its seat has a command. */
  #admit(commands: Commands<DragonCommand>): void {
    this.#seatDragons();
    for (let seat = 0; seat < SEATS; seat++) {
      const command = commands[seat];
      const dragon = this.#bySeat[seat];
      if (command === undefined) {
        if (dragon !== undefined) this.#stage.despawn(dragon);
        this.#bySeat[seat] = undefined;
      } else if (dragon === undefined) {
        const entered = enter(this.#stage, this.arena, { seat, command });
        this.#bySeat[seat] = entered;
        this.#events.tell("enter", entered);
      }
    }
  }

  #seatDragons(): void {
    this.#bySeat.fill(undefined);
    for (const dragon of this.dragons) this.#bySeat[dragon.fields.seat] = dragon;
  }

  #obey(commands: Commands<DragonCommand>): void {
    for (let seat = 0; seat < SEATS; seat++) {
      const dragon = this.#bySeat[seat];
      if (dragon !== undefined) this.#obeyOne(dragon, commands[seat]!);
    }
  }

  /** Presses are counted whatever becomes of them; only a rider with his wits about him acts on them. */
  #obeyOne(dragon: Dragon, command: DragonCommand): void {
    const { fields } = dragon;
    const flaps = pressesSince(fields.flapsSeen, command.flaps);
    const fires = pressesSince(fields.firesSeen, command.fires);
    fields.flapsSeen = command.flaps;
    fields.firesSeen = command.fires;
    fields.tethersSeen = command.tethers;
    fields.flapPresses = (fields.flapPresses + flaps) >>> 0;
    fields.firePresses = (fields.firePresses + fires) >>> 0;

    const velocity = this.#velocity;
    velocity.vx = dragon.vx;
    velocity.vy = dragon.vy;
    if (fields.dead > 0 || fields.stun > 0) {
      tumble(fields, velocity);
    } else {
      if (fly(fields, velocity, command, flaps)) this.#events.tell("flap", dragon);
      fields.firesWaiting = Math.min(FIRES_WAITING_MAX, fields.firesWaiting + fires);
      breathe(this.#stage, dragon, this.#events);
    }
    // Writing a velocity wakes: who does nothing may sleep.
    if (velocity.vx !== dragon.vx || velocity.vy !== dragon.vy) {
      this.#stage.setVelocity(dragon, velocity.vx, velocity.vy);
    }
  }

  #countContacts(): void {
    this.#contactsBegun = 0;
    for (const touch of this.#stage.touches) if (touch.began && touch.a.id !== 0) this.#contactsBegun++;
  }

  #feelGround(): void {
    for (const dragon of this.dragons) {
      const { fields } = dragon;
      if (this.#stage.supported(dragon)) {
        if (fields.airborne > COYOTE_TICKS) this.#events.tell("land", dragon);
        fields.airborne = 0;
      } else if (fields.airborne < CLOCK_MAX) {
        fields.airborne++;
      }
    }
  }

  /** Every clock of every dragon. */
  #age(): void {
    for (const dragon of this.dragons) {
      const { fields } = dragon;
      if (fields.stun > 0) fields.stun--;
      if (fields.truce > 0) fields.truce--;
      if (fields.invulnerable > 0) fields.invulnerable--;
      recharge(dragon);
      returnTheDead(this.#stage, this.arena, dragon, this.#events);
    }
  }

  /** @throws SnapshotError where a stage is well formed and yet no match of dragons */
  #check(): void {
    if (this.#stage.fields.npcs > SEATS - PLAYER_SEATS) throw new SnapshotError("more NPCs than seats");
    let taken = 0;
    for (const { id, fields } of this.dragons) {
      if (fields.seat >= SEATS) throw new SnapshotError(`dragon ${id} sits on seat ${fields.seat}`);
      if (fields.facing !== 1 && fields.facing !== -1) throw new SnapshotError(`dragon ${id} looks nowhere`);
      const bit = 1 << fields.seat;
      if ((taken & bit) !== 0) throw new SnapshotError(`two dragons on seat ${fields.seat}`);
      taken |= bit;
    }
    for (const entities of [this.dragons, this.fireballs, this.crates]) {
      for (const entity of entities) {
        if (isOutside(this.arena, entity)) throw new SnapshotError(`entity ${entity.id} is outside the arena`);
      }
    }
  }
}

function addPose(out: PoseList, entity: Pick<Entity, "id" | "x" | "y" | "angle" | "jumps">, seat: SeatId): void {
  const pose = out.add();
  pose.entity = entity.id;
  pose.seat = seat;
  pose.x = entity.x;
  pose.y = entity.y;
  pose.angle = entity.angle;
  pose.jumps = entity.jumps;
}
