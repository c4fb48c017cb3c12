/**
 * One match of dragons: a stage, and the rules around each tick of physics.
 *
 *     S(n) = endTick( rules( advance( applyCommands( syncPresence( S(n-1), C(n) ) ) ) ) )
 *
 * All state is in the fields of the stage. Everything else in this object is scratch.
 */
import {
  type Commands,
  PLAYER_SEATS,
  type SeatId,
  SEATS,
  type Simulation,
} from "../../netcode/game.ts";
import type { PoseList } from "../../netcode/pose_list.ts";
import type { GameEvent, GameOptions, NpcRandom, Tick } from "../../netcode/game.ts";
import { Stage } from "../../physics/stage/stage.ts";
import { hashOf } from "../../random.ts";
import type { Snapshot } from "../../snapshot.ts";
import type { StepProfile } from "../../step_profile.ts";
import type { Arena } from "./arena.ts";
import {
  CRATE,
  type Crate,
  DRAGON,
  type Dragon,
  type DragonStage,
  dragonStageDef,
  EGG,
  type Egg,
  FIREBALL,
  type Fireball,
  seatOf,
} from "./archetypes.ts";
import type { DragonCommand } from "./command.ts";
import { dropCrate, resolveCrateHits, spawnCrateStack, tickBurningCrates } from "./crates.ts";
import { returnLostEggs, takeEggs, tickEggs } from "./eggs.ts";
import { EventList } from "./events.ts";
import { removeLostFireballs, resolveFireballHits, tickRecharge } from "./fireball.ts";
import { TIMER_MAX } from "./flight.ts";
import { resolveLanceCombat } from "./lance_combat.ts";
import { npcPolicy, reactionTicksOf } from "./npc/policy.ts";
import { isSeatRetired, npcNameOf, requestedSeats } from "./npc/seats.ts";
import { applyCommand } from "./apply_command.ts";
import { enterArena, tickRespawn } from "./respawn.ts";
import { fillPoses } from "../../game_kit/simulation/fill_poses.ts";
import { advanceRound, isPlaying, startFirstRound } from "./rounds.ts";
import { checkMatch } from "./state_validation.ts";
import { COYOTE_TICKS, TICK_HZ } from "./tuning.ts";

/** The simulation that netcode steps, with the getters that frames, bots and NPCs read. */
export class DragonSimulation implements Simulation<DragonCommand> {
  readonly arena: Arena;
  /** Read by `body_stream.ts` and by tests. */
  readonly stage: DragonStage;
  readonly #events = new EventList();
  #contactsBegun = 0;

  // Scratch: a tick allocates next to nothing.
  readonly #bySeat: (Dragon | undefined)[] = new Array(SEATS).fill(undefined);
  readonly #lostFireballs: Fireball[] = [];
  readonly #burntCrates: Crate[] = [];
  readonly #goneEggs: Egg[] = [];
  readonly #npcRandom: NpcRandom;
  #npcSeats: readonly SeatId[] = [];
  /** The mask that `#npcSeats` was made from. */
  #npcSeatMask = 0;

  constructor(arena: Arena, options: GameOptions, seed: number) {
    if (
      !Number.isInteger(options.npcs) || options.npcs < 0 || options.npcs > SEATS - PLAYER_SEATS
    ) {
      throw new RangeError(`${options.npcs} NPCs; 0 … ${SEATS - PLAYER_SEATS} have a seat`);
    }
    this.arena = arena;
    this.#npcRandom = options.npcRandom ?? ((a, b) => hashOf(seed, a, b));
    this.stage = new Stage(dragonStageDef(arena));
    const { fields } = this.stage;
    fields.random = hashOf(seed, 0x63726174);
    fields.npcs = options.npcs;
    startFirstRound(fields);
  }

  get tick(): Tick {
    return this.stage.tick;
  }

  get events(): readonly GameEvent[] {
    return this.#events.list;
  }

  get limited(): readonly string[] {
    return this.stage.limited;
  }

  get profile(): StepProfile | undefined {
    return this.stage.profile;
  }

  set profile(profile: StepProfile | undefined) {
    this.stage.profile = profile;
  }

  /**
   * Contacts of two entities, without the ground, that began in the last step. Not part of the
   * state; 0 after `load`.
   */
  get contactsBegun(): number {
    return this.#contactsBegun;
  }

  /**
   * In ascending order of id. This list and the three below are valid until the next step or load.
   */
  get dragons(): readonly Dragon[] {
    return this.stage.all(DRAGON);
  }

  get fireballs(): readonly Fireball[] {
    return this.stage.all(FIREBALL);
  }

  get crates(): readonly Crate[] {
    return this.stage.all(CRATE);
  }

  get eggs(): readonly Egg[] {
    return this.stage.all(EGG);
  }

  /**
   * "result" from the end of a round to the start of the next one: the scores are final and no
   * dragon is in control.
   */
  get phase(): "playing" | "result" {
    return isPlaying(this.stage.fields) ? "playing" : "result";
  }

  /** The phase's remaining time at most, in whole seconds, rounded up. */
  get secondsLeft(): number {
    return Math.ceil(this.stage.fields.phaseTicksLeft / TICK_HZ);
  }

  /** The round's number, from 1. */
  get round(): number {
    return this.stage.fields.round;
  }

  /** True if this player has requested the next round. */
  isReady(seat: SeatId): boolean {
    return (this.dragonOfSeat(seat)?.fields.ready ?? 0) > 0;
  }

  /** The dragon of this seat; undefined if there is none. */
  dragonOfSeat(seat: SeatId): Dragon | undefined {
    for (const dragon of this.dragons) if (dragon.fields.seat === seat) return dragon;
    return undefined;
  }

