/** The declared fields of entities, joints and stages. */
import type { FieldType } from "../../body_list.ts";

/**
 * Names and types of an entity's fields. Their order is their order in the snapshot, one 32-bit
 * word each.
 */
export type FieldSpec = Readonly<Record<string, FieldType>>;

/** The values of an entity's fields, which rules read and write. */
export type Fields<Spec extends FieldSpec> = { -readonly [Name in keyof Spec]: number };
