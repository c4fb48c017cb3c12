/**
 * A mistake in the sources that `deno task dev` has found. The development server passes it on to
 * the open pages, which show it.
 */
export interface SourceProblem {
  /** The file's path from the project's folder. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** One line. */
  readonly message: string;
}

/** The problems at the moment: the answer to `GET /dev`. */
export interface SourceProblems {
  readonly problems: readonly SourceProblem[];
}
