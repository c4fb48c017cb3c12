/**
 * Plants a cause in the lab and counts how many of the corrections that it made are attributed to
 * it by the overlay. The truth comes from clocks at both ends of every link, which pages do not
 * have:
 *
 *     their line   the command arrived at the server later than usual, or commands before it never did
 *     server       the server ran the announcing tick later than usual
 *     own line     the announcing tick passed the page's network later than usual, or the page's lead was longer
 *     this page    the page's thread was busy when that tick had arrived, or when its own command was due
 */
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { Bot } from "../../../../client/games/dragons/bot.ts";
import { dragonView } from "../../../../client/games/dragons/view.ts";
import type { KitFrame } from "../../../../client/game_kit/kit_frame.ts";
import type { Delay } from "../../../../client/debug/replay/delays.ts";
import type { FlightCorrection } from "../../../../client/debug/replay/flight_replay.ts";
import type { CommandSource } from "../../../../client/session/session.ts";
import type { Tick } from "../../../../shared/netcode/game.ts";
import type { NetworkModel } from "../../../../shared/netcode/simulated_network/network_model.ts";
import { ClientMessageDecoder } from "../../../../shared/netcode/wire/client_messages.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import { Lab } from "../lab.ts";
import { PresentedPage } from "./presented_page.ts";

type DragonPage = PresentedPage<DragonCommand, DragonSimulation, KitFrame>;
export type Place = Delay["where"];
type Delays = Partial<Record<Place, number>>;

const TICK_MS = 1000 / dragonGame.tickHz;
const RIDERS = 4;
const NETWORK: NetworkModel = { oneWayMs: 50, jitterMs: 3 };
const WARM_UP_SECONDS = 8;
const FRAMES_PER_SECOND = 60;
/** A planted cause made a correction if it delayed the command by at least this much, ms. */
const DELAYED_MS_MIN = 75;
/** A cause that delayed the command by less than this did not make the correction, ms. */
const TRACE_MS = 40;
/** How many ticks determine what is usual: five seconds. */
const USUAL = 100;
const MISSING_TICKS_MAX = 40;
const AFTERMATH_MS = 8000;
/** How long one step takes on a slow page. */
const SLOW_STEP_MS = 30;

export interface PlantedCause {
  readonly name: string;
  readonly where: Place;
  /** The networks of the observer and of the disturbed rider. */
  readonly own?: NetworkModel;
  readonly theirs?: NetworkModel;
  readonly begin?: (match: PlantedMatch) => void;
  /** Called now and then. */
  readonly disturb?: (match: PlantedMatch) => void;
  readonly everySeconds?: number;
}

export const PLANTED_CAUSES: readonly PlantedCause[] = [
  {
    name: "one rider stalls for 300 ms",
    where: "their line",
    disturb: ({ rival }) => rival.page.thread.stall(300),
  },
  { name: "5 % loss on one rider's line", where: "their line", theirs: { ...NETWORK, loss: 0.05 } },
  { name: "5 % loss on this page's line", where: "own line", own: { ...NETWORK, loss: 0.05 } },
  {
    name: "this page stalls for 300 ms",
    where: "this page",
    disturb: ({ own }) => own.page.thread.stall(300),
  },
  {
    name: "this page is slow",
    where: "this page",
    begin: ({ own }) => own.page.thread.stepMs = SLOW_STEP_MS,
  },
  {
    name: "a rider's commands come as a flood",
    where: "their line",
    disturb: ({ rival }) => rival.page.thread.cut(700),
  },
  {
    name: "ticks come to this page as a flood",
    where: "own line",
    disturb: ({ own }) => own.page.thread.cut(400),
  },
  {
    name: "ticks come to a slow page as a flood",
    where: "own line",
    begin: ({ own }) => own.page.thread.stepMs = SLOW_STEP_MS,
    disturb: ({ own }) => own.page.thread.cut(400),
  },
  {
    name: "the server drops ticks",
    where: "server",
    disturb: ({ lab }) => lab.stallServer(500),
    everySeconds: 15,
  },
];

export interface PlantedResult {
  readonly name: string;
  /**
   * Corrections over 5 cm, those that the planted cause made, and how many of these were attributed
   * to it.
   */
  readonly corrections: number;
  readonly planted: number;
  readonly given: number;
  /** Corrections that were attributed to it although it did not make them. */
  readonly falselyGiven: number;
  /** Corrections attributed to a busy page although the page was not busy. */
  readonly falselyOnPage: number;
  readonly unknown: number;
  readonly divergences: number;
}

