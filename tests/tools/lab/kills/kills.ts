/**
 * Measures how soon a page shows what its own player did to others, and whether it ever takes such a
 * thing back. People and NPCs play a match in the lab, and the page's client replays it for each
 * person, 60 frames a second.
 *
 *     predicted      the first frame whose head has the tick of the event
 *     shown          the frame in which the event begins
 *     definitive     the first frame in which the server has said so
 *     counted        the own score of a frame has the points of its own kill
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { PLAYER_SEATS, type SeatId, type Tick } from "../../../../shared/netcode/game.ts";
import { FITTED } from "../../../../client/lab/people/dragons/styles.ts";
import type { PresentedEvent } from "../../../../client/presentation/event_reconciler.ts";
import { PEOPLE_WARM_UP_SECONDS, playPeople } from "../people/people_row.ts";
import { pageClient, type PagePresenter, replayFrames } from "../people/replay.ts";

/** Deaths, as the dragons' declaration has them: they wait until nothing can undo them. */
const DEATHS: readonly string[] = ["joust", "burn"];
const JITTER_MS = 5;
/** How long after its tick an event may take to become definitive and still count, ms. */
const TAIL_MS = 3000;

export interface KillsOptions {
  /** Of everybody's line, ms. */
  readonly roundTripMs: number;
  /** Of everybody's line, 0 … 1. */
  readonly loss: number;
  readonly players: number;
  readonly npcs: number;
  readonly seconds: number;
  readonly seed: number;
}

/** How long own kills of one kind of victim took from the prediction, ms. */
export interface KillTimes {
  readonly count: number;
  readonly shownMsP50: number;
  readonly shownMsP95: number;
  /** When a page that trusts nothing but the server would have shown them. */
  readonly definitiveMsP95: number;
}

export interface KillsRow {
  readonly npcs: KillTimes;
  readonly people: KillTimes;
  /** Deaths of anybody that pages showed, how many of them before they were definitive, and how many vanished again. */
  readonly shown: number;
  readonly shownEarly: number;
  readonly takenBack: number;
  /** Own kills that the own score counts in the frame that shows them. */
  readonly counted: number;
  /** How many the score of the settled tick would have counted there. */
  readonly countedBySettledTick: number;
  /** How often an own score fell within a round. */
  readonly pointsTakenBack: number;
}

/** One death as a page showed it. */
interface Shown {
  readonly isOwnKill: boolean;
  readonly victim: SeatId;
  readonly tick: Tick;
  readonly predictedMs: number;
  readonly shownMs: number;
  definitiveMs: number | undefined;
  isTakenBack: boolean;
  /** Whether the own score had its points in its first frame, and whether its tick was settled. */
  readonly isCounted: boolean;
  readonly isCountedBySettledTick: boolean;
}

/** Plays one match and looks at it through the page of each person. */
export function measureKills(
  { roundTripMs, loss, players, npcs, seconds, seed }: KillsOptions,
): KillsRow {
  const people = playPeople({
    network: { oneWayMs: roundTripMs / 2, jitterMs: JITTER_MS, loss },
    profile: "cable",
    link: "ordered",
    styles: FITTED,
    players,
    npcs,
    seconds,
    correlated: false,
    seed,
  });
  let pointsTakenBack = 0;
  const shown = people.flatMap((person) => {
    const watch = new DeathWatch();
    const scores = new ScoreWatch();
    replayFrames(person, {
      client: pageClient,
      command: dragonGame.command,
      warmUpSeconds: PEOPLE_WARM_UP_SECONDS,
      seconds,
      onFrame: (client) => {
        watch.onFrame(client);
        scores.onFrame(client);
      },
    });
    pointsTakenBack += scores.falls;
    return watch.ended;
  });
  const ownKills = shown.filter(({ isOwnKill }) => isOwnKill);
  return {
    npcs: timesOf(ownKills.filter(({ victim }) => victim >= PLAYER_SEATS)),
    people: timesOf(ownKills.filter(({ victim }) => victim < PLAYER_SEATS)),
    shown: shown.length,
    shownEarly: shown.filter(({ shownMs, definitiveMs }) => shownMs < (definitiveMs ?? Infinity))
      .length,
    takenBack: shown.filter(({ isTakenBack }) => isTakenBack).length,
    counted: ownKills.filter(({ isCounted }) => isCounted).length,
    countedBySettledTick:
      ownKills.filter(({ isCountedBySettledTick }) => isCountedBySettledTick).length,
    pointsTakenBack,
  };
}

