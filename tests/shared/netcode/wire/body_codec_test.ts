import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assert, assertAlmostEquals, assertEquals, assertLess, assertThrows } from "@std/assert";
import { bodyReaderOf, codeBodies } from "../../../../shared/netcode/wire/body_codec.ts";
import { BodyModel } from "../../../../shared/netcode/wire/body_model.ts";
import { BodyList } from "../../../../shared/body_list.ts";
import {
  BaselineMap,
  type BodyBaselines,
  dequantize,
  NO_BASELINES,
  quantize,
} from "../../../../shared/netcode/wire/quantized_body.ts";
import { CodeReader, CodeWriter, WireError } from "../../../../shared/netcode/wire/range_coder.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import { Random } from "../../../../shared/random.ts";
import { codec, hex } from "./messages.ts";
import {
  DELTAS,
  encodeBodyDatagram,
  encodeBodyStream,
  model,
  quantizedBody,
  reader,
  SCHEMAS,
} from "./body_stream_messages.ts";

const motion = (baselines: BodyBaselines) =>
  [...baselines].map((
    [entity, { x, y, angle, vx, vy, teleports, fieldBits }],
  ) => [entity, x, y, angle, vx, vy, teleports, ...fieldBits]);

Deno.test("codeBodies: bodies arrive on both kinds of link, but not without their baselines (SPEC 12.1, 12.3, 12.11, 12.12, 12.13)", () => {
  const { messages, baselinesByTick } = encodeBodyStream();
  const decoder = new ServerMessageDecoder(codec, reader);
  messages.forEach((bytes, i) => {
    const message = decoder.decode(bytes);
    assert(message.type === "tick");
    assertEquals(message.bodies, baselinesByTick[i]);
  });
  const late = new ServerMessageDecoder(codec, reader);
  const unread = late.decode(encodeBodyDatagram());
  assert(unread.type === "ticks" && unread.ticks.length === 2);
  assertEquals(unread.ticks.map(({ bodies }) => bodies), [undefined, undefined]);
  late.decode(messages[0]!);
  const read = late.decode(encodeBodyDatagram());
  assert(read.type === "ticks");
  assertEquals(motion(read.ticks[1]!.bodies!), motion(baselinesByTick[2]!));
});

Deno.test("codeBodies: the bits of the body stream do not change (SPEC 10.2, 10.4, 12.6)", () => {
  assertEquals([...encodeBodyStream().messages, encodeBodyDatagram()].map(hex), GOLDEN);
});

const GOLDEN: string[] = [
  "f7 95 20 35 e1 27 ff ff ff 2f db 16 a7 1e ca 9f 26 aa 5e 02 5a 93 02 5a 86 ee e9 d1 0a f1 80 27 4a 64 7d f8 0a ef e6 34",
  "11 55 69 ca 20 04 d4 9e 5c 6d df e4 dc 0d",
  "11 55 e0 db 4a 4f 76 ca ef 06 c8 2c 0f 30 19 d1 4b 80 ac c2 c0 06 8c 1c 25",
  "f9 7f 22 86 1e fe ee 6a e1 ff e4 ca 0d 72 fb e7 67 bf 38 24 6f 84 0d b9 c7 89 ac f4 26 f1 dc 0b 05 34 cd 06 c6 9f f0 00 42 b3 72 b6",
];

Deno.test("BodyModel: free bodies fall and turn as predicted, resting ones stay (SPEC 12.6)", () => {
  // Falling for 1 s in steps of 25 ms: 10 m/s² · 1 s · 1.025 s / 2.
  const falling = model.predict(quantizedBody(0, 1, { vx: 64, vy: 640, fieldBits: [7, 1] }), 20);
  assertEquals([falling.x, falling.y, falling.vx, falling.vy], [256, 2560 - 1312, 64, 0]);
  assertEquals(falling.fieldBits, [7, 21]);
  const standing = model.predict(quantizedBody(0, 1, { vx: 64, fieldBits: [7, 0] }), 20);
  assertEquals([standing.x, standing.y, standing.vy, ...standing.fieldBits], [256, 0, 0, 7, 0]);
  const turning = model.predict(quantizedBody(0, 2, { spin: 64 }), 20);
  assertEquals([turning.angle, turning.y], [256, 0]);
  assertEquals(model.predict(quantizedBody(0, 0, { fieldBits: [5, 5] }), 20).fieldBits, [0, 5]);
});

