/** A thing as frames show it. The composer places it and keeps it from frame to frame. */
import { PLAYER_SEATS, type SeatId } from "../../shared/netcode/game.ts";
import type { Pose } from "../../shared/netcode/pose_list.ts";
import { ErrorSmoother, type Fade, type Place } from "../presentation/error_smoother.ts";
import type { Hue, Pattern } from "../presentation/picture/hues.ts";
import type { FrameParts } from "../presentation/view.ts";
import type { LooseSimulation, LooseThing } from "./loose_types.ts";

/** Has no corrections, so it places a pose where it is simulated. */
const SIMULATED = new ErrorSmoother();

/** What all things of a frame share: between which poses it lies, and what it guesses. */
export type ShownMoment = Pick<
  FrameParts<LooseSimulation>,
  "poses" | "fraction" | "guessedTicks"
>;

export class ShownThing {
  readonly id: number;
  readonly name: string;
  /**
   * The handle to read fields and motion from: for the own thing, the one beyond the head; for one
   * that the prediction has lost, the definitive one.
   */
  source: LooseThing;
  x = 0;
  y = 0;
  angle = 0;
  /** As simulated at the head, for the ends of joints. */
  headX = 0;
  headY = 0;
  headAngle = 0;
  /** The thing at the newest definitive tick; undefined if it is not there. */
  definitive: LooseThing | undefined;
  /** At the later of the two ticks; undefined for a thing that is gone from it. */
  pose: Pose | undefined;
  /** Of the newest frame that showed it. */
  moment: ShownMoment | undefined;
  leaving = false;
  seat: SeatId = -1;
  own = false;
  label = "";
  hue: Hue;
  pattern: Pattern = "plain";
  /** Undefined unless it is fading over. */
  fade: Fade | undefined;
  /** When it first showed, ms on the page's clock; -Infinity if the first frame showed it. */
  readonly sinceMs: number;
  /** The last frame that showed it, as a number. */
  frame = 0;

  constructor(source: LooseThing, hue: Hue, sinceMs: number) {
    this.id = source.id;
    this.name = source.name;
    this.source = source;
    this.hue = hue;
    this.sinceMs = sinceMs;
  }

  get fields(): LooseThing["fields"] {
    return this.source.fields;
  }

  get vx(): number {
    return this.source.vx;
  }

  get vy(): number {
    return this.source.vy;
  }

  get spin(): number {
    return this.source.spin;
  }

  get speed(): number {
    return Math.hypot(this.source.vx, this.source.vy);
  }

  get simulated(): Place {
    const { moment, pose } = this;
    const out = { x: this.x, y: this.y, angle: this.angle };
    if (moment === undefined || pose === undefined) return out;
    SIMULATED.place(moment.poses, pose, { fraction: moment.fraction, out });
    return out;
  }

  get guessedTicks(): number {
    return this.seat < 0 ? 0 : this.moment?.guessedTicks(this.seat) ?? 0;
  }

  get npc(): boolean {
    return this.seat >= PLAYER_SEATS;
  }

  get colour(): string {
    return this.hue.fill;
  }

  get teamColour(): string {
    return this.hue.fill;
  }
}
