/**
 * The contract between netcode and a game (DESIGN 3). To netcode a simulation is opaque: it can
 * step, save and load.
 *
 *     S(n) = f( S(n-1), C(n) )      f is `step`, S is a `Snapshot`, C is one command per seat
 *
 * A player is in the game exactly while commands name their seat. Joining and leaving are data, so
 * a rollback replays them.
 */
import type { Snapshot } from "../snapshot.ts";
import type { StepProfile } from "../step_profile.ts";
import type { BodyList, BodySchemas } from "../body_list.ts";
import type { PoseList } from "./pose_list.ts";
import type { Coder } from "./wire/range_coder.ts";

/** A fixed step's number, from 0. Tick n's commands lead from S(n-1) to S(n). */
export type Tick = number;

/** A place in a match: 0 … 15 belong to players, 16 … 31 to NPCs. */
export type SeatId = number;

/** Seats for players in one match. With 16, a seat fits in 4 bits and a screen stays readable. */
export const PLAYER_SEATS = 16;
/** All seats: first the players', then the NPCs'. */
export const SEATS = 32;

/** How many play a match together. */
export interface PlayerCounts {
  /** How many players and NPCs a match waits for, as the page says: 0 … `max`. */
  readonly min: number;
  /** How many players a room seats: 1 … `PLAYER_SEATS`. */
  readonly max: number;
  /** "Play now" skips rooms with this many players: 1 … `max`. */
  readonly playNow: number;
  /** How many NPCs a room gets, unless the server's settings say otherwise: 0 … 16. */
  readonly npcs: number;
}

/** The default for a game: an arena for two to eight. */
export const PLAYER_COUNTS: PlayerCounts = { min: 0, max: PLAYER_SEATS, playNow: 8, npcs: 4 };

/** How many play a match of this game. */
export function playersOf({ players }: Pick<Game<never>, "players">): PlayerCounts {
  return players ?? PLAYER_COUNTS;
}

/**
 * Who computes a match: the server steps it, or it only orders commands, and a referee replays what
 * is in doubt (DESIGN 22).
 */
export type Authority = "full" | "order";

/** One tick's commands by seat, `SEATS` entries; undefined for an empty seat. */
export type Commands<Command> = readonly (Command | undefined)[];

/**
 * One definition that writes, reads and measures a value. It loses nothing, so both ends simulate
 * exactly the value that was sent.
 */
export interface Codec<Value> {
  /** The reference for the first value. */
  readonly neutral: Value;
  /**
   * Codes a value that differs from `reference`. Similar values take fewer bits.
   * @param value the value to write; any value if the coder reads
   * @returns the value that was written or read
   * @throws WireError if the bits are not a value
   */
  code(value: Value, reference: Value, coder: Coder): Value;
  /** Whether two values are equal. */
  same(a: Value, b: Value): boolean;
}

/**
 * The random source for NPCs: an unsigned 32-bit integer that both arguments determine, such as a
 * seat and a tick. The server keys its own with a secret, so that clients cannot compute beforehand
 * what an NPC will decide.
 */
export type NpcRandom = (a: number, b: number) => number;

export interface GameOptions {
  /** How many NPC seats the game fills from the start, 0 … 16. */
  readonly npcs: number;
  /**
   * The room's options, one number for each entry of `Game.choices`, which the client that opens
   * the room chooses. By default all are 0.
   */
  readonly choices?: readonly number[];
  /** What NPCs draw from; only the server's matters. By default it comes from the seed. */
  readonly npcRandom?: NpcRandom;
}

/**
 * A game's rules.
 * @typeParam Command everything that one seat requests for one tick; immutable
 * @typeParam Sim the game's own simulation, which may have more members than netcode uses
 */
