/**
 * The simulation behind a declaration: a stage, and the author's rules around each tick of physics.
 *
 *     S(n) = endTick( tick( touchEnd, touching, touch( afterPhysics( advance(
 *         drive( enter, leave( count( tune( S(n-1), C(n) ) ), C(n) ) ) ) ) ) ) )
 *
 * All state is in the stage's fields. Everything else in this object is scratch.
 */
import {
  type Commands,
  type GameEvent,
  type GameOptions,
  type NpcRandom,
  PLAYER_SEATS,
  type SeatId,
  SEATS,
  type Simulation,
  type Tick,
} from "../../netcode/game.ts";
import type { PoseList } from "../../netcode/pose_list.ts";
import type { StageDef, StagedEntity } from "../../physics/core/types.ts";
import { type Entity, Stage } from "../../physics/stage/stage.ts";
import { hashOf, RANDOM_RANGE } from "../../random.ts";
import type { Reach } from "../../reach.ts";
import type { Snapshot } from "../../snapshot.ts";
import type { StepProfile } from "../../step_profile.ts";
import type { LooseInput } from "../command/inputs.ts";
import type { Command } from "../command/parts.ts";
import type { LoosePlans } from "../command/plans.ts";
import {
  type CompiledGame,
  hasTouches,
  mixedKinds,
  NPC_KINDS_FIELD,
  NPCS_FIELD,
  RANDOM_FIELD,
  SEAT_FIELD,
  ticksOf,
} from "../compiled_game.ts";
import { type CompiledFields, type RawFields, STOPWATCH_MAX } from "../fields/compiled_fields.ts";
import { EventList } from "../world/event_list.ts";
import { type LoosePlacement, MatchWorld } from "../world/match_world.ts";
import type { ThingHandle } from "../world/thing_table.ts";
import { fillPoses } from "./fill_poses.ts";
import { Foresight } from "./foresight.ts";
import { checkState } from "./state_check.ts";
import { type LooseTouchEndRules, type LooseTouchRules, TouchDispatcher } from "./touch_rules.ts";

/** The default for `Rules.reactionTicks`: a person's reaction time. */
const REACTION_SECONDS = 0.2;
/** Separates the match's generator from other uses of the seed. */
const RANDOM_SALT = 0x6b697473;
const NO_INPUT: LooseInput = {};

/** `Rules` without the game's types. */
export interface LooseRules {
  start?(world: MatchWorld): void;
  enter(world: MatchWorld, seat: SeatId, join: Readonly<Record<string, string>>): LoosePlacement;
  entered?(world: MatchWorld, me: ThingHandle): void;
  leave?(world: MatchWorld, me: ThingHandle): void;
  drive?(world: MatchWorld, me: ThingHandle, input: LooseInput): void;
  afterPhysics?(world: MatchWorld): void;
  readonly touch?: LooseTouchRules;
  readonly touching?: LooseTouchRules;
  readonly touchEnd?: LooseTouchEndRules;
  tick?(world: MatchWorld): void;
  readonly think?: LooseThink | Readonly<Record<string, LooseThink>>;
  readonly plans?: LoosePlans;
  round?(world: MatchWorld): LooseRound;
  reach?(world: MatchWorld): Reach | undefined;
  readonly reactionTicks?: number | Readonly<Record<string, number>>;
}

type LooseThink = (
  world: MatchWorld,
  me: ThingHandle,
  aheadTicks: number,
  random: number,
  foresight: Foresight,
) => LooseInput;

/** `RoundState` without the game's types. */
interface LooseRound {
  readonly number: number;
  readonly isOver: boolean;
  score(thing: ThingHandle): number;
  total?(thing: ThingHandle): number;
  readonly set?: {
    readonly round: number;
    readonly of: number;
    readonly isOver: boolean;
    wins(thing: ThingHandle): number;
  };
}

/**
 * The simulation that netcode steps. `DeclaredSimulation` in `define_game.ts` gives it its types.
 */
export class StageSimulation implements Simulation<Command> {
  readonly stage: Stage;
  readonly world: MatchWorld;
  readonly #game: CompiledGame;
  readonly #rules: LooseRules;
  readonly #npcRandom: NpcRandom;
  readonly #events = new EventList();
  readonly #touches: TouchDispatcher;
  /** Scratch: this tick's players, and one player's input. */
  readonly #bySeat: (ThingHandle | undefined)[] = new Array(SEATS).fill(undefined);
  readonly #input: ReturnType<CompiledGame["inputs"]["newInput"]>;
  readonly #foresight: Foresight;
  /** Scratch: the answers that replace inputs of NPCs in this tick. */
  readonly #answers: (LooseInput | undefined)[] = new Array(SEATS).fill(undefined);
  #contactsBegun = 0;

