/**
 * How people drive in Puck. The hands are those of the riders (`../dragons/styles.ts`): their reactions,
 * their pauses, and how soon a key or a thumb moves again. Only the tempers are the game's own. Half
 * of the people have keys, and half a stick.
 */
import { FITTED, JUDGING, type RiderStyle } from "../dragons/styles.ts";

/** The likes of a driver. Distances are in metres. */
export interface Temper {
  /** They go for the puck within this distance. */
  readonly chaseMetres: number;
  /** They drive into a rival within this distance. */
  readonly ramMetres: number;
  /** They drive around a rival within this distance. */
  readonly dodgeMetres: number;
  /** They boost at what they want to hit if it is straight ahead within this distance. */
  readonly boostMetres: number;
  /** Where they wait: 0 in their own goal, 1 at the puck. */
  readonly forward: number;
}

export interface DriverStyle {
  readonly name: string;
  readonly hands: RiderStyle;
  readonly device: "keys" | "stick";
  readonly temper: Temper;
}

const TEMPERS: Readonly<Record<string, Pick<DriverStyle, "device" | "temper">>> = {
  /** Always behind the puck, and through it. */
  swooper: {
    device: "keys",
    temper: { chaseMetres: 40, ramMetres: 0, dodgeMetres: 0, boostMetres: 4, forward: 0.8 },
  },
  /** Keeps the goal. */
  runner: {
    device: "stick",
    temper: { chaseMetres: 5, ramMetres: 0, dodgeMetres: 2.5, boostMetres: 2, forward: 0.15 },
  },
  /** Drives into whoever is near. */
  gunner: {
    device: "keys",
    temper: { chaseMetres: 8, ramMetres: 4, dodgeMetres: 0, boostMetres: 5, forward: 0.6 },
  },
  /** Waits for a pass. */
  collector: {
    device: "stick",
    temper: { chaseMetres: 10, ramMetres: 0, dodgeMetres: 2, boostMetres: 3, forward: 0.5 },
  },
  /** Straight at the puck, with every boost. */
  charger: {
    device: "keys",
    temper: { chaseMetres: 40, ramMetres: 2, dodgeMetres: 0, boostMetres: 8, forward: 0.9 },
  },
  /** Winds between the others. */
  dancer: {
    device: "stick",
    temper: { chaseMetres: 14, ramMetres: 0, dodgeMetres: 3.5, boostMetres: 3, forward: 0.4 },
  },
};

function driverOf(hands: RiderStyle): DriverStyle {
  const { name } = hands;
  return { name, hands, ...TEMPERS[name]! };
}

/** The styles that clients may be tuned on. */
export const FITTED_DRIVERS: readonly DriverStyle[] = FITTED.map(driverOf);

/** The styles that only judge, as `JUDGING`. */
export const JUDGING_DRIVERS: readonly DriverStyle[] = JUDGING.map(driverOf);