export interface Game<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  /** Name and version of the rules, at most 32 ASCII characters; the same on client and server. */
  readonly id: string;
  /**
   * Room options: how many values each one offers, 1 … 256; at most 8 options. By default a room
   * offers none.
   */
  readonly choices?: readonly number[];
  /** How many play a match together; by default `PLAYER_COUNTS`. */
  readonly players?: PlayerCounts;
  /** Who computes a match, unless the server's settings say otherwise; by default the server. */
  readonly authority?: Authority;
  /** Ticks per second. */
  readonly tickHz: number;
  /** The command codec. */
  readonly command: Codec<Command>;
  /**
   * Replaces a command that did not arrive in time. A good game repeats held controls and then lets
   * them decay. Pure, so that server and clients compute the same command.
   * @param last the newest command that arrived, or undefined
   * @param ticksMissing ticks since then, at least 1
   */
  assume(last: Command | undefined, ticksMissing: number): Command;
  /**
   * Begins to guess one player's commands on one client. Without it, clients predict with `assume`.
   * @param report gets an author's mistake in a guess, which ends nothing
   */
  newGuesser?(report: (mistake: Error) => void): Guesser<Command>;
  /**
   * Whether a command would move a player's body far from where clients that still assume `before`
   * expect it. The server sends such a command to far clients at once instead of with the next tick
   * message. Without this function it announces no command early.
   * @param before the seat's newest command before it
   */
  isUrgent?(command: Command, before: Command): boolean;
  /**
   * Takes out of a player's command what only a server in development obeys, such as a change of a
   * constant that its author tunes. A game without such commands leaves it out.
   */
  withoutTuning?(command: Command): Command;
  /** The game's side of the body stream. Without it, the server sends whole states. */
  readonly bodies?: GameBodies<Sim>;
  /**
   * The game's rounds. Without them a match never ends and no player wins.
   */
  readonly rounds?: GameRounds<Sim>;
  /**
   * The game's part of its schema. Only the server needs it, so you may build a page without it.
   */
  readonly description?: GameDescription;
  /**
   * Labels each word of a state, e.g. "entity 12 car.fuel", so that tools can name what differs
   * (DESIGN 3). You may build a page without it.
   * @throws SnapshotError if the words are not a state of this game
   */
  stateLabels?(simulation: Sim, state: Snapshot): readonly string[];
  /**
   * Starts a new match, before its first tick. Equal arguments give equal simulations.
   * @param seed unsigned, 32 bits
   */
  start(options: GameOptions, seed: number): Sim;
}

/**
 * Guesses one player's command on a client while it is unknown and may still arrive: it answers the
 * likeliest command, whereas `Game.assume` must answer a safe one. A guess may be wrong, because
 * only predictions depend on it.
 */
export interface Guesser<Command> {
  /** Takes a command that has become known. @param tick ascends, but may skip ticks */
  learn(tick: Tick, command: Command): void;
  /**
   * Guesses a tick's command.
   * @param last the newest command that is known before it, or undefined
   * @param ticksMissing ticks since then, at least 1
   */
  guess(last: Command | undefined, ticksMissing: number): Command;
}

/** One match's state and its step. */
export interface Simulation<Command> {
  /** The newest tick that was stepped; 0 after `Game.start`. Part of the state. */
  readonly tick: Tick;
  /** Steps to `tick + 1`. Reads nothing but the state and the commands. */
  step(commands: Commands<Command>): void;
  /** Writes the whole state. Netcode hashes these words. */
  save(into: Snapshot): void;
  /**
   * Restores a state.
   * @throws SnapshotError if the words are not a state of this game; then only another `load` is
   *   allowed
   */
  load(from: Snapshot): void;
  /**
   * Says in sentences, for the author and the operator, what the game's limits held back in the
   * last step, such as surplus contacts. Not part of the state; empty, or missing, in normal play.
   */
  readonly limited?: readonly string[];
  /**
   * Gets the times of the parts of each step, save and load, while a tool looks. Not part of the
   * state, and no result depends on it. Missing in a simulation that keeps no such times.
   */
  profile?: StepProfile | undefined;
  /**
   * The last step's events, in a defined order. Not part of the state; valid until the next step or
   * load.
   */
  readonly events: readonly GameEvent[];
  /** The seats that an NPC controls in this state, ascending. Part of the state. */
  readonly npcSeats: readonly SeatId[];
  /**
   * Decides the NPC's command for tick `this.tick + queued.length + 1`. Pure: the same state and
   * queue give the same command. Only the server calls it, so you may build a page without it.
   * @param queued the commands that the server already queued for the ticks before
   */
  npcCommand(seat: SeatId, queued: readonly Command[]): Command;
  /** The NPC's reaction time, 1 … 40 ticks: it decides at least this far ahead. */
  reactionTicks(seat: SeatId): number;
  /** Adds each entity's pose to a list that was reset, ascending by entity. */
  poses(out: PoseList): void;
}

/**
 * Divides a match into rounds. Both functions are pure and read nothing but the state. The server
 * stores what they say, and pages show it, so the two agree.
 */
export interface GameRounds<Sim> {
  /**
   * Whether the round in `result` is over and the next one has not begun, so that what players do
   * does not count.
   */
  isOver(simulation: Sim): boolean;
  /** The newest round's scores. They are final while `isOver`. */
  result(simulation: Sim): RoundResult;
}

/** A round's scores. `outcomeOf` says who has won. */
export interface RoundResult {
  /** The round's number in its match, from 1. */
  readonly round: number;
  /** At most one for each seat. */
  readonly scores: readonly RoundScore[];
  /** Undefined for a game whose rounds form no sets. */
  readonly set?: RoundSet | undefined;
}

