/**
 * Rooms that pages host, on a virtual clock: the real rooms, matches and sessions of several pages,
 * with simulated links between any two of them. The clock goes on in small steps.
 */
import { tapLink } from "../../../../client/net/link_tap.ts";
import { Attempts } from "../../../../client/net/retry_delay.ts";
import type { Mesh } from "../../../../client/page_rooms/mesh.ts";
import { endedLink } from "../../../../client/page_rooms/ended_link.ts";
import {
  type PageId,
  type PageMessage,
  readMessage,
  writtenMessage,
} from "../../../../client/page_rooms/page_message.ts";
import {
  type HostedMatch,
  PageRoom,
  type PageRoomOptions,
} from "../../../../client/page_rooms/page_room.ts";
import { SessionDatagrams } from "../../../../client/session/datagrams/session_datagrams.ts";
import {
  type CommandSource,
  type KnownMatchState,
  Session,
} from "../../../../client/session/session.ts";
import { PageMatch } from "../../../../client/solo/page_match.ts";
import type { MatchState } from "../../../../server/match/match_options.ts";
import type { Game, Simulation, Tick } from "../../../../shared/netcode/game.ts";
import type { ClientLink, HostLink, Link } from "../../../../shared/netcode/link.ts";
import type { LoggedPlayer } from "../../../../shared/netcode/match_log/records.ts";
import { LocalLink } from "../../../../shared/netcode/simulated_network/local_link.ts";
import type { NetworkModel } from "../../../../shared/netcode/simulated_network/network_model.ts";
import { SimulatedLink } from "../../../../shared/netcode/simulated_network/simulated_link.ts";
import { hashOfSnapshot } from "../../../../shared/netcode/wire/range_coder.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { CutLink, type Line } from "./cut_link.ts";

/** How long two pages take to connect beyond their round trips, ms: the handshake's work. */
const CONNECT_MS = 100;
/** How long a new page waits for its host before it calls again, and a host for its place, ms. */
const INTRODUCED_AGAIN_MS = 2000;
const CLAIM = "c".repeat(32);

export interface PageLabOptions<Command, Sim extends Simulation<Command>> {
  readonly game: Game<Command, Sim>;
  readonly seed: number;
  readonly npcs: number;
  /** The network between two pages; by default 40 ms one way. */
  readonly network?: NetworkModel;
  readonly choices?: readonly number[];
  /** The step of the clock, ms. */
  readonly stepMs?: number;
  /** Whether the host's own messages wait; false only where a test plants that. */
  readonly hostWaits?: boolean;
  /** Called when a host has run a tick. The state is valid only during the call. */
  readonly onDefinitive?: (state: Snapshot) => void;
}

const DEFAULT_NETWORK: NetworkModel = { oneWayMs: 40, jitterMs: 5, loss: 0.02 };

