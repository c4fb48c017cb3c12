/**
 * A room that one of its pages hosts. When the host is gone, the page with the newest state goes on
 * with the match, and the others follow it:
 *
 *     host silent for 1.5 s  →  more than half of the pages miss it  →  the best of them leads, one term higher
 *
 * Of two hosts the one with the higher term counts, of two with one term that which went on from the
 * newer state, and of two with one state that whose id is smaller. The other lets go of its match
 * and joins. So a host that only stood still comes back as a player, and what it played alone is
 * forgotten.
 *
 * It sets no timers and knows no browser: call `advance` often.
 */
import type { Tick } from "../../shared/netcode/game.ts";
import type { ClientLink, Clock, HostLink, Link } from "../../shared/netcode/link.ts";
import type { LoggedPlayer } from "../../shared/netcode/match_log/records.ts";
import { GOING_AWAY } from "../../shared/netcode/wire/stop_reasons.ts";
import type { BegunMatch } from "../solo/solo_worker.ts";
import type { KnownMatchState } from "../session/session.ts";
import { ConditionedLink, type NetworkConditions } from "../net/network_conditions.ts";
import { endedLink } from "./ended_link.ts";
import type { Mesh, MeshEvents } from "./mesh.ts";
import type { Beat, PageId, PageMessage, PageSeat, RoomMatch, Roster } from "./page_message.ts";
import { HostWait } from "./host_wait.ts";
import { RoundTrips } from "./round_trips.ts";

/** How long a seat waits for its player, ms (SPEC 3.3). */
const SEAT_MS_MAX = 30_000;
/** How often a page says that it is there, ms. */
const BEAT_MS = 250;
/**
 * After this silence a page misses its host, ms: longer than a page stands still that loads a
 * script or collects garbage.
 */
const MISSED_MS = 1500;
/** A page that was heard within this time has a say about the host, ms. */
const ALIVE_MS = 1000;
/** A page that was not heard for so long is no longer counted, ms. */
const MEMBER_MS = 5000;
/** How long a page counts that the roster names and that was never heard, ms. */
const UNHEARD_MS = 8000;
/** After this time without a host a page looks for the room anew, ms. */
const HOSTLESS_MS = 7000;
/** After so long a silence its connection is given up, ms. */
const SILENT_MS_MAX = 15_000;
/** How long the best page waits for beats that say that another one is better, ms. */
const DECIDE_MS = 300;
/** How much longer each page waits that is not the best, in case those before it do not lead, ms. */
const NEXT_BEST_MS = 700;
/** Beats are this many ms late at most if the connection is good; round trips tell apart by this. */
const ROUND_TRIP_STEP_MS = 20;

/** Why the link to a host ends that is no longer one. */
const OTHER_HOST = "another page hosts now";

/** A match that this page hosts. */
export interface HostedMatch {
  /** The newest tick. */
  readonly tick: Tick;
  /** Who has a seat; a new list with each change. Their only token is their page's id. */
  readonly players: readonly LoggedPlayer[];
  readonly isOver: boolean;
  /** Lets this page in. */
  admit(options: { token: PageId }): Link;
  /** Lets another page in. */
  admitFrom(link: HostLink, options: { token: PageId }): void;
  end(): void;
}

export interface PageRoomOptions {
  readonly mesh: Mesh;
  readonly clock: Clock;
  /** Begins a match on this page. */
  readonly begin: (begun: Omit<BegunMatch, "room">) => HostedMatch;
  /** The newest state that this page knows; undefined without one. */
  readonly known: () => KnownMatchState<unknown> | undefined;
  /** This page's newest definitive tick; −1 without one. */
  readonly tick: () => Tick;
  /** This page's lead and half its round trip to the host, ms; 0 while it does not play. */
  readonly responseMs: () => number;
  /** Called when another page hosts, or none does: the link to the one before has ended. */
  readonly onHost: () => void;
}

/** What this page knows about another one. */
interface Member {
  heardMs: number;
  beat: Beat | undefined;
  /** When that beat came, ms on the clock. */
  beatMs: number;
}

