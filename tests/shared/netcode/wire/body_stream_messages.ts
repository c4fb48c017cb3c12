/**
 * Messages of a body stream: bodies of three schemas appear, fall, turn, are hit, are teleported
 * and are removed.
 */
import type { BodySchemas, Drift } from "../../../../shared/body_list.ts";
import {
  type BodyDelta,
  bodyReaderOf,
  codeBodies,
} from "../../../../shared/netcode/wire/body_codec.ts";
import { BodyModel } from "../../../../shared/netcode/wire/body_model.ts";
import { CodeWriter } from "../../../../shared/netcode/wire/range_coder.ts";
import { AnnouncementBaselines } from "../../../../shared/netcode/wire/announcement_codec.ts";
import { codeMessageType } from "../../../../shared/netcode/wire/server_messages.ts";
import { codeState, codeTick, codeTicks } from "../../../../shared/netcode/wire/tick_codec.ts";
import {
  type BodyBaselines,
  NO_BASELINES,
  type QuantizedBody,
} from "../../../../shared/netcode/wire/quantized_body.ts";
import type { CounterCommand } from "../../../tools/lab/counter_game.ts";
import { codec } from "./messages.ts";

const fieldsOf = (drifts: Drift[]) =>
  drifts.map((drift, i) => ({ name: `f${i}`, type: "u32" as const, drift }));

export const SCHEMAS: BodySchemas = {
  substeps: 2,
  schemas: [
    {
      name: "match",
      isProjectile: false,
      isJoint: false,
      moves: false,
      turns: false,
      gravityUnits: 0,
      fields: fieldsOf([-1, 0]),
    },
    {
      name: "ball",
      isProjectile: false,
      isJoint: false,
      moves: true,
      turns: false,
      gravityUnits: 640,
      fields: fieldsOf([0, 1]),
    },
    {
      name: "wheel",
      isProjectile: false,
      isJoint: false,
      moves: true,
      turns: true,
      gravityUnits: 0,
      fields: [],
    },
    {
      name: "rope",
      isProjectile: false,
      isJoint: true,
      moves: false,
      turns: false,
      gravityUnits: 0,
      fields: fieldsOf([0, 0, 0]),
    },
  ],
};
export const model = new BodyModel(SCHEMAS, 20);
export const reader = bodyReaderOf(model);

/** A body in whole units, sent exactly in `tick`. */
export function quantizedBody(
  tick: number,
  schemaIndex: number,
  parts: Partial<QuantizedBody>,
): QuantizedBody {
  const atRest = { x: 0, y: 0, angle: 0, vx: 0, vy: 0, spin: 0, teleports: 0 };
  return {
    tick,
    streak: 1,
    isExact: true,
    schemaIndex,
    ...atRest,
    fieldBits: SCHEMAS.schemas[schemaIndex]!.fields.map(() => 0),
    ...parts,
  };
}

/**
 * The bodies sent in ticks 900, 901 and 902. The last of them has a joint, and the id after it is
 * taken, too.
 */
export const DELTAS: readonly BodyDelta[] = [
  new Map([
    [0, quantizedBody(900, 0, { fieldBits: [200, 0xffff_ffff] })],
    [3, quantizedBody(900, 1, { x: 5120, y: -300, vx: 640, vy: -64, fieldBits: [7, 254] })],
    [9, quantizedBody(900, 2, { x: -1, y: 1, angle: 700, vx: 1, spin: 64, teleports: 3 })],
  ]),
  new Map([
    // It falls as predicted; in the next tick it is hit and teleported, and a field changes.
    [3, quantizedBody(901, 1, { x: 5120 + 128, y: -332, vx: 640, vy: -96, fieldBits: [7, 255] })],
    [70, quantizedBody(901, 1, { x: 100_000, y: 7, vx: -3, fieldBits: [1, 0] })],
  ]),
  new Map<number, QuantizedBody | undefined>([
    [
      3,
      quantizedBody(902, 1, {
        x: 5200,
        y: -200,
        vx: -500,
        vy: 300,
        teleports: 1,
        fieldBits: [8, 255],
      }),
    ],
    [9, undefined],
    [70, quantizedBody(902, 1, { x: 99_999, y: 7, vx: -3, fieldBits: [1, 0] })],
    [71, quantizedBody(902, 3, { fieldBits: [3, 70, 0x3f80_0000] })],
  ]),
];

const NEXT_IDS = [10, 71, 73];

const contextAt = (tick: number, coder: CodeWriter) => ({
  tick,
  announced: new AnnouncementBaselines<CounterCommand>(),
  codec,
  coder,
});
const advice = { slackMs: 5, advisedLeadMs: 80 };
const delta = { hash: 0x1234, presence: [], announcements: [] };

/** The stream of `DELTAS` on a reliable link, and all bodies as of its ticks. */
export function encodeBodyStream(): { messages: Uint8Array[]; baselinesByTick: BodyBaselines[] } {
  let baselines: BodyBaselines = NO_BASELINES;
  const coder = new CodeWriter();
  const messages: Uint8Array[] = [];
  const baselinesByTick: BodyBaselines[] = [];
  DELTAS.forEach((bodies, i) => {
    const tick = 900 + i;
    const encodeBodies = () =>
      codeBodies(bodies, { tick, baselines, model, coder, nextId: NEXT_IDS[i]! });
    const context = { ...contextAt(tick, coder), codeBodies: encodeBodies };
    coder.reset();
    codeMessageType(i === 0 ? "state" : "tick", coder);
    const coded = i === 0
      ? codeState({ joinDelta: { ...delta, seats: [] }, snapshot: undefined, advice }, context)
      : codeTick({ ...delta, ...advice }, { ...context, lastAdvice: advice, hadBodies: true });
    baselines = coded.bodies!;
    baselinesByTick.push(baselines);
    messages.push(coder.finish().slice());
  });
  return { messages, baselinesByTick };
}

/** A datagram of ticks 901 and 902. @param base the tick of the bodies' baselines */
export function encodeBodyDatagram(base = 900): Uint8Array {
  const coder = new CodeWriter();
  const [baselines] = encodeBodyStream().baselinesByTick;
  const bodies = {
    baseTick: base,
    code: () => {
      const context = { tick: 902, baselines: baselines!, model, coder, nextId: NEXT_IDS[2]! };
      return codeBodies(new Map([...DELTAS[1]!, ...DELTAS[2]!]), context);
    },
  };
  coder.reset();
  codeMessageType("ticks", coder);
  codeTicks([{ ...delta, ...advice }, { ...delta, ...advice }], {
    ...contextAt(902, coder),
    bodies,
  });
  return coder.finish().slice();
}
