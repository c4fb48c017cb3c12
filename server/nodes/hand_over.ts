/**
 * A node that stops hands each of its matches over to another node, which therefore need not wait
 * until this one is silent:
 *
 *     stand still → every record acknowledged → ask the next node → it fences, reads, goes on → links close, "moved"
 */
import * as z from "zod";
import type { Bus } from "../bus/bus.ts";
import type { Log } from "../ground/log.ts";
import { matchOfSubject, type RecordStore, subjectOf } from "../match_log/nats/record_store.ts";
import type { ClusterLogs, OwnedLog } from "./cluster_logs.ts";
import { messageFrom, NODE_NAME } from "../messages/message_parts.ts";
import type { Nodes } from "./nodes.ts";
import { leastBusy } from "./placement.ts";
import type { TakeOvers } from "./take_overs.ts";

/**
 * How long the log may take to finish what is under way, ms: more than a server's stall, less than
 * an election.
 */
const IDLE_MS_MAX = 1_000;
/**
 * How long the next node may take, ms. It replays up to 200 ticks, after those of other matches.
 */
const TAKEN_MS_MAX = 2_000;
/** How many matches are handed over side by side, because the next node replays each of them. */
const AT_ONCE = 4;

const ASK = z.object({ subject: z.string().max(256), owner: NODE_NAME });

/** What a hand-over needs of the rooms: that a match in them can stand still. */
export interface HeldRooms {
  hold(gameId: string, room: string): void;
  /** Lets a match that stands still go on. */
  release(gameId: string, room: string): void;
}

export interface HandOverOptions {
  readonly node: string;
  readonly bus: Pick<Bus, "request">;
  readonly nodes: Nodes;
  readonly logs: ClusterLogs;
  readonly rooms: HeldRooms;
  /** Whether a match that no node takes goes on here, because this node does not end. */
  readonly staysOpen: boolean;
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Log;
}

/** The subject on which a node is asked to take a match. */
export function takeSubject(node: string): string {
  return `take.${node}`;
}

/** Answers a node that asks this one to take a match over. @returns "taken", or why not */
export async function onTakeAsked(
  bytes: Uint8Array,
  { store, takeOvers, isStopping }: {
    store: RecordStore;
    takeOvers: TakeOvers;
    isStopping: () => boolean;
  },
): Promise<string> {
  const asked = askOf(bytes);
  if (asked === undefined) return "no such request";
  if (isStopping()) return "stopping, too";
  const last = await store.lastOnce(asked.subject);
  if (typeof last === "string") return last;
  // If this node stalled, another one may have been asked in the meantime.
  if (last.message.node !== asked.owner) return "not yours";
  return await takeOvers.take(last) ? "taken" : "not taken";
}

/**
 * Hands over every match that another node takes. The others stay, and end as they would without a
 * cluster, or go on if this node does.
 * @returns how many were taken
 */
export async function handOverAll(options: HandOverOptions): Promise<number> {
  const left = [...options.logs.owned];
  const given = new Map<string, number>();
  let taken = 0;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let owned = left.shift(); owned !== undefined; owned = left.shift()) {
      if (await handOver(owned, { ...options, given })) taken++;
      else if (options.staysOpen) options.rooms.release(owned.gameId, owned.room);
    }
  }));
  return taken;
}

/**
 * Lists the other nodes in the order in which they are asked: the least busy one, then the
 * candidates by rank.
 * @param options.given how many matches each node was asked to take so far, because its load shows
 * them only seconds later
 */
export function takersFor(
  subject: string,
  { nodes, node, given }: {
    nodes: Pick<Nodes, "rankedFor" | "get">;
    node: string;
    given: ReadonlyMap<string, number>;
  },
): string[] {
  const own = nodes.get(node);
  const loadEach = own === undefined ? 0 : own.load / Math.max(1, own.matches);
  const others = nodes.rankedFor(subject).filter((other) => other.node !== node);
  const takers = others.map(({ node: name, load, matches }) => ({
    name,
    load: load + loadEach * (given.get(name) ?? 0),
    matches: matches + (given.get(name) ?? 0),
  }));
  const first = leastBusy(takers, { equalLoad: 0 })?.name;
  return [
    ...first === undefined ? [] : [first],
    ...others.map((other) => other.node).filter((name) => name !== first),
  ];
}

/** @returns whether another node has taken the match */
async function handOver(
  { gameId, room, log }: OwnedLog,
  options: HandOverOptions & { given: Map<string, number> },
): Promise<boolean> {
  const { node: owner, rooms, wait, bus, logs, log: write, given } = options;
  const subject = subjectOf(gameId, room);

  // Stand still until the servers hold every record.
  rooms.hold(gameId, room);
  const durable = Promise.resolve(log.durable());
  const isIdle = await Promise.race([
    durable.then(() => true),
    wait(IDLE_MS_MAX).then(() => false),
  ]);
  if (!isIdle || !log.isOpen) return false;

  // Ask one node after another, until one has taken the match.
  for (const next of takersFor(subject, options)) {
    given.set(next, (given.get(next) ?? 0) + 1);
    const answer = await bus.request(
      takeSubject(next),
      JSON.stringify({ subject, owner }),
      TAKEN_MS_MAX,
    );
    write("match_handed_over", { id: log.id, room, to: next, answer: answer ?? "none" });
    if (answer !== "taken") continue;
    logs.leave(gameId, room);
    return true;
  }
  return false;
}

function askOf(bytes: Uint8Array): z.output<typeof ASK> | undefined {
  const asked = messageFrom(ASK, bytes);
  try {
    const { gameId, room } = matchOfSubject(asked?.subject ?? "");
    return asked !== undefined && subjectOf(gameId, room) === asked.subject ? asked : undefined;
  } catch {
    return undefined; // a game whose name is no code of a URI
  }
}
