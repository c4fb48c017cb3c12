/**
 * One match of dragons: a stage whose rules are run around each tick of physics.
 *
 *     S(n) = endTick( rules( advance( applyCommands( syncPresence( S(n-1), C(n) ) ) ) ) )
 *
 * Everything that lasts stands in fields of the stage; what this object holds besides it is scratch.
 */
import { type Commands, PLAYER_SEATS, type SeatId, SEATS, type Simulation } from "../../netcode/game.ts";
import type { PoseList } from "../../netcode/pose_list.ts";
import type { GameEvent, GameOptions, Tick } from "../../netcode/game.ts";
import { Stage } from "../../physics/stage/stage.ts";
import { hashOf } from "../../random.ts";
import type { Snapshot } from "../../snapshot.ts";
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
} from "./archetypes.ts";
import type { DragonCommand } from "./command.ts";
import { dropCrate, resolveCrateHits, spawnCrateStack, tickBurningCrates } from "./crates.ts";
import { returnLostEggs, takeEggs, tickEggs } from "./eggs.ts";
import { EventList } from "./events.ts";
import { removeLostFireballs, resolveFireballHits, tickRecharge } from "./fireball.ts";
import { TIMER_MAX } from "./flight.ts";
import { resolveLanceCombat } from "./lance_combat.ts";
import { npcPolicy, reactionTicksOf } from "./npc/policy.ts";
import { HUNTER, isSeatRetired, requestedSeats, tierOf } from "./npc/seats.ts";
import { applyCommand } from "./apply_command.ts";
import { enterArena, tickRespawn } from "./respawn.ts";
import { fillPoses } from "./poses.ts";
import { advanceRound, isPlaying, startFirstRound } from "./rounds.ts";
import { checkMatch } from "./state_validation.ts";
import { COYOTE_TICKS, TICK_HZ } from "./tuning.ts";

/** The rules over one stage, as netcode steps them, and what a picture or a mind reads of it. */
export class DragonSimulation implements Simulation<DragonCommand> {
  readonly arena: Arena;
  /** For `body_stream.ts`. */
  readonly stage: DragonStage;
  readonly #events = new EventList();
  #contactsBegun = 0;

  // Scratch, so that a tick allocates next to nothing.
  readonly #bySeat: (Dragon | undefined)[] = new Array(SEATS).fill(undefined);
  readonly #lostFireballs: Fireball[] = [];
  readonly #burntCrates: Crate[] = [];
  readonly #goneEggs: Egg[] = [];
  #npcSeats: readonly SeatId[] = [];
  /** The mask that they were made from. */
  #npcSeatMask = 0;

