/** When the server sends a joint: at once, when there is room, or never. */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { BodyBroadcaster } from "../../../../server/match/broadcast/body_broadcaster.ts";
import type { BodyList, BodySchema } from "../../../../shared/body_list.ts";
import {
  type BodyBaselines,
  NO_BASELINES,
} from "../../../../shared/netcode/wire/quantized_body.ts";
import { CodeWriter } from "../../../../shared/netcode/wire/range_coder.ts";
import type { Game, Simulation } from "../../../../shared/netcode/game.ts";
import { Random } from "../../../../shared/random.ts";
import { bodySchemasOf } from "../../../../shared/physics/stage/body_stream.ts";
import { BLOCK, DOOR, ROPE, WORKSHOP } from "../../../shared/physics/scenes/workshop.ts";

const { schemas, substeps } = bodySchemasOf(WORKSHOP);
const kindOf = ({ name }: { readonly name: string }) =>
  schemas.findIndex((schema) => schema.name === name);
const fieldOf = (kind: number, name: string) =>
  schemas[kind]!.fields.findIndex((field) => field.name === name);
const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);
const bitsOf = (value: number) => (float[0] = value, word[0]!);

/** Blocks, a rope and a door, whose values the test sets, and what one client has of them. */
class Stream {
  readonly lengthAt = fieldOf(kindOf(ROPE), "length");
  readonly speedAt = fieldOf(kindOf(DOOR), "motorSpeed");
  readonly flagsAt = fieldOf(kindOf(DOOR), "flags");
  readonly joints = new Map([[1000, newJoint(ROPE)], [1001, newJoint(DOOR)]]);
  /** Blocks jump about at random so far in each tick, metres. */
  jumpMetres = 0;
  readonly #random = new Random(9);
  readonly #blocks: number;
  readonly #broadcaster: BodyBroadcaster;
  baselines: BodyBaselines = NO_BASELINES;
  tick = 100;
  bytes = 0;

  constructor(blocks = 0) {
    this.#blocks = blocks;
    const bodies = {
      schemas,
      substeps,
      fill: (_: unknown, out: BodyList) => this.#fill(out),
      adopt: () => {},
    };
    const game = { bodies, tickHz: 20 } as unknown as Game<unknown>;
    this.#broadcaster = BodyBroadcaster.forGame(game, {} as Simulation<unknown>)!;
    this.baselines = this.#broadcaster.encodeAll(this.tick, new CodeWriter());
  }

  #fill(out: BodyList): void {
    out.reset(this.tick);
    out.add(0, 0);
    for (let id = 1; id <= this.#blocks; id++) {
      const { jumpMetres } = this;
      const jump = () => (this.#random.below(1000) / 500 - 1) * jumpMetres;
      Object.assign(out.add(id, kindOf(BLOCK)), { x: id + jump(), y: jump() });
    }
    for (const [id, { kind, fields }] of this.joints) out.add(id, kind).fieldBits.push(...fields);
  }

  /** Sends the next tick. @returns the joints in it, by id */
  next(): number[] {
    const before = this.baselines;
    const coder = new CodeWriter();
    const client = { tick: ++this.tick, baselines: before, seat: 0 };
    this.baselines = this.#broadcaster.encodeChanges(client, { into: coder, bytesMax: Infinity })!;
    this.bytes = coder.finish().length;
    const ids = new Set([...before.keys(), ...this.baselines.keys()]);
    return [...ids].filter((id) => id >= 1000 && before.get(id) !== this.baselines.get(id));
  }

  set(id: number, at: number, bits: number): void {
    this.joints.get(id)!.fields[at] = bits;
  }
}

function newJoint(joint: { readonly name: string }): { kind: number; fields: number[] } {
  const kind = kindOf(joint);
  return {
    kind,
    fields: schemas[kind]!.fields.map(({ type }: BodySchema["fields"][number]) =>
      type === "f32" ? bitsOf(2) : 1
    ),
  };
}

Deno.test("BodyBroadcaster: a joint that stays as it is is never sent, and takes next to no bytes (SPEC 12.22)", () => {
  const stream = new Stream();
  for (let i = 0; i < 300; i++) {
    assertEquals(stream.next(), []);
    assertLess(stream.bytes, 5);
  }
});

Deno.test("BodyBroadcaster: a joint that appears, disappears or is switched is sent in that tick, however full it is (SPEC 12.22)", () => {
  const stream = new Stream(300);
  stream.jumpMetres = 3;
  for (let i = 0; i < 5; i++) assertEquals(stream.next(), []);
  assertGreater(stream.bytes, 100);
  stream.set(1001, stream.flagsAt, 12);
  assertEquals(stream.next(), [1001]);
  stream.joints.set(1002, newJoint(DOOR));
  assertEquals(stream.next(), [1002]);
  stream.joints.delete(1000);
  assertEquals(stream.next(), [1000]);
  assert(!stream.baselines.has(1000));
  assertEquals(stream.next(), []);
});

Deno.test("BodyBroadcaster: a length waits until there is room, at most 10 ticks, and a small change always so long (SPEC 12.10, 12.22)", () => {
  const { lengthAt, speedAt } = new Stream();
  const waits = (blocks: number, [id, at, value]: readonly [number, number, number]) => {
    const stream = new Stream(blocks);
    stream.jumpMetres = 3;
    for (let i = 0; i < 4; i++) stream.next();
    stream.set(id, at, bitsOf(value));
    for (let ticks = 0;; ticks++) if (stream.next().includes(id)) return ticks;
  };
  assertEquals(waits(0, [1000, lengthAt, 2.1]), 0);
  assertEquals(waits(0, [1001, speedAt, 3]), 0);
  // The tick is the fifth after the stream's beginning, so the joint is due after five more.
  assertEquals(waits(0, [1000, lengthAt, 2.001]), 5);
  assertEquals(waits(0, [1001, speedAt, 2.01]), 5);
  assertEquals(waits(300, [1000, lengthAt, 2.1]), 5);
  assertEquals(waits(300, [1000, lengthAt, 200]), 0);
});
