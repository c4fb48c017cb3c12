/**
 * One list of bans for all processes: a change is told to all, and one that starts asks another for
 * its list. Lists are merged entry by entry, so it does not matter who heard what first.
 */
import type { Ban, Bans } from "../bans/bans.ts";
import type { Bus } from "../bus/bus.ts";
import { BAN, BAN_LIST, BAN_LIST_BYTES_MAX } from "../bans/ban_message.ts";
import { messageFrom } from "../messages/message_parts.ts";

/** How long an answer may take, ms. */
const ANSWER_MS_MAX = 1_000;
/** How many processes are asked for their list, one after another, until one answers. */
const ASKED_MAX = 4;

/** The subject of a change. @param node the sender's name, or `*` for all */
export function banSubject(node: string): string {
  return `ban.${node}`;
}

/** The subject on which a process is asked for its list. */
export function bansSubject(node: string): string {
  return `bans.${node}`;
}

/**
 * Tells the others what changes here, and takes what they tell.
 * @param options.onNews called with each entry that came from another process and is news here
 */
export function shareBans(
  bans: Bans,
  { bus, node, onNews }: {
    bus: Pick<Bus, "publish" | "subscribe">;
    node: string;
    onNews?: (ban: Ban) => void;
  },
): void {
  bans.onChange((ban) => bus.publish(banSubject(node), JSON.stringify(ban)));
  bus.subscribe(banSubject("*"), (bytes) => {
    const ban = messageFrom(BAN, bytes);
    if (ban !== undefined && bans.take(ban)) onNews?.(ban);
  });
  bus.subscribe(bansSubject(node), () => Promise.resolve(JSON.stringify(bans.entries())));
}

/**
 * Takes in the list of another process, for a process that may have missed changes.
 * @param options.nodes those that may be asked
 */
export async function fetchBans(
  bans: Bans,
  { bus, nodes, onNews }: {
    bus: Pick<Bus, "request">;
    nodes: readonly string[];
    onNews?: ((ban: Ban) => void) | undefined;
  },
): Promise<void> {
  for (const node of nodes.slice(0, ASKED_MAX)) {
    const answer = await bus.request(bansSubject(node), "", ANSWER_MS_MAX);
    const bytes = new TextEncoder().encode(answer ?? "");
    const list = messageFrom(BAN_LIST, bytes, { bytesMax: BAN_LIST_BYTES_MAX });
    if (list === undefined) continue;
    for (const ban of list) if (bans.take(ban)) onNews?.(ban);
    return;
  }
}
