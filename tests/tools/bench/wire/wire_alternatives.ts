/**
 * Sizes of the same world in three alternative encodings: all bodies in each tick, WebSocket frame
 * headers included.
 */
import type { Entity } from "../../../../shared/physics/stage/stage.ts";

/**
 * How many bytes an unmasked WebSocket frame (RFC 6455 §5.2) takes for a payload of this length.
 */
export function framed(bytes: number): number {
  return bytes + (bytes <= 125 ? 2 : bytes < 65_536 ? 4 : 10);
}

/**
 * Integers in units of 1/256 m for x and y, 1/1024 turn for the angle, and 1/64 m/s for velocities.
 */
function quantised({ x, y, angle, vx, vy }: Entity): number[] {
  const turn = angle * 1024 / (2 * Math.PI);
  return [x * 256, y * 256, turn, vx * 64, vy * 64].map(Math.round);
}

/** Counts one client's bytes: JSON, 32-bit floats, and a bit-packed delta. */
export class AlternativeEncodings {
  json = 0;
  f32 = 0;
  delta = 0;
  #before = new Map<number, number[]>();

  addTick(tick: number, bodies: readonly Entity[]): void {
    const plain = bodies.map(({ id, x, y, angle, vx, vy }) => ({ id, x, y, angle, vx, vy }));
    this.json += framed(JSON.stringify({ tick, bodies: plain }).length);
    // 4 bytes for the tick; for each body 2 for its id and 20 for five floats.
    this.f32 += framed(4 + bodies.length * 22);
    this.delta += framed(Math.ceil((32 + this.#deltaBits(bodies)) / 8));
  }

  /**
   * | body    | bits                                                                                           |
   * | ------- | ---------------------------------------------------------------------------------------------- |
   * | new     | 82: id and x, y 16 each, angle 10, velocities 12 each                                          |
   * | known   | a flag "changed"; if set, for each field a flag and its change in groups of 3 bits and a flag  |
   * | removed | 1                                                                                              |
   */
  #deltaBits(bodies: readonly Entity[]): number {
    const now = new Map(bodies.map((body) => [body.id, quantised(body)]));
    let bits = 0;
    for (const [id, fields] of now) {
      const before = this.#before.get(id);
      if (before === undefined) bits += 16 + 16 + 16 + 10 + 12 + 12;
      else {bits += 1 + (fields.some((field, i) =>
            field !== before[i]
          )
          ? changeBits(fields, before)
          : 0);}
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
