/** A thing as a plain object, for debuggers and tests. */
import type { EntityDescription, Stage } from "../../physics/stage/stage.ts";
import type { FieldKinds } from "../fields/kinds.ts";
import type { ThingHandle } from "./thing_table.ts";

/** A field's value: of a list its numbers, of a reference the id of its thing, or null. */
export type PlainFieldValue = number | boolean | string | readonly number[] | null;

/** One thing, or the ground. `archetype` in its parts is the name of a thing. */
export interface ThingDescription extends Omit<EntityDescription, "archetype" | "fields"> {
  /** The name in `things`. */
  readonly name: string;
  /** The seat whose commands drive it; −1 for all but players. */
  readonly seat: number;
  /** The declared fields as rules see them. */
  readonly fields: Readonly<Record<string, PlainFieldValue>>;
}

/** @param kinds the thing's fields; none for the ground */
export function describeThing(
  stage: Stage,
  { entity, name, seat, fields }: ThingHandle,
  kinds: FieldKinds,
): ThingDescription {
  const { id, archetype: _, fields: _raw, ...parts } = stage.describe(entity);
  const values = fields as Readonly<Record<string, unknown>>;
  return {
    id,
    name,
    seat,
    fields: Object.fromEntries(
      Object.entries(kinds).map(([field, kind]) => [field, plainValueOf(kind, values[field])]),
    ),
    ...parts,
  };
}

function plainValueOf(kind: FieldKinds[string], value: unknown): PlainFieldValue {
  if (typeof kind === "string") return value as number;
  if (kind.kind === "list") return [...value as Iterable<number>];
  if (kind.kind === "reference") return (value as { id: number } | undefined)?.id ?? null;
  return value as number | boolean | string;
}
