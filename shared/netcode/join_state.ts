/** What a client needs to join or resync: S(n), the seats, and everything announced beyond n. */
import { SEATS, type Tick } from "./game.ts";
import type { Announcement, FullState, PresenceChange } from "./wire/messages.ts";
import { COMMANDS_AHEAD_TICKS_MAX, type Timeline } from "./timeline.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Presence } from "./presence.ts";

/** The parts of a tick message that carries a full state. */
export interface JoinState<Command> {
  readonly state: FullState<Command>;
  readonly presence: readonly PresenceChange[];
  readonly announcements: readonly Announcement<Command>[];
}

/**
 * Collects the state to join at.
 * @param tick the newest definitive tick; `snapshot` is its state and is not copied
 */
export function joinStateAt<Command>(
  tick: Tick,
  { timeline, presence, snapshot }: {
    timeline: Timeline<Command>;
    presence: Pick<Presence<Command>, "nameOf" | "pending">;
    snapshot: Snapshot;
  },
): JoinState<Command> {
  const seats = timeline.recordsAt(tick).map((record) => ({
    ...record,
    name: presence.nameOf(record.seat),
  }));
  return {
    state: { seats, snapshot: snapshot.bytes() },
    presence: presence.pending,
    announcements: announcedBeyond(tick, timeline),
  };
}

/** Collects all that is announced beyond a tick, by tick and then by seat. */
export function announcedBeyond<Command>(
  tick: Tick,
  timeline: Timeline<Command>,
): Announcement<Command>[] {
  const announcements: Announcement<Command>[] = [];
  for (let ahead = tick + 1; ahead <= tick + COMMANDS_AHEAD_TICKS_MAX; ahead++) {
    for (let seat = 0; seat < SEATS; seat++) {
      const command = timeline.announcedAt(ahead, seat);
      if (command !== undefined) announcements.push({ seat, tick: ahead, command });
    }
  }
  return announcements;
}
