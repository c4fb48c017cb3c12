/** A hunted room that its pages host: its faults, and the rules that hold all the time. */
import type { Simulation } from "../../../../shared/netcode/game.ts";
import type { CommandSource } from "../../../../client/session/session.ts";
import { type LabPage, type LocalHosted, PageLab } from "../../lab/page_rooms/page_lab.ts";
import type { HuntedGameParts } from "../clients/games.ts";
import { ROUND_SECONDS, type Schedule, setupOf } from "../schedule.ts";
import type { Breach } from "../world.ts";
import { beginPageFault, type FaultyPages } from "./page_faults.ts";

/** Pages that are awake for so long have heard what the others have, ms. */
const SETTLED_MS = 3000;
/** A room with fewer pages has nobody to go on. */
const PAGES_MIN = 2;
const PAGES_MAX = 5;
const SEAT_MS_MAX = 30_000;
/** By so many ticks a page may be ahead of the page that takes over: what came since its last beat. */
const BEAT_TICKS = 6;

/** What happened, summed up. */
export interface PagesCounts {
  takeOvers: number;
  comebacks: number;
  lostTicks: number;
  rollbacks: number;
}

interface Known<Command, Sim extends Simulation<Command>> {
  readonly page: LabPage<Command, Sim>;
  awakeSinceMs: number;
  hosted: LocalHosted<Command> | undefined;
  /** Its seat; −1 before the first. */
  seat: number;
  /** How often it got a tick in that seat, and when it last did, ms on the lab's clock. */
  playedTicks: number;
  playedMs: number;
  /** The newest tick that it has had. */
  tick: number;
}

export class PagesWorld<Command, Sim extends Simulation<Command>> implements FaultyPages {
  readonly #lab: PageLab<Command, Sim>;
  readonly #schedule: Schedule;
  readonly #newSource: (seed: number) => CommandSource<Command>;
  readonly #pages: Known<Command, Sim>[] = [];
  /** All matches, with the terms in which they were hosted. */
  readonly #hosted: { readonly term: number; readonly match: LocalHosted<Command> }[] = [];
  readonly #beganMs: number;
  readonly #tickMs: number;
  #seeds: number;
  /** Whether a line was ever cut: then a page may come back to another seat. */
  #wasCut = false;
  #breach: Breach | undefined;
  readonly counts: PagesCounts = { takeOvers: 0, comebacks: 0, lostTicks: 0, rollbacks: 0 };

