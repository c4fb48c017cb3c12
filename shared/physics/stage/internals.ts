/**
 * The internals of a stage and the key to them. Only the physics may import this file (`tests/tidy/walls_test.ts`), so
 * a game has no access to a stage beyond the public members of its class.
 */
import type { FieldValues } from "../core/fields.ts";
import type { TickLogs } from "./tick_logs.ts";
import type { StagePhase } from "./phase.ts";
import type { World } from "../dynamics/world.ts";
import type { Contacts } from "../dynamics/contacts.ts";
import type { JointTable } from "../joints/joint_table.ts";
import type { EntityTable } from "./entity_table.ts";
import type { SnapshotCheck, SnapshotSchema } from "../snapshot/check.ts";
import type { JointStream } from "../snapshot/joint_stream.ts";
import type { SavedState } from "../snapshot/saved_state.ts";

/** The key of the property of a stage that holds its `StageState`. */
export const INTERNALS = Symbol("internals");

/** The whole state of a stage, with the world that is a cache of it. */
export interface StageState extends SnapshotSchema {
  readonly entities: EntityTable;
  /** Undefined without the feature. */
  readonly joints: JointTable | undefined;
  readonly jointStream: JointStream | undefined;
  readonly contacts: Contacts;
  readonly world: World;
  readonly logs: TickLogs;
  readonly phase: StagePhase;
  /** The declared fields of the stage itself. */
  readonly fields: FieldValues;
  readonly saved: SavedState;
  readonly check: SnapshotCheck;
  tick: number;
  /** The id of the next entity or joint. */
  nextId: number;
}
