/**
 * The body stream's codec (WIRE 8.3). It delta-codes each body against a prediction from its
 * baseline, as if nothing had happened to it since it was sent:
 *
 *     predicted(n) = baseline + velocity · n, in free fall
 *
 * The velocity's residual comes first, then the residual of the position that the coded velocity
 * predicts. Fields are always exact: if a body's fields do not follow from its baseline, the server
 * sends it in the same tick.
 *
 * A joint is a body without motion. It is never due for its age, so it costs next to nothing while
 * it stays as it is.
 */
import { type Coder, WireError } from "./range_coder.ts";
import { codeBodyChecksum } from "./body_checksum.ts";
import type { BodyModel, Writable } from "./body_model.ts";
import type { Tick } from "../game.ts";
import {
  P_BODY_AS_PREDICTED,
  P_BODY_AS_PREDICTED_OLD,
  P_BODY_REMOVED,
  P_BODY_SENT_AGAIN,
  P_BODY_SENT_AT_AGE,
  P_FIELD_AS_PREDICTED,
  P_FIELDS_AS_PREDICTED,
  P_JOINT_SENT,
  P_NEW_BODY,
  P_NEXT_ID_DIFFERS,
  P_POSITION_LENGTHS_DEFLECTED,
  P_POSITION_LENGTHS_NEW,
  P_POSITION_LENGTHS_STEADY,
  P_SPEED_LENGTHS,
  P_SPEED_LENGTHS_NEW,
  P_TELEPORTED,
} from "./probabilities.ts";
import { BaselineMap, type BodyBaselines, type QuantizedBody } from "./quantized_body.ts";

/** The most bodies: a stage's entities and joints, and the match itself. */
export const BODIES_MAX = 2049;
const ID_MAX = 0xffff_ffff;
const TELEPORTS_BITS = 8;
/** Each number n in a motion satisfies |n| < 2^24, which is 65 km or 16,000 turns. */
const MOTION_BITS = 24;

/** A streak stops counting here. A body that reached it is sent again with its own probability. */
const STREAK_TICKS = 2;

/** What the message decoder needs from the body stream. */
export interface BodyReader {
  /** Reads a message's bodies. @returns all bodies as of `tick` @throws WireError */
  read(baselines: BodyBaselines, tick: Tick, coder: Coder): BodyBaselines;
}

/** Creates a reader that follows a game's schemas. */
export function bodyReaderOf(model: BodyModel): BodyReader {
  return {
    read: (baselines, tick, coder) =>
      codeBodies(EMPTY_BODY_DELTA, { baselines, tick, model, coder }),
  };
}

interface BodyCodingContext {
  readonly tick: Tick;
  /** An earlier tick's bodies, which both ends know. */
  readonly baselines: BodyBaselines;
  readonly model: BodyModel;
  readonly coder: Coder;
  /**
   * The writer's id for the next entity or joint; by default the one after the greatest that was
   * sent.
   */
  readonly nextId?: number;
}

/** The bodies to send, by entity; undefined removes one. */
export type BodyDelta = ReadonlyMap<number, QuantizedBody | undefined>;
const EMPTY_BODY_DELTA: BodyDelta = new Map();

/**
 * Codes one message's bodies.
 * @param delta ascending by entity: those with a baseline, then new ones, whose ids are larger;
 *   empty for a reader
 * @returns all bodies as of `tick`
 * @throws WireError if the bits are not bodies
 */