  /** @throws RangeError if `options.npcs` is not 0 … 16 */
  constructor(game: CompiledGame, rules: LooseRules, options: GameOptions, seed: number) {
    const { npcs, choices = [], npcRandom } = options;
    if (!Number.isInteger(npcs) || npcs < 0 || npcs > SEATS - PLAYER_SEATS) {
      throw new RangeError(`${npcs} NPCs; 0 … ${SEATS - PLAYER_SEATS} have a seat`);
    }
    this.#game = game;
    this.#rules = rules;
    this.#npcRandom = npcRandom ?? ((a, b) => hashOf(seed, a, b));
    this.stage = new Stage(
      stageDefOf(game, (entity) => this.world.things.of(entity as StagedEntity as Entity)),
    );
    const { fields } = this.stage;
    fields[RANDOM_FIELD] = hashOf(seed, RANDOM_SALT);
    fields[NPCS_FIELD] = npcs;
    if (game.npcKinds.length > 0) fields[NPC_KINDS_FIELD] = mixedKinds(game.declaration);
    setOptions(game, fields, choices);
    this.world = new MatchWorld(game, this.stage, this.#events);
    this.#touches = new TouchDispatcher(this.world, this.stage, {
      ...rules,
      hasTouches: hasTouches(game.stageDef),
    });
    this.#input = game.inputs.newInput();
    this.#foresight = new Foresight(game.inputs, this.#npcRandom);
  }

  get tick(): Tick {
    return this.stage.tick;
  }

  get events(): readonly GameEvent[] {
    return this.#events.list;
  }

  get limited(): readonly string[] {
    const { held } = this.world.things;
    return held.length === 0 ? this.stage.limited : [...held, ...this.stage.limited];
  }

  get profile(): StepProfile | undefined {
    return this.stage.profile;
  }

  set profile(profile: StepProfile | undefined) {
    this.stage.profile = profile;
  }

  /** How many pairs of things began to touch in the newest tick, hits included, for bots. */
  get contactsBegun(): number {
    return this.#contactsBegun;
  }

  /** As the rules say it; undefined if they do not. */
  get reach(): Reach | undefined {
    return this.#rules.reach?.(this.world);
  }

  get npcSeats(): readonly SeatId[] {
    return this.world.npcSeats;
  }

  step(commands: Commands<Command>): void {
    const { stage, world } = this;
    const rules = this.#rules;
    this.#events.begin(stage.tick + 1);
    world.things.held.length = 0;
    world.open();
    this.#tune(commands);
    this.#count();
    if (stage.tick === 0) rules.start?.(world);
    this.#syncPresence(commands);
    this.#drive(commands);
    stage.advance();
    world.endPhysics();
    rules.afterPhysics?.(world);
    this.#contactsBegun = this.#touches.countBegun();
    this.#touches.dispatch();
    rules.tick?.(world);
    stage.endTick();
    world.close();
  }

  save(into: Snapshot): void {
    this.stage.save(into);
  }

  load(from: Snapshot): void {
    this.#reset();
    this.stage.load(from);
    checkState(this.#game, this.stage);
  }

  /** @param adopt makes the stage equal to a list of bodies @throws SnapshotError */
  adopt(adopt: (stage: Stage) => void): void {
    this.#reset();
    adopt(this.stage);
    checkState(this.#game, this.stage);
  }

  npcCommand(seat: SeatId, queued: readonly Command[]): Command {
    const { inputs, commands, plans } = this.#game;
    const me = this.world.player(seat);
    const before = queued.at(-1) ??
      (me === undefined ? commands.codec.neutral : inputs.keptCommand(me.entity.fields));
    const ahead = queued.length + 1;
    const random = this.#npcRandom(seat, this.tick + ahead) / RANDOM_RANGE;
    const { think } = this.#rules;
    const policy = typeof think === "object" ? think[this.#npcKind(seat)] : think;
    if (me === undefined || policy === undefined) return inputs.quantize(NO_INPUT, before);

    const thought = policy(this.world, me, ahead, random, this.#foresight.of(me, seat, queued));
    inputs.checkThought(thought, me);
    const command = inputs.quantize(thought, before);

    // A player's seat has no table: it would react faster than any person
    const table = plans.tableOf(thought, me);
    return table === undefined || seat < PLAYER_SEATS ? command : commands.changed(command, table);
  }

  reactionTicks(seat: SeatId): number {
    const { reactionTicks = ticksOf(REACTION_SECONDS, this.#game.tickHz) } = this.#rules;
    return typeof reactionTicks === "number" ? reactionTicks : reactionTicks[this.#npcKind(seat)]!;
  }

  /** The kind of NPC that plays a seat, a lost player's too, in a game that declares kinds. */
  #npcKind(seat: SeatId): string {
    return this.world.npcKind(seat) ?? this.#game.npcKinds[0]!;
  }

  poses(out: PoseList): void {
    fillPoses(this.stage, (entity) => this.seatOf(entity), out);
  }

  /** Returns the seat that drives an entity; −1 for all but players' things. */
  seatOf(entity: Entity): number {
    return entity.archetype === this.#game.player.archetype ? entity.fields[SEAT_FIELD]! : -1;
  }

  #reset(): void {
    this.#events.begin(0);
    this.world.things.held.length = 0;
    this.world.close();
  }

  /** Sets the constants that players tune, before anything reads them. */
  #tune(commands: Commands<Command>): void {
    const { tuning } = this.#game;
    if (!tuning.hasConstants) return;
    for (const command of commands) {
      if (command !== undefined) tuning.apply(command, this.stage.fields);
    }
  }

  /** Clocks count down, and stopwatches up. */
  #count(): void {
    const { match, counting } = this.#game;
    const { stage } = this;
    countIn(stage.fields, match);
    for (const { archetype, fields: compiled } of counting) {
      for (const { fields } of stage.all(archetype)) countIn(fields, compiled);
    }
  }

  /** Keeps a player's thing on the stage exactly while commands name the seat. */
  #syncPresence(commands: Commands<Command>): void {
    const { world } = this;
    const bySeat = this.#bySeat;
    const rules = this.#rules;
    // `fill` leaves compiled code for each call
    for (let seat = 0; seat < SEATS; seat++) bySeat[seat] = undefined;
    const players = world.all(this.#game.player.name);
    for (let i = 0; i < players.length; i++) {
      bySeat[players[i]!.entity.fields[SEAT_FIELD]!] = players[i]!;
    }

    for (let seat = 0; seat < SEATS; seat++) {
      const command = commands[seat];
      const me = bySeat[seat];
      if (command === undefined && me !== undefined) {
        rules.leave?.(world, me);
        if (me.isHere) world.despawn(me);
        bySeat[seat] = undefined;
      } else if (command !== undefined && me === undefined && !world.isSeatRemoved(seat)) {
        bySeat[seat] = this.#enter(seat, command);
      }
    }
  }

  #enter(seat: SeatId, command: Command): ThingHandle {
    const { world } = this;
    const { player, inputs } = this.#game;
    const rules = this.#rules;
    const at = rules.enter(world, seat, inputs.chosen(command));
    const fields = world.rawFields(player, at.fields ?? {});
    fields[SEAT_FIELD] = seat;
    inputs.keep(command, fields);
    const me = world.place(player, at, fields);
    rules.entered?.(world, me);
    return me;
  }

  /**
   * Finds which plans of NPCs are taken, all of them in the same state: before anybody drives. The
   * conditions read the world, as `think` does.
   */
  #answerPlans(commands: Commands<Command>): void {
    const { plans } = this.#game;
    if (plans.count === 0) return;
    const { world } = this;
    world.close();
    for (let seat = PLAYER_SEATS; seat < SEATS; seat++) {
      const me = this.#bySeat[seat];
      this.#answers[seat] = me === undefined
        ? undefined
        : plans.answerOf(commands[seat]!, world, me);
    }
    world.open();
  }

  #drive(commands: Commands<Command>): void {
    const { world } = this;
    const rules = this.#rules;
    const { inputs } = this.#game;
    const input = this.#input;
    this.#answerPlans(commands);
    for (let seat = 0; seat < SEATS; seat++) {
      const me = this.#bySeat[seat];
      // Another seat's rules may have removed it.
      if (me === undefined || !me.isHere) continue;
      inputs.read(commands[seat]!, me.entity.fields, input);
      const answer = this.#answers[seat];
      for (const name in answer) input[name] = answer[name]!;
      rules.drive?.(world, me, input);
    }
  }
}

