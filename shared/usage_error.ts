/** What every command line of this project says if it is wrong. */

/** Thrown for a command line that is wrong. The message is one line for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The exit code for a wrong command line, and for a machine that lacks what a program needs. */
export const EXIT_UNUSABLE = 2;