/** One rider: the page, and when each of its commands was issued and arrived. */
class Rider {
  readonly page: DragonPage;
  readonly issuedMs = new Map<Tick, number>();
  readonly serverMs = new Map<Tick, number>();

  constructor(lab: Lab<DragonCommand, DragonSimulation>, { name, seed, network }: {
    name: string;
    seed: number;
    network: NetworkModel;
  }) {
    const bot = new Bot(seed);
    const controls: CommandSource<DragonCommand> = {
      next: (tick, acknowledged) => {
        this.issuedMs.set(tick, this.page.thread.clock.now());
        return bot.next(tick, acknowledged);
      },
    };
    const playable = { game: dragonGame, view: dragonView, bodyStream: undefined };
    this.page = new PresentedPage(lab, { playable, name, controls, network, ordered: true });
    bot.attach(this.page.session);
    const decoder = new ClientMessageDecoder(dragonGame.command, { ordered: true });
    let hasHello = false;
    this.page.serverEnd.tap = (bytes) => {
      // The first message is the hello.
      if (!hasHello) return void (hasHello = true);
      const message = decoder.decode(bytes);
      if (message.type === "command") this.serverMs.set(message.tick, lab.nowMs);
    };
  }
}

export class PlantedMatch {
  readonly lab: Lab<DragonCommand, DragonSimulation>;
  readonly own: Rider;
  readonly rival: Rider;
  readonly #riders: Rider[];
  readonly #cause: PlantedCause;
  /**
   * By tick: when the server ran it, when its message had passed the observer's network, and when
   * the page had it.
   */
  readonly #ranMs = new Map<Tick, number>();
  readonly #passedMs = new Map<Tick, number>();
  readonly #handledMs = new Map<Tick, number>();
  /** By tick: when the page first simulated it. */
  readonly #steppedMs = new Map<Tick, number>();
  /** By seat and tick of a command: the tick that announced it to the observer. */
  readonly #announcedBy = new Map<string, Tick>();
  readonly #disturbedAtMs: number[] = [];

