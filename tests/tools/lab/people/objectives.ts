/** The laws' objective beside their previous one, for one match of `playPeople`. */
import { type QueueObjective, queueObjectiveOf } from "../queues/queue_objective.ts";
import type { PersonRecording } from "./person_recording.ts";

/** Means over all players. */
export interface Objectives {
  /** What players see, in pops a second (`tests/tools/bench/feel/objective.ts`). */
  readonly felt: number;
  /** What the law minimized before, ms (`queue_objective.ts`). */
  readonly queueMs: number;
  /** Both terms of `queueMs`. */
  readonly waitMs: number;
  readonly lateShare: number;
}

/** @param felt the objective of `feltFiguresOf` over the same recordings */
export function objectivesOf(people: readonly PersonRecording[], felt: number): Objectives {
  const queues = people.map(({ commandArrivals }) => queueObjectiveOf(commandArrivals));
  const mean = (key: keyof QueueObjective) =>
    Math.round(queues.reduce((sum, each) => sum + each[key], 0) / queues.length * 1e4) / 1e4;
  return {
    felt,
    queueMs: mean("objectiveMs"),
    waitMs: mean("waitMs"),
    lateShare: mean("lateShare"),
  };
}