export function codeBodies(delta: BodyDelta, context: BodyCodingContext): BodyBaselines {
  const { baselines, coder, tick, model } = context;
  const next = new BaselineMap();
  let lastEntity = -1;
  coder.part = "told";

  // Bodies that the client knows: unchanged, changed or removed
  for (const [entity, baseline] of baselines) {
    lastEntity = entity;
    coder.part = "told";
    if (!coder.flag(delta.has(entity), sendProbability(baseline, context))) {
      next.set(entity, baseline);
    } else if (!coder.flag(delta.get(entity) === undefined, P_BODY_REMOVED)) {
      next.set(entity, codeUpdatedBody(delta.get(entity), baseline, context));
    }
  }

  // New bodies, ascending
  const newBodies = coder.isReading ? [] : [...delta].filter(([entity]) => !baselines.has(entity));
  for (let i = 0; (coder.part = "newcomers", coder.flag(i < newBodies.length, P_NEW_BODY)); i++) {
    const given = newBodies[i];
    const entity = checkedId(
      lastEntity + 1 + coder.varint(given === undefined ? 0 : given[0] - lastEntity - 1),
    );
    if (next.size >= BODIES_MAX) throw new WireError("more bodies than there can be");
    next.set(entity, codeNewBody(given?.[1], { tick, model, coder }));
    lastEntity = entity;
  }

  // The next id, and the checksum by which a receiver checks the result
  next.nextId = codeNextId(Math.max(baselines.nextId, lastEntity + 1), context);
  codeBodyChecksum(next, context);
  return next;
}

function sendProbability(
  { tick: sentAt, streak, schemaIndex }: QuantizedBody,
  context: BodyCodingContext,
): number {
  const age = context.tick - sentAt;
  if (age === 1 && streak >= STREAK_TICKS) return P_BODY_SENT_AGAIN;
  if (context.model.schema(schemaIndex).isJoint) return P_JOINT_SENT;
  return P_BODY_SENT_AT_AGE[Math.min(age, P_BODY_SENT_AT_AGE.length - 1)]!;
}

function checkedId(id: number): number {
  if (id > ID_MAX) throw new WireError("more ids than there can be");
  return id;
}

/** @param likely the least possible next id */
function codeNextId(likely: number, { coder, nextId = likely }: BodyCodingContext): number {
  coder.part = "next id";
  if (!coder.flag(nextId > likely, P_NEXT_ID_DIFFERS)) return likely;
  return checkedId(likely + 1 + coder.varint(nextId - Math.min(nextId, likely + 1)));
}

function codeUpdatedBody(
  given: QuantizedBody | undefined,
  baseline: QuantizedBody,
  { tick, model, coder }: BodyCodingContext,
): QuantizedBody {
  const next = model.predict(baseline, tick);
  const schema = model.schema(baseline.schemaIndex);
  next.streak = tick - baseline.tick === 1 ? Math.min(STREAK_TICKS, baseline.streak + 1) : 1;
  coder.part = "as predicted";
  const isOld = tick - baseline.tick >= P_BODY_SENT_AT_AGE.length - 1;
  if (coder.flag(given?.isExact === false, isOld ? P_BODY_AS_PREDICTED_OLD : P_BODY_AS_PREDICTED)) {
    return next;
  }
  next.isExact = true;
  if (schema.moves) codeMotion(given, { baseline, next, turns: schema.turns, model, coder });
  coder.part = "jumps";
  const teleports = given?.teleports ?? baseline.teleports;
  if (schema.moves && coder.flag(teleports !== baseline.teleports, P_TELEPORTED)) {
    next.teleports = coder.bits(teleports, TELEPORTS_BITS);
  }
  coder.part = "words";
  next.fieldBits = codeFields(given?.fieldBits, next.fieldBits, coder);
  return next;
}

function codeMotion(
  given: QuantizedBody | undefined,
  { baseline, next, turns, model, coder }: {
    baseline: QuantizedBody;
    next: Writable<QuantizedBody>;
    turns: boolean;
    model: BodyModel;
    coder: Coder;
  },
): void {
  // The change of velocity that the model does not predict
  coder.part = "speed";
  const dvx = codeResidual((given?.vx ?? 0) - next.vx, P_SPEED_LENGTHS, coder);
  const dvy = codeResidual((given?.vy ?? 0) - next.vy, P_SPEED_LENGTHS, coder);
  const isSteady = Math.abs(dvx) <= 1 && Math.abs(dvy) <= 1;
  next.vx += dvx;
  next.vy += dvy;

  // A deflected body is predicted again, and its residuals are larger
  if (!isSteady) model.repredictPosition(baseline, next);
  coder.part = isSteady ? "place, calm" : "place, wild";
  const lengths = isSteady ? P_POSITION_LENGTHS_STEADY : P_POSITION_LENGTHS_DEFLECTED;
  next.x += codeResidual((given?.x ?? 0) - next.x, lengths, coder);
  next.y += codeResidual((given?.y ?? 0) - next.y, lengths, coder);

  if (turns) {
    coder.part = "turn";
    next.spin += codeResidual((given?.spin ?? 0) - next.spin, P_SPEED_LENGTHS, coder);
    next.angle += codeResidual((given?.angle ?? 0) - next.angle, lengths, coder);
  }
  checkMotion(next);
}

