/**
 * People's figures on one connection. Riders play a match in the lab, and a client replays it for
 * each of them.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { Bot } from "../../../../client/games/dragons/bot.ts";
import type { NetworkModel } from "../../../../shared/netcode/simulated_network/network_model.ts";
import { networkModelOf } from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import type { CountedMatch } from "../row_match.ts";
import { type FeelFigures, figuresOf } from "../../bench/feel/figures.ts";
import { RiderControls } from "../../../../client/lab/people/dragons/rider_controls.ts";
import { type RiderStyle, styleAt } from "../../../../client/lab/people/dragons/styles.ts";
import { Lab } from "../lab.ts";
import { QueueRecorder } from "../queues/queue_recorder.ts";
import { PersonRecording } from "./person_recording.ts";
import { type ClientPolicy, type InputDelayTicks, replay } from "./replay.ts";

/** Seconds before anything is counted: clients join and their leads converge. */
export const PEOPLE_WARM_UP_SECONDS = 5;

/** Commands due within this time before the end may be in flight and do not count, ms. */
const TAIL_MS = 2000;

export interface PeopleMatchOptions extends CountedMatch {
  /** Everybody's line, instead of that of the profile. */
  readonly network?: NetworkModel;
  /** The first rider has the first style, and so on; the list repeats. By default bots play. */
  readonly styles?: readonly RiderStyle[];
  /** All riders' input delay, ticks; by default none. */
  readonly inputDelay?: InputDelayTicks;
}

/** The figures of `bench feel` that exist in virtual time. */
export type FeltFigures = Omit<FeelFigures, "keyToFrames" | "framesPerSecond">;

/** Plays the match. The same options give the same recordings. */
export function playPeople(
  options: PeopleMatchOptions,
): PersonRecording[] {
  const { link, styles, players, npcs, seconds, seed, inputDelay = 0 } = options;
  const lab = new Lab({ game: dragonGame, seed, npcs });
  const ordered = link === "ordered";
  const runMs = (PEOPLE_WARM_UP_SECONDS + seconds) * 1000;
  const people = Array.from({ length: players }, (_, i) => {
    const seed = lab.random.bits();
    const controls = styles === undefined
      ? new Bot(seed)
      : new RiderControls(styleAt(styles, i), seed);
    const queue = new QueueRecorder({ game: dragonGame, controls, nowMs: () => lab.nowMs });
    const recording = new PersonRecording({ ordered, clock: lab.clock });
    const { profile, correlated, network = networkModelOf(profile, { correlated, runMs }) } =
      options;
    const player = lab.join(`person ${i + 1}`, {
      ...recording.record(queue),
      network,
      ordered,
      inputDelay: () => inputDelay,
    });
    controls.attach(player.session);
    queue.attach(player);
    return { recording, queue };
  });
  const fromMs = lab.nowMs + PEOPLE_WARM_UP_SECONDS * 1000;
  lab.run(PEOPLE_WARM_UP_SECONDS + seconds);
  const untilMs = lab.nowMs - TAIL_MS;
  return people.map(({ recording, queue }) => {
    const arrivals = queue.arrivals({ dueMs: (tick) => lab.tickDueMs(tick), untilMs });
    recording.commandArrivals = arrivals.filter(({ dueMs }) => dueMs >= fromMs);
    return recording;
  });
}

/**
 * A client's figures over recordings by `playPeople`: the mean over all people, and the worst of
 * maxima.
 */
export function feltFiguresOf(
  people: readonly PersonRecording[],
  { client, seconds }: { client?: ClientPolicy; seconds: number },
): FeltFigures {
  const options = {
    ...client === undefined ? {} : { client },
    warmUpSeconds: PEOPLE_WARM_UP_SECONDS,
    seconds,
  };
  const figures = people.map((person) => figuresOf(replay(person, options)));
  const { keyToFrames: _keys, framesPerSecond: _rate, ...first } = figures[0]!;
  const mean = (key: keyof FeltFigures) =>
    figures.reduce((sum, each) => sum + each[key], 0) / figures.length;
  const entries = Object.keys(first).map((
    key,
  ) => [key, Math.round(mean(key as keyof FeltFigures) * 1e4) / 1e4]);
  const drawnMinusSimulatedMaxM = Math.max(...figures.map((each) => each.drawnMinusSimulatedMaxM));
  return { ...Object.fromEntries(entries) as FeltFigures, drawnMinusSimulatedMaxM };
}
