/**
 * The contract between netcode and a game (DESIGN 3). To netcode a simulation is opaque. It can
 * step, save and load:
 *
 *     S(n) = f( S(n-1), C(n) )      f is `step`, S is a `Snapshot`, C is one command per seat
 *
 * A player is in the game exactly while commands name their seat. Joining and leaving are data, so
 * a rollback replays them.
 */
import type { Snapshot } from "../snapshot.ts";
import type { BodyList, BodySchemas } from "../body_list.ts";
import type { PoseList } from "./pose_list.ts";
import type { Coder } from "./wire/range_coder.ts";

/** The number of a fixed step, from 0. The commands of tick n lead from S(n-1) to S(n). */
export type Tick = number;

/** A place in a match: 0 … 15 belong to players, 16 … 31 to NPCs. */
export type SeatId = number;

/** Seats for players in one match. With 16 a seat has 4 bits, and a screen stays readable. */
export const PLAYER_SEATS = 16;
/** All seats: those of players, then those of NPCs. */
export const SEATS = 32;

/** How many play a match together. */
export interface PlayerCounts {
  /** Players and NPCs without whom a match waits, as the page says: 0 … `max`. */
  readonly min: number;
  /** A room's seats for players: 1 … `PLAYER_SEATS`. */
  readonly max: number;
  /** "Play now" leads into no room with as many players: 1 … `max`. */
  readonly playNow: number;
  /** NPCs in a room, unless the server's settings say otherwise: 0 … 16. */
  readonly npcs: number;
}

/** What holds for a game that says nothing: an arena for two to eight. */
export const PLAYER_COUNTS: PlayerCounts = { min: 0, max: PLAYER_SEATS, playNow: 8, npcs: 4 };

/** How many play a match of this game. */
export function playersOf({ players }: Pick<Game<never>, "players">): PlayerCounts {
  return players ?? PLAYER_COUNTS;
}

/** The commands of one tick by seat, of length `SEATS`; undefined for an empty seat. */
export type Commands<Command> = readonly (Command | undefined)[];

/**
 * One definition that writes, reads and measures a value. It loses nothing, so the simulated value
 * is exactly the sent one.
 */
export interface Codec<Value> {
  /** The reference of the first value. */
  readonly neutral: Value;
  /**
   * Codes a value that differs from `reference`. Similar values take fewer bits.
   * @param value the value to write; any value if the coder reads
   * @returns the value that was written or read
   * @throws WireError for bits that are no value
   */
  code(value: Value, reference: Value, coder: Coder): Value;
  /** Whether two values are equal. */
  same(a: Value, b: Value): boolean;
}

/**
 * What NPCs draw from: a random unsigned 32-bit integer that is a function of both arguments, such
 * as a seat and a tick. The server's has a key that no client has. So no client knows before what
 * an NPC will decide.
 */
export type NpcRandom = (a: number, b: number) => number;

export interface GameOptions {
  /** NPC seats that the game fills from the start, 0 … 16. */
  readonly npcs: number;
  /**
   * The room's options, one number for each entry of `Game.choices`: the client that opens a room
   * chooses them. Without this list all are 0.
   */
  readonly choices?: readonly number[];
  /** What NPCs draw from; only the server's matters. By default it comes from the seed. */
  readonly npcRandom?: NpcRandom;
}

/**
 * The rules of a game.
 * @typeParam Command everything that one seat requests for one tick; immutable
 * @typeParam Sim the game's own simulation, which may have more members than netcode uses
 */
