/**
 * Plays one schedule over three nodes that share a match. Rooms, logs, take-overs and sessions are
 * real, in virtual time; the log's servers are a model. Everything follows from the schedule.
 *
 *     a tick is sent → the servers have it, or the log is late → a confirmed tick never changes, whoever has the match
 */
import { takeSubject } from "../../../../server/nodes/hand_over.ts";
import { NatsBus } from "../../../../server/bus/nats_bus.ts";
import type { LogFields } from "../../../../server/ground/log.ts";
import { BEGUN_MAX, FAILURES_MAX } from "../../../../server/match_log/attempts.ts";
import { decodeLogMessage } from "../../../../server/match_log/nats/log_message.ts";
import { subjectOf } from "../../../../server/match_log/nats/record_store.ts";
import { STEP_MS_MAX } from "../../../../server/trial/tried_match.ts";
import type { Simulation, Tick } from "../../../../shared/netcode/game.ts";
import { FrameReader } from "../../../../shared/netcode/match_log/frames.ts";
import { Random } from "../../../../shared/random.ts";
import { seededTokens } from "../../../support/seeded_secret.ts";
import { VirtualTime } from "../../../support/virtual_time.ts";
import type { HuntedGameParts } from "../clients/games.ts";
import { LogProof } from "../log_proof.ts";
import { ROUND_SECONDS, type Schedule, setupOf } from "../schedule.ts";
import { Broken, Witness } from "../witness.ts";
import type { Breach } from "../world.ts";
import { beginClusterFault, type FaultyCluster } from "./cluster_faults.ts";
import { HuntedNode, secretOf } from "./hunted_node.ts";
import { HuntedPlayer, type PlayerWorld } from "./hunted_player.ts";
import { appendKey, ModelServers, type TakenMessage } from "./model_servers.ts";

const NODES = 3;
const ROOM = "LABS";
/** How often players and rules are checked, ms. */
const SLICE_MS = 5;
/**
 * The bounds in the rule about late ticks (SPEC 17.105), and how far a node's own clock may differ,
 * ms.
 */
const LATE_MS = 100;
const SILENCE_MS_MAX = 800;
const NO_LEADER_MS_MAX = 10_000;
const DOUBT_MS = 30;
/**
 * A node that was partitioned for no longer than this does not notice, ms, because the heartbeats
 * that it lost count as silence.
 */
const UNNOTICED_MS = 500;
/** How soon a node that is asked to take a match has done so, or has failed, ms. */
const ASKED_MS = 2_000;
/**
 * How long a node stalls on a busy machine, ms: up to the silence after which others take its
 * matches.
 */
const STALL_MS = { least: 50, greatest: 1_100 };
/** How long it runs between two stalls, ms. */
const RUN_MS = { least: 5, greatest: 150 };
/** How late the answers of the servers' disks may be then, ms. */
const BUSY_DISK_MS = 250;
/**
 * How soon after a hung trial's end its node has told the others, ms, if it had no trouble since
 * the trial began.
 */
const TOLD_MS = 500;
/**
 * How many trials a match gets at most without being played: before each of its failures, five may
 * come to no end (SPEC 15.37).
 */
const TRIALS_MAX = FAILURES_MAX * BEGUN_MAX;
/** Failures within this much play, s, count together. */
const HANGS_SECONDS = 60;
/**
 * After this time a match with hanging trials is set aside, or goes on, and its players are in a
 * match again, ms.
 */
const HANG_LASTS_MS = 10_000;
/** The same after its newest hung trial, because other faults may have delayed that one. */
const TRIAL_LASTS_MS = 5_000;
/** Lines in a node's log that no fault explains. */
const NEVER = new Set(["room_failed", "tick_failed", "stray_error", "check_failed"]);

/** What happened in a run. */
export interface ClusterCounts {
  takeOvers: number;
  fenced: number;
  /**
   * Ticks that clients got before the servers had them, and how many of those another node has
   * played again.
   */
  unconfirmedTicks: number;
  discardedTicks: number;
  seatsKept: number;
  /** Trials that hung, and matches that were set aside for it. */
  hungTrials: number;
  setAside: number;
}

export function newClusterCounts(): ClusterCounts {
  return {
    takeOvers: 0,
    fenced: 0,
    unconfirmedTicks: 0,
    discardedTicks: 0,
    seatsKept: 0,
    hungTrials: 0,
    setAside: 0,
  };
}