/** One host's time: of two with one number, the one that went on from the newer state counts. */
interface Term {
  readonly term: number;
  /** The tick at which it began. */
  readonly since: Tick;
}

/** A page that may lead. */
interface Candidate {
  readonly page: PageId;
  readonly tick: Tick;
  readonly roundTripMs: number;
}

export class PageRoom implements MeshEvents {
  readonly #options: PageRoomOptions;
  readonly #members = new Map<PageId, Member>();
  readonly #roundTrips = new RoundTrips();
  readonly #wait = new HostWait();
  #term = 0;
  #host: PageId = "";
  /** The tick at which its term began. */
  #since: Tick = 0;
  #hosted: HostedMatch | undefined;
  #roster: Roster | undefined;
  /** When that came, or was sent, ms on the clock. */
  #rosterMs = -Infinity;
  /** The players when the roster was sent last. */
  #rosterPlayers: readonly LoggedPlayer[] | undefined;
  /** This page's link to the host. */
  #link: Link | undefined;
  /** The same, while this page hosts. */
  #ownLink: ConditionedLink | undefined;
  #nextBeatMs = -Infinity;
  /** Since when enough pages miss the host, ms on the clock; undefined while they do not. */
  #missedSinceMs: number | undefined;
  /** Since when it is the host, for this page, ms on the clock. */
  #followedMs = -Infinity;
  /** Whether the host's connection has ended, or it said that it leaves. */
  #isHostGone = false;
  /** The newest tick of the host before this one that any page had heard of. */
  #lastTick: Tick = -1;
  /** How many ticks of the host before this one nobody had, when this page took over. */
  lostTicks = 0;

  constructor(options: PageRoomOptions) {
    this.#options = options;
  }

  /** Grows with each host; 0 before the first. */
  get term(): number {
    return this.#term;
  }

  /** The page that hosts; empty if none is known. */
  get host(): PageId {
    return this.#host;
  }

  /** Whether this page hosts. */
  get isHost(): boolean {
    return this.#hosted !== undefined;
  }

  /** Whether `openLink` leads to a match now. */
  get isReachable(): boolean {
    return this.isHost || this.#options.mesh.pages.has(this.#host);
  }

  /**
   * Whether this page has nobody to play with: no host, and none for so long that the pages that it
   * is connected to will not find one. It has to be introduced again.
   */
  get isLost(): boolean {
    if (this.isHost) return false;
    const nowMs = this.#options.clock.now();
    return this.#host === "" || this.#missesHost(nowMs) && nowMs - this.#heardHostMs > HOSTLESS_MS;
  }

  /** How many people have a seat, as far as this page knows. */
  get people(): number {
    return this.#hosted?.players.length ?? this.#roster?.seats.length ?? 0;
  }

  /** How the room's match began; undefined before that is known. */
  get match(): RoomMatch | undefined {
    return this.#roster?.match;
  }

  /** Opens the room: this page hosts a new match. */
  open(match: RoomMatch): void {
    this.#lead({ match, term: 1, from: undefined });
  }

