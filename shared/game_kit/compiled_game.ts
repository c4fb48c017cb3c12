/**
 * Compiles a declaration once for all matches into what the stage, the commands and the rules need.
 */
import type { Clocks } from "../physics/stage/body_stream.ts";
import { type Archetype, type JointDef, jointDef, type StageDef } from "../physics/core/types.ts";
import { Inputs } from "./command/inputs.ts";
import { type LoosePlans, Plans, TABLE } from "./command/plans.ts";
import { partGuesses } from "./command/part_guesses.ts";
import { commandTableOf } from "./command/command_codec.ts";
import type { CommandTable } from "./command/command_table.ts";
import type { Command } from "./command/parts.ts";
import { commandSchemaOf } from "./command/command_schema.ts";
import { type CommandFieldSchema, PLAYER_SEATS, SEATS } from "../netcode/game.ts";
import type { Declaration } from "./declaration.ts";
import { type CompiledFields, compileFields, type FieldBound } from "./fields/compiled_fields.ts";
import { type FieldAccess, fieldAccessOf } from "./fields/field_access.ts";
import type { Choice, FieldKinds } from "./fields/kinds.ts";
import type { GameTypes } from "./game_types.ts";
import { Tuning } from "./tune/tune.ts";

/** Defaults for `Declaration.tickHz` and `Declaration.substeps`. */
const TICK_HZ = 20;
const SUBSTEPS = 2;

/** The kit's own fields in the match. Authors' names contain no space. */
export const RANDOM_FIELD = "kit random";
export const NPCS_FIELD = "kit npcs";
/** NPC seats that rules have added: bit n is NPC seat n. */
export const ADDED_NPCS_FIELD = "kit added npcs";
/** The kinds of all NPC seats: bits 2n and 2n + 1 belong to NPC seat n. */
export const NPC_KINDS_FIELD = "kit npc kinds";
const NPC_KIND_BITS = 2;
const NPC_KIND_MASK = (1 << NPC_KIND_BITS) - 1;
/** Most kinds of NPCs: as many as two bits tell apart. */
export const NPC_KINDS_MAX = NPC_KIND_MASK + 1;
/** The field that holds the seat in a player's thing. */
export const SEAT_FIELD = "seat";
/** Names the match's field for one room option. */
const optionField = (option: string) => `option ${option}`;

/** The things with one name. */
export interface CompiledThing {
  readonly name: string;
  readonly archetype: Archetype;
  readonly fields: CompiledFields;
  readonly access: FieldAccess;
  readonly isPlayer: boolean;
  /** Whether a path moves it. */
  readonly isOnPath: boolean;
}

export interface CompiledGame {
  readonly declaration: Declaration<GameTypes>;
  readonly tickHz: number;
  readonly things: ReadonlyMap<string, CompiledThing>;
  /** Those with fields that count. */
  readonly counting: readonly CompiledThing[];
  readonly player: CompiledThing;
  readonly joints: ReadonlyMap<string, JointDef>;
  readonly match: CompiledFields;
  readonly matchAccess: FieldAccess;
  readonly options: readonly {
    readonly name: string;
    readonly field: string;
    readonly words: readonly string[];
  }[];
  /** The kinds of NPCs by name; empty if the declaration names none. */
  readonly npcKinds: readonly string[];
  readonly schema: readonly CommandFieldSchema[];
  readonly commands: CommandTable<Command>;
  readonly inputs: Inputs;
  readonly plans: Plans;
  readonly tuning: Tuning;
  /** Without `shouldCollide` and `landsOn`, which each simulation adds. */
  readonly stageDef: StageDef;
  /** The fields that count by themselves, for the body stream. */
  readonly clocks: Clocks;
}

/** Converts a time of the kit's own to ticks: at least one, however slow the game ticks. */
export function ticksOf(seconds: number, tickHz: number): number {
  return Math.max(1, Math.round(seconds * tickHz));
}

/** Reads the number of a seat's kind from the field of all kinds. @param index 0 for the first NPC seat */
export function npcKindIn(kinds: number, index: number): number {
  return kinds >>> NPC_KIND_BITS * index & NPC_KIND_MASK;
}

/** The field of all kinds with another kind for one seat. @param index 0 for the first NPC seat */
export function withNpcKind(kinds: number, index: number, kind: number): number {
  const shift = NPC_KIND_BITS * index;
  return (kinds & ~(NPC_KIND_MASK << shift) | kind << shift) >>> 0;
}

/** The kinds of the NPCs that a room asks for: `npcMix` again and again, by default the first kind. */
export function mixedKinds({ npcs = {}, npcMix = [] }: Declaration<GameTypes>): number {
  if (npcMix.length === 0) return 0;
  const kinds = Object.keys(npcs);
  let mixed = 0;
  for (let index = 0; index < SEATS - PLAYER_SEATS; index++) {
    mixed = withNpcKind(mixed, index, kinds.indexOf(npcMix[index % npcMix.length]!));
  }
  return mixed;
}