/** A trial of the room's match that has hung, or still hangs. */
interface HungTrial {
  /** The match's newest tick. */
  readonly tick: Tick;
  /** Whether its node had no trouble until others knew of it. */
  isTold: boolean;
  /** Whether the match has gone on since, after a trial that passed. */
  isPlayed: boolean;
}

/**
 * What a node has reported about a match's ticks that are out without an acknowledgement, since it
 * got the match.
 */
interface Statement<Command> {
  isLate: boolean;
  /** The newest tick that it has sent. */
  newestSent: Tick;
  /** This match's log on the servers. */
  readonly witness: Witness<Command> | undefined;
}

/** A match's log on the servers. */
interface MatchOnServers<Command, Sim extends Simulation<Command>> {
  readonly witness: Witness<Command>;
  readonly proof: LogProof<Command, Sim>;
  owner: string;
  epoch: number;
  /** When the owner took it, ms, and whether it was asked to. */
  takenMs: number;
  isAsked: boolean;
}

export class ClusterWorld<Command, Sim extends Simulation<Command>>
  implements PlayerWorld<Command, Sim>, FaultyCluster {
  readonly parts: HuntedGameParts<Command, Sim>;
  readonly time = new VirtualTime();
  readonly room = ROOM;
  readonly nodes: HuntedNode<Command>[];
  readonly players: HuntedPlayer<Command, Sim>[];
  readonly counts = newClusterCounts();
  readonly #schedule: Schedule;
  readonly #subject: string;
  readonly #servers: ModelServers;
  readonly #newToken;
  readonly #beganMs: number;
  /** A bus with the nodes' secret, on which all of them are asked. */
  readonly #asker: NatsBus;
  #match: MatchOnServers<Command, Sim> | undefined;
  /** By node and match. */
  readonly #statements = new Map<string, Statement<Command>>();
  /** By sequence: the node that wrote the message. */
  readonly #writers = new Map<number, string>();
  /** When a node was last asked to take the match, ms. */
  #askedMs = -Infinity;
  /** How many trials hang from now on. */
  #hangs = 0;
  #hung: HungTrial[] = [];
  /**
   * The hung trials of the previous match that had some, because its node reports that it is set
   * aside when the room may already have another match.
   */
  #hungBefore: HungTrial[] = [];
  #hangEndsMs = -Infinity;
  #started = 0;
  #error: unknown;
  /** Ticks that the servers have received. */
  ticks = 0;

  constructor(parts: HuntedGameParts<Command, Sim>, schedule: Schedule) {
    const { seed, game } = schedule;
    const setup = setupOf(seed, game);
    const random = new Random(seed ^ 0xc1);
    this.parts = parts;
    this.#schedule = schedule;
    this.#subject = subjectOf(parts.game.id, ROOM);
    this.#newToken = seededTokens(seed);
    this.#servers = new ModelServers({
      time: this.time,
      seed,
      onTaken: (message) => this.#onTaken(message),
    });
    this.#beganMs = this.time.now();
    this.#asker = new NatsBus({
      client: this.#servers.connect((action) => action()),
      node: "f".repeat(16),
      secret: secretOf(seed),
      takesUnsigned: false,
      clock: this.time,
      wallClock: this.time,
      log: () => {},
    });
    this.nodes = Array.from({ length: NODES }, () => this.#newNode());
    this.players = setup.players.map((each, i) => (
      new HuntedPlayer(this, { name: `player ${i}`, setup: each, seed: random.bits() })
    ));
  }

  /** Plays until the end, or until a rule is broken. */
  async run(): Promise<Breach | undefined> {
    const { faults, seconds } = this.#schedule;
    const endMs = this.#beganMs + seconds * 1000;
    let next = 0;

    try {
      while (this.time.now() < endMs) {
        await this.time.pass(SLICE_MS);
        const sinceMs = this.time.now() - this.#beganMs;
        for (; next < faults.length && faults[next]!.atMs <= sinceMs; next++) {
          beginClusterFault(this, faults[next]!);
        }
        for (const player of this.players) player.advance();
        if (sinceMs % (ROUND_SECONDS * 1000) === 0) this.#endRound();
        if (this.#error !== undefined) throw this.#error;
      }
    } catch (error) {
      const atMs = Math.round(this.time.now() - this.#beganMs);
      if (error instanceof Broken) {
        return {
          invariant: error.invariant,
          detail: error.message.slice(error.invariant.length + 2),
          atMs,
        };
      }
      return {
        invariant: "nothing throws",
        detail: error instanceof Error ? error.stack ?? error.message : String(error),
        atMs,
      };
    }

    return undefined;
  }

  get witness(): Witness<Command> | undefined {
    return this.#match?.witness;
  }

  get takenMs(): number {
    return this.#match?.takenMs ?? -Infinity;
  }

  sent(node: HuntedNode<Command>, tick: Tick, { isTick }: { isTick: boolean }): boolean {
    const statement = this.#statementOf(node.name, node.logOf(this.parts.game.id, ROOM)?.id);
    if (isTick) statement.newestSent = Math.max(statement.newestSent, tick);

    // A paused node may send what it has of a match that is over, and the room's next match has
    // another log.
    const newest = statement.witness?.newestTick ?? -1;
    if (tick <= newest) return true;
    this.counts.unconfirmedTicks++;

    try {
      if (isTick) this.#checkLate(node, { tick, newest });
      if (isTick && !statement.isLate) {
        throw new Broken(
          "a node says so before a tick goes out unconfirmed",
          `tick ${tick} of node ${node.name}`,
        );
      }
    } catch (error) {
      this.fail(error);
    }

    return false;
  }

  fail(error: unknown): void {
    this.#error ??= error;
  }

  onDiscarded(ticks: number): void {
    this.counts.discardedTicks += ticks;
  }

  kill(which: number, ms: number): void {
    const node = this.#chosen(which);
    // Of three nodes two may be away, but not all.
    if (node === undefined || this.#living.length < 2) return;
    node.kill();
    this.#replace(node, ms);
  }

  pause(which: number, ms: number): void {
    const node = this.#chosen(which);
    node?.pause();
    this.time.after(ms, () => node?.goOn());
  }

  later(ms: number, act: () => void): void {
    this.time.after(ms, act);
  }

  busy(ms: number, draw: number): void {
    const endMs = this.time.now() + ms;
    this.slowLog(ms, BUSY_DISK_MS);
    for (const [i, node] of this.nodes.entries()) {
      const random = new Random(draw ^ i);
      const drawn = ({ least, greatest }: typeof STALL_MS) =>
        least + (greatest - least) * random.fraction();
      const stall = (): void => {
        if (this.time.now() >= endMs) return;
        node.pause();
        this.time.after(drawn(STALL_MS), () => {
          node.goOn();
          this.time.after(drawn(RUN_MS), stall);
        });
      };
      stall();
    }
  }

  partitioned(which: number, ms: number): void {
    const node = this.#chosen(which);
    if (node !== undefined) node.channel.cutUntilMs = this.time.now() + ms;
  }

  loseAnswers(which: number, ms: number): void {
    const node = this.#chosen(which);
    if (node !== undefined) node.channel.deafUntilMs = this.time.now() + ms;
  }

  slowLog(ms: number, lateMs: number): void {
    this.#servers.slow = { untilMs: this.time.now() + ms, ms: lateMs };
  }

  noLeader(ms: number): void {
    this.#servers.noLeaderUntilMs = this.time.now() + ms;
  }

  askAllToTake(): void {
    this.#askedMs = this.time.now();
    const owner = this.#chosen(0);
    const body = JSON.stringify({ subject: this.#subject, owner: owner?.name });
    for (const { name, state } of this.nodes) {
      if (state === "up" && name !== owner?.name) {
        void this.#asker.request(takeSubject(name), body, ASKED_MS);
      }
    }
  }

  stop(ms: number): void {
    const node = this.#chosen(0);
    if (node === undefined || this.#living.length < 2) return;
    this.#askedMs = this.time.now();
    void node.stop();
    this.#replace(node, ms);
  }

  partitionedPlayer(who: number): void {
    this.players[who]!.cut();
  }

  leaveAll(): void {
    for (const player of this.players) player.leave();
  }

  hangTrials(times: number): void {
    this.#hangs = times;
    this.#hangEndsMs = this.time.now() + HANG_LASTS_MS;
  }

  /** @returns the tick at which the trial that a node begins now hangs; undefined if it does not */
  #trialHangs(name: string): Tick | undefined {
    if (this.#hangs === 0) return undefined;
    this.#hangs--;
    this.counts.hungTrials++;
    const tick = this.witness?.newestTick ?? 0;
    const unplayed = this.#hung.filter(({ isPlayed }) => !isPlayed);
    const told = unplayed.filter(({ isTold }) => isTold).length;

    if (told >= FAILURES_MAX || unplayed.length >= TRIALS_MAX) {
      this.fail(
        new Broken(
          "no match is tried for ever",
          `${told} of ${unplayed.length} trials were told of`,
        ),
      );
    }

    const trial: HungTrial = { tick, isTold: false, isPlayed: false };
    const beganMs = this.time.now();
    this.#hung.push(trial);
    this.#hangEndsMs = Math.max(this.#hangEndsMs, beganMs + TRIAL_LASTS_MS);
    this.time.after(STEP_MS_MAX + TOLD_MS, () => {
      const node = this.nodes.find((each) => each.name === name);
      trial.isTold = node !== undefined && !this.#hadTroubleSince(node, beganMs);
    });
    return tick;
  }

  /** Whether a node was away, or could not reach the log's servers, at any time since. */
  #hadTroubleSince(node: HuntedNode<Command>, sinceMs: number): boolean {
    const { channel, troubleMs } = node;
    const { noLeaderUntilMs, slow } = this.#servers;
    const untilMs = Math.max(
      troubleMs,
      channel.cutUntilMs,
      channel.deafUntilMs,
      noLeaderUntilMs,
      slow.untilMs,
    );
    return node.state !== "up" || untilMs >= sinceMs;
  }

  #onSetAside(fields: LogFields): void {
    this.counts.setAside++;
    this.#hangs = 0;
    const ticks = (this.#hung.length > 0 ? this.#hung : this.#hungBefore).map(({ tick }) => tick);
    const sinceTick = (ticks.at(-1) ?? 0) - HANGS_SECONDS * this.parts.game.tickHz;
    if (ticks.filter((tick) => tick >= sinceTick).length >= FAILURES_MAX) return;
    this.fail(
      new Broken("one failure sets nothing aside", `${ticks} hung: ${JSON.stringify(fields)}`),
    );
  }

  get #living(): HuntedNode<Command>[] {
    return this.nodes.filter(({ state }) => state !== "dead");
  }

  /**
   * @param which 0: the match's owner, or another node if there is none; otherwise one of the
   * others
   */
  #chosen(which: number): HuntedNode<Command> | undefined {
    const owner = this.nodes.find((node) => node.hasMatch(this.parts.game.id, ROOM));
    const others = this.#living.filter((node) => node !== owner);
    return which === 0 ? owner ?? others[0] : others[(which - 1) % Math.max(1, others.length)];
  }

  #newNode(): HuntedNode<Command> {
    const { seed, game } = this.#schedule;
    const { npcs } = setupOf(seed, game);
    const name = (++this.#started).toString(16).padStart(16, "0");
    return new HuntedNode<Command>({
      name,
      time: this.time,
      servers: this.#servers,
      game: this.parts.game,
      seed,
      npcs,
      newToken: this.#newToken,
      room: ROOM,
      trialHangs: () => this.#trialHangs(name),
      log: (event, fields = {}) => {
        if (event === "match_set_aside") this.#onSetAside(fields);
        if (event === "match_taken") this.counts.takeOvers++;
        if (event === "match_fenced") this.counts.fenced++;
        this.#hearStatement(name, event, fields);
        if (NEVER.has(event)) {
          this.#error ??= new Broken("no node fails", `${event} ${JSON.stringify(fields)}`);
        }
      },
    });
  }

  /**
   * Takes a node's report of which ticks are out without an acknowledgement. A run on real servers
   * is judged by these (SPEC 17.200).
   */
  #hearStatement(node: string, event: string, { id, acknowledged }: LogFields = {}): void {
    if (event === "match_fenced" || event === "match_taken") {
      this.#statements.delete(`${node} ${id}`);
    }
    if (event !== "log_late" && event !== "log_in_time") return;

    if (this.#writers.get(acknowledged as number) !== node) {
      this.#error ??= new Broken(
        "what a node names as acknowledged is its own",
        `message ${acknowledged} of ${node}`,
      );
    }

    const statement = this.#statementOf(node, id as string);
    const newest = statement.witness?.newestTick ?? -1;
    statement.isLate = event === "log_late";

    if (event === "log_in_time" && statement.newestSent > newest) {
      const words =
        `node ${node} has sent tick ${statement.newestSent}, and the servers have ${newest}`;
      this.#error ??= new Broken(
        "a node is in time when every tick that it has sent is acknowledged",
        words,
      );
    }
  }

  #statementOf(node: string, id: string | undefined): Statement<Command> {
    const key = `${node} ${id}`;
    let statement = this.#statements.get(key);
    if (statement === undefined) {
      statement = { isLate: false, newestSent: -1, witness: this.witness };
      this.#statements.set(key, statement);
    }
    return statement;
  }

  #replace(node: HuntedNode<Command>, ms: number): void {
    this.time.after(ms, () => {
      const place = this.nodes.indexOf(node);
      node.kill();
      // Another fault may have replaced it already.
      if (place >= 0) this.nodes[place] = this.#newNode();
    });
  }

  /** Checks that a tick goes out before the servers have it only if the log is late (SPEC 17.105). */
  #checkLate(node: HuntedNode<Command>, { tick, newest }: { tick: Tick; newest: Tick }): void {
    const nowMs = this.time.now();
    const epoch = node.logOf(this.parts.game.id, ROOM)?.epoch ?? 0;
    const append = node.channel.appends.get(appendKey(this.#subject, epoch));

    // A record that waits for a message under way is at most as old as that message.
    const ageMs = nowMs - Math.min(append?.sentMs ?? nowMs, append?.knownSentMs ?? nowMs);

    if (append === undefined || !append.isOpen || ageMs < LATE_MS - DOUBT_MS) {
      const words = append === undefined
        ? "nothing"
        : `a message of ${Math.round(nowMs - append.sentMs)} ms before`;
      const state = append?.isOpen ? "under way" : "answered";
      throw new Broken(
        "a tick is on the servers before a client has it, or the log is late",
        `tick ${tick} of ${newest}; node ${node.name} has sent ${words}, ${state}`,
      );
    }

    const bound = nowMs - node.channel.noLeaderMs <= SILENCE_MS_MAX
      ? NO_LEADER_MS_MAX
      : SILENCE_MS_MAX;
    const { owner, takenMs, isAsked } = this.#match!;

    if (owner !== node.name && !isAsked && nowMs > takenMs + UNNOTICED_MS + DOUBT_MS) {
      throw new Broken(
        "an owner stands still soon after another one is there",
        `tick ${tick} of node ${node.name}`,
      );
    }

    const knownMs = nowMs - append.knownSentMs;
    if (knownMs > bound + DOUBT_MS) {
      throw new Broken("unconfirmed ticks are few", `tick ${tick}, after ${knownMs} ms`);
    }
  }

  /** Takes a message that the servers have stored: from now on it is the truth. */
  #onTaken({ subject, bytes, sequence }: TakenMessage): void {
    if (subject !== this.#subject) return;
    try {
      this.#see(bytes);
      this.#writers.set(sequence, this.#match!.owner);
    } catch (error) {
      this.fail(error);
    }
  }

  #see(bytes: Uint8Array): void {
    const { kind, node, epoch, records } = decodeLogMessage(bytes);
    const match = this.#match;

    if (kind === "claim") {
      if (this.#hung.length > 0) this.#hungBefore = this.#hung;
      this.#hung = [];
      const witness = new Witness<Command>(this.parts.game, { room: ROOM, isGiven: () => true });
      const proof = new LogProof<Command, Sim>(witness, {
        parts: this.parts,
        authorOf: () => undefined,
      });
      this.#match = { witness, proof, owner: node, epoch, takenMs: this.time.now(), isAsked: true };
      return;
    }

    if (match === undefined) throw new Broken("a match begins with a claim", kind);

    if (kind === "take") {
      if (epoch <= match.epoch) {
        throw new Broken("each owner has an epoch of its own", `${epoch} after ${match.epoch}`);
      }
      const takenMs = this.time.now();
      const isAsked = takenMs - this.#askedMs <= ASKED_MS;
      Object.assign(match, { owner: node, epoch, takenMs, isAsked });
    } else if (node !== match.owner || epoch !== match.epoch) {
      throw new Broken(
        "only the owner writes",
        `${node}, epoch ${epoch}, in that of ${match.owner}, ${match.epoch}`,
      );
    } else {
      for (const trial of this.#hung) trial.isPlayed = true;
    }

    const before = match.witness.newestTick;
    const frames = new FrameReader(records);
    for (let from = 0; frames.next() !== undefined; from = frames.offset) {
      match.witness.see(records.subarray(from, frames.offset));
    }
    this.ticks += Math.max(0, match.witness.newestTick - Math.max(0, before));
  }

  #endRound(): void {
    // Two trials and the wait between them take longer than the quiet seconds.
    if (this.time.now() >= this.#hangEndsMs) {
      for (const player of this.players) player.checkQuiet();
    }
    this.counts.seatsKept = this.players.reduce((sum, { seatsKept }) => sum + seatsKept, 0);
    this.#match?.proof.goOn();
  }
}