  /**
   * The ids of all entities that touch this one, 0 for the ground. Empty if there is no such
   * entity, and for a fireball: a projectile has hits instead of contacts. Valid until the next
   * call.
   */
  touching(id: number): readonly number[] {
    const entity = this.stage.get(id);
    if (entity === undefined || this.fireballs.some((ball) => ball.id === id)) return [];
    return this.stage.touchingNow(entity).map((other) => other.id);
  }

  /** The same array as long as the same seats are requested. */
  get npcSeats(): readonly SeatId[] {
    const requested = requestedSeats(this.stage.fields);
    if (requested !== this.#npcSeatMask) {
      this.#npcSeatMask = requested;
      this.#npcSeats = seatsIn(requested);
    }
    return this.#npcSeats;
  }

  /** The name of the NPC on this seat, after its policy: "Drifter 1". */
  npcName(seat: SeatId): string {
    return npcNameOf(this.stage.fields, seat);
  }

  step(commands: Commands<DragonCommand>): void {
    const stage = this.stage;
    const events = this.#events;
    events.begin(stage.tick + 1);
    if (stage.tick === 0) spawnCrateStack(stage, this.arena);
    this.#syncPresence(commands);
    this.#applyCommands(commands);
    stage.advance();
    this.#countContacts();
    this.#updateGrounded();
    if (isPlaying(stage.fields)) this.#resolveInteractions();
    this.#tickTimers();
    removeLostFireballs(stage, this.arena, this.#lostFireballs);
    returnLostEggs(stage, this.arena);
    tickBurningCrates(stage, this.arena, this.#burntCrates);
    dropCrate(stage, this.arena);
    advanceRound(stage, this.arena, events);
    stage.endTick();
    events.end();
  }

  save(into: Snapshot): void {
    this.stage.save(into);
  }

  load(from: Snapshot): void {
    this.#events.begin(0);
    this.#contactsBegun = 0;
    this.stage.load(from);
    checkMatch(this.stage, this.arena);
  }

  /**
   * A Hunter's command if the state has a Hunter on this seat, otherwise a Drifter's, also for an
   * absent player's seat.
   */
  npcCommand(seat: SeatId, queued: readonly DragonCommand[]): DragonCommand {
    const { stage, arena } = this;
    const random = this.#npcRandom;
    return npcPolicy({ stage, arena, random, seat, dragon: this.dragonOfSeat(seat) }, queued);
  }

  /** The reaction time of the policy that `npcCommand` uses for this seat. */
  reactionTicks(seat: SeatId): number {
    return reactionTicksOf(this.stage.fields, seat);
  }

  poses(out: PoseList): void {
    fillPoses(this.stage, seatOf, out);
  }

  /**
   * A seat has a dragon exactly while it has a command. A hatchling's seat that is no longer
   * requested gets no new dragon.
   */
  #syncPresence(commands: Commands<DragonCommand>): void {
    this.#indexDragonsBySeat();
    for (let seat = 0; seat < SEATS; seat++) {
      const command = commands[seat];
      const dragon = this.#bySeat[seat];
      if (command === undefined) {
        if (dragon !== undefined) this.stage.despawn(dragon);
        this.#bySeat[seat] = undefined;
      } else if (dragon === undefined && !isSeatRetired(this.stage.fields, seat)) {
        this.#bySeat[seat] = enterArena(this.stage, this.arena, {
          seat,
          command,
          events: this.#events,
        });
      }
    }
  }

  #indexDragonsBySeat(): void {
    const bySeat = this.#bySeat;
    // Not `fill`: after each call V8 discards the optimized code of this function.
    for (let seat = 0; seat < SEATS; seat++) bySeat[seat] = undefined;
    for (const dragon of this.dragons) bySeat[dragon.fields.seat] = dragon;
  }

  #applyCommands(commands: Commands<DragonCommand>): void {
    for (let seat = 0; seat < SEATS; seat++) {
      const dragon = this.#bySeat[seat];
      if (dragon !== undefined) applyCommand(this.stage, dragon, commands[seat]!, this.#events);
    }
  }

  /** Applies the contacts and hits of the last `advance`. */
  #resolveInteractions(): void {
    const stage = this.stage;
    const events = this.#events;
    resolveLanceCombat(stage, events);
    resolveFireballHits(stage, events);
    resolveCrateHits(stage, events);
    takeEggs(stage, events, this.#goneEggs);
    tickEggs(stage, events, this.#goneEggs);
  }

  #countContacts(): void {
    this.#contactsBegun = 0;
    for (const touch of this.stage.contactEvents) {
      if (touch.began && touch.a.id !== 0) this.#contactsBegun++;
    }
  }

  #updateGrounded(): void {
    for (const dragon of this.dragons) {
      const { fields } = dragon;
      if (this.stage.isSupported(dragon)) {
        if (fields.airborne > COYOTE_TICKS) this.#events.emit("land", dragon);
        fields.airborne = 0;
      } else if (fields.airborne < TIMER_MAX) {
        fields.airborne++;
      }
    }
  }

  /** Advances every timer of every dragon. */
  #tickTimers(): void {
    for (const dragon of this.dragons) {
      const { fields } = dragon;
      if (fields.stun > 0) fields.stun--;
      if (fields.truce > 0) fields.truce--;
      if (fields.invulnerable > 0) fields.invulnerable--;
      tickRecharge(dragon);
      tickRespawn(this.stage, this.arena, dragon, this.#events);
    }
  }
}

/** The seats of a mask of NPC seats, ascending. */
function seatsIn(mask: number): SeatId[] {
  const seats: SeatId[] = [];
  for (let seat = PLAYER_SEATS; seat < SEATS; seat++) {
    if ((mask >>> (seat - PLAYER_SEATS) & 1) === 1) seats.push(seat);
  }
  return seats;
}
