/**
 * A moment's address: /replay#ID@TICK, or among several games /NAME/replay#ID@TICK. A log from a
 * file has no id. All of it stands behind the #, so a server learns only which log is fetched.
 */

export interface ReplayUrl {
  /** The match's name on the server; empty for none. */
  readonly id: string;
  /** Undefined for the first one. */
  readonly tick: number | undefined;
}

const HASH = /^#?([\w-]{0,64})(?:@(\d{1,9}))?$/;

export function parseReplayUrl({ hash }: { hash: string }): ReplayUrl {
  const [, id = "", tick] = HASH.exec(hash) ?? [];
  return { id, tick: tick === undefined ? undefined : Number(tick) };
}

export function formatReplayUrl({ id, tick }: ReplayUrl): string {
  return `#${id}${tick === undefined ? "" : `@${tick}`}`;
}
