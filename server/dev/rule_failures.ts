/** The errors of rules that ended matches under `deno task dev`, for the open pages. */
import { authorsPlace } from "../../shared/source_place.ts";
import type { SourceProblem, SourceProblems } from "../../shared/source_problem.ts";

/** Each new match fails in the same way, and later mistakes usually follow from the first ones. */
const FAILURES_MAX = 4;

/** A change to the rules starts another server, which has none of them. */
export class RuleFailures {
  readonly #problems: SourceProblem[] = [];

  /** Takes what ended a match. */
  add(error: unknown): void {
    const { message, stack } = error instanceof Error
      ? error
      : { message: String(error), stack: "" };
    const place = authorsPlace(stack) ?? { file: "the rules", line: 1, column: 1 };
    const problem = { ...place, message: `a match ended: ${message.split("\n")[0]}` };
    const isKnown = this.#problems.some(({ file, line }) =>
      file === problem.file && line === problem.line
    );
    if (!isKnown && this.#problems.length < FAILURES_MAX) this.#problems.push(problem);
  }

  /** Adds them to the answer to `GET /dev`. @param answer as JSON */
  addedTo(answer: string): string {
    if (this.#problems.length === 0) return answer;
    const { problems } = JSON.parse(answer) as SourceProblems;
    return JSON.stringify({ problems: [...this.#problems, ...problems] } satisfies SourceProblems);
  }
}