export interface Game<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  /**
   * Name and version of the rules, at most 32 ASCII characters. Client and server must have the
   * same.
   */
  readonly id: string;
  /**
   * The options of a room: the number of values of each, 1 … 256; at most 8 options. Without this
   * list a room has none.
   */
  readonly choices?: readonly number[];
  /** How many play a match together; by default `PLAYER_COUNTS`. */
  readonly players?: PlayerCounts;
  /** Ticks per second. */
  readonly tickHz: number;
  /** The codec of commands. */
  readonly command: Codec<Command>;
  /**
   * The command that is used when none arrived in time. A good game repeats held controls and then
   * lets them decay. Pure: server and clients compute the same command.
   * @param last the newest command that arrived, or undefined
   * @param ticksMissing ticks since then, at least 1
   */
  assume(last: Command | undefined, ticksMissing: number): Command;
  /**
   * Begins to guess one player's commands on one client. Without it, clients predict with `assume`.
   */
  newGuesser?(): Guesser<Command>;
  /**
   * Whether a player's command moves a body far if clients expect that it stays as `before`. Far
   * clients get such commands at once, not with the next tick message. Without it no command is
   * announced early.
   * @param before the seat's newest command before it
   */
  isUrgent?(command: Command, before: Command): boolean;
  /** The game's side of the body stream. Without it, the server sends whole states instead. */
  readonly bodies?: GameBodies<Sim>;
  /**
   * The game's rounds. Without them a match goes on for ever, and no player wins. Only the server
   * reads them.
   */
  readonly rounds?: GameRounds<Sim>;
  /** The game's part of its schema. Only the server needs it, so a page may be built without it. */
  readonly description?: GameDescription;
  /**
   * One label for each word of a state, e.g. "entity 12 car.fuel", so that tools can name what
   * differs (DESIGN 3). A page may be built without it. @throws SnapshotError for words that are no
   * state of this game
   */
  stateLabels?(simulation: Sim, state: Snapshot): readonly string[];
  /**
   * A new match before its first tick. Equal arguments give equal simulations.
   * @param seed unsigned, 32 bits
   */
  start(options: GameOptions, seed: number): Sim;
}

/**
 * Guesses what a client expects of one player whose command is unknown and may still arrive: the
 * likeliest command, where `Game.assume` has to give a safe one. It may be wrong, because only
 * predictions depend on it.
 */
export interface Guesser<Command> {
  /** A command has become known. @param tick its tick; ticks ascend, but some may be left out */
  learn(tick: Tick, command: Command): void;
  /**
   * The command that is expected for a tick.
   * @param last the newest command that is known before it, or undefined
   * @param ticksMissing ticks since then, at least 1
   */
  guess(last: Command | undefined, ticksMissing: number): Command;
}

/** The state of one match and its step. */
export interface Simulation<Command> {
  /** The newest tick that was stepped; 0 after `Game.start`. Part of the state. */
  readonly tick: Tick;
  /** Steps to `tick + 1`. Reads nothing but the state and the commands. */
  step(commands: Commands<Command>): void;
  /** Writes the whole state. Netcode hashes these words. */
  save(into: Snapshot): void;
  /**
   * Restores a state.
   * @throws SnapshotError for words that are no state of this game; then only another `load` is
   *   allowed
   */
  load(from: Snapshot): void;
  /**
   * What limits of the game have held back in the last step, such as more contacts than it may
   * have: sentences for the author and the operator. Not part of the state; empty, or missing, in
   * normal play.
   */
  readonly limited?: readonly string[];
  /**
   * The events of the last step, in a defined order. Not part of the state; valid until the next
   * step or load.
   */
  readonly events: readonly GameEvent[];
  /** The seats that an NPC controls in this state, ascending. Part of the state. */
  readonly npcSeats: readonly SeatId[];
  /**
   * The NPC's command for tick `this.tick + queued.length + 1`. Pure: the same state and queue give
   * the same command. Only the server calls it, so a page may be built without it.
   * @param queued the commands that the server has already queued for the ticks before
   */
  npcCommand(seat: SeatId, queued: readonly Command[]): Command;
  /** The NPC's reaction time, 1 … 40 ticks: it decides at least so far ahead. */
  reactionTicks(seat: SeatId): number;
  /** Adds the pose of each entity to a list that was reset, ascending by entity. */
  poses(out: PoseList): void;
}

/** How a match is divided into rounds. Both functions are pure, and read nothing but the state. */
export interface GameRounds<Sim> {
  /**
   * Whether the round of `result` is over and the next one has not begun: what players do does not
   * count.
   */
  isOver(simulation: Sim): boolean;
  /** The scores of the newest round. They are final while `isOver`. */
  result(simulation: Sim): RoundResult;
}

/** The scores of a round. */
export interface RoundResult {
  /** The round's number in its match, from 1. */
  readonly round: number;
  /** At most one for each seat; more is better. */
  readonly scores: readonly { readonly seat: SeatId; readonly score: number }[];
}

