/** Why a program's server cannot start. */

/** Thrown for settings that a server cannot use. The message is one line for the operator. */
export class HostError extends Error {
  override readonly name = "HostError";
}
