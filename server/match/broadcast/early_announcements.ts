/**
 * Early announcements: a client on a slow connection gets players' urgent commands halfway between
 * two ticks instead of with the next tick message. On average it has them 17 ms earlier.
 *
 * A client's prediction differs from the truth while a command is on its way. On a slow connection,
 * this is most of what a player sees of rivals. Only commands that clients do not expect are sent
 * early, so few messages are added.
 */
import type { Game } from "../../../shared/netcode/game.ts";
import type { Timeline } from "../../../shared/netcode/timeline.ts";
import type { Announcement } from "../../../shared/netcode/wire/messages.ts";
import type { Client } from "../clients/client.ts";

/** If a client's advised lead is longer than this, ms, its connection counts as slow. */
const FAR_LEAD_MS = 100;
/**
 * How many ticks before a command the previous one is searched: as many as clients guess from it.
 */
const BEFORE_TICKS_MAX = 8;

/** Whether a client gets early announcements now. */
export function getsEarlyAnnouncements<Command>(
  { link, leadAdvisor, deltaState }: Client<Command>,
): boolean {
  const { mode, resumeAfter } = deltaState;
  return link.ordered && (leadAdvisor.advisedLeadMs ?? 0) > FAR_LEAD_MS && mode === "delta" &&
    resumeAfter === undefined;
}

/** An early announcement on its way. */
interface SentEarly<Command> {
  readonly early: readonly Announcement<Command>[];
  readonly receivers: readonly Client<Command>[];
  /** Resolves when its record counts; undefined if it already does. */
  readonly written: Promise<void> | undefined;
  /** Whether the tick that repeats it has not run yet. */
  readonly isDue: () => boolean;
  readonly onSent: (bytes: number) => void;
}

/**
 * Sends an early announcement, once its record counts, to all clients except one that sent all of
 * its commands itself.
 */
export function sendEarly<Command>(
  message: Uint8Array,
  { early, receivers, written, isDue, onSent }: SentEarly<Command>,
): void {
  const send = (bytes: Uint8Array) => {
    for (const { link, player } of receivers) {
      if (early.every(({ seat }) => seat === player?.seat)) continue;
      link.send(bytes);
      onSent(bytes.length);
    }
  };
  if (written === undefined) return send(message);

  // Copied, because the caller reuses the bytes.
  const copy = message.slice();
  void written.then(() => isDue() && send(copy));
}

/**
 * Selects the urgent commands, at most each seat's first.
 * @param announced the commands just announced
 */
export function urgentCommands<Command>(
  announced: readonly Announcement<Command>[],
  timeline: Timeline<Command>,
  isUrgent: NonNullable<Game<Command>["isUrgent"]>,
): Announcement<Command>[] {
  const bySeat = new Map<number, Announcement<Command>>();
  for (const each of announced) {
    if ((bySeat.get(each.seat)?.tick ?? Infinity) < each.tick) continue;
    const before = commandBefore(each, timeline);
    if (before === undefined || isUrgent(each.command, before)) bySeat.set(each.seat, each);
  }
  return [...bySeat.values()];
}

function commandBefore<Command>(
  { seat, tick }: Announcement<Command>,
  timeline: Timeline<Command>,
): Command | undefined {
  for (let before = tick - 1; before >= Math.max(0, tick - BEFORE_TICKS_MAX); before--) {
    const command = timeline.announcedAt(before, seat);
    if (command !== undefined) return command;
  }
  return undefined;
}