/** What a seat has after a round. */
export interface RoundScore {
  readonly seat: SeatId;
  /** The points of this round alone; more is better. */
  readonly score: number;
  /** What pages call the NPC on the seat, such as "Hunter 3"; undefined for a player. */
  readonly npcName?: string | undefined;
  /** The team that the seat plays for, and with which it wins; undefined without teams. */
  readonly team?: string | undefined;
  /** The points of all rounds that count together, this one included; undefined if none do. */
  readonly total?: number | undefined;
  /** How many rounds of the set it has won; undefined without sets. */
  readonly wins?: number | undefined;
}

/** Where a round stands in its set, such as the best of three. */
export interface RoundSet {
  /** The round's number in the set, from 1. */
  readonly round: number;
  /** How many rounds the set has at most. */
  readonly of: number;
  /** Whether the round has ended the set. */
  readonly isOver: boolean;
}

/** The game's side of the body stream, for clients that do not simulate exactly. */
export interface GameBodies<Sim> extends BodySchemas {
  /**
   * Fills a list with the match as entity 0, with all entities and joints, ascending, and with the
   * next id.
   */
  fill(simulation: Sim, out: BodyList): void;
  /**
   * Makes a simulation as equal as possible to the one that filled the list. It sets the tick, the
   * next id, which entities and joints exist, their fields, and how all bodies move except those
   * with `keepsMotion`. State that a list does not carry, such as contacts, stays where it still
   * fits and otherwise starts empty.
   * @throws SnapshotError if the list is not a state of this game; then only another `adopt` or a
   *   `load` is allowed
   */
  adopt(simulation: Sim, from: BodyList): void;
}

/**
 * The game's part of its schema (`game_schema.ts`): plain data for a client in another language,
 * which cannot run the game's code. WIRE 2 explains it.
 */
export interface GameDescription {
  /** A command's fields, in wire order. */
  readonly command: readonly CommandFieldSchema[];
  /**
   * Describes `Game.assume`: it repeats the newest known command for `heldTicks` ticks, then the
   * same command with neutral held fields. Without a known command all fields are neutral.
   */
  readonly assume: { readonly heldTicks: number };
  /**
   * By kind: its bodies' solid parts, for drawing. JSON-serializable; metres, in the body's frame.
   */
  readonly shapes?: Readonly<Record<string, readonly unknown[]>>;
  /** How a client finds its own body. */
  readonly ownBody?: OwnBodySchema;
  /** JSON-serializable. Metres, y upwards. */
  readonly arena?: Readonly<Record<string, unknown>>;
  readonly npcNames?: NpcNames;
  /** Names for the options in `Game.choices`, in the same order. */
  readonly choices?: readonly ChoiceWords[];
}

/** Names for one room option. */
export interface ChoiceWords {
  readonly name: string;
  /** Its values' names, from 0 on. */
  readonly names: readonly string[];
}

/** One command field. Its type says how a difference between two commands codes it (WIRE 5). */
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
 * A field that takes whole numbers from a range: an analog axis or an angle in steps, a dial, a
 * choice.
 */
export interface NumberFieldSchema extends FieldSchema {
  readonly type: "number";
  /** The range's ends; it spans 2 … 65,536 numbers. */
  readonly least: number;
  readonly greatest: number;
  /** Whether the greatest number is followed by the least, as for an angle. */
  readonly wraps: boolean;
  /**
   * The number that stands for one whole: a full axis, or a full turn. Without it the number is
   * unitless.
   */
  readonly perOne?: number;
  readonly perTurn?: number;
  /** The numbers' names, from the least on, for a choice. */
  readonly names?: readonly string[];
  /** Whether a player chooses the number before they join and keeps it. */
  readonly constant?: boolean;
}

/** Finds a seat's body: among bodies of this kind, the one with the seat in `seatField`. */
export interface OwnBodySchema {
  /** The name of a schema in `GameBodies.schemas`. */
  readonly kind: string;
  readonly seatField: string;
  /** The field that holds the player's score, if the body carries one. */
  readonly scoreField?: string;
}

/**
 * How NPCs are named:
 *
 *     n    = seat − firstSeat
 *     word = words[bits 2·n and 2·n + 1 of the match's field]
 *     name = word + " " + (names[n], or n + 1 if there is none)
 */
export interface NpcNames {
  readonly firstSeat: SeatId;
  /** Names one of the match's fields. */
  readonly field: string;
  /** A word for each kind, at most four. */
  readonly words: readonly string[];
  /** Names of their own for the first NPC seats. */
  readonly names?: readonly string[];
}

/**
 * An event in one step. The key (tick, kind, entity) identifies it, so that a resimulation does not
 * show it twice.
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
  /** The other entity, if one is involved: the killer, the entity that was hit. */
  readonly other?: number;
  /** How much it was, in the game's own unit, such as the speed of a hit. */
  readonly amount?: number;
}