  /**
   * Opens a link to the match, wherever it is: one that ends at once if that is not known or there
   * is no connection.
   */
  openLink(): ClientLink {
    const { mesh } = this.#options;
    if (this.#hosted !== undefined) return this.#openOwnLink(this.#hosted);
    if (!this.isReachable) return endedLink();
    const link = mesh.openLink(this.#host);
    this.#link = link;
    return link;
  }

  #openOwnLink(hosted: HostedMatch): ClientLink {
    const { mesh, clock } = this.#options;
    const wait = this.#wait;
    const conditions: NetworkConditions = {
      get rttMs() {
        return wait.ms;
      },
      jitterMs: 0,
      lossPercent: 0,
      more: {},
    };
    const link = hosted.admit({ token: mesh.self });
    this.#link = this.#ownLink = new ConditionedLink(link, { conditions, clock, seed: 0 });
    return this.#ownLink;
  }

  /** Leaves the room. A host says so, and the others need not miss it first. */
  close(): void {
    const { mesh } = this.#options;
    if (this.isHost) this.#broadcast({ type: "leave", term: this.#term });
    this.#hosted?.end();
    this.#hosted = undefined;
    for (const page of [...mesh.pages]) mesh.drop(page);
  }

  /** Does what is due. */
  advance(): void {
    const nowMs = this.#options.clock.now();
    if (this.#hosted?.isOver) this.#giveUp();
    this.#dropSilent(nowMs);
    if (nowMs >= this.#nextBeatMs) {
      this.#nextBeatMs = nowMs + BEAT_MS;
      for (const page of this.#options.mesh.pages) this.#beatTo(page, nowMs);
    }
    this.#ownLink?.advance();
    if (this.isHost) {
      this.#keepRoster();
      this.#wait.advance(nowMs, {
        own: this.#options.responseMs(),
        others: this.#othersResponses(),
      });
    } else this.#watchHost(nowMs);
  }

  /** The newest tick that this page has. */
  get #tick(): Tick {
    return this.#hosted?.tick ?? this.#options.tick();
  }

