/**
 * The checksum of the body stream (WIRE 8.4). Once a second the server sends 16 bits of a hash over
 * all bodies as the client must have them by now, each predicted to the message's tick. So a client
 * that decodes or predicts wrongly learns of it.
 */
import { type Coder, hashOfWords, WireError } from "./range_coder.ts";
import type { Tick } from "../game.ts";
import type { BodyModel } from "./body_model.ts";
import type { BodyBaselines } from "./quantized_body.ts";

const CHECKSUM_BITS = 16;

/** The words of one checksum. They are reused: a checksum of 60 bodies has about 800. */
const words: number[] = [];

/** The checksum of all bodies at `tick`, 0 … 65,535. Motions count as two's complement. */
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
 * Codes the checksum, if the tick has one: a tick whose number is a multiple of the ticks per
 * second.
 * @throws WireError if a reader has other bodies than the writer
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
