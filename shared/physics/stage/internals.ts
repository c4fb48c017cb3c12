/**
 * The key to what is inside a stage. This folder's own files share it; nobody else may import it (`tests/tidy/walls_test.ts`), so what a game
 * sees of a stage is what its class says.
 */
import type { FieldValues } from "../core/fields.ts";
import type { Contacts } from "../dynamics/contacts.ts";
import type { JointTable } from "../joints/joint_table.ts";
import type { EntityTable } from "./entity_table.ts";
import type { SnapshotSchema } from "./snapshot_layout.ts";

/** Where a stage keeps its state and planck's caches of it: a `StageState`. */
export const INTERNALS = Symbol("internals");

/** All of a stage's state, and its caches in planck. */
export interface StageState extends SnapshotSchema {
  readonly entities: EntityTable;
  readonly joints: JointTable;
  readonly contacts: Contacts;
  /** The stage's own. */
  readonly fields: FieldValues;
  tick: number;
  nextId: number;
}