/** Whether the stage reports touches of fixtures, by the feature of that name. */
export function hasTouches({ features }: StageDef): boolean {
  return features?.some(({ feature }) => feature === "touches") ?? false;
}

/** Compiles a declaration and the rules' plans, which passed their checks. */
export function compileGame(
  declaration: Declaration<GameTypes>,
  loosePlans: LoosePlans = {},
): CompiledGame {
  const { tickHz = TICK_HZ, join = {} } = declaration;

  // Commands, and what they keep in a player's fields
  const tuning = new Tuning(declaration.tune ?? {});
  const plans = new Plans(loosePlans);
  const schema = [
    ...commandSchemaOf(declaration.command, join),
    ...plans.schema,
    ...tuning.schema,
  ];
  const commands = commandTableOf(schema, partGuesses(declaration.command));
  const inputs = new Inputs(declaration.command, join, {
    commands,
    ...plans.count > 0 && { leftOut: TABLE },
  });
  const hidden = [{ field: SEAT_FIELD, count: SEATS }, ...inputs.keptFields];

  // Things and joints
  const things = new Map(
    Object.keys(declaration.things).map((name) =>
      [name, compileThing(declaration, name, hidden)] as const
    ),
  );
  const joints = new Map(
    Object.entries(declaration.joints ?? {}).map(([name, def]) =>
      [name, jointDef({ fields: {}, ...def, name } as JointDef)] as const
    ),
  );

  // The room's options, and the match's fields, which hold them and the tuned constants
  const options = Object.entries(declaration.options ?? {}).map((
    [name, { words }]: [string, Choice],
  ) => ({
    name,
    words,
    field: optionField(name),
  }));
  const npcKinds = Object.keys(declaration.npcs ?? {});
  const match = compileMatch(
    declaration.match ?? {},
    [...options.map(({ field, words }) => ({ field, count: words.length })), ...tuning.fields],
    { addsNpcs: npcKinds.length > 0 },
  );

  return {
    declaration,
    tickHz,
    things,
    counting: [...things.values()].filter(({ fields }) =>
      fields.clocks.length + fields.stopwatches.length > 0
    ),
    joints,
    options,
    npcKinds,
    schema,
    commands,
    inputs,
    plans,
    tuning,
    match,
    player: things.get(declaration.player)!,
    matchAccess: fieldAccessOf(match.kinds, "match"),
    stageDef: stageDefOf(declaration, tickHz, {
      archetypes: [...things.values()].map(({ archetype }) => archetype),
      joints: [...joints.values()],
      fields: match.spec,
    }),
    clocks: Object.fromEntries(
      [
        ["stage", match] as const,
        ...[...things].map(([name, { fields }]) => [name, fields] as const),
      ].map((
        [owner, { clocks, stopwatches }],
      ) => [
        owner,
        Object.fromEntries([
          ...clocks.map((clock) => [clock, -1 as const]),
          ...stopwatches.map((stopwatch) => [stopwatch, 1 as const]),
        ]),
      ]),
    ),
  };
}

function compileMatch(
  kinds: FieldKinds,
  hidden: readonly FieldBound[],
  { addsNpcs }: { readonly addsNpcs: boolean },
): CompiledFields {
  const match = compileFields(kinds, [
    { field: NPCS_FIELD, count: SEATS - PLAYER_SEATS + 1 },
    ...hidden,
  ]);
  return {
    ...match,
    spec: {
      ...match.spec,
      [RANDOM_FIELD]: "u32",
      ...(addsNpcs && { [ADDED_NPCS_FIELD]: "u16", [NPC_KINDS_FIELD]: "u32" }),
    },
  };
}

function compileThing(
  declaration: Declaration<GameTypes>,
  name: string,
  hidden: readonly FieldBound[],
): CompiledThing {
  const { fields: kinds = {}, ...def } = declaration.things[name]!;
  const isPlayer = name === declaration.player;
  const fields = compileFields(kinds as FieldKinds, isPlayer ? hidden : []);
  return {
    name,
    fields,
    isPlayer,
    archetype: { ...def, name, fields: fields.spec } as Archetype,
    access: fieldAccessOf(fields.kinds, name),
    isOnPath: def.body?.path !== undefined,
  };
}

/** Collects the options that a declaration passes on to the stage. */
function stageDefOf(
  { gravity, ground, substeps = SUBSTEPS, ...declaration }: Declaration<GameTypes>,
  tickHz: number,
  compiled: Pick<StageDef, "archetypes" | "joints" | "fields">,
): StageDef {
  const def: Record<string, unknown> = { gravity, ground, substeps, tickHz, ...compiled };
  for (const option of STAGE_OPTIONS) {
    if (declaration[option] !== undefined) def[option] = declaration[option];
  }
  return def as unknown as StageDef;
}

/** The options that a declaration may leave out. */
const STAGE_OPTIONS = [
  "features",
  "solverSteps",
  "velocityIterations",
  "positionIterations",
  "restitutionThreshold",
  "speedMax",
  "spinMax",
  "onSpeedMax",
  "mutable",
  "limits",
  "restitutions",
  "frictions",
] as const;
