/**
 * The plug between netcode and a game. Netcode sees an opaque simulation that it can step, save and load:
 *
 *     S(n) = f( S(n-1), C(n) )      f is `step`, S is a `Snapshot`, C is one command per seat
 *
 * A player is in the game exactly while commands name his seat: joining and leaving are data and replay in a rollback.
 */
import type { Snapshot } from "../snapshot.ts";
import type { BodyList, BodySchemas } from "../body_list.ts";
import type { PoseList } from "./pose_list.ts";
import type { Coder } from "./wire/range_coder.ts";

/** One fixed step, numbered from 0; tick n's commands lead from S(n-1) to S(n). */
export type Tick = number;

/** A place in a match: 0 … 15 are the players', 16 … 31 the NPCs'. */
export type SeatId = number;

/** Who may play in one match. Sixteen keep a seat within 4 bits and a screen readable. */
export const PLAYER_SEATS = 16;
/** NPC seats follow the players'. */
export const SEATS = 32;

/** By seat, `SEATS` long; undefined where nobody sits. */
export type Commands<Command> = readonly (Command | undefined)[];

/** One definition that writes, reads and measures a value; what is simulated is exactly what is sent. */
export interface Codec<Value> {
  /** What is taken for the last one where there was none. */
  readonly neutral: Value;
  /**
   * Codes a value that differs from `reference`, the better the more they are alike.
   * @param value to be written; where the coder reads it may be any
   * @returns the value, or the one that was read
   * @throws WireError for bits that are no value
   */
  code(value: Value, reference: Value, coder: Coder): Value;
  same(a: Value, b: Value): boolean;
}

export interface GameOptions {
  /** NPC seats that the game fills from the start, 0 … 16. */
  readonly npcs: number;
}

/**
 * The rules.
 * @typeParam Command what one seat asks for in one tick, all of it, every tick; treated as immutable
 * @typeParam Sim what the game's own files see of a simulation beyond netcode's share
 */
export interface Game<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  /** Name and version of the rules; client and server must agree. At most 32 ASCII characters. */
  readonly id: string;
  /** Ticks per second. */
  readonly tickHz: number;
  readonly command: Codec<Command>;
  /**
   * The stand-in for a command that did not arrive: held controls repeat, then decay. Pure; server and clients call it alike.
   * @param last the newest command that did arrive, undefined where none has yet
   * @param ticksMissing how many ticks ago that was, from 1
   */
  assume(last: Command | undefined, ticksMissing: number): Command;
  /** How the state stream sees it; without this whole states travel instead. */
  readonly bodies?: GameBodies<Sim>;
  /** A new match before its first tick. Equal arguments give equal simulations. @param seed unsigned, 32 bits */
  start(options: GameOptions, seed: number): Sim;
}

/** One match's state and how it steps. */
export interface Simulation<Command> {
  /** The newest tick stepped; 0 after `start`. It is part of the state. */
  readonly tick: Tick;
  /** Steps to `tick + 1`. Reads nothing but the state and the commands. */
  step(commands: Commands<Command>): void;
  /** Writes the whole state; netcode hashes these words. */
  save(into: Snapshot): void;
  /** @throws SnapshotError where the words are no state of this game; then only another `load` is allowed */
  load(from: Snapshot): void;
  /** What happened in the last step, in a defined order. Not part of the state; valid until the next step or load. */
  readonly events: readonly GameEvent[];
  /** Seats that the state wants an NPC's mind for, ascending. Part of the state. */
  readonly npcSeats: readonly SeatId[];
  /**
   * That mind: the seat's command for tick `this.tick + queued.length + 1`, given what is already queued for it.
   * Pure: the same state and queue give the same command. Only the server asks; a page may be built without it.
   */
  npcCommand(seat: SeatId, queued: readonly Command[]): Command;
  /** How far ahead that mind decides at the least: its reaction time, 1 … 40 ticks. */
  reactionTicks(seat: SeatId): number;
  /** Fills in what an eye needs of each entity, in ascending entity order. */
  poses(out: PoseList): void;
}

/** A game for those who do not simulate exactly. Beside the game, so that who never needs it need not load it. */
export interface GameBodies<Sim> extends BodySchemas {
  /** Fills in what the state stream tells: the match as entity 0, then all that is there, in ascending entity order. */
  fill(simulation: Sim, out: BodyList): void;
  /**
   * Makes a simulation, as nearly as it can be, the one that a list was filled from: its tick, exactly its bodies, their words, and
   * the motion of those that are not `kept`. What no list holds (contacts, ages) stays or begins anew.
   * @throws SnapshotError for what is no state of this game; then only another `adopt` or a `load` is allowed
   */
  adopt(simulation: Sim, from: BodyList): void;
}

/** Keyed by (tick, kind, entity), so that a resimulation never tells the same thing twice. */
export interface GameEvent {
  readonly tick: Tick;
  /** The game's own word for it. */
  readonly kind: string;
  /** Whom it happened to. */
  readonly entity: number;
  /** Metres. */
  readonly x: number;
  readonly y: number;
  /** The other one, where there is one: the killer, the thing hit. */
  readonly other?: number;
}