export class PageLab<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly options: PageLabOptions<Command, Sim>;
  readonly random: Random;
  readonly pages: LabPage<Command, Sim>[] = [];
  readonly #lines = new Map<string, Line>();
  readonly #due: { readonly atMs: number; readonly act: () => void }[] = [];
  #nowMs = 1000;
  readonly clock = { now: () => this.#nowMs };
  /** Called after each step. */
  onStep: () => void = () => {};

  constructor(options: PageLabOptions<Command, Sim>) {
    this.options = options;
    this.random = new Random(options.seed);
    this.#reunite();
  }

  /** Adds a page. The first one hosts the room, the others connect to the host of the moment. */
  addPage(commandSource: CommandSource<Command>): LabPage<Command, Sim> {
    const page = new LabPage(this, { id: this.#newId(), commandSource });
    this.pages.push(page);
    if (this.pages.length === 1) {
      const { npcs, seed, choices = [] } = this.options;
      page.room.open({ npcs, seed, choices, claim: CLAIM });
    } else this.#introduce(page);
    return page;
  }

  /** Connects a page to whoever hosts, now and whenever it is lost, as the server does. */
  #introduce(page: LabPage<Command, Sim>): void {
    const host = this.pages.find((each) => each.room.isHost && each.isAwake);
    if (host !== undefined && page.isAwake && page.room.isLost) this.connect(page, host);
    this.at(this.#nowMs + INTRODUCED_AGAIN_MS, () => this.#introduce(page));
  }

  page(id: PageId): LabPage<Command, Sim> | undefined {
    return this.pages.find((each) => each.id === id);
  }

  /** Connects hosts that have lost each other, as the server does at which both claim the room. */
  #reunite(): void {
    const [first, ...others] = this.pages.filter((page) => page.room.isHost && page.isAwake);
    for (const other of others) {
      if (!first!.mesh.pages.has(other.id)) this.connect(other, first!);
    }
    this.at(this.#nowMs + INTRODUCED_AGAIN_MS, () => this.#reunite());
  }

  /** Connects two pages after their handshake, if both are there and nothing is cut. */
  connect(a: LabPage<Command, Sim>, b: LabPage<Command, Sim>): void {
    if (this.lineOf(a.id, b.id).isCut) return;
    this.at(this.#nowMs + 4 * this.network.oneWayMs + CONNECT_MS, () => {
      if (!a.isAwake || !b.isAwake || this.lineOf(a.id, b.id).isCut) return;
      if (a.mesh.pages.has(b.id)) return;
      LabMesh.join(a, b);
    });
  }

  /** The network between any two pages. */
  get network(): NetworkModel {
    return this.options.network ?? DEFAULT_NETWORK;
  }

  lineOf(a: PageId, b: PageId): Line {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    let line = this.#lines.get(key);
    if (line === undefined) {
      line = { isCut: false };
      this.#lines.set(key, line);
    }
    return line;
  }

  /** Cuts or mends the lines between some pages and all others. */
  setCut(pages: readonly LabPage<Command, Sim>[], isCut: boolean): void {
    const own = new Set(pages.map(({ id }) => id));
    for (const a of own) {
      for (const { id: b } of this.pages) if (!own.has(b)) this.lineOf(a, b).isCut = isCut;
    }
  }

  /** Does something at a moment. */
  at(atMs: number, act: () => void): void {
    this.#due.push({ atMs, act });
  }

  /** Runs for some virtual time, ms. */
  run(ms: number): void {
    const { stepMs = 5 } = this.options;
    for (const endMs = this.#nowMs + ms; this.#nowMs < endMs;) {
      this.#nowMs += stepMs;
      for (const event of this.#due.splice(0)) {
        if (event.atMs <= this.#nowMs) event.act();
        else this.#due.push(event);
      }
      for (const page of this.pages) page.advance();
      this.onStep();
    }
  }

  /** @returns the ms until a condition held, or `undefined` if it did not within `ms` */
  runUntil(ms: number, holds: () => boolean): number | undefined {
    const { stepMs = 5 } = this.options;
    for (let past = 0; past < ms; past += stepMs) {
      if (holds()) return past;
      this.run(stepMs);
    }
    return holds() ? ms : undefined;
  }

  #newId(): PageId {
    return Array.from({ length: 32 }, () => this.random.below(16).toString(16)).join("");
  }
}

export class LabPage<Command, Sim extends Simulation<Command>> {
  readonly lab: PageLab<Command, Sim>;
  readonly id: PageId;
  readonly mesh: LabMesh<Command, Sim>;
  readonly room: PageRoom;
  readonly #commandSource: CommandSource<Command>;
  readonly #attempts = new Attempts();
  #session: Session<Command, Sim> | undefined;
  /** The newest session that had a state. */
  #known: Session<Command, Sim> | undefined;
  /** The match that this page hosts. */
  hosted: LocalHosted<Command> | undefined;
  #isAwake = true;
  #wakesAtMs = -Infinity;
  /** Sessions that have closed. */
  readonly past: Session<Command, Sim>[] = [];

  constructor(
    lab: PageLab<Command, Sim>,
    { id, commandSource }: { id: PageId; commandSource: CommandSource<Command> },
  ) {
    this.lab = lab;
    this.id = id;
    this.#commandSource = commandSource;
    this.mesh = new LabMesh(this);
    this.room = new PageRoom({
      mesh: this.mesh,
      clock: lab.clock,
      begin: (begun) => this.hosted = new LocalHosted(lab, begun),
      // The lab's messages carry any game's commands.
      known: () => this.#known?.matchState() as KnownMatchState<unknown> | undefined,
      tick: () => this.newestTick,
      // Who answers at once hears of nobody to wait for.
      responseMs: () => lab.options.hostWaits === false ? 0 : this.responseMs,
      onHost: () => this.#attempts.hurry(lab.clock.now()),
    });
    this.#attempts.dueMs = lab.clock.now();
  }

  get session(): Session<Command, Sim> | undefined {
    return this.#session;
  }

  /** Its lead and half its round trip, ms; 0 while it does not play. */
  get responseMs(): number {
    const session = this.#session;
    return session?.phase === "playing" ? session.leadMs + session.roundTripMs / 2 : 0;
  }

  /** The newest definitive tick of the newest session that had one; −1 before the first. */
  get newestTick(): Tick {
    return this.#known?.definitiveTick ?? -1;
  }

  /** Whether it does anything at all now. */
  get isAwake(): boolean {
    return this.#isAwake && this.lab.clock.now() >= this.#wakesAtMs;
  }

  /** Whether its player plays. */
  get isPlaying(): boolean {
    return this.isAwake && this.#session?.phase === "playing";
  }

  /** Ends it without a word. */
  kill(): void {
    this.#isAwake = false;
    this.mesh.pause();
  }

  /** Closes it as a player does. */
  close(): void {
    this.room.close();
    this.kill();
  }

  /** Lets it stand still, with everything in it. */
  freeze(ms: number): void {
    this.#wakesAtMs = this.lab.clock.now() + ms;
    this.mesh.pause();
  }

  advance(): void {
    if (!this.isAwake) return;
    this.mesh.advance();
    this.room.advance();
    this.#join();
    this.#session?.advance();
    this.#onSession();
    // Last, so that a command without any delay is in time for the tick of this step
    this.hosted?.advance();
  }

  #join(): void {
    const nowMs = this.lab.clock.now();
    // A link that leads nowhere would end in a task of its own, for which the lab does not wait.
    if (nowMs < this.#attempts.dueMs || !this.room.isReachable) return;
    this.#attempts.begin(nowMs);
    this.#session = new Session({
      game: this.lab.options.game,
      clock: this.lab.clock,
      link: this.room.openLink(),
      commandSource: this.#commandSource,
      datagramSupport: (use) => use(SessionDatagrams),
      room: "PAGE",
      name: "",
      spectate: false,
      choices: [],
      patience: this.#attempts.patience,
    });
  }

  #onSession(): void {
    const session = this.#session;
    if (session === undefined) return;
    if (session.definitiveTick >= 0) this.#known = session;
    if (session.phase === "playing") this.#attempts.succeeded();
    if (session.phase !== "closed" || this.#attempts.dueMs < Infinity) return;
    this.past.push(session);
    const { closeCode, endedIn } = session;
    this.#attempts.ended(this.lab.clock.now(), {
      closeCode,
      random: this.lab.random.fraction(),
      endedIn,
    });
  }
}

