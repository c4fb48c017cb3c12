/**
 * One run of the lab: a server, its players over a simulated network, and for each shown player one
 * viewer on each side. Both sides hear the same connection and give the same commands, so they show
 * the same match, and only their technique differs.
 *
 *     person or visitor → session → simulated link → match → simulated link ─┬→ session
 *                                                                            ├→ left viewer
 *                                                                            └→ right viewer
 *
 * Time is virtual and advances in frames of 1/60 s: the same settings and actions give the same run
 * in every browser.
 */
import type { BodyList } from "../../../shared/body_list.ts";
import type { Commands, Tick } from "../../../shared/netcode/game.ts";
import type { ClientLink, Clock } from "../../../shared/netcode/link.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import { LocalLink } from "../../../shared/netcode/simulated_network/local_link.ts";
import type { NetworkModel } from "../../../shared/netcode/simulated_network/network_model.ts";
import { SimulatedLink } from "../../../shared/netcode/simulated_network/simulated_link.ts";
import {
  differingWords,
  formatWord,
  nameDifference,
} from "../../../shared/netcode/state_difference.ts";
import { Random } from "../../../shared/random.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import type { LooseCommand, LooseSimulation } from "../../game_kit/loose_types.ts";
import type { CommandSource, Session } from "../../session/session.ts";
import { CopiedLink } from "./copied_link.ts";
import { ErrorMeter } from "./error_meter.ts";
import { type Fault, faultyGame } from "./flipped_bit.ts";
import { History, type RecordedView } from "./history.ts";
import { LabPlayer } from "./lab_player.ts";
import { LabServer } from "./lab_server.ts";
import type { Scene } from "./scene.ts";
import { SessionViewer } from "./session_viewer.ts";
import type { LabAction, LabSettings, NetworkSettings, TimedAction } from "./settings.ts";
import { SnapshotEncoder } from "./snapshots.ts";
import { SnapshotViewer } from "./snapshot_viewer.ts";
import { type TechniqueName, TECHNIQUES } from "./techniques.ts";
import type { Viewer } from "./viewer.ts";

export const FRAME_MS = 1000 / 60;
/** As in the virtual-time lab: nothing is advanced twice at the same instant. */
const EPSILON_MS = 0.001;
/** Ticks that become definitive in one frame, at most; the page shows no more of them. */
const VERDICTS_MAX = 32;
/** When the run begins, ms; positive, because some code takes 0 for "never". */
const BEGIN_MS = 1000;
/** Figures count from here on: clients have joined, and leads have converged. */
const WARM_UP_MS = 4000;
/**
 * Headers of one message without those of TLS: 20 bytes of IP and 20 of TCP, and a WebSocket frame
 * of 2; or 20 of IP, 8 of UDP and about 24 of QUIC.
 */
const HEADER_BYTES = { ordered: 42, datagrams: 52 } as const;

/** A difference that a hash has found, in words. */
export interface NamedDifference {
  readonly side: number;
  readonly player: number;
  readonly tick: Tick;
  /** "entity 11 dragon x" */
  readonly field: string;
  readonly here: string;
  readonly server: string;
  readonly atMs: number;
}

/** What stands under one side. */
export interface SideFigures {
  /** `pop_meter.ts`, over all players' bodies. */
  readonly pops: number;
  /** Metres. */
  readonly rivalErrorP95: number;
  /** A player's bytes a second, both ways, with headers. */
  readonly bytesPerSecond: number;
  readonly rollbacksPerSecond: number;
  /** From a key to the picture of its effect, ms, without the wait for a tick and a frame. */
  readonly keyMs: number;
}

/** A network whose properties change while it is in use. */
interface LiveNetwork extends NetworkModel {
  oneWayMs: number;
  jitterMs: number;
  loss: number;
  outage: { fromMs: number; toMs: number } | undefined;
}

