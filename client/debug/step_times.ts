/**
 * Where the time of this page's ticks goes: a row for each part of a step, with a bar. While the
 * overlay is open, the simulation that the page predicts with has a profile. Without the overlay it
 * has none.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { STEP_PART_NAMES, type StepPartName, StepProfile } from "../../shared/step_profile.ts";
import { make, setText } from "../ui/dom.ts";

/** The browser's clock may tick in tenths of a millisecond, so the mean needs this many ticks. */
const SAMPLES_MAX = 20;

/** Label and meaning of each part. */
const PARTS: Readonly<Record<StepPartName, readonly [label: string, meaning: string]>> = {
  movers: ["movers", "bodies on paths, projectiles with their hits"],
  broadPhase: ["broad phase", "bounding boxes, and which of them have begun to overlap"],
  narrowPhase: ["narrow phase", "which pairs touch, and where"],
  solver: ["solver", "islands: velocities, positions and joints"],
  impacts: ["impacts", "fast bodies that hit something on their way, and what passes sensors"],
  events: ["events", "the lists of what began and ended to touch, and joints that broke"],
  canonicalize: ["end of tick", "rounds the state to what a snapshot holds, and forgets the rest"],
  save: ["save", "the snapshot of each tick, to which this page may roll back"],
  load: ["load", "back to an older snapshot when a prediction was wrong"],
};

/** The part of a simulation that is profiled. */
type Profiled = Pick<{ profile?: StepProfile | undefined }, "profile">;

/** The times of some hundred milliseconds. */
export interface StepSample {
  readonly ticks: number;
  /** Milliseconds in all of these ticks. */
  readonly elapsed: Readonly<Record<StepPartName, number>>;
}

/**
 * Milliseconds of each part for one simulated tick, saves and loads distributed over the ticks;
 * undefined if no tick was simulated.
 */
export function stepTimesOf(
  samples: readonly StepSample[],
): Readonly<Record<StepPartName, number>> | undefined {
  const ticks = samples.reduce((sum, sample) => sum + sample.ticks, 0);
  if (ticks === 0) return undefined;
  return Object.fromEntries(
    STEP_PART_NAMES.map((name) => [
      name,
      samples.reduce((sum, { elapsed }) => sum + elapsed[name], 0) / ticks,
    ]),
  ) as Record<StepPartName, number>;
}

/** The rows, and the profile behind them. */
export class StepTimes {
  readonly element = make("dl", { id: "step-times" });
  readonly #profile: StepProfile;
  readonly #samples: StepSample[] = [];
  readonly #rows: readonly { readonly value: HTMLElement; readonly bar: HTMLElement }[];
  #simulation: Profiled | undefined;

  constructor(clock: Clock) {
    this.#profile = new StepProfile(() => clock.now());
    this.#rows = STEP_PART_NAMES.map((name) => {
      const [label, meaning] = PARTS[name];
      const value = make("dd", { id: `debug-step-${name}` });
      const bar = make("i", {});
      this.element.append(
        make(
          "div",
          { title: meaning },
          make("dt", { textContent: label }),
          value,
          make("dd", { className: "part" }, bar),
          make("dd", { className: "meaning", textContent: meaning }),
        ),
      );
      return { value, bar };
    });
  }

  /** Profiles a simulation, and no other one. One that keeps no times stays as it is. */
  watch(simulation: unknown): void {
    if (simulation === this.#simulation) return;
    this.close();
    this.#samples.length = 0;
    if (typeof simulation !== "object" || simulation === null || !("profile" in simulation)) return;
    this.#simulation = simulation as Profiled;
    this.#simulation.profile = this.#profile;
  }

  /** Shows the mean of the last seconds. Call it a few times a second. */
  show(): void {
    const { ticks, elapsed } = this.#profile;
    this.#profile.clear();
    this.#samples.push({ ticks, elapsed });
    if (this.#samples.length > SAMPLES_MAX) this.#samples.shift();

    const times = stepTimesOf(this.#samples);
    const most = Math.max(...Object.values(times ?? { none: 1 }));
    for (const [i, name] of STEP_PART_NAMES.entries()) {
      const { value, bar } = this.#rows[i]!;
      setText(value, times === undefined ? "" : `${times[name].toFixed(3)} ms`);
      bar.style.width = `${times === undefined || most === 0 ? 0 : 100 * times[name] / most}%`;
    }
  }

  /** The simulation goes on without a profile. */
  close(): void {
    if (this.#simulation !== undefined) this.#simulation.profile = undefined;
    this.#simulation = undefined;
    this.#profile.clear();
  }
}