function countIn(fields: RawFields, { clocks, stopwatches }: CompiledFields): void {
  for (const clock of clocks) {
    const left = fields[clock]!;
    if (left > 0) fields[clock] = left - 1;
  }
  for (const watch of stopwatches) {
    const passed = fields[watch]!;
    if (passed < STOPWATCH_MAX) fields[watch] = passed + 1;
  }
}

/** Completes the stage's declaration for one simulation. */
function stageDefOf(
  { stageDef, declaration }: CompiledGame,
  of: (entity: StagedEntity) => ThingHandle,
): StageDef {
  const { shouldCollide, landsOn } = declaration as {
    shouldCollide?(a: ThingHandle, b: ThingHandle): boolean;
    landsOn?(thing: ThingHandle, platform: ThingHandle): boolean;
  };
  return {
    ...stageDef,
    ...(shouldCollide !== undefined && { shouldCollide: (a, b) => shouldCollide(of(a), of(b)) }),
    ...(landsOn !== undefined &&
      { landsOn: (entity, platform) => landsOn(of(entity), of(platform)) }),
  };
}

/** Sets the room's options. An unknown choice counts as the first one. */
function setOptions(
  { options }: CompiledGame,
  fields: Record<string, number>,
  choices: readonly number[],
): void {
  for (const [i, { field, words }] of options.entries()) {
    const choice = choices[i] ?? 0;
    fields[field] = words[choice] === undefined ? 0 : choice;
  }
}
