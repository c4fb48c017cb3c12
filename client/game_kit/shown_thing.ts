/** A thing as frames show it. The composer places it and keeps it from frame to frame. */
import { PLAYER_SEATS, type SeatId } from "../../shared/netcode/game.ts";
import type { Fade } from "../presentation/error_smoother.ts";
import type { Hue } from "../presentation/picture/hues.ts";
import type { LooseThing } from "./loose_types.ts";

export class ShownThing {
  readonly id: number;
  readonly name: string;
  /** The handle to read fields and motion from: for the own thing, the one beyond the head. */
  source: LooseThing;
  x = 0;
  y = 0;
  angle = 0;
  /** As simulated at the head, for the ends of joints. */
  headX = 0;
  headY = 0;
  headAngle = 0;
  seat: SeatId = -1;
  own = false;
  label = "";
  hue: Hue;
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
