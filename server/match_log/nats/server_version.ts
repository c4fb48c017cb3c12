/**
 * Tells which servers fence: an older one with three replicas accepts two records with the same
 * expected sequence.
 */

/**
 * Of 200 pairs of writers, both won in some on 2.9.10, and in none on 2.10.27 or 2.15.1. Reads in
 * batches need 2.11.
 */
const VERSION_MIN = { major: 2, minor: 11 };

/** In words, for the message that refuses a server. */
export const VERSION_NEEDED = `${VERSION_MIN.major}.${VERSION_MIN.minor}`;

/** Whether a log on this server can be trusted. @param version such as "2.11.4" or "2.12.0-RC.1" */
export function isFencingVersion(version: string): boolean {
  const [major = NaN, minor = NaN] = version.split(".").map(Number);
  return major > VERSION_MIN.major || (major === VERSION_MIN.major && minor >= VERSION_MIN.minor);
}
