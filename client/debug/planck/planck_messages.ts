/**
 * What the worker with planck tells the page (`serve --check-planck`). It has no import of planck,
 * so the overlay's script has none either.
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import type { ReplayRequest } from "../replay/replay_messages.ts";

/** The worker with planck gets what the replay's worker gets, but for questions. */
export type PlanckRequest = Exclude<ReplayRequest, { readonly type: "poses" }>;

/** A part of a body in the body's frame, metres: a circle with its centre, or a line of corners. */
export type Outline =
  | { readonly radius: number; readonly x: number; readonly y: number }
  | { readonly corners: readonly (readonly [x: number, y: number])[]; readonly isClosed: boolean };

/** The origin of a body, metres, and its angle, radians. */
export interface OutlinePose {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

/** A dynamic body after the physics of one tick, here and in planck. */
export interface PlanckBody {
  readonly id: number;
  /** Its archetype's name. */
  readonly name: string;
  readonly stage: OutlinePose;
  readonly planck: OutlinePose;
  /** Between both centres of mass, metres. */
  readonly metres: number;
  /** The shapes that planck has of the declaration. */
  readonly outlines: readonly Outline[];
}

/** The distances of the dynamic bodies at the end of a period, metres. */
export interface PlanckPeriod {
  /** The period's last tick. */
  readonly tick: Tick;
  /** Ticks in the period: `PERIOD_TICKS`. */
  readonly ticks: number;
  readonly bodies: number;
  readonly meanMetres: number;
  readonly farthestMetres: number;
  /** The farthest body, such as "crate 12"; empty without bodies. */
  readonly farthest: string;
}

/** What planck makes of the newest definitive tick. */
export interface PlanckReport {
  readonly tick: Tick;
  /** Ticks since planck took over the stage's bodies. */
  readonly ticks: number;
  readonly bodies: readonly PlanckBody[];
  /** The newest period that has ended; undefined before the first end. */
  readonly period: PlanckPeriod | undefined;
}
