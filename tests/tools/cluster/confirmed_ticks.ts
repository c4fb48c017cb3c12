/**
 * Judges the ticks that clients have had by the log that stands on the servers at the end. A client
 * cannot see whether a tick was confirmed when it came, but the node that sent it says so (SPEC
 * 17.200). Its `log_late` names the newest acknowledged message before the first tick goes out
 * without. Its `log_in_time` says that none such is out any more.
 *
 *     the log has the tick from this owner, with this hash         → kept
 *     it came after the last record of a node that ended late      → discarded: it was sent unconfirmed (SPEC 17.106)
 *     otherwise                                                    → lost or changed, and a rule is broken
 *
 * The log of a match that its node only orders has no hashes, so a replay of it says what they are.
 */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import type { StoredMessage } from "../../../server/match_log/nats/record_store.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import { FrameReader } from "../../../shared/netcode/match_log/frames.ts";
import { RecordReader } from "../../../shared/netcode/match_log/record_coder.ts";
import { MemoryLog } from "../../support/logs/memory_logs.ts";
import { replayedHashes } from "../../support/logs/replayed_hashes.ts";

/**
 * How many ticks a node may send without an answer: those of 10 s, while the log has no leader
 * (SPEC 17.105).
 */
const UNCONFIRMED_MAX = 10 * dragonGame.tickHz;
/** How many faults are described one by one. */
const LINES_MAX = 40;

/** A client's connection to a match's owner. It closes when the owner's time ends. */
export interface Had {
  /** The client, in words. */
  readonly who: string;
  /** The node, as the log names it. */
  readonly node: string;
  /** The oldest first. */
  readonly ticks: readonly HadTick[];
}

/** A tick that a client received. */
export interface HadTick {
  readonly tick: Tick;
  readonly hash: number;
  /** When the client received it, ms since 1970. */
  readonly atMs: number;
  /** The part of the run in which it came. */
  readonly part: string;
}

/** A message that a log server showed before the end. */
export type ShownMessage = Pick<StoredMessage, "sequence"> & { readonly nonce: bigint };

/** What is known when a run ends. */
export interface Evidence {
  /** The match's whole log. */
  readonly messages: readonly StoredMessage[];
  readonly had: readonly Had[];
  /** Each node's output by its name. */
  readonly outputs: ReadonlyMap<string, string>;
  /** Messages that were the newest at some time. */
  readonly shown: Iterable<ShownMessage>;
}

/** One part's ticks. */
export interface PartVerdict {
  /**
   * How many of the clients' ticks were looked up in the log; how many of these were confirmed and
   * are missing there, and how many were confirmed and differ there.
   */
  compared: number;
  lost: number;
  changed: number;
  /**
   * Unconfirmed ticks that another node played again, each counted once, and the most that one
   * owner lost.
   */
  discardedTicks: number;
  discardedTicksMax: number;
}

export interface Verdict {
  readonly parts: ReadonlyMap<string, PartVerdict>;
  /**
   * Messages that a server showed or a node knew as acknowledged, and that are missing in the log.
   */
  readonly lostMessages: number;
  /** Describes each fault, up to a limit. */
  readonly lines: readonly string[];
}

/** A tick record that the servers keep. */
interface LoggedTick {
  /** 0 in a match that is only ordered, until a replay has computed it. */
  hash: number;
  readonly from: StoredMessage;
}

/** The end of a node's time as a match's owner, with ticks sent that were not acknowledged. */
interface LateEnd {
  readonly epoch: number;
  /**
   * The newest tick from it that the servers keep, and by part those of its discarded ticks that
   * clients received.
   */
  readonly lastTick: Tick;
  readonly discardedTicks: Map<string, Set<Tick>>;
}

/** Judges a run. @throws Error for a log that is no log of one match */
export function judge(evidence: Evidence): Verdict {
  const parts = new Map<string, PartVerdict>();
  const { ticks, newest, isOrdered } = ticksOf(evidence.messages);
  if (isOrdered) computeHashes(ticks, evidence.messages);
  const { lateEnds, lost } = messagesOf(evidence, newest);
  const lines = [...lost];

  for (const { who, node, ticks: hadTicks } of evidence.had) {
    const epoch = epochOf(hadTicks, { node, ticks });
    const ends = (lateEnds.get(node) ?? []).filter((end) =>
      epoch === undefined || end.epoch === epoch
    );
    for (const each of hadTicks) {
      const part = partOf(parts, each.part);
      const logged = ticks.get(each.tick);
      part.compared++;
      // A tick that a later owner played again was not kept, even if it is the same.
      const isSame = logged?.hash === each.hash;
      const isLater = logged !== undefined && logged.from.message.epoch > (epoch ?? Infinity);
      if (isSame && !isLater) continue;
      const end = ends.find(({ lastTick }) =>
        each.tick > lastTick && each.tick <= lastTick + UNCONFIRMED_MAX
      );
      if (end !== undefined) {
        const discardedTicks = end.discardedTicks.get(each.part) ?? new Set();
        end.discardedTicks.set(each.part, discardedTicks.add(each.tick));
        continue;
      }
      if (logged === undefined || isSame) part.lost++;
      else part.changed++;
      lines.push(faultLine(each, { who, node, logged }));
    }
  }

  for (const { discardedTicks } of [...lateEnds.values()].flat()) {
    for (const [name, { size }] of discardedTicks) {
      const part = partOf(parts, name);
      part.discardedTicks += size;
      part.discardedTicksMax = Math.max(part.discardedTicksMax, size);
    }
  }

  return { parts, lostMessages: lost.length, lines: lines.slice(0, LINES_MAX) };
}

