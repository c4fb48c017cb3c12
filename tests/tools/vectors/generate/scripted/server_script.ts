/**
 * Writes a connection's messages one after another, for vectors that no match of the lab produces.
 */
import type { Tick } from "../../../../../shared/netcode/game.ts";
import type { BodyBaselines } from "../../../../../shared/netcode/wire/quantized_body.ts";
import type { VectorGame } from "../../games/vector_game.ts";
import { motionOf, type SentBody } from "../../meanings/sent_bodies.ts";
import type {
  ResumeMeaning,
  ServerMeaning,
  StateMeaning,
  TickMeaning,
} from "../../meanings/server_message.ts";
import { ServerWriter } from "../../meanings/server_writer.ts";

/** The differences of a sent body's motion from its prediction, each 0 by default. */
export interface MotionErrors {
  readonly vx?: number;
  readonly vy?: number;
  readonly x?: number;
  readonly y?: number;
  readonly spin?: number;
  readonly angle?: number;
}

const NO_DELTA = { hash: 0, presence: [], announcements: [] } as const;
const NO_ADVICE = { slack: 0, advisedLead: 0 };

export class ServerScript {
  /** The messages so far. */
  readonly messages: Uint8Array[] = [];
  readonly #game: VectorGame;
  readonly #writer: ServerWriter;
  #tick: Tick = -1;
  #advice = NO_ADVICE;

  constructor(game: VectorGame) {
    this.#game = game;
    this.#writer = new ServerWriter(game);
  }

  /** The tick of the next tick message. */
  get nextTick(): Tick {
    return this.#tick + 1;
  }

  /** The bodies that the client knows. */
  get bodies(): BodyBaselines {
    return this.#writer.bodies;
  }

  push(message: ServerMeaning): void {
    this.messages.push(this.#writer.write(message));
  }

  /** A tick message that has only bodies, the likely next id or another one. */
  tickWithNextId(sent: readonly SentBody[], nextId: number): void {
    this.tick(null, { bodies: { ...withoutCounts(sent), nextId } });
  }

  /**
   * A tick message.
   * @param sent its bodies; null if it has none
   * @param parts the values that differ from an empty message's
   */
  tick(sent: readonly SentBody[] | null, parts: Partial<TickMeaning> = {}): void {
    const bodies = sent === null ? null : withoutCounts(sent);
    this.#take({
      type: "tick",
      tick: this.nextTick,
      ...NO_DELTA,
      ...this.#advice,
      pong: null,
      bodies,
      ...parts,
    });
  }

  /** A state, of a snapshot of eight bytes if it does not begin the body stream. */
  state(tick: Tick, sent: readonly SentBody[] | null, parts: Partial<StateMeaning> = {}): void {
    const bodies = sent === null ? null : withoutCounts(sent);
    const snapshot = sent === null
      ? { length: 8, deflated: 0, bytes: "0123456789abcdef" } as const
      : null;
    this.#take({
      type: "state",
      tick,
      ...NO_DELTA,
      seats: [],
      replaced: [],
      ...this.#advice,
      snapshot,
      bodies,
      ...parts,
    });
  }

  /**
   * Ticks that a client has missed, with nothing but the newest one's announcements, and the resume
   * after them.
   */
  resume(count: number, newest: ResumeMeaning["newest"]): void {
    const tick = this.#tick + count;
    const advice = { slack: -7, advisedLead: 361 };
    const ticks = Array.from({ length: count }, (_, i) => ({
      ...NO_DELTA,
      announcements: i === count - 1 ? newest : [],
    }));
    this.push({
      type: "ticks",
      newest: tick,
      ticks,
      ...advice,
      arrivals: null,
      base: null,
      bodies: null,
    });
    this.push({ type: "resume", tick, newest, ...advice });
    this.#tick = tick;
    this.#advice = advice;
  }

  /**
   * A known body with chosen errors against its prediction for the next tick. Its fields are as
   * predicted.
   */
  update(
    entity: number,
    errors: MotionErrors,
    parts: { jumps?: number; fields?: readonly number[] } = {},
  ): SentBody {
    const { model } = this.#game;
    const baseline = this.bodies.get(entity)!;
    const next = model.predict(baseline, this.nextTick);
    const { vx = 0, vy = 0, x = 0, y = 0, spin = 0, angle = 0 } = errors;
    next.vx += vx;
    next.vy += vy;
    if (Math.abs(vx) > 1 || Math.abs(vy) > 1) model.repredictPosition(baseline, next);
    next.x += x;
    next.y += y;
    next.spin += spin;
    next.angle += angle;
    const { schemaIndex: kind, teleports: jumps, fieldBits: fields } = next;
    return { entity, kind, motion: motionOf(next), jumps, fields, ...parts };
  }

  #take(message: TickMeaning | StateMeaning): void {
    const { tick, slack, advisedLead } = message;
    this.push(message);
    this.#tick = tick;
    this.#advice = { slack, advisedLead };
  }
}

/** A writer counts by itself, and the next id is the likely one. */
function withoutCounts(sent: readonly SentBody[]) {
  return { sent, known: 0, nextId: 0, checksum: null };
}
