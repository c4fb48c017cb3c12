/** The bodies of one message as WIRE 13 has them, and the codec's baselines that they mean. */
import type { Tick } from "../../../../shared/netcode/game.ts";
import type { BodyDelta } from "../../../../shared/netcode/wire/body_codec.ts";
import { bodyChecksum } from "../../../../shared/netcode/wire/body_checksum.ts";
import type { BodyModel } from "../../../../shared/netcode/wire/body_model.ts";
import type {
  BodyBaselines,
  QuantizedBody,
} from "../../../../shared/netcode/wire/quantized_body.ts";

/** x, y, vx, vy, spin and angle, in the units of the wire. */
export type Motion = readonly [
  x: number,
  y: number,
  vx: number,
  vy: number,
  spin: number,
  angle: number,
];

/** A body with all of its numbers. A kind that does not move has neither motion nor jumps. */
interface WholeBody {
  readonly entity: number;
  readonly kind: number;
  readonly motion?: Motion;
  /** The count of teleports. */
  readonly jumps?: number;
  readonly fields: readonly number[];
}

export type SentBody =
  | { readonly entity: number; readonly gone: true }
  | { readonly entity: number; readonly asPredicted: true }
  | WholeBody;

export interface BodiesMeaning {
  readonly sent: readonly SentBody[];
  /** The number of known bodies afterwards. */
  readonly known: number;
  /** The id of the next entity or joint afterwards. */
  readonly nextId: number;
  readonly checksum: number | null;
}

/** The bodies of one message of `tick`, and those that were known before. */
export interface BodiesContext {
  readonly tick: Tick;
  readonly before: BodyBaselines;
  readonly model: BodyModel;
}

export function motionOf({ x, y, vx, vy, spin, angle }: Omit<QuantizedBody, "isExact">): Motion {
  return [x, y, vx, vy, spin, angle];
}

/** A body's numbers in the codec's form. It counts as sent in `tick`, for the first time. */
export function quantizedOf(
  { kind, motion, jumps = 0, fields }: Omit<WholeBody, "entity">,
  tick: Tick,
): QuantizedBody {
  const [x, y, vx, vy, spin, angle] = motion ?? [0, 0, 0, 0, 0, 0];
  return {
    tick,
    streak: 1,
    isExact: true,
    schemaIndex: kind,
    teleports: jumps,
    fieldBits: fields,
    x,
    y,
    vx,
    vy,
    spin,
    angle,
  };
}

/** @param after the known bodies after the message */
export function meaningOfBodies(
  after: BodyBaselines,
  { tick, before, model }: BodiesContext,
): BodiesMeaning {
  const sent: SentBody[] = [];
  for (const entity of before.keys()) if (!after.has(entity)) sent.push({ entity, gone: true });
  for (const [entity, body] of after) {
    // The codec keeps the object of a body that was not sent.
    if (before.get(entity) !== body) sent.push(sentBodyOf(entity, body, model));
  }
  sent.sort((a, b) => a.entity - b.entity);
  const checksum = tick % model.tickHz === 0 ? bodyChecksum(after, tick, model) : null;
  return { sent, known: after.size, nextId: after.nextId, checksum };
}

function sentBodyOf(entity: number, body: QuantizedBody, model: BodyModel): SentBody {
  if (!body.isExact) return { entity, asPredicted: true };
  const { schemaIndex: kind, teleports: jumps, fieldBits: fields } = body;
  return {
    entity,
    kind,
    ...(model.schema(kind).moves && { motion: motionOf(body), jumps }),
    fields,
  };
}

/** The delta that the codec writes for a message's bodies. */
export function deltaOf(
  sent: readonly SentBody[],
  { tick, before, model }: BodiesContext,
): BodyDelta {
  return new Map(sent.map((each) => {
    if ("gone" in each) return [each.entity, undefined];
    if ("asPredicted" in each) return [each.entity, model.predict(before.get(each.entity)!, tick)];
    return [each.entity, quantizedOf(each, tick)];
  }));
}