Deno.test("codeBodies: a client with other bodies than the server's learns it within a second (SPEC 12.19)", () => {
  const wrongGravity = SCHEMAS.schemas.map((schema) => ({
    ...schema,
    gravityUnits: schema.gravityUnits + 3,
  }));
  const wrongModel = new BodyModel({ ...SCHEMAS, schemas: wrongGravity }, 20);
  let sent: BodyBaselines = new BaselineMap([[1, quantizedBody(901, 1, { vy: 64 })]]);
  let right = sent;
  let wrong = sent;
  const readBodies = (
    model: BodyModel,
    baselines: BodyBaselines,
    tick: number,
    bytes: Uint8Array,
  ) => bodyReaderOf(model).read(baselines, tick, new CodeReader(bytes));

  for (let tick = 902; tick <= 920; tick++) {
    const writer = new CodeWriter();
    writer.reset();
    // The server sends the body as predicted, so a wrong prediction has no other sign.
    const delta = tick % 5 === 0 ? new Map([[1, model.predict(sent.get(1)!, tick)]]) : new Map();
    sent = codeBodies(delta, { tick, baselines: sent, model, coder: writer });
    const bytes = writer.finish();
    right = readBodies(model, right, tick, bytes);
    if (tick < 920) wrong = readBodies(wrongModel, wrong, tick, bytes);
    else {assertThrows(
        () => readBodies(wrongModel, wrong, tick, bytes),
        WireError,
        "not the server's",
      );}
  }

  assertEquals(right, sent);
});

Deno.test("codeBodies: fifty unchanged bodies take less than 8 bytes", () => {
  const baselines = new BaselineMap(
    Array.from({ length: 50 }, (_, i) => [i + 1, quantizedBody(100, 1, { x: i * 300 })]),
  );
  const writer = new CodeWriter();
  writer.reset();
  codeBodies(new Map(), { tick: 104, baselines, model, coder: writer });
  assertLess(writer.finish().length, 8);
});

Deno.test("codeBodies: a hundred joints that stay as they are take less than a bit, also after minutes (SPEC 12.22)", () => {
  const ropes = Array.from(
    { length: 100 },
    (_, i) => [i + 1, quantizedBody(100, 3, { fieldBits: [i, 7, 9] })] as const,
  );
  const bytesOf = (baselines: BodyBaselines, tick: number) => {
    const writer = new CodeWriter();
    writer.reset();
    codeBodies(new Map(), { tick, baselines, model, coder: writer });
    return writer.finish().length;
  };
  for (const tick of [101, 104, 110, 5003]) {
    assertEquals(
      bytesOf(new BaselineMap(ropes), tick),
      bytesOf(NO_BASELINES, tick),
      `tick ${tick}`,
    );
  }
});

Deno.test("codeBodies: the next id arrives, whichever it is (SPEC 12.23) [seed 6]", () => {
  const random = new Random(6);
  let sent: BodyBaselines = NO_BASELINES;
  let read: BodyBaselines = NO_BASELINES;
  let nextId = 1;
  let others = 0;

  for (let tick = 1; tick < 500; tick++) {
    const delta = new Map();
    for (const [entity] of sent) if (random.chance(0.2)) delta.set(entity, undefined);
    // Some ids are taken and free again within the tick.
    for (let i = random.below(4); i > 0; i--) {
      if (random.chance(0.7)) {
        delta.set(nextId, quantizedBody(tick, random.chance(0.5) ? 3 : 2, {}));
      } else if (i === 1) others++;
      nextId++;
    }
    const writer = new CodeWriter();
    writer.reset();
    sent = codeBodies(delta, { tick, baselines: sent, model, coder: writer, nextId });
    read = reader.read(read, tick, new CodeReader(writer.finish()));
    assertEquals([read.nextId, sent.nextId], [nextId, nextId]);
  }

  assert(others > 50);
});

