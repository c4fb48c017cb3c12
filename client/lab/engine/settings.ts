/** What a run begins with, and what a visitor changes while it runs. */
import type { TechniqueName } from "./techniques.ts";

/** The network, the same for all players. */
export interface NetworkSettings {
  /** The shortest round trip, ms: 0 … 500. */
  readonly roundTripMs: number;
  /** Mean and standard deviation of the additional delay in each direction, ms: 0 … 80. */
  readonly jitterMs: number;
  /** Percent of messages that are lost, datagrams in bursts: 0 … 20. */
  readonly lossPercent: number;
}

export interface LabSettings extends NetworkSettings {
  readonly scene: string;
  /** Unsigned, 32 bits. */
  readonly seed: number;
  /** The technique of each side. */
  readonly sides: readonly [TechniqueName, TechniqueName];
  /** TCP or datagrams. */
  readonly ordered: boolean;
  /** 1 … 4. */
  readonly players: number;
  /** How many of them have canvases: 1 … `players`. */
  readonly shown: number;
}

/** What a visitor does while the lab runs. */
export type LabAction =
  | { readonly type: "drop"; readonly ms: number }
  | { readonly type: "pause"; readonly ms: number }
  | { readonly type: "break" }
  | ({ readonly type: "network" } & NetworkSettings);

/** An action, and when it happens on the run's clock, ms. */
export interface TimedAction {
  readonly atMs: number;
  readonly action: LabAction;
}