/** The own points, as a page's frame has them. */
function ownPoints({ frameParts }: PagePresenter): {
  readonly shown: number;
  readonly settled: number;
} {
  const { definitive, ownScore = 0, ownSeat } = frameParts!;
  const settled = definitive.world.player(ownSeat)?.fields.score ?? 0;
  return { shown: Math.max(settled, ownScore), settled };
}

/** Whether a page ever takes points back. */
class ScoreWatch {
  #round = 0;
  #points = 0;
  falls = 0;

  onFrame(client: PagePresenter): void {
    const { match } = client.frameParts!.definitive.world;
    const { shown } = ownPoints(client);
    if (match.round === this.#round && shown < this.#points) this.falls++;
    this.#round = match.round;
    this.#points = shown;
  }
}

/** What one page shows of deaths. */
class DeathWatch {
  /** By the event's key. */
  readonly #shown = new Map<string, Shown>();
  /** When each tick was first the head, ms. */
  readonly #headMs = new Map<Tick, number>();
  #newestHead: Tick | undefined;
  #newestMs = 0;

  onFrame(client: PagePresenter): void {
    const { session, frameParts } = client;
    const { atMs, events: { begun, retracted } } = frameParts!;
    for (let tick = this.#newestHead ?? session.head; tick <= session.head; tick++) {
      if (!this.#headMs.has(tick)) this.#headMs.set(tick, atMs);
    }
    this.#newestHead = session.head;
    this.#newestMs = atMs;

    for (const event of begun) {
      if (DEATHS.includes(event.kind) && event.seat >= 0) this.#begin(event, atMs, client);
    }
    for (const key of retracted) {
      const shown = this.#shown.get(key);
      if (shown !== undefined) shown.isTakenBack = true;
    }
    for (const shown of this.#shown.values()) {
      if (shown.tick <= session.definitiveTick) shown.definitiveMs ??= atMs;
    }
  }

  #begin(
    { key, tick, seat, otherSeat }: PresentedEvent,
    atMs: number,
    client: PagePresenter,
  ): void {
    const { ownSeat, definitive } = client.frameParts!;
    const { shown, settled } = ownPoints(client);
    const predictedMs = this.#headMs.get(tick);
    // It happened before the first frame.
    if (predictedMs === undefined) return;
    this.#shown.set(key, {
      isOwnKill: otherSeat === ownSeat && seat !== ownSeat,
      victim: seat,
      tick,
      predictedMs,
      shownMs: atMs,
      definitiveMs: undefined,
      isTakenBack: false,
      isCounted: definitive.tick >= tick || shown > settled,
      isCountedBySettledTick: definitive.tick >= tick,
    });
  }

  /** What was shown long enough before the end to be judged. */
  get ended(): Shown[] {
    return [...this.#shown.values()].filter(({ predictedMs }) =>
      predictedMs < this.#newestMs - TAIL_MS
    );
  }
}

function timesOf(kills: readonly Shown[]): KillTimes {
  const shownMs = kills.map((kill) => kill.shownMs - kill.predictedMs);
  const definitiveMs = kills.map((kill) => (kill.definitiveMs ?? Infinity) - kill.predictedMs);
  return {
    count: kills.length,
    shownMsP50: quantile(shownMs, 0.5),
    shownMsP95: quantile(shownMs, 0.95),
    definitiveMsP95: quantile(definitiveMs, 0.95),
  };
}

/** @returns ms, whole; 0 without values */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
}