/** A match in the page's own thread. */
export class LocalHosted<Command> implements HostedMatch {
  readonly #match: PageMatch<Command>;
  readonly #links = new Set<HostLink>();
  #players: readonly LoggedPlayer[] = [];
  #playersText = "";
  isOver = false;
  /** The hash of each tick. */
  readonly hashes = new Map<Tick, number>();
  /** The state with which it began, and that state's hash. */
  readonly firstTick: Tick;
  readonly firstHash: number;

  constructor(
    { options: { game, onDefinitive }, clock }: Pick<PageLab<Command>, "options" | "clock">,
    { from, npcs, seed, choices, keepsSeats }: Parameters<PageRoomOptions["begin"]>[0],
  ) {
    const snapshot = new Snapshot();
    this.#match = new PageMatch<Command>(game, {
      npcs,
      seed,
      choices,
      keepsSeats,
      clock,
      ...from !== undefined && { from: from as MatchState<Command> },
      onTick: () => {
        const { match } = this.#match;
        snapshot.setBytes(match.recordedState.state.snapshot);
        this.hashes.set(match.tick, hashOfSnapshot(snapshot));
        onDefinitive?.(snapshot);
      },
    });
    this.firstTick = this.#match.match.tick;
    snapshot.setBytes(this.#match.match.recordedState.state.snapshot);
    this.firstHash = hashOfSnapshot(snapshot);
  }

  get match() {
    return this.#match.match;
  }

  get tick(): Tick {
    return this.#match.match.tick;
  }

  get players(): readonly LoggedPlayer[] {
    const players = this.#match.match.loggedPlayers.map(
      ({ seat, tokenHashes, identity, entersAt }) => ({ seat, tokenHashes, identity, entersAt }),
    );
    const text = JSON.stringify(players);
    if (text !== this.#playersText) [this.#players, this.#playersText] = [players, text];
    return this.#players;
  }

  admit({ token }: { token: PageId }): Link {
    const [clientEnd, hostEnd] = LocalLink.pair();
    this.admitFrom(hostEnd, { token });
    return clientEnd;
  }

  admitFrom(link: HostLink, { token }: { token: PageId }): void {
    this.#links.add(link);
    this.#match.admit(link, { token });
  }

  advance(): void {
    if (!this.isOver) this.#match.advance();
  }

  end(): void {
    this.isOver = true;
    for (const link of this.#links) link.close(1006, "");
  }
}

