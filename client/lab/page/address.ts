/**
 * A run in the address: settings, seed, and what the visitor did and when. The same address gives
 * the same run, except that a visitor's own keys are not in it.
 *
 *     #scene=dragons&left=echo&right=early&rtt=200&jitter=10&loss=1&link=tcp&players=3&shown=1&seed=7
 *      &acts=3200d500,5000p300,6100b,8000n100-10-0          ms of virtual time, and what was done
 */
import type { LabSettings, TimedAction } from "../engine/settings.ts";
import { type TechniqueName, TECHNIQUES } from "../engine/techniques.ts";

export interface Address {
  readonly settings: LabSettings;
  readonly actions: readonly TimedAction[];
}

/** Later actions are not in the address, so that it stays short enough to send. */
export const ACTIONS_MAX = 40;
const PLAYERS_MAX = 4;
const SEED_MAX = 0xffff_ffff;
const TIME_MS_MAX = 3_600_000;

/** Bounds, and the value where the address has none. */
const RANGES = {
  rtt: { least: 0, most: 500, usual: 200 },
  jitter: { least: 0, most: 80, usual: 10 },
  loss: { least: 0, most: 20, usual: 1 },
} as const;

/** How long an outage and a pause last, ms. */
export const DROP_MS = 500;
export const PAUSE_MS = 400;
const LASTING_MS_MAX = 2000;

/** Reads an address. What is missing or out of its range gets its usual value. @param hash with # */
export function readAddress(hash: string): Address {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const players = numberOf(values.get("players"), { least: 1, most: PLAYERS_MAX, usual: 3 });
  const settings: LabSettings = {
    scene: /^[a-z-]{1,20}$/.exec(values.get("scene") ?? "")?.[0] ?? "dragons",
    sides: [
      techniqueOf(values.get("left"), "own-body"),
      techniqueOf(values.get("right"), "early"),
    ],
    roundTripMs: numberOf(values.get("rtt"), RANGES.rtt),
    jitterMs: numberOf(values.get("jitter"), RANGES.jitter),
    lossPercent: numberOf(values.get("loss"), RANGES.loss),
    ordered: values.get("link") !== "datagrams",
    players,
    shown: numberOf(values.get("shown"), { least: 1, most: players, usual: 1 }),
    seed: numberOf(values.get("seed"), { least: 0, most: SEED_MAX, usual: 7 }),
  };
  const acts = (values.get("acts") ?? "").split(",").slice(0, ACTIONS_MAX);
  return { settings, actions: acts.flatMap((text) => actionOf(text) ?? []) };
}

/** Writes an address, with #. */
export function writeAddress({ settings, actions }: Address): string {
  const { scene, sides: [left, right], roundTripMs, jitterMs, lossPercent } = settings;
  const { ordered, players, shown, seed } = settings;
  const values = new URLSearchParams({
    scene,
    left,
    right,
    rtt: String(roundTripMs),
    jitter: String(jitterMs),
    loss: String(lossPercent),
    link: ordered ? "tcp" : "datagrams",
    players: String(players),
    shown: String(shown),
    seed: String(seed),
  });
  const acts = actions.slice(0, ACTIONS_MAX).map(textOf).join(",");
  return `#${values}${acts && `&acts=${acts}`}`;
}

function textOf({ atMs, action }: TimedAction): string {
  const at = String(Math.round(atMs));
  switch (action.type) {
    case "drop":
      return `${at}d${action.ms}`;
    case "pause":
      return `${at}p${action.ms}`;
    case "break":
      return `${at}b`;
    case "network":
      return `${at}n${action.roundTripMs}-${action.jitterMs}-${action.lossPercent}`;
  }
}

const ACTION = /^(\d{1,7})(?:(b)|([dp])(\d{1,4})|n(\d{1,3})-(\d{1,2})-(\d{1,2}))$/;

/** @returns undefined for what is no action */
function actionOf(text: string): TimedAction | undefined {
  const [, at, broken, kind, ms, rtt, jitter, loss] = ACTION.exec(text) ?? [];
  if (at === undefined) return undefined;
  const atMs = Math.min(TIME_MS_MAX, Number(at));
  if (broken !== undefined) return { atMs, action: { type: "break" } };
  if (kind !== undefined) {
    const type = kind === "d" ? "drop" : "pause";
    return { atMs, action: { type, ms: Math.min(LASTING_MS_MAX, Number(ms)) } };
  }
  return {
    atMs,
    action: {
      type: "network",
      roundTripMs: numberOf(rtt ?? null, RANGES.rtt),
      jitterMs: numberOf(jitter ?? null, RANGES.jitter),
      lossPercent: numberOf(loss ?? null, RANGES.loss),
    },
  };
}

function techniqueOf(text: string | null, usual: TechniqueName): TechniqueName {
  return text !== null && Object.hasOwn(TECHNIQUES, text) ? text as TechniqueName : usual;
}

function numberOf(
  text: string | null,
  { least, most, usual }: { least: number; most: number; usual: number },
): number {
  const value = text === null || !/^\d{1,10}$/.test(text) ? usual : Number(text);
  return Math.max(least, Math.min(most, value));
}
