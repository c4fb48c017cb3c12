/** What others would send for the same world: all bodies each tick, in three ways, with WebSocket's frame header. */
import type { Entity } from "../../../shared/physics/stage/stage.ts";

/** RFC 6455 §5.2, unmasked. */
export function framed(bytes: number): number {
  return bytes + (bytes <= 125 ? 2 : bytes < 65_536 ? 4 : 10);
}

/** x, y to 1/256 m, the angle to 1/1024 turn, velocities to 1/64 m/s. */
function quantised({ x, y, angle, vx, vy }: Entity): number[] {
  const turn = angle * 1024 / (2 * Math.PI);
  return [x * 256, y * 256, turn, vx * 64, vy * 64].map(Math.round);
}

/** Sums of bytes for one client, tick by tick. */
export class AlternativeEncodings {
  json = 0;
  f32 = 0;
  delta = 0;
  #before = new Map<number, number[]>();

  /** One tick. */
  addTick(tick: number, bodies: readonly Entity[]): void {
    const plain = bodies.map(({ id, x, y, angle, vx, vy }) => ({ id, x, y, angle, vx, vy }));
    this.json += framed(JSON.stringify({ tick, bodies: plain }).length);
    // Tick 4; each body: id 2, five floats.
    this.f32 += framed(4 + bodies.length * 22);
    this.delta += framed(Math.ceil((32 + this.#deltaBits(bodies)) / 8));
  }

  /** A bit for each body that was there, one for each field that changed, and the change in groups of three bits and one. */
  #deltaBits(bodies: readonly Entity[]): number {
    const now = new Map(bodies.map((body) => [body.id, quantised(body)]));
    let bits = 0;
    for (const [id, fields] of now) {
      const before = this.#before.get(id);
      if (before === undefined) bits += 16 + 16 + 16 + 10 + 12 + 12;
      else bits += 1 + (fields.some((field, i) => field !== before[i]) ? changeBits(fields, before) : 0);
    }
    for (const id of this.#before.keys()) if (!now.has(id)) bits += 1;
    this.#before = now;
    return bits;
  }
}

function changeBits(fields: readonly number[], before: readonly number[]): number {
  let bits = 0;
  fields.forEach((field, i) => {
    bits++;
    const folded = 2 * Math.abs(field - before[i]!);
    if (folded > 0) bits += 4 * Math.max(1, Math.ceil(Math.log2(folded + 1) / 3));
  });
  return bits;
}
