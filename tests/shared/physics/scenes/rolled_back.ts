/**
 * Forced rollbacks for a scene of a test's own. One stage runs straight. Another one goes back
 * every few ticks, runs those ticks with the wrong rules of a mispredicted timeline, loads the old
 * state, and runs them with the right rules. Every third load is into a fresh stage. After every
 * tick both stages have the same words.
 */
import { assert, assertGreater } from "@std/assert";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import type { StageDef } from "../../../../shared/physics/core/types.ts";

/** The rules of one tick, before its physics: a function of the state and of `stage.tick`. */
export type Rules = (stage: Stage) => void;

/**
 * Compares `ticks` ticks. The mispredicted timelines run `wrong`.
 * @returns the stage that ran straight
 */
export function assertSameAfterRollbacks(
  def: StageDef,
  { start, rules, wrong, ticks, seed = 1 }: {
    readonly start: Rules;
    readonly rules: Rules;
    readonly wrong: Rules;
    readonly ticks: number;
    readonly seed?: number;
  },
): Stage {
  const random = new Random(seed);
  const straight = new Stage(def, { savesWhole: true });
  const expected = new Snapshot();
  const actual = new Snapshot();
  const history: Snapshot[] = [];
  let rolled = new Stage(def);
  let loads = 0;
  start(straight);
  straight.endTick();
  history.push(saved(straight));
  rolled.load(history[0]!);

  for (let tick = 1; tick <= ticks; tick++) {
    step(straight, rules);
    straight.save(expected);
    history.push(saved(straight));
    step(rolled, rules);
    if (random.below(4) === 0) {
      const depth = 1 + random.below(Math.min(tick, 18));
      rolled.load(history[tick - depth]!);
      for (let i = 1 + random.below(depth); i > 0; i--) step(rolled, wrong);
      if (++loads % 3 === 0) rolled = new Stage(def);
      rolled.load(history[tick - depth]!);
      for (let i = 0; i < depth; i++) step(rolled, rules);
    }
    rolled.save(actual);
    assert(actual.equals(expected), `tick ${tick} differs after ${loads} rollbacks`);
  }

  assertGreater(loads, ticks / 8);
  return straight;
}

function step(stage: Stage, rules: Rules): void {
  rules(stage);
  stage.advance();
  stage.endTick();
}

function saved(stage: Stage): Snapshot {
  const snapshot = new Snapshot();
  stage.save(snapshot);
  return snapshot;
}