/** One shown player on one side. */
class ViewedPlayer {
  readonly viewer: Viewer;
  readonly meter = new ErrorMeter();
  /** The newest tick whose verdict is recorded. */
  judged: Tick = -1;
  /** Sums since the figures were reset. */
  keyTicks = 0;
  frames = 0;
  before = { bytes: 0, messages: 0, rollbacks: 0 };
  /** Frames that wait for the truth about their moment. */
  readonly unmeasured: RecordedView[] = [];

  constructor(viewer: Viewer) {
    this.viewer = viewer;
  }
}

/** One side: a technique, and a viewer for each shown player. */
interface Side {
  technique: TechniqueName;
  players: ViewedPlayer[];
  snapshots: SnapshotWay[];
}

/** The way of snapshots to one viewer: its own link over the same network. */
interface SnapshotWay {
  readonly encoder: SnapshotEncoder;
  readonly serverEnd: ClientLink;
  readonly link: SimulatedLink;
}

export class LabRun {
  readonly scene: Scene;
  readonly settings: LabSettings;
  readonly server: LabServer;
  readonly players: readonly LabPlayer[];
  readonly history = new History();
  /** The newest difference that a client's hash has shown; undefined before the first. */
  difference: NamedDifference | undefined;
  readonly #sides: readonly [Side, Side];
  readonly #network: LiveNetwork;
  readonly #fault: Fault = { tick: -1 };
  readonly #random: Random;
  #nowMs = BEGIN_MS;
  #countedFromMs = BEGIN_MS + WARM_UP_MS;
  #bytesUpBefore: number[] = [];
  #messagesUp: number[] = [];
  #messagesUpBefore: number[] = [];