  constructor(arena: Arena, options: GameOptions, seed: number) {
    if (!Number.isInteger(options.npcs) || options.npcs < 0 || options.npcs > SEATS - PLAYER_SEATS) {
      throw new RangeError(`${options.npcs} NPCs; 0 … ${SEATS - PLAYER_SEATS} have a seat`);
    }
    this.arena = arena;
    this.stage = new Stage(dragonStageDef(arena));
    const { fields } = this.stage;
    fields.seed = seed >>> 0;
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

  /** Touches between two entities, the ground excluded, that began in the last step. Not part of the state; 0 after `load`. */
  get contactsBegun(): number {
    return this.#contactsBegun;
  }

  /** Ascending id; like the three below valid until the next step or load. */
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

  /** "result" while the scores are a finished round's and dragons obey nobody. */
  get phase(): "playing" | "result" {
    return isPlaying(this.stage.fields) ? "playing" : "result";
  }

  /** Whole seconds that the phase lasts at most. */
  get secondsLeft(): number {
    return Math.ceil(this.stage.fields.phaseTicksLeft / TICK_HZ);
  }

  /** From 1. */
  get round(): number {
    return this.stage.fields.round;
  }

  /** Whether this player has asked for the next round. */
  isReady(seat: SeatId): boolean {
    return (this.dragonOfSeat(seat)?.fields.ready ?? 0) > 0;
  }

  /** The dragon whose rider sits there; undefined where nobody does. */
  dragonOfSeat(seat: SeatId): Dragon | undefined {
    for (const dragon of this.dragons) if (dragon.fields.seat === seat) return dragon;
    return undefined;
  }

  /**
   * Ids of what touches this entity, 0 for the ground; none where there is no such entity, and none for a fireball, which is not
   * asked: it flies, and what it meets it hits. Valid until the next call.
   */
  touching(id: number): readonly number[] {
    const entity = this.stage.get(id);
    return entity === undefined || this.fireballs.some((ball) => ball.id === id) ? [] : this.stage.touchingIds(entity);
  }

  /** The same array for as long as the same seats are wanted. */
  get npcSeats(): readonly SeatId[] {
    const requested = requestedSeats(this.stage.fields);
    if (requested !== this.#npcSeatMask) {
      this.#npcSeatMask = requested;
      this.#npcSeats = seatsIn(requested);
    }
    return this.#npcSeats;
  }

  /** What the NPC on this seat is called, by its mind: "Drifter 1". */
  npcName(seat: SeatId): string {
    return `${tierOf(this.stage.fields, seat) === HUNTER ? "Hunter" : "Drifter"} ${seat - PLAYER_SEATS + 1}`;
  }

  step(commands: Commands<DragonCommand>): void {
    const stage = this.stage, events = this.#events;
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

  /** A Hunter's where the state says so, a Drifter's for every other seat, an absent player's among them. */
  npcCommand(seat: SeatId, queued: readonly DragonCommand[]): DragonCommand {
    return npcPolicy({ stage: this.stage, arena: this.arena, seat, dragon: this.dragonOfSeat(seat) }, queued);
  }

  /** Of the mind that `npcCommand` asks. */
  reactionTicks(seat: SeatId): number {
    return reactionTicksOf(this.stage.fields, seat);
  }

  poses(out: PoseList): void {
    fillPoses(this.stage, out);
  }

  /** A dragon is there exactly while its seat has a command; a hatchling that was lost is not coming again. */
  #syncPresence(commands: Commands<DragonCommand>): void {
    this.#indexDragonsBySeat();
    for (let seat = 0; seat < SEATS; seat++) {
      const command = commands[seat];
      const dragon = this.#bySeat[seat];
      if (command === undefined) {
        if (dragon !== undefined) this.stage.despawn(dragon);
        this.#bySeat[seat] = undefined;
      } else if (dragon === undefined && !isSeatRetired(this.stage.fields, seat)) {
        this.#bySeat[seat] = enterArena(this.stage, this.arena, { seat, command, events: this.#events });
      }
    }
  }

  #indexDragonsBySeat(): void {
    const bySeat = this.#bySeat;
    // Not `fill`: code that the compiler has made of it is thrown away whenever it has run.
    for (let seat = 0; seat < SEATS; seat++) bySeat[seat] = undefined;
    for (const dragon of this.dragons) bySeat[dragon.fields.seat] = dragon;
  }

  #applyCommands(commands: Commands<DragonCommand>): void {
    for (let seat = 0; seat < SEATS; seat++) {
      const dragon = this.#bySeat[seat];
      if (dragon !== undefined) applyCommand(this.stage, dragon, commands[seat]!, this.#events);
    }
  }

  /** What came of the last `advance` while blows count. */
  #resolveInteractions(): void {
    const stage = this.stage, events = this.#events;
    resolveLanceCombat(stage, events);
    resolveFireballHits(stage, events);
    resolveCrateHits(stage, events);
    takeEggs(stage, events, this.#goneEggs);
    tickEggs(stage, events, this.#goneEggs);
  }

  #countContacts(): void {
    this.#contactsBegun = 0;
    for (const touch of this.stage.contactEvents) if (touch.began && touch.a.id !== 0) this.#contactsBegun++;
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

  /** Every clock of every dragon. */
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

/** Ascending. */
function seatsIn(mask: number): SeatId[] {
  const seats: SeatId[] = [];
  for (let seat = PLAYER_SEATS; seat < SEATS; seat++) if ((mask >>> (seat - PLAYER_SEATS) & 1) === 1) seats.push(seat);
  return seats;
}