  constructor(cause: PlantedCause, seed: number) {
    this.#cause = cause;
    this.lab = new Lab({
      game: dragonGame,
      seed,
      npcs: 2,
      onDefinitive: ({ tick }) => this.#ranMs.set(tick, this.lab.nowMs),
    });
    const networks = [cause.own ?? NETWORK, cause.theirs ?? NETWORK];
    this.#riders = Array.from({ length: RIDERS }, (_, i) => {
      const options = { name: `rider ${i}`, seed: seed * 10 + i, network: networks[i] ?? NETWORK };
      return new Rider(this.lab, options);
    });
    [this.own, this.rival] = this.#riders as [Rider, Rider];
    const decoder = new ServerMessageDecoder(dragonGame.command);
    this.own.page.link.tap = (bytes) => {
      const message = decoder.decode(bytes);
      if (message.type === "tick") this.#passedMs.set(message.tick, this.lab.nowMs);
    };
  }

  /** @param seconds how long the cause is planted */
  run(seconds: number): PlantedResult {
    this.#play(WARM_UP_SECONDS);
    const page = this.own.page;
    const from = this.lab.nowMs;
    this.#cause.begin?.(this);
    const { everySeconds = 3 } = this.#cause;
    for (let second = 0; second < seconds; second += everySeconds) {
      this.#disturbedAtMs.push(this.lab.nowMs);
      this.#cause.disturb?.(this);
      this.#play(everySeconds);
    }

    const corrections = page.corrections.filter(({ atMs }) => atMs > from);
    const { where, name } = this.#cause;
    const result = { planted: 0, given: 0, falselyGiven: 0, falselyOnPage: 0 };

    for (const correction of corrections) {
      const delays = this.#delaysOf(correction);
      const isGiven = correction.delay?.where === where;
      const ms = delays?.[where] ?? 0;
      const others = Object.entries(delays ?? {}).filter(([place]) => place !== where);
      // Two delays of similar length are not a single cause.
      const isPlanted = ms >= DELAYED_MS_MIN && others.every(([, other]) => !(other > ms / 2));
      if (isPlanted) result.planted++;
      if (isPlanted && isGiven) result.given++;
      if (ms < TRACE_MS && isGiven) result.falselyGiven++;
      const isFree = !((delays?.["this page"] ?? 0) >= TRACE_MS);
      if (isFree && correction.delay?.where === "this page") result.falselyOnPage++;
    }

    const unknown = corrections.filter(({ cause }) => cause === "unknown").length;
    return {
      name,
      corrections: corrections.length,
      ...result,
      unknown,
      divergences: page.divergences,
    };
  }

  #play(seconds: number): void {
    const { page } = this.own;
    for (let frame = 0; frame < seconds * FRAMES_PER_SECOND; frame++) {
      this.lab.run(1 / FRAMES_PER_SECOND);
      page.draw();
    }
    for (const { ticks, steps, atMs } of page.telemetry.flight.entries) {
      for (const { tick } of steps) if (!this.#steppedMs.has(tick)) this.#steppedMs.set(tick, atMs);
      for (const { tick, announcements } of ticks) {
        if (this.#handledMs.has(tick)) continue;
        this.#handledMs.set(tick, atMs);
        for (const each of announcements) this.#announcedBy.set(`${each.seat} ${each.tick}`, tick);
      }
    }
    page.replayRecording();
  }

  /** By place: how much longer than usual the command behind a correction was delayed there, ms. */
  #delaysOf({ by, since, cause }: FlightCorrection): Delays | undefined {
    const rider = this.#riders.find(({ page }) => page.session.seat === by);
    if (rider === undefined || since === undefined || cause === "presence") return undefined;
    return rider === this.own ? this.#ownDelays(rider, since) : this.#delays(rider, since);
  }

  #ownDelays({ issuedMs, serverMs }: Rider, tick: Tick): Delays {
    const lead = (tick: Tick) => at(this.#ranMs, tick) - at(issuedMs, tick);
    const journey = (tick: Tick) => at(serverMs, tick) - at(issuedMs, tick);
    let skipped = 0;
    while (!issuedMs.has(tick - 1 - skipped) && skipped < MISSING_TICKS_MAX) skipped++;
    return {
      "this page": usual(tick, lead) - lead(tick) + skipped * TICK_MS,
      "own line": journey(tick) - usual(tick, journey),
    };
  }

  #delays({ serverMs, page }: Rider, tick: Tick): Delays {
    const announcedBy = (tick: Tick) =>
      this.#announcedBy.get(`${page.session.seat} ${tick}`) ?? tick;
    const announcing = announcedBy(tick);
    const margin = (tick: Tick) => at(this.#ranMs, tick) - at(serverMs, tick);
    const passed = (tick: Tick) => at(this.#passedMs, tick) - at(this.#ranMs, tick);
    const start = (tick: Tick) => at(this.#steppedMs, tick) - tick * TICK_MS;
    let missing = 0;
    while (!(margin(tick - 1 - missing) >= 0) && missing < MISSING_TICKS_MAX) missing++;
    return {
      "their line": Math.max(0, usual(tick, margin) - margin(tick)) + missing * TICK_MS,
      "server": this.#serverDelayMs(tick, announcedBy),
      "own line": passed(announcing) - usual(announcing, passed) + usual(tick, start) - start(tick),
      "this page": at(this.#handledMs, announcing) - at(this.#passedMs, announcing),
    };
  }

  /**
   * How much longer than before the last disturbance the page waited until the server ran the tick
   * that announced a seat's command. After dropped ticks all clients' clocks run ahead for a while,
   * so the delay lasts longer than one tick. It is counted for `AFTERMATH_MS`; later it mixes with
   * the rivals' own clocks.
   */
  #serverDelayMs(tick: Tick, announcing: (tick: Tick) => Tick): number {
    const wait = (tick: Tick) => at(this.#ranMs, announcing(tick)) - at(this.#steppedMs, tick);
    const ranMs = at(this.#ranMs, announcing(tick));
    const disturbedMs = this.#disturbedAtMs.findLast((ms) => ms < ranMs) ?? 0;
    if (ranMs > disturbedMs + AFTERMATH_MS) return NaN;
    let before = announcing(tick);
    while (at(this.#ranMs, before) > disturbedMs) before--;
    return wait(tick) - usual(before, wait);
  }
}

function at(times: ReadonlyMap<Tick, number>, tick: Tick): number {
  return times.get(tick) ?? NaN;
}

/** A value's median over the ticks before this one. */
function usual(tick: Tick, value: (tick: Tick) => number): number {
  const values = Array.from({ length: USUAL }, (_, i) => value(tick - 1 - i)).filter((value) =>
    !isNaN(value)
  );
  return values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}
