/**
 * Compares the page with the client before it (`client_before.ts`): the same people, commands and
 * arrivals.
 */
import { figuresOf } from "../../bench/feel/figures.ts";
import { DefinitiveDragons } from "../../bench/feel/definitive_dragons.ts";
import type { Recording } from "../../bench/feel/recording.ts";
import { type RiderStyle, styleAt } from "../../../../client/lab/people/dragons/styles.ts";
import {
  networkModelOf,
  type ProfileName,
} from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import { clientBefore } from "./client_before.ts";
import { PEOPLE_WARM_UP_SECONDS } from "./people_row.ts";
import type { PersonRecording } from "./person_recording.ts";
import { type ClientPolicy, type InputDelayTicks, pageClient, replay } from "./replay.ts";

/** Connections with at least this round trip count for the summary, ms. */
const LONG_ROUND_TRIP_MS = 100;

/**
 * The sum of the distances between rivals' places at the head and their definitive places at that
 * tick, and how many there were.
 */
interface ErrorSum {
  metres: number;
  count: number;
}

export interface PeopleComparison {
  /** The remote error relative to the client before; below 1 is better. */
  readonly remoteErrorToBefore: number;
  readonly popMeterToBefore: number;
  /** By style: the remote error of rivals with that style, relative to the client before. */
  readonly remoteErrorToBeforeByStyle: Readonly<Record<string, number>>;
}

/** Summarises all rows. */
export interface PeopleSummary {
  /** The mean over connections with round trips of 100 ms and more. */
  readonly remoteErrorToBeforeAtLongRoundTrips: number;
  readonly worstLine: number;
  readonly worstStyle: number;
}

/** @param people the recordings of a match that `playPeople` played with these styles */
export function comparePeople(
  people: readonly PersonRecording[],
  { styles, seconds, inputDelay = 0 }: {
    styles: readonly RiderStyle[];
    seconds: number;
    inputDelay?: InputDelayTicks;
  },
): PeopleComparison {
  const options = { warmUpSeconds: PEOPLE_WARM_UP_SECONDS, seconds };
  const replayAll = (client: ClientPolicy) =>
    people.map((person) =>
      replay(person, {
        ...options,
        client: (options) => client({ ...options, inputDelay: () => inputDelay }),
      })
    );
  const now = replayAll(pageClient);
  const before = replayAll(clientBefore);
  const pops = (recordings: readonly Recording[]) =>
    recordings.reduce((sum, recording) => sum + figuresOf(recording).popMeter, 0);
  const errorsNow = errorsByStyle(now, styles);
  const errorsBefore = errorsByStyle(before, styles);
  const names = [...errorsBefore.keys()];
  return {
    remoteErrorToBefore: rounded(
      meanOf([...errorsNow.values()]) / meanOf([...errorsBefore.values()]),
    ),
    popMeterToBefore: rounded(pops(now) / pops(before)),
    remoteErrorToBeforeByStyle: Object.fromEntries(
      names.map((
        name,
      ) => [name, rounded(meanOf([errorsNow.get(name)!]) / meanOf([errorsBefore.get(name)!]))]),
    ),
  };
}

export function summaryOfPeople(
  rows: readonly { readonly profile: ProfileName; readonly people?: PeopleComparison }[],
): PeopleSummary | undefined {
  const compared = rows.flatMap(({ profile, people }) =>
    people === undefined ? [] : [{ profile, people }]
  );
  if (compared.length === 0) return undefined;
  const long = compared.filter(({ profile }) =>
    2 * networkModelOf(profile).oneWayMs >= LONG_ROUND_TRIP_MS
  );
  const sum = long.reduce((sum, { people }) => sum + people.remoteErrorToBefore, 0);
  return {
    remoteErrorToBeforeAtLongRoundTrips: rounded(sum / Math.max(1, long.length)),
    worstLine: Math.max(...compared.map(({ people }) => people.remoteErrorToBefore)),
    worstStyle: Math.max(
      ...compared.flatMap(({ people }) => Object.values(people.remoteErrorToBeforeByStyle)),
    ),
  };
}

/**
 * All people's errors about their rivals, by the rival's style. The n-th person has the n-th style.
 */
function errorsByStyle(
  recordings: readonly Recording[],
  styles: readonly RiderStyle[],
): Map<string, ErrorSum> {
  const styleOfSeat = new Map<number, string>();
  recordings.forEach(({ drawn }, i) => {
    for (const { own, seat } of drawn) {
      if (own === 1) styleOfSeat.set(seat, styleAt(styles, i).name);
    }
  });
  const errors = new Map<string, ErrorSum>();

  for (const { drawn, frames, definitive } of recordings) {
    const dragons = new DefinitiveDragons(definitive);
    const ticks = [...frames].map(({ tick }) => tick);
    for (const { frame, seat, own, teleports, headX, headY } of drawn) {
      const style = styleOfSeat.get(seat);
      const truth = dragons.at(ticks[frame]!, seat);
      // As in the figures: only living rivals, and no wrong spawn points.
      if (own === 1 || style === undefined || truth?.dead !== 0 || truth.teleports !== teleports) {
        continue;
      }
      const sum = errors.get(style) ?? { metres: 0, count: 0 };
      sum.metres += Math.hypot(headX - truth.x, headY - truth.y);
      sum.count++;
      errors.set(style, sum);
    }
  }

  return errors;
}

function meanOf(errors: readonly ErrorSum[]): number {
  const metres = errors.reduce((sum, each) => sum + each.metres, 0);
  return metres / errors.reduce((sum, each) => sum + each.count, 0);
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