  readonly clock: Clock = { now: () => this.#nowMs };

  /** What was done and is to be done, in order of time. */
  readonly #actions: TimedAction[];
  #done = 0;

  /** @param actions what will happen at which times; those of the visitor come to them */
  constructor(scene: Scene, settings: LabSettings, actions: readonly TimedAction[] = []) {
    const { seed, ordered, players, sides: [left, right] } = settings;
    this.scene = scene;
    this.settings = settings;
    this.#actions = [...actions].sort((a, b) => a.atMs - b.atMs);
    this.#random = new Random(seed);
    this.#network = { ...liveNetworkOf(settings), outage: undefined };
    this.server = new LabServer({
      game: scene.game,
      npcs: scene.npcs,
      seed,
      clock: this.clock,
      onTick: (bodies, commands) => this.#sendSnapshots(bodies, commands),
    });
    this.players = Array.from({ length: players }, (_, i) => this.#addPlayer(i, ordered));
    this.#sides = [this.#openSide(0, left), this.#openSide(1, right)];
  }

  #addPlayer(index: number, ordered: boolean): LabPlayer {
    const { scene: { game, person }, history } = this;
    const seed = this.#random.bits();
    // The first player's machine may compute a tick wrong, and so may both of its pictures.
    const played = index === 0 ? faultyGame(game, this.#fault) : game;
    this.#messagesUp[index] = 0;
    return new LabPlayer({
      game: played,
      name: `Player ${index + 1}`,
      person: person(index, seed),
      network: this.#network,
      seed: this.#random.bits(),
      clock: this.clock,
      open: (onArrival) => this.server.open({ ordered, onArrival }),
      onSending: (sending) => {
        if (sending.isUp) this.#messagesUp[index]!++;
        const { isUp, sentMs: atMs, dueMs, bytes } = sending;
        history.add("flights", { player: index, isUp, atMs, dueMs, bytes });
      },
      onQueued: (tick) => history.add("queued", { player: index, tick, atMs: this.#nowMs }),
      onAnnounced: ({ seat, tick }, isEarly) =>
        history.add("known", { player: index, seat, tick, isEarly, atMs: this.#nowMs }),
    });
  }

  #openSide(index: number, technique: TechniqueName): Side {
    const side: Side = { technique, players: [], snapshots: [] };
    for (let i = 0; i < this.settings.shown; i++) {
      side.players.push(new ViewedPlayer(this.#openViewer(side, { side: index, player: i })));
    }
    return side;
  }

  #openViewer(side: Side, { side: index, player: i }: { side: number; player: number }): Viewer {
    const player = this.players[i]!;
    const { ordered } = this.settings;
    const { how } = TECHNIQUES[side.technique];
    const { clock } = this;
    const game = i === 0 ? faultyGame(this.scene.game, this.#fault) : this.scene.game;
    const onRollback = (fromTick: Tick, head: Tick) =>
      this.history.add("rollbacks", { side: index, player: i, fromTick, head, atMs: this.#nowMs });

    if (how.kind === "session") {
      const link = new CopiedLink({ ordered, getsEarly: how.early });
      player.copies.push(link);
      return new SessionViewer({
        game,
        link,
        clock,
        commandSource: player.viewerSource,
        technique: how,
        onRollback,
        onDesync: (tick, session) =>
          this.#nameDifference(tick, session, { side: index, player: i }),
      });
    }

    const viewer = new SnapshotViewer({
      game,
      mode: how.mode,
      clock,
      ordered,
      own: player.session,
      start: () =>
        game.start(
          { npcs: this.scene.npcs, choices: this.server.match.choices },
          this.settings.seed,
        ),
      ownCommandAt: (tick) => player.commandAt(tick),
      onRollback,
    });
    const [clientEnd, serverEnd] = LocalLink.pair({ ordered });
    const model = this.#network;
    const link = new SimulatedLink(clientEnd, { model, seed: this.#random.bits(), clock });
    link.onMessage((message) => viewer.receive(message));
    side.snapshots.push({ encoder: new SnapshotEncoder(game, { ordered }), serverEnd, link });
    return viewer;
  }

  #sendSnapshots(bodies: BodyList, commands: Commands<LooseCommand>): void {
    for (const { snapshots } of this.#sides) {
      for (const { encoder, serverEnd } of snapshots) {
        serverEnd.send(encoder.encode(bodies, commands));
      }
    }
  }

  #nameDifference(
    tick: Tick,
    session: Session<LooseCommand, LooseSimulation>,
    { side, player }: { side: number; player: number },
  ): void {
    const local = new Snapshot();
    const server = this.server.truth.stateAt(tick);
    if (server === undefined || !session.copyState(tick, local)) return;
    const words = differingWords(local, server);
    if (words.length === 0) return;
    const simulation = this.server.newSimulation();
    simulation.load(server);
    const { word, field } = nameDifference(this.scene.game, {
      simulation,
      tick,
      state: server,
      words,
    });
    this.difference = {
      side,
      player,
      tick,
      field,
      here: formatWord(local, word),
      server: formatWord(server, word),
      atMs: this.#nowMs,
    };
  }

  /** Virtual time, ms. It begins at 1 s. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** All actions, done or not, in order of time. */
  get actions(): readonly TimedAction[] {
    return this.#actions;
  }

  /** The actions that are done. */
  get doneActions(): readonly TimedAction[] {
    return this.#actions.slice(0, this.#done);
  }

  /** The network as it is now. */
  get network(): NetworkSettings {
    const { oneWayMs, jitterMs, loss } = this.#network;
    return { roundTripMs: 2 * oneWayMs, jitterMs, lossPercent: Math.round(100 * loss) };
  }

  /** Does what the visitor asks for, now. */
  act(action: LabAction): void {
    // A frame begins at a whole number of ms for those who read it in an address.
    this.#actions.splice(this.#done, 0, { atMs: Math.floor(this.#nowMs), action });
    this.#done++;
    this.#do(action);
  }

  #do(action: LabAction): void {
    const sinceMs = this.#nowMs - BEGIN_MS;
    switch (action.type) {
      case "drop":
        this.#network.outage = { fromMs: sinceMs, toMs: sinceMs + action.ms };
        return;
      case "pause":
        return this.server.pause(action.ms);
      case "break":
        this.#fault.tick = this.players[0]!.session.head + 1;
        return;
      case "network":
        Object.assign(this.#network, liveNetworkOf(action));
        return this.resetFigures();
    }
  }

  /** Lets the visitor play the first player, or the person again. */
  control(visitor: CommandSource<LooseCommand> | undefined): void {
    this.players[0]!.control(visitor);
  }

  /** Advances by one frame, 1/60 s, and records it. */
  step(): void {
    for (; (this.#actions[this.#done]?.atMs ?? Infinity) <= this.#nowMs; this.#done++) {
      this.#do(this.#actions[this.#done]!.action);
    }
    const untilMs = this.#nowMs + FRAME_MS;
    for (;;) {
      const dueMs = Math.max(this.#nextDueMs(), this.#nowMs + EPSILON_MS);
      if (dueMs > untilMs) break;
      this.#nowMs = dueMs;
      this.#advanceDue();
    }
    this.#nowMs = untilMs;
    for (let i = 0; i < this.players.length; i++) this.#advancePlayer(i);
    this.#recordFrame();
  }

  #nextDueMs(): number {
    let dueMs = this.server.nextDueMs;
    for (const { session, link } of this.players) {
      dueMs = Math.min(dueMs, session.nextDueMs, link.nextDueMs);
    }
    for (const { players, snapshots } of this.#sides) {
      for (const { viewer } of players) dueMs = Math.min(dueMs, viewer.nextDueMs);
      for (const { link } of snapshots) dueMs = Math.min(dueMs, link.nextDueMs);
    }
    return dueMs;
  }

  #advanceDue(): void {
    const nowMs = this.#nowMs;
    this.server.advance();
    for (const { snapshots } of this.#sides) for (const { link } of snapshots) link.advance(nowMs);
    for (let i = 0; i < this.players.length; i++) {
      const { session, link } = this.players[i]!;
      const isDue = Math.min(session.nextDueMs, link.nextDueMs) <= nowMs + EPSILON_MS;
      if (isDue || this.#viewersDueMs(i) <= nowMs + EPSILON_MS) this.#advancePlayer(i);
    }
  }

  #viewersDueMs(player: number): number {
    const [left, right] = this.#sides;
    const dueMs = (side: Side) => side.players[player]?.viewer.nextDueMs ?? Infinity;
    return Math.min(dueMs(left), dueMs(right));
  }

  /** First the player's own session, which gives the commands that its viewers repeat. */
  #advancePlayer(index: number): void {
    const { session, link } = this.players[index]!;
    link.advance(this.#nowMs);
    session.advance();
    for (const { players } of this.#sides) players[index]?.viewer.advance();
  }

  #recordFrame(): void {
    const views = this.#sides.map((side, sideIndex) =>
      side.players.map((player, i) => {
        const frame = player.viewer.frame();
        if (frame === undefined) return undefined;
        const { moment, ownMoment, head, definitive } = frame;
        const drawn = new PoseList();
        drawn.copyFrom(frame.drawn);
        const view = { drawn, moment, head, definitive };
        this.#judge(player, { side: sideIndex, player: i, definitive });
        this.#measure(player, view, this.#momentOf(i) - ownMoment);
        return view;
      })
    );
    const { truth, isPaused } = this.server;
    this.history.addFrame({ atMs: this.#nowMs, serverTick: truth.tick, isPaused, views });
  }

  /** The moment at which a key that is pressed now acts, in ticks. */
  #momentOf(player: number): number {
    const { session } = this.players[player]!;
    return session.head + session.fraction();
  }

  /** Records what a client's hashes say of the ticks that have become definitive. */
  #judge(
    viewed: ViewedPlayer,
    { side, player, definitive }: { side: number; player: number; definitive: Tick },
  ): void {
    const from = Math.max(viewed.judged, definitive - VERDICTS_MAX) + 1;
    for (let tick = from; tick <= definitive; tick++) {
      const verdict = viewed.viewer.verdictOf(tick);
      this.history.add("verdicts", { side, player, tick, verdict, atMs: this.#nowMs });
    }
    viewed.judged = Math.max(viewed.judged, definitive);
  }

  /** Measures the frames whose truth is known by now. */
  #measure(player: ViewedPlayer, view: RecordedView, keyTicks: number): void {
    if (this.#nowMs < this.#countedFromMs) {
      if (this.#nowMs + FRAME_MS >= this.#countedFromMs) this.resetFigures(0);
      return;
    }
    player.keyTicks += keyTicks;
    player.frames++;
    player.unmeasured.push(view);
    const { truth } = this.server;
    while (player.unmeasured.length > 0) {
      const { drawn, moment } = player.unmeasured[0]!;
      if (Math.floor(moment) + 1 > truth.tick) return;
      player.unmeasured.shift();
      player.meter.addFrame(drawn, {
        moment,
        ownSeat: player.viewer.seat,
        definitiveAt: (tick) => truth.posesAt(tick),
      });
    }
  }

  /** Begins to count anew. @param afterMs from when on, ms from now */
  resetFigures(afterMs = 1000): void {
    this.#countedFromMs = Math.max(BEGIN_MS + WARM_UP_MS, this.#nowMs + afterMs);
    this.#bytesUpBefore = this.players.map(({ bytesUp }) => bytesUp);
    this.#messagesUpBefore = [...this.#messagesUp];
    for (const { players } of this.#sides) {
      for (const player of players) {
        const { bytesDown, messagesDown, rollbacks } = player.viewer.stats;
        player.before = { bytes: bytesDown, messages: messagesDown, rollbacks };
        player.meter.reset();
        player.unmeasured.length = 0;
        player.keyTicks = player.frames = 0;
      }
    }
  }

  /** @param side 0 or 1 @returns undefined while too little was counted */
  figuresOf(side: number): SideFigures | undefined {
    const { players } = this.#sides[side]!;
    const seconds = (this.#nowMs - this.#countedFromMs) / 1000;
    if (seconds < 1) return undefined;
    const mean = (of: (player: ViewedPlayer, index: number) => number) =>
      players.reduce((sum, player, i) => sum + of(player, i), 0) / players.length;
    const { tickHz } = this.scene.game;
    return {
      pops: mean(({ meter }) => meter.pops),
      rivalErrorP95: mean(({ meter }) => meter.rivalErrorP95),
      bytesPerSecond: mean((player, i) => this.#bytesOf(player, i)) / seconds,
      rollbacksPerSecond: mean(({ viewer, before }) => viewer.stats.rollbacks - before.rollbacks) /
        seconds,
      keyMs: mean(({ keyTicks, frames }) => keyTicks / Math.max(1, frames)) * 1000 / tickHz,
    };
  }

  #bytesOf({ viewer, before }: ViewedPlayer, index: number): number {
    const { bytesDown, messagesDown } = viewer.stats;
    const { ordered } = this.settings;
    const header = ordered ? HEADER_BYTES.ordered : HEADER_BYTES.datagrams;
    const bytesUp = this.players[index]!.bytesUp - (this.#bytesUpBefore[index] ?? 0);
    const messagesUp = this.#messagesUp[index]! - (this.#messagesUpBefore[index] ?? 0);
    const messages = messagesDown - before.messages + messagesUp;
    return bytesDown - before.bytes + bytesUp + messages * header;
  }
}

function liveNetworkOf({ roundTripMs, jitterMs, lossPercent }: NetworkSettings) {
  return { oneWayMs: roundTripMs / 2, jitterMs, loss: lossPercent / 100 };
}
