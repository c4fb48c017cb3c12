/**
 * The internals of a stage and the key to them. Only the physics may import this file, and what
 * shows planck beside a stage in development (`tests/tidy/walls.ts`). So a game has no access to a stage beyond the public members of its
 * class.
 */
import type { FieldValues } from "../core/fields.ts";
import type { TickLogs } from "../events/tick_logs.ts";
import { type StageDef, StageError } from "../core/types.ts";
import type { World } from "../dynamics/world.ts";
import type { Contacts } from "../dynamics/contacts.ts";
import type { JointTable } from "../joints/joint_table.ts";
import type { EntityTable } from "./entity_table.ts";
import type { SnapshotCheck, SnapshotSchema } from "../snapshot/check.ts";
import type { JointStream } from "../snapshot/joint_stream.ts";
import type { SavedState } from "../snapshot/saved_state.ts";

/**
 * | phase      | meaning                                                | forbidden                          |
 * | ---------- | ------------------------------------------------------ | ---------------------------------- |
 * | `closed`   | the stage is exactly the state that `save` writes      |                                    |
 * | `edited`   | the rules have changed the stage since the tick ended  | `save`                             |
 * | `advanced` | physics has run, and the tick has not ended            | `save`, `advance`, forces, torques |
 * | `broken`   | `advance` is running, or an error stopped it or `load` | `save`, every change but `load`    |
 */
type Phase = "closed" | "edited" | "advanced" | "broken";

/** The phases in which the lists of a tick are not there, in words. */
const OUTSIDE: Readonly<Record<Exclude<Phase, "advanced">, string>> = {
  closed: "between two ticks",
  edited: "before advance()",
  broken: "within advance(), or after it has failed",
};

/** The phase of one stage. */
export class StagePhase {
  value: Phase = "closed";

  /** Before a change by the rules. @throws StageError in a phase that allows none */
  beginEdit(): void {
    if (this.value === "broken") {
      throw new StageError("a stage that is broken, or within advance(), can only be loaded");
    }
    if (this.value === "closed") this.value = "edited";
  }

  /**
   * Before a read of a list that belongs to the physics of a tick. No snapshot has these lists, so
   * at any other time a stage that ran on would show another one than a stage that was loaded.
   * @throws StageError that names the list and the phase
   */
  requireAdvanced(list: string): void {
    if (this.value === "advanced") return;
    throw new StageError(
      `${list} is read ${
        OUTSIDE[this.value]
      }: it belongs to one tick; read it after advance() and before endTick()`,
    );
  }
}

/** The key of the property of a stage that holds its `StageState`. */
export const INTERNALS = Symbol("internals");

/** The whole state of a stage, with the world that is a cache of it. */
export interface StageState extends SnapshotSchema {
  /** As the author wrote it. */
  readonly definition: StageDef;
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