/** One page's end of its connections. */
export class LabMesh<Command, Sim extends Simulation<Command>> implements Mesh {
  readonly #page: LabPage<Command, Sim>;
  readonly #texts = new Map<PageId, Link>();
  readonly #simulated: { readonly link: SimulatedLink; readonly cut: CutLink }[] = [];
  /** The ends of links to the match that this page hosts. */
  readonly #ends = new Set<LocalLink>();
  #isPaused = false;
  /** What has come since the page was last awake. */
  #arrived: { readonly from: PageId; readonly bytes: Uint8Array }[] = [];

  constructor(page: LabPage<Command, Sim>) {
    this.#page = page;
  }

  get self(): PageId {
    return this.#page.id;
  }

  get pages(): ReadonlySet<PageId> {
    return new Set(this.#texts.keys());
  }

  /** Connects two pages. */
  static join<Command, Sim extends Simulation<Command>>(
    a: LabPage<Command, Sim>,
    b: LabPage<Command, Sim>,
  ): void {
    const [nearEnd, farEnd] = LocalLink.pair();
    const near = a.mesh.#simulate(nearEnd, b.id);
    a.mesh.#attach(b.id, near);
    b.mesh.#attach(a.id, farEnd);
    a.room.onConnected(b.id);
    b.room.onConnected(a.id);
  }

  send(to: PageId, message: PageMessage): void {
    this.#texts.get(to)?.sendReliably(new TextEncoder().encode(writtenMessage(message)));
  }

  openLink(to: PageId): ClientLink {
    const { lab } = this.#page;
    const host = lab.page(to);
    if (host === undefined || !this.#texts.has(to)) return endedLink();
    const [clientEnd, hostEnd] = LocalLink.pair({ ordered: false });
    host.mesh.#ends.add(hostEnd);
    if (!host.isAwake) hostEnd.pause();
    hostEnd.tap = () => host.room.onHeard(this.self);
    host.room.onLink(this.self, hostEnd);
    return tapLink(this.#simulate(clientEnd, to), {
      onReceived: () => this.#page.room.onHeard(to),
    });
  }

  connect(to: PageId, via: PageId): void {
    const { lab } = this.#page;
    const other = lab.page(to);
    if (other === undefined || this.#texts.has(to) || !this.#texts.has(via)) return;
    if (!lab.page(via)!.isAwake) return;
    lab.connect(this.#page, other);
  }

  drop(page: PageId): void {
    this.#texts.get(page)?.close(1000, "");
  }

  /** Lets what comes to the hosted match wait until the page is awake again. */
  pause(): void {
    this.#isPaused = true;
    for (const end of this.#ends) end.pause();
  }

  advance(): void {
    const nowMs = this.#page.lab.clock.now();
    if (this.#isPaused) {
      this.#isPaused = false;
      for (const end of this.#ends) end.resume();
    }
    for (const { link, cut } of this.#simulated) {
      link.advance(nowMs);
      cut.advance();
    }
    const { room } = this.#page;
    for (const { from, bytes } of this.#arrived.splice(0)) {
      room.onHeard(from);
      room.onMessage(from, readMessage(new TextDecoder().decode(bytes)));
    }
  }

  /** The network belongs to the page that calls, and stands still with it. */
  #simulate(end: LocalLink, to: PageId): ClientLink {
    const { lab } = this.#page;
    const link = new SimulatedLink(end, {
      model: lab.network,
      seed: lab.random.bits(),
      clock: lab.clock,
    });
    const cut = new CutLink(link, lab.lineOf(this.self, to));
    this.#simulated.push({ link, cut });
    return cut;
  }

  #attach(other: PageId, link: Link): void {
    this.#texts.set(other, link);
    const { room } = this.#page;
    link.onMessage((bytes) => this.#arrived.push({ from: other, bytes }));
    link.onClose(() => {
      this.#texts.delete(other);
      room.onLost(other);
    });
  }
}