Deno.test("codeBodies: any motion comes back exactly, in whole units [seed 5]", () => {
  const random = new Random(5);
  const number = (bits: number) => random.below(2 ** bits) - 2 ** (bits - 1);
  let baselines: BodyBaselines = NO_BASELINES;
  let other: BodyBaselines = NO_BASELINES;

  for (let tick = 1; tick < 2000; tick += 1 + random.below(4)) {
    const delta = new Map();
    const body = () => {
      const wild = 1 + random.below(20);
      const turns = { angle: number(wild), spin: number(wild) };
      return quantizedBody(tick, 2, {
        x: number(wild),
        y: number(wild),
        vx: number(wild),
        vy: number(wild),
        ...turns,
      });
    };
    for (const [entity] of baselines) {
      if (random.chance(0.1)) delta.set(entity, random.chance(0.1) ? undefined : body());
    }
    if (baselines.size < 20) {
      delta.set(Math.max(-1, ...baselines.keys()) + 1 + random.below(9), body());
    }
    const writer = new CodeWriter();
    writer.reset();
    baselines = codeBodies(delta, { tick, baselines, model, coder: writer });
    const coder = new CodeReader(writer.finish());
    other = reader.read(other, tick, coder);
    coder.end();
    assertEquals(other, baselines);
    for (const [entity, given] of delta) {
      if (given !== undefined) assertEquals({ ...baselines.get(entity)!, streak: 1 }, given);
    }
  }
});

Deno.test("dequantize: each number of a motion is off by at most half a unit (SPEC 12.6)", () => {
  const list = new BodyList();
  const motion = {
    x: 12.345,
    y: 3.456,
    angle: -7.654,
    vx: 5.432,
    vy: -6.543,
    spin: 3.21,
    teleports: 7,
  };
  const body = Object.assign(list.add(3, 1), motion);
  body.fieldBits.push(5, 6);
  const back = dequantize(list.add(3, 1), quantize(body, 1));
  const halves = {
    x: 1 / 512,
    y: 1 / 512,
    angle: Math.PI / 1024,
    vx: 1 / 128,
    vy: 1 / 128,
    spin: Math.PI / 256,
    teleports: 0,
  };
  for (const [name, half] of Object.entries(halves)) {
    const part = name as keyof typeof motion;
    assertAlmostEquals(back[part], motion[part], half, name);
  }
  assertEquals(back.fieldBits, [5, 6]);
});

Deno.test("codeBodies: bodies that no honest server sends are refused (SPEC 8.1)", () => {
  const [beginning] = encodeBodyStream().messages;
  assertThrows(() => new ServerMessageDecoder(codec).decode(beginning!), WireError, "reads none");
  const writer = new CodeWriter();
  const refused = (delta: Parameters<typeof codeBodies>[0], what: string) => {
    writer.reset();
    assertThrows(
      () => {
        codeBodies(delta, { tick: 5, baselines: NO_BASELINES, model, coder: writer });
        reader.read(NO_BASELINES, 5, new CodeReader(writer.finish()));
      },
      WireError,
      what,
    );
  };
  refused(new Map([[1, { ...quantizedBody(5, 2, {}), schemaIndex: 9 }]]), "kind 9");
  refused(new Map([[1, quantizedBody(5, 2, { x: 2 ** 24 })]]), "out of bounds");
  refused(
    new Map(Array.from({ length: 2050 }, (_, i) => [i, quantizedBody(5, 2, {})])),
    "more bodies",
  );
  assertEquals(DELTAS.length, 3);
});

Deno.test("dragonGame: schemas, their motion and their counting fields are those of SPEC (SPEC 12.7)", () => {
  const { schemas, substeps } = dragonGame.bodies!;
  assertEquals(substeps, 2);
  assertEquals(schemas.map(({ moves, turns }) => [moves, turns]), [
    [false, false],
    ...new Array(4).fill([true, false]),
    ...new Array(6).fill([true, true]),
    ...new Array(5).fill([true, true]),
    [true, false],
    ...new Array(3).fill([false, false]),
  ]);
  assertEquals(
    schemas.map(({ fields }) => fields.filter(({ drift }) => drift !== 0).length),
    [1, 9, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  );
});