/**
 * Looks for the messages that a node knew as acknowledged, or that a server showed.
 * @param newest by message the newest tick up to it
 * @returns by node its late ends, and the missing messages, in words
 */
function messagesOf({ messages, outputs, shown }: Evidence, newest: readonly Tick[]) {
  const lateEnds = new Map<string, LateEnd[]>();
  const lost: string[] = [];
  const places = new Map(messages.map(({ sequence }, place) => [sequence, place]));

  for (const [node, output] of outputs) {
    const ends: LateEnd[] = [];
    for (const sequence of lateEndsIn(output)) {
      const place = places.get(sequence);
      if (place === undefined) {
        lost.push(`lost: message ${sequence}, which node ${node} knew as acknowledged`);
        continue;
      }
      const { epoch } = messages[place]!.message;
      ends.push({ epoch, lastTick: newest[lastOf(messages, place)]!, discardedTicks: new Map() });
    }
    lateEnds.set(node, ends);
  }

  for (const { sequence, nonce } of shown) {
    const place = places.get(sequence);
    if (place !== undefined && messages[place]!.message.nonce === nonce) continue;
    lost.push(`lost: message ${sequence}, which a server has shown`);
  }

  return { lateEnds, lost };
}

/** The newest tick in a log; −1 before the first. */
export function newestTickIn(messages: readonly StoredMessage[]): Tick {
  return ticksOf(messages).newest.at(-1) ?? -1;
}

/**
 * A connection's epoch: that of its first tick that the log keeps from its node; undefined if it
 * keeps none.
 */
function epochOf(
  had: readonly HadTick[],
  { node, ticks }: { node: string; ticks: ReadonlyMap<Tick, LoggedTick> },
): number | undefined {
  for (const { tick, hash } of had) {
    const logged = ticks.get(tick);
    if (logged?.hash === hash && logged.from.message.node === node) {
      return logged.from.message.epoch;
    }
  }
  return undefined;
}

/**
 * A log's tick records, by message the newest tick up to it, −1 before the first, and whether the
 * match is only ordered.
 */
function ticksOf(messages: readonly StoredMessage[]) {
  const reader = new RecordReader(dragonGame.command);
  const ticks = new Map<Tick, LoggedTick>();
  const newest: Tick[] = [];
  let isOrdered = false;
  for (const from of messages) {
    let last = newest.at(-1) ?? -1;
    const frames = new FrameReader(from.message.records);
    for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
      const record = reader.read(payload);
      if (record.type === "header") isOrdered = record.isOrdered;
      // The match's first tick is in the log as a state.
      if (record.type === "state" && last < 0) {
        ticks.set(record.tick, { hash: record.hash, from });
      }
      if (record.type !== "tick") continue;
      ticks.set(record.tick, { hash: record.hash, from });
      last = record.tick;
    }
    newest.push(last);
  }
  return { ticks, newest, isOrdered };
}

/** Sets the hashes of a match that is only ordered. @throws LogError if it cannot be replayed */
function computeHashes(
  ticks: ReadonlyMap<Tick, LoggedTick>,
  messages: readonly StoredMessage[],
): void {
  const log = new MemoryLog("");
  for (const { message: { records } } of messages) log.append(records);
  for (const [tick, hash] of replayedHashes(log.bytes, dragonGame)) {
    const logged = ticks.get(tick);
    if (logged !== undefined) logged.hash = hash;
  }
}

/** Where in the log the uninterrupted run of messages from this message's owner ends. */
function lastOf(messages: readonly StoredMessage[], at: number): number {
  const { node } = messages[at]!.message;
  let last = at;
  for (let next = at + 1; next < messages.length; next++) {
    const { message } = messages[next]!;
    if (message.node !== node || message.kind === "take") break;
    last = next;
  }
  return last;
}

const LINE = / (log_late|log_in_time|match_fenced|match_taken) (?:.*acknowledged=(\d+))?/g;

/**
 * For each time that a node's output ends with unconfirmed ticks of a match: the newest message
 * that it knew as acknowledged.
 */
function lateEndsIn(output: string): number[] {
  const ends: number[] = [];
  let late: number | undefined;
  for (const [, event, sequence] of output.matchAll(LINE)) {
    if (event === "log_in_time") {
      late = undefined;
      continue;
    }
    // A new owner's log begins in time, so one that is late twice in a row is another log.
    if (late !== undefined) ends.push(late);
    late = event === "log_late" ? Number(sequence) : undefined;
  }
  return late === undefined ? ends : [...ends, late];
}

function partOf(parts: Map<string, PartVerdict>, name: string): PartVerdict {
  let part = parts.get(name);
  if (part === undefined) {
    parts.set(
      name,
      part = { compared: 0, lost: 0, changed: 0, discardedTicks: 0, discardedTicksMax: 0 },
    );
  }
  return part;
}

function faultLine(
  { tick, hash, atMs, part }: HadTick,
  { who, node, logged }: { who: string; node: string; logged: LoggedTick | undefined },
): string {
  const had = `tick ${tick} of ${who} in ${part}, from node ${node} at ${
    new Date(atMs).toISOString()
  }, hash ${hash}`;
  if (logged === undefined) return `lost: ${had}`;
  const { sequence, message } = logged.from;
  return `${
    logged.hash === hash ? "lost" : "changed"
  }: ${had}; the log has ${logged.hash} of node ${message.node}, epoch ${message.epoch}, message ${sequence}`;
}