  #othersResponses(): number[] {
    const { pages } = this.#options.mesh;
    return [...this.#members].flatMap(([page, { beat }]) =>
      beat === undefined || beat.responseMs === 0 || !pages.has(page) ? [] : beat.responseMs
    );
  }

  /** When `advance` must be called at the latest, ms on the clock. */
  get nextDueMs(): number {
    return Math.min(this.#nextBeatMs, this.#ownLink?.nextDueMs ?? Infinity);
  }

  onConnected(page: PageId): void {
    const nowMs = this.#options.clock.now();
    this.#members.set(page, { heardMs: nowMs, beat: undefined, beatMs: nowMs });
    if (page === this.#host) this.#isHostGone = false;
    this.#beatTo(page, nowMs);
    if (this.isHost) this.#sendRoster();
  }

  onLost(page: PageId): void {
    this.#roundTrips.forget(page);
    if (page === this.#host) this.#isHostGone = true;
    if (this.isHost) this.#sendRoster();
  }

  onHeard(from: PageId): void {
    const member = this.#members.get(from);
    if (member !== undefined) member.heardMs = this.#options.clock.now();
  }

  onLink(from: PageId, link: HostLink): void {
    if (this.#hosted === undefined) return link.close(GOING_AWAY, OTHER_HOST);
    this.#hosted.admitFrom(link, { token: from });
  }

  onMessage(from: PageId, message: PageMessage): void {
    this.onHeard(from);
    switch (message.type) {
      case "beat":
        return this.#onBeat(from, message);
      case "roster":
        return this.#onRoster(from, message);
      case "lead":
        return this.#follow(from, message);
      case "leave":
        if (from === this.#host && message.term === this.#term) this.#isHostGone = true;
        return;
      case "relay":
        // Between two others, for which this page is the way
        if (message.from === from && message.to !== this.#options.mesh.self) {
          this.#options.mesh.send(message.to, message);
        }
    }
  }

  #onBeat(from: PageId, beat: Beat): void {
    const member = this.#members.get(from);
    if (member === undefined) return;
    const nowMs = this.#options.clock.now();
    member.beat = beat;
    member.beatMs = nowMs;
    if (beat.echo !== null) this.#roundTrips.add(from, nowMs - beat.echo.atMs - beat.echo.heldMs);
    if (from === this.#host) this.#lastTick = Math.max(this.#lastTick, beat.tick);
    if (beat.host === "") return;
    this.#follow(beat.host, beat);
    const { mesh } = this.#options;
    const isApart = this.#host !== mesh.self && !mesh.pages.has(this.#host);
    if (isApart && beat.host === this.#host) mesh.connect(this.#host, from);
  }

  #onRoster(from: PageId, roster: Roster): void {
    this.#follow(from, roster);
    if (from !== this.#host) return;
    this.#roster = roster;
    this.#rosterMs = this.#options.clock.now();

    // The page with the smaller id of two calls the other
    const { mesh } = this.#options;
    for (const page of roster.pages) {
      if (page > mesh.self && !mesh.pages.has(page)) mesh.connect(page, from);
    }
  }

  /** Whether a host would count in place of the present one. */
  #isNewer(host: PageId, { term, since }: Term): boolean {
    if (term !== this.#term) return term > this.#term;
    if (this.#host === "") return true;
    return since === this.#since ? host < this.#host : since > this.#since;
  }

  /** Takes a page for the host if it counts in place of the present one. */
  #follow(host: PageId, { term, since }: Term): void {
    if (!this.#isNewer(host, { term, since })) return;
    this.#setHost(host, { term, since });
    this.#options.onHost();
  }

  /** Ends a match that has failed on this page, so that another page can go on with it. */
  #giveUp(): void {
    this.#broadcast({ type: "leave", term: this.#term });
    this.#setHost("", { term: this.#term, since: this.#since });
    this.#options.onHost();
  }

  /** Lets go of the match before, and of the link to it. */
  #setHost(host: PageId, { term, since }: Term): void {
    this.#term = term;
    this.#since = since;
    this.#host = host;
    this.#followedMs = this.#options.clock.now();
    this.#hosted?.end();
    this.#hosted = undefined;
    this.#isHostGone = false;
    this.#missedSinceMs = undefined;
    this.#lastTick = -1;
    const link = this.#link;
    this.#link = this.#ownLink = undefined;
    link?.close(GOING_AWAY, OTHER_HOST);
  }

  /** Ends the connections on which nothing comes any more. */
  #dropSilent(nowMs: number): void {
    const { mesh } = this.#options;
    for (const [page, { heardMs }] of [...this.#members]) {
      if (nowMs - heardMs > SILENT_MS_MAX) mesh.drop(page);
      if (nowMs - heardMs > SEAT_MS_MAX) this.#members.delete(page);
    }
  }

  #watchHost(nowMs: number): void {
    const roster = this.#roster;
    if (roster === undefined || !this.#missesHost(nowMs)) {
      this.#missedSinceMs = undefined;
      return;
    }
    const { mesh } = this.#options;
    const missing = [...this.#members].filter(([page, { beat, beatMs }]) =>
      page !== this.#host && beat?.term === this.#term && beat.misses && nowMs - beatMs < ALIVE_MS
    );
    if (2 * (missing.length + 1) <= this.#countOthers(roster, nowMs) + 1) {
      this.#missedSinceMs = undefined;
      return;
    }

    // Enough pages miss it: the best leads, and each that is not waits for those before it
    this.#missedSinceMs ??= nowMs;
    const own = { page: mesh.self, tick: this.#tick, roundTripMs: this.#roundTrips.mean };
    const candidates = [own, ...missing.map(([page, { beat }]) => ({ ...beat!, page }))];
    const rank = candidates.sort(byFitness).indexOf(own);
    if (nowMs - this.#missedSinceMs < DECIDE_MS + rank * NEXT_BEST_MS) return;
    const known = this.#options.known();
    if (known !== undefined) this.#takeOver(known, roster);
  }

  /**
   * Counts the pages that have a say about the host, without this one. One that this page has never
   * heard counts, too, for a while: a newcomer that is connected to the host alone must not think
   * that it is the only one left.
   */
  #countOthers({ pages }: Roster, nowMs: number): number {
    const { self } = this.#options.mesh;
    const others = new Set([...pages, ...this.#members.keys()]);
    others.delete(self);
    others.delete(this.#host);
    return [...others].filter((page) => {
      const member = this.#members.get(page);
      return member === undefined
        ? nowMs - this.#rosterMs < UNHEARD_MS
        : nowMs - member.heardMs < MEMBER_MS;
    }).length;
  }

  #missesHost(nowMs: number): boolean {
    if (this.#host === "" || this.isHost) return false;
    return this.#isHostGone || nowMs - this.#heardHostMs > MISSED_MS;
  }

  /** When this page last heard its host, or began to follow it, ms on the clock. */
  get #heardHostMs(): number {
    return Math.max(this.#members.get(this.#host)?.heardMs ?? -Infinity, this.#followedMs);
  }

  #takeOver(known: KnownMatchState<unknown>, { match, seats }: Roster): void {
    // A seat waits for its page no longer than on a server, however many hosts there are meanwhile
    const kept = seats.filter(({ page }) => this.#awayMsOf(page) < SEAT_MS_MAX);
    const players = kept.map(({ seat, entersAt, page }) => ({
      seat,
      entersAt,
      tokenHashes: [page],
      identity: undefined,
    }));
    this.lostTicks = Math.max(0, this.#lastTick - known.tick);
    this.#lead({ match, term: this.#term + 1, from: { ...known, players } });
  }

  #lead({ match, term, from }: {
    match: RoomMatch;
    term: number;
    from: BegunMatch["from"];
  }): void {
    const { mesh, begin } = this.#options;
    const since = from?.tick ?? 0;
    this.#setHost(mesh.self, { term, since });
    this.#hosted = begin({ ...match, keepsSeats: false, reports: true, from });
    const seats = this.#roster?.seats ?? [];
    this.#roster = { type: "roster", term, since, pages: [], seats, match };
    this.#rosterPlayers = undefined;
    this.#broadcast({ type: "lead", term, since });
    this.#keepRoster();
    this.#options.onHost();
  }

  /** Sends the roster when the players have changed. */
  #keepRoster(): void {
    if (this.#hosted!.players !== this.#rosterPlayers) this.#sendRoster();
  }

  #sendRoster(): void {
    const { mesh } = this.#options;
    const { players } = this.#hosted!;
    this.#rosterPlayers = players;
    const seats = players.flatMap(({ seat, entersAt, tokenHashes: [page] }): PageSeat[] =>
      page === undefined ? [] : [{ seat, entersAt, page, awayMs: this.#awayMsOf(page) }]
    );
    const nowMs = this.#options.clock.now();
    const isThere = (page: PageId) =>
      nowMs - (this.#members.get(page)?.heardMs ?? nowMs) < MEMBER_MS;
    this.#rosterMs = nowMs;
    this.#roster = {
      ...this.#roster!,
      pages: [mesh.self, ...[...mesh.pages].filter(isThere)],
      seats,
    };
    this.#broadcast(this.#roster);
  }

  /** How long nobody has heard from a page, as far as this one knows, ms; `SEAT_MS_MAX` at most. */
  #awayMsOf(page: PageId): number {
    if (page === this.#options.mesh.self) return 0;
    const nowMs = this.#options.clock.now();
    const heardMs = this.#members.get(page)?.heardMs ?? -Infinity;
    const told = this.#roster?.seats.find((seat) => seat.page === page)?.awayMs ?? Infinity;
    return Math.min(SEAT_MS_MAX, nowMs - heardMs, told + nowMs - this.#rosterMs);
  }

  #broadcast(message: PageMessage): void {
    for (const page of this.#options.mesh.pages) this.#options.mesh.send(page, message);
  }

  #beatTo(page: PageId, nowMs: number): void {
    const { mesh } = this.#options;
    const { beat, beatMs } = this.#members.get(page) ?? { beat: undefined, beatMs: nowMs };
    mesh.send(page, {
      type: "beat",
      term: this.#term,
      host: this.#host,
      since: this.#since,
      tick: this.#tick,
      roundTripMs: this.#roundTrips.mean,
      responseMs: this.#options.responseMs(),
      misses: this.#missesHost(nowMs),
      atMs: nowMs,
      echo: beat === undefined ? null : { atMs: beat.atMs, heldMs: nowMs - beatMs },
    });
  }
}

/** The newest state first, then the best connection, then the smaller id. */
function byFitness(a: Candidate, b: Candidate): number {
  const step = ({ roundTripMs }: Candidate) => Math.floor(roundTripMs / ROUND_TRIP_STEP_MS);
  return b.tick - a.tick || step(a) - step(b) || (a.page < b.page ? -1 : 1);
}