  constructor(parts: HuntedGameParts<Command, Sim>, schedule: Schedule) {
    this.#schedule = schedule;
    this.#newSource = parts.newHands;
    this.#seeds = schedule.seed;
    const { npcs, players } = setupOf(schedule.seed, schedule.game);
    this.#lab = new PageLab({
      game: parts.game,
      seed: schedule.seed,
      npcs,
      network: players[0]!.network,
      stepMs: 10,
    });
    this.#beganMs = this.#lab.clock.now();
    this.#tickMs = 1000 / parts.game.tickHz;
    this.#lab.onStep = () => this.#check();
    const count = Math.min(PAGES_MAX, players.length + 2);
    for (let i = 0; i < count; i++) this.#lab.at(this.#beganMs + 200 * i, () => this.#join());
  }

  /** Ticks that hosts have run. */
  get ticks(): number {
    return this.#hosted.reduce((sum, { match }) => sum + match.tick - match.firstTick, 0);
  }

  /** Plays the schedule to its end, or until a rule is broken. */
  run(): Breach | undefined {
    const { seconds, faults } = this.#schedule;
    for (const fault of faults) {
      this.#lab.at(this.#beganMs + fault.atMs, () => beginPageFault(this, fault));
    }
    for (let round = 1; round * ROUND_SECONDS <= seconds; round++) {
      const endMs = this.#beganMs + 1000 * ROUND_SECONDS * round;
      while (this.#lab.clock.now() < endMs && this.#breach === undefined) this.#lab.run(100);
      if (this.#breach !== undefined) break;
      this.#checkQuiet();
    }
    for (const { page } of this.#pages) {
      for (const session of [...page.past, ...page.session === undefined ? [] : [page.session]]) {
        this.counts.rollbacks += session.stats.rollbacks;
      }
    }
    return this.#breach;
  }

  end(which: "host" | number, { ms, isSilent }: { ms: number; isSilent: boolean }): void {
    const page = this.#awake(which);
    if (page === undefined || !this.#maySpareOne) return;
    if (isSilent) page.kill();
    else page.close();
    this.#lab.at(this.#lab.clock.now() + ms, () => this.#join());
  }

  freeze(which: "host" | number, ms: number): void {
    const page = this.#awake(which);
    if (page !== undefined && this.#maySpareOne) page.freeze(ms);
  }

  cut(count: number, ms: number): void {
    const pages = this.#awakePages.slice(0, count);
    this.#wasCut = true;
    this.#lab.setCut(pages, true);
    this.#lab.at(this.#lab.clock.now() + ms, () => this.#lab.setCut(pages, false));
  }

  /** Whether enough pages know the match without one of them. */
  get #maySpareOne(): boolean {
    return this.#awakePages.filter(({ newestTick }) => newestTick >= 0).length > PAGES_MIN;
  }

  get #awakePages(): LabPage<Command, Sim>[] {
    return this.#lab.pages.filter(({ isAwake }) => isAwake);
  }

  #awake(which: "host" | number): LabPage<Command, Sim> | undefined {
    const pages = this.#awakePages;
    return which === "host"
      ? pages.find(({ room }) => room.isHost)
      : pages[which % Math.max(1, pages.length)];
  }

  #join(): void {
    if (this.#awakePages.length >= PAGES_MAX) return;
    const page = this.#lab.addPage(this.#newSource(++this.#seeds));
    const nowMs = this.#lab.clock.now();
    this.#pages.push({
      page,
      awakeSinceMs: nowMs,
      hosted: undefined,
      seat: -1,
      playedTicks: 0,
      playedMs: nowMs,
      tick: -1,
    });
  }

  /** What holds at each moment. */
  #check(): void {
    const nowMs = this.#lab.clock.now();
    for (const known of this.#pages) {
      const { page } = known;
      if (!page.isAwake) {
        known.awakeSinceMs = Infinity;
        continue;
      }
      if (known.awakeSinceMs === Infinity) {
        known.awakeSinceMs = nowMs;
        this.counts.comebacks++;
      }
      if (page.hosted !== known.hosted) this.#onHosted(known);
      const { session } = page;
      if (session === undefined) continue;
      if (session.stats.desyncs > 0) this.#break("states are equal", `${page.id} differs`);
      const isPlayed = page.isPlaying && page.newestTick !== known.tick;
      if (isPlayed) known.playedTicks++;
      known.tick = page.newestTick;
      if (isPlayed && session.seat >= 0) this.#checkSeat(known, session.seat);
    }
  }

  /** A seat waits for its player as long as they have played, 30 s at most (SPEC 3.3). */
  #checkSeat(known: Known<Command, Sim>, seat: number): void {
    const nowMs = this.#lab.clock.now();
    if (known.seat !== seat) {
      const playedMs = Math.min(SEAT_MS_MAX, known.playedTicks * this.#tickMs - SETTLED_MS);
      if (nowMs - known.playedMs < playedMs && !this.#wasCut) {
        this.#break("seats are kept", `${known.page.id} had ${known.seat}, and has ${seat}`);
      }
      known.seat = seat;
      known.playedTicks = 0;
    }
    known.playedMs = nowMs;
  }

  /** A page hosts from now on: it goes on from a state that the match before had. */
  #onHosted(known: Known<Command, Sim>): void {
    const { page } = known;
    known.hosted = page.hosted;
    const match = page.hosted;
    if (match === undefined) return;
    const { term, lostTicks } = page.room;
    this.#hosted.push({ term, match });
    if (term === 1) return;
    this.counts.takeOvers++;
    this.counts.lostTicks += lostTicks;
    const before = this.#hosted.filter((each) => each.term < term);
    if (!before.some(({ match: { hashes } }) => hashes.get(match.firstTick) === match.firstHash)) {
      this.#break("a match goes on from its own state", `term ${term} at tick ${match.firstTick}`);
    }
    const nowMs = this.#lab.clock.now();
    for (const other of this.#pages) {
      const isSettled = nowMs - other.awakeSinceMs > SETTLED_MS;
      // Who follows another host of this term has what that one has played since
      const isBehind = other.page.room.term < term;
      if (this.#wasCut || !isSettled || !isBehind) continue;
      if (other.page.newestTick > match.firstTick + BEAT_TICKS) {
        this.#break(
          "the newest state goes on",
          `${other.page.id} had ${other.page.newestTick}, and term ${term} begins at ${match.firstTick}`,
        );
      }
    }
  }

  /** What holds after some seconds without a fault. */
  #checkQuiet(): void {
    const pages = this.#awakePages;
    const hosts = pages.filter(({ room }) => room.isHost);
    if (hosts.length !== 1) {
      return this.#break("there is one host", `${hosts.length} after a round`);
    }
    const idle = pages.filter(({ isPlaying, session }) => !isPlaying || !session!.isInSync);
    if (idle.length > 0) {
      return this.#break("all play after a round", idle.map(({ id }) => id).join());
    }
    const seats = new Set(pages.map(({ session }) => session!.seat));
    if (seats.size !== pages.length) this.#break("no two pages have one seat", [...seats].join());
  }

  #break(invariant: string, detail: string): void {
    this.#breach ??= { invariant, detail, atMs: this.#lab.clock.now() - this.#beganMs };
  }
}