/** The game's side of the body stream, for clients that do not simulate exactly. */
export interface GameBodies<Sim> extends BodySchemas {
  /**
   * Fills a list with the match as entity 0 and all entities and joints, ascending, and with the
   * next id.
   */
  fill(simulation: Sim, out: BodyList): void;
  /**
   * Makes a simulation as equal as possible to the one that filled the list. It sets the tick, the
   * next id, the set of entities and joints, their fields, and the motion of all bodies but those
   * with `keepsMotion`. State that a list does not carry, such as contacts, stays where it still
   * fits and otherwise starts from nothing.
   * @throws SnapshotError for a list that is no state of this game; then only another `adopt` or a
   *   `load` is allowed
   */
  adopt(simulation: Sim, from: BodyList): void;
}

/**
 * The game's part of its schema (`game_schema.ts`): plain data for a client in another language,
 * which has none of the game's code. WIRE 2 explains it.
 */
export interface GameDescription {
  /** The fields of a command, in their order on the wire. */
  readonly command: readonly CommandFieldSchema[];
  /**
   * `Game.assume`: for `heldTicks` ticks the newest known command, then the same with neutral held
   * fields. Without a known command all fields are neutral.
   */
  readonly assume: { readonly heldTicks: number };
  /**
   * By kind: the solid parts of its bodies, for drawing. JSON-serializable; metres, in the body's
   * frame.
   */
  readonly shapes?: Readonly<Record<string, readonly unknown[]>>;
  /** The body of a client's own seat. */
  readonly ownBody?: OwnBodySchema;
  /** JSON-serializable. Metres, y upwards. */
  readonly arena?: Readonly<Record<string, unknown>>;
  readonly npcNames?: NpcNames;
  /** The words of the options in `Game.choices`, in their order. */
  readonly choices?: readonly ChoiceWords[];
}

/** The words of one option of a room. */
export interface ChoiceWords {
  readonly name: string;
  /** The names of its values, from 0 on. */
  readonly names: readonly string[];
}

/**
 * One field of a command. Its type says how a difference between two commands codes it (WIRE 5).
 */
export type CommandFieldSchema = ListedFieldSchema | NumberFieldSchema;

interface FieldSchema {
  readonly name: string;
  readonly neutral: number;
  /** Held fields become neutral when commands are missing. Press counters stay. */
  readonly held: boolean;
  /** The chance that the field is unchanged, of 4096. */
  readonly unchanged: number;
}

/** A field with two to four values. */
export interface ListedFieldSchema extends FieldSchema {
  /** A value of "presses" counts presses modulo 4. */
  readonly type: "direction" | "button" | "presses";
  /** All values. */
  readonly values: readonly number[];
  /** For "presses" only: the chance that new presses are a single press, of 4096. */
  readonly onePress?: number;
}

/**
 * A field with the whole numbers of a range: steps of an analog axis, steps of an angle, a dial, a
 * choice.
 */
export interface NumberFieldSchema extends FieldSchema {
  readonly type: "number";
  /** The ends of the range, 2 … 65,536 numbers. */
  readonly least: number;
  readonly greatest: number;
  /** Whether the number after the greatest is the least, as for an angle. */
  readonly wraps: boolean;
  /**
   * The number for one whole: an axis at its end, or one turn of an angle. Without it the number
   * has no unit.
   */
  readonly perOne?: number;
  readonly perTurn?: number;
  /** The names of the numbers, from the least on, for a choice. */
  readonly names?: readonly string[];
  /** Whether a player chooses the number before they join and keeps it. */
  readonly constant?: boolean;
}

/** A seat's body: the one of this kind whose field has the seat. */
export interface OwnBodySchema {
  /** The name of a schema of `GameBodies.schemas`. */
  readonly kind: string;
  readonly seatField: string;
  /** The field with the player's score, if the body has one. */
  readonly scoreField?: string;
}

/**
 * The names of NPCs:
 *
 *     name = word + " " + (seat − firstSeat + 1)
 *     word = set, if bit (seat − firstSeat) of the match's field is set; otherwise notSet
 */
export interface NpcNames {
  readonly firstSeat: SeatId;
  /** The name of a field of the match. */
  readonly field: string;
  readonly set: string;
  readonly notSet: string;
}

/**
 * An event of one step. Its key (tick, kind, entity) identifies it, so that a resimulation shows no
 * event twice.
 */
export interface GameEvent {
  readonly tick: Tick;
  /** The game's own name for this kind of event. */
  readonly kind: string;
  /** The entity that the event belongs to. */
  readonly entity: number;
  /** Position, metres. */
  readonly x: number;
  readonly y: number;
  /** The other entity, if there is one: the killer, the entity that was hit. */
  readonly other?: number;
}
