/**
 * Knows which match process has which room, and chooses the one that gets a new room: the one with
 * the most time left beside its ticks.
 *
 *     projected load = tick load + rooms that it has not reported yet · mean load of a room
 *
 * A room belongs to a process from its first ticket on, so two players who want a new room at the
 * same time meet in it.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { TICKET_SECONDS } from "../tickets/tickets.ts";
import { leastBusy } from "../nodes/placement.ts";
import type { MatchProcess } from "./match_process.ts";

/**
 * How long a process keeps a room after the room's last ticket, ms, without reporting it. A ticket
 * may be used late, and its hello may come late.
 */
const ASSIGNED_MS = 2 * TICKET_SECONDS * 1000;
/**
 * How many rooms may be assigned but not reported yet. One address asks for at most 100 a second,
 * so only a flood from many addresses reaches this.
 */
const ASSIGNED_MAX = 65_536;
/**
 * Loads that differ by less than this count as equal, as a share of a tick, because one pause of
 * the garbage collector makes as much difference.
 */
const EQUAL_LOAD = 0.05;
/** A room's load before any is measured: a match of eight, on a core that runs fifty. */
const ROOM_LOAD = 0.01;

/** What decides where rooms go. */
export type PlacedProcess = Pick<MatchProcess, "number" | "state" | "report" | "codes">;

interface Assignment {
  readonly worker: number;
  readonly atMs: number;
}

export class RoomDirectory {
  readonly #clock: Clock;
  readonly #workers: readonly PlacedProcess[];
  /** By game and code, oldest first. */
  readonly #assigned = new Map<string, Assignment>();
  /** By game and code: the process that reported the room, even while that process is away. */
  #reported = new Map<string, number>();

  /** @param workers each at its number less one */
  constructor(workers: readonly PlacedProcess[], clock: Clock) {
    this.#workers = workers;
    this.#clock = clock;
  }

  /** Takes in what a process has reported. */
  update({ number, codes: byGame }: Pick<PlacedProcess, "number" | "codes">): void {
    if (byGame === undefined) return;
    for (const [key, worker] of this.#reported) if (worker === number) this.#reported.delete(key);
    for (const [game, codes] of Object.entries(byGame)) {
      for (const code of codes) {
        const key = keyOf(game, code);
        // If two processes have the same room, the first one keeps getting its newcomers.
        if (!this.#reported.has(key)) this.#reported.set(key, number);
      }
    }
  }

  /** @returns the number of the process that has a room; undefined if the room does not exist */
  find(game: string, code: string): number | undefined {
    const key = keyOf(game, code);
    const reported = this.#reported.get(key);
    const assigned = this.#assigned.get(key);
    if (reported !== undefined) return reported;
    return assigned !== undefined && this.#isFresh(assigned) ? assigned.worker : undefined;
  }

  /**
   * @returns the process that has a room, or gets it; undefined if too many rooms are wanted at
   * once
   */
  assign(game: string, code: string): number | undefined {
    this.#forgetOld();
    const key = keyOf(game, code);
    const worker = this.find(game, code) ?? this.#leastBusy();
    if (this.#assigned.size >= ASSIGNED_MAX && !this.#assigned.has(key)) return undefined;
    this.#assigned.delete(key);
    this.#assigned.set(key, { worker, atMs: this.#clock.now() });
    return worker;
  }

  #forgetOld(): void {
    for (const [key, assignment] of this.#assigned) {
      if (this.#isFresh(assignment)) return;
      this.#assigned.delete(key);
    }
  }

  #isFresh({ atMs }: Assignment): boolean {
    return this.#clock.now() < atMs + ASSIGNED_MS;
  }

  /**
   * Chooses the process for a new room: one that takes players or, if there is none, one that can
   * tell why it does not.
   */
  #leastBusy(): number {
    const waiting = this.#waitingRooms();
    const roomLoad = this.#roomLoad();
    const rated = this.#workers.map((worker) => {
      const { number, report } = worker;
      const pending = waiting.get(number) ?? 0;
      return {
        number,
        takes: takesOf(worker),
        matches: (report?.rooms ?? 0) + pending,
        load: (report?.tickLoad ?? 0) + pending * roomLoad,
      };
    });

    const best = Math.min(...rated.map(({ takes }) => takes));
    return leastBusy(rated.filter(({ takes }) => takes === best), { equalLoad: EQUAL_LOAD })!
      .number;
  }

  /** By process: how many of its rooms are only assigned so far. */
  #waitingRooms(): Map<number, number> {
    const waiting = new Map<number, number>();
    for (const [key, assignment] of this.#assigned) {
      if (this.#reported.has(key) || !this.#isFresh(assignment)) continue;
      waiting.set(assignment.worker, (waiting.get(assignment.worker) ?? 0) + 1);
    }
    return waiting;
  }

  #roomLoad(): number {
    let load = 0;
    let rooms = 0;
    for (const { report } of this.#workers) {
      load += report?.tickLoad ?? 0;
      rooms += report?.rooms ?? 0;
    }
    return rooms === 0 ? ROOM_LOAD : load / rooms;
  }
}

/** @returns 0 if it takes players, 1 if it does not, 2 if it is away */
function takesOf({ state, report }: PlacedProcess): 0 | 1 | 2 {
  if (state !== "up" || report === undefined) return 2;
  return report.reason === "" ? 0 : 1;
}

function keyOf(game: string, code: string): string {
  return `${game} ${code}`;
}
