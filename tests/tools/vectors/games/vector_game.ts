/**
 * A game as the vectors have it. A command is the list of its fields' values in the order of the
 * schema, so one type fits every game.
 */
import type { Codec, CommandFieldSchema } from "../../../../shared/netcode/game.ts";
import type { GameSchema } from "../../../../shared/netcode/game_schema.ts";
import { BodyModel } from "../../../../shared/netcode/wire/body_model.ts";

/** A command's values, in the order of the schema's `command`. */
export type CommandValues = readonly number[];

export interface VectorGame {
  /** As `GET /api/games/ID` answers it. */
  readonly schema: GameSchema;
  readonly codec: Codec<CommandValues>;
  readonly model: BodyModel;
}

/** All values of a field of a command. */
export function valuesOf(field: CommandFieldSchema): CommandValues {
  if (field.type !== "number") return field.values;
  return Array.from({ length: field.greatest - field.least + 1 }, (_, i) => field.least + i);
}

/** At most seven values of a field: the ends of its range, and some between them. */
export function someValuesOf(field: CommandFieldSchema): CommandValues {
  const all = valuesOf(field);
  const middle = all.length >> 1;
  if (all.length <= 7) return all;
  return [0, 1, middle - 3, middle, middle + 1, all.length - 2, all.length - 1].map((i) => all[i]!);
}

/** A codec of lists from a codec of another representation. */
export function codecOfLists<Command>(
  codec: Codec<Command>,
  { toList, fromList }: {
    toList(command: Command): CommandValues;
    fromList(values: CommandValues): Command;
  },
): Codec<CommandValues> {
  return {
    neutral: toList(codec.neutral),
    code: (value, reference, coder) =>
      toList(codec.code(fromList(value), fromList(reference), coder)),
    same: (a, b) => codec.same(fromList(a), fromList(b)),
  };
}

/** The prediction of a schema's bodies. @throws TypeError for a schema without bodies */
export function modelOf({ kinds, worldStepsPerTick, tickHz }: GameSchema): BodyModel {
  if (kinds === undefined || worldStepsPerTick === undefined) {
    throw new TypeError("a schema without bodies");
  }
  const schemas = kinds.map(({ name, projectile, joint, moves, turns, gravity, fields }) => ({
    name,
    moves,
    turns,
    isProjectile: projectile,
    isJoint: joint,
    gravityUnits: gravity,
    fields: fields.map(({ name, type, clock }) => ({ name, type, drift: clock })),
  }));
  return new BodyModel({ schemas, substeps: worldStepsPerTick }, tickHz);
}