function codeNewBody(
  given: QuantizedBody | undefined,
  { tick, model, coder }: Omit<BodyCodingContext, "baselines">,
): QuantizedBody {
  const index = coder.varint(given?.schemaIndex ?? 0);
  const schema = model.schema(index);
  const next: Writable<QuantizedBody> = {
    tick,
    streak: 1,
    isExact: true,
    schemaIndex: index,
    teleports: 0,
    x: 0,
    y: 0,
    angle: 0,
    vx: 0,
    vy: 0,
    spin: 0,
    fieldBits: schema.fields.map(() => 0),
  };

  // Position, velocity and rotation, as far as its kind moves
  if (schema.moves) {
    next.x = codeResidual(given?.x ?? 0, P_POSITION_LENGTHS_NEW, coder);
    next.y = codeResidual(given?.y ?? 0, P_POSITION_LENGTHS_NEW, coder);
    next.vx = codeResidual(given?.vx ?? 0, P_SPEED_LENGTHS_NEW, coder);
    next.vy = codeResidual(given?.vy ?? 0, P_SPEED_LENGTHS_NEW, coder);
    if (schema.turns) {
      next.spin = codeResidual(given?.spin ?? 0, P_SPEED_LENGTHS, coder);
      next.angle = codeResidual(given?.angle ?? 0, P_SPEED_LENGTHS, coder);
    }
    if (coder.flag((given?.teleports ?? 0) !== 0, P_TELEPORTED)) {
      next.teleports = coder.bits(given?.teleports ?? 0, TELEPORTS_BITS);
    }
    checkMotion(next);
  }

  next.fieldBits = codeFields(given?.fieldBits, next.fieldBits, coder);
  return next;
}

function checkMotion({ x, y, angle, vx, vy, spin }: QuantizedBody): void {
  for (const value of [x, y, angle, vx, vy, spin]) {
    if (Math.abs(value) >= 1 << MOTION_BITS) throw new WireError("a body that is lost");
  }
}

/**
 * Codes a number that is probably small.
 * @param lengths for each length in bits, the probability that it is no longer
 */
function codeResidual(value: number, lengths: readonly number[], coder: Coder): number {
  const size = Math.abs(value);
  const length = 32 - Math.clz32(size);
  let read = 0;
  while (!coder.flag(read === length, lengths[Math.min(read, lengths.length - 1)])) {
    if (++read > MOTION_BITS) throw new WireError("a motion out of bounds");
  }
  if (read === 0) return 0;
  const isNegative = coder.flag(value < 0);
  const top = 1 << (read - 1);
  const coded = top + coder.bits(coder.isReading ? 0 : size - top, read - 1);
  return isNegative ? -coded : coded;
}

/** Codes fields as differences from the predicted ones, modulo 2^32. */
function codeFields(
  given: readonly number[] | undefined,
  predicted: readonly number[],
  coder: Coder,
): readonly number[] {
  if (predicted.length === 0) return predicted;
  if (coder.flag(given !== undefined && areFieldsEqual(given, predicted), P_FIELDS_AS_PREDICTED)) {
    return predicted;
  }
  return predicted.map((likely, i) => {
    const field = given?.[i] ?? likely;
    if (coder.flag(field === likely, P_FIELD_AS_PREDICTED)) return likely;
    return (likely + coder.signedVarint((field - likely) | 0)) >>> 0;
  });
}

/** Whether two lists of equal length are equal. */
export function areFieldsEqual(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
