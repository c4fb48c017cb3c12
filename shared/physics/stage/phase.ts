/** How far a stage is in its tick, and what it allows there. */
import { StageError } from "../core/types.ts";

/**
 * | phase      | meaning                                                | forbidden                       |
 * | ---------- | ------------------------------------------------------ | ------------------------------- |
 * | `closed`   | the stage is exactly the state that `save` writes      |                                 |
 * | `edited`   | the rules have changed the stage since the tick ended  | `save`                          |
 * | `advanced` | physics has run, and the tick has not ended            | `save`, `advance`, `applyForce` |
 * | `broken`   | `advance` is running, or an error stopped it or `load` | every change but `load`, `save` |
 */
type Phase = "closed" | "edited" | "advanced" | "broken";

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
}
