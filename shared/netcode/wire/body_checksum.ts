/**
 * The body stream's checksum (WIRE 8.4). Once a second the server hashes all bodies as the client
 * must know them by now, each predicted to the message's tick, and sends 16 bits of that hash, so
 * that a client that decodes or predicts wrongly notices.
 */
import { type Coder, hashOfWords, WireError } from "./range_coder.ts";
import type { Tick } from "../game.ts";
import type { BodyModel } from "./body_model.ts";
import type { BodyBaselines } from "./quantized_body.ts";

const CHECKSUM_BITS = 16;

/** The words to hash, reused because 60 bodies take about 800. */
const words: number[] = [];

/**
 * Computes the checksum over all bodies at `tick`, 0 … 65,535. Motions count as two's complement.
 */
export function bodyChecksum(bodies: BodyBaselines, tick: Tick, model: BodyModel): number {
  words.length = 0;
  for (const [entity, baseline] of bodies) {
    const { moves, turns } = model.schema(baseline.schemaIndex);
    const { schemaIndex, x, y, vx, vy, spin, angle, teleports, fieldBits } = model.predict(
      baseline,
      tick,
    );
    words.push(entity, schemaIndex);
    if (moves) words.push(x, y, vx, vy);
    if (turns) words.push(spin, angle);
    if (moves) words.push(teleports);
    for (const field of fieldBits) words.push(field);
  }
  return hashOfWords(words, words.length) & 0xffff;
}

/**
 * Codes the checksum if the tick carries one, which is when its number is a multiple of the ticks
 * per second.
 * @throws WireError if a reader's bodies differ from the writer's
 */
export function codeBodyChecksum(
  bodies: BodyBaselines,
  { tick, model, coder }: { tick: Tick; model: BodyModel; coder: Coder },
): void {
  if (tick % model.tickHz !== 0) return;
  coder.part = "checksum";
  const checksum = bodyChecksum(bodies, tick, model);
  if (coder.bits(checksum, CHECKSUM_BITS) !== checksum) {
    throw new WireError("bodies that are not the server's");
  }
}
