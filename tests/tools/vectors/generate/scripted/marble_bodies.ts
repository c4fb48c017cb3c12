/**
 * A body stream of the second game, in which each part of the coding takes every branch. It has
 * errors of all lengths, all ages and streaks, words at their limits, clocks, jumps, and bodies
 * that go and come back.
 */
import { BALL, FLAG, HINGE, marbles, MATCH, ROPE, WHEEL } from "../../games/marbles.ts";
import type { SentBody } from "../../meanings/sent_bodies.ts";
import { type MotionErrors, ServerScript } from "./server_script.ts";

/** A multiple of the ticks per second, so the first message has a checksum. */
const FIRST_TICK = 600;
const LENGTHS = Array.from({ length: 25 }, (_, bits) => bits);
const U32_MAX = 2 ** 32 - 1;
/** Words at the limits of signed and unsigned numbers, in an order with differences that wrap. */
const WORDS = [
  0,
  U32_MAX,
  0,
  2 ** 31,
  2 ** 31 - 1,
  U32_MAX,
  2 ** 31,
  0,
  1,
  2 ** 31 + 1,
  0x8000_0000,
  7,
  0x3f80_0000,
];

/** The greatest and the smallest number with so many bits; negative if `sign` is. */
const greatest = (bits: number, sign = 1) => sign * (2 ** bits - 1);
const smallest = (bits: number, sign = 1) => bits === 0 ? 0 : sign * 2 ** (bits - 1);

/** The messages of the whole stream. */
export function marbleStream(): Uint8Array[] {
  const script = new ServerScript(marbles);
  script.push({
    type: "welcome",
    seat: 3,
    resumed: 0,
    token: "feedface00c0ffeefeedface00c0ffee",
    npcs: 2,
    seed: U32_MAX,
    choices: [],
    ordered: 0,
  });
  script.state(FIRST_TICK, [match(1, 300, 0), ...newcomersOfAllLengths(100)], {
    hash: 0xffff,
    advisedLead: 400,
  });
  lengthsOfErrors(script);
  joints(script);
  agesAndStreaks(script);
  words(script);
  comingAndGoing(script);
  distantTicks(script);
  return script.messages;
}

function match(...fields: number[]): SentBody {
  return { entity: 0, kind: MATCH, fields };
}

function ball(
  entity: number,
  motion: [x: number, y: number, vx: number, vy: number],
  ...fields: number[]
): SentBody {
  return {
    entity,
    kind: BALL,
    motion: [...motion, 0, 0],
    jumps: 0,
    fields: fields.length > 0 ? fields : [0, 0, 0, 0],
  };
}

function wheel(entity: number): SentBody {
  return { entity, kind: WHEEL, motion: [0, 0, 0, 0, 0, 0], jumps: 0, fields: [] };
}

/** One wheel for each length of its numbers. */
function newcomersOfAllLengths(first: number): SentBody[] {
  return LENGTHS.map((bits) => ({
    entity: first + bits,
    kind: WHEEL,
    jumps: bits * 10,
    fields: [],
    motion: [
      ...[greatest(bits), smallest(bits, -1), smallest(bits)] as [number, number, number],
      ...[greatest(bits, -1), greatest(bits), smallest(bits, -1)] as [number, number, number],
    ],
  }));
}

/** Wheels at rest whose errors have all lengths: deflected, calm, and half and half. */
function lengthsOfErrors(script: ServerScript): void {
  const gone = (first: number): SentBody[] =>
    LENGTHS.map((bits) => ({ entity: first + bits, gone: true }));
  const came = (first: number) => LENGTHS.map((bits) => wheel(first + bits));
  const errors: ((bits: number) => MotionErrors)[] = [
    (bits) => ({
      vx: greatest(bits),
      vy: 2,
      x: greatest(bits, -1),
      y: smallest(bits),
      angle: smallest(bits, -1),
    }),
    (bits) => ({
      vx: -2,
      vy: greatest(bits, -1),
      x: smallest(bits),
      y: greatest(bits),
      spin: greatest(bits, -1),
    }),
    (bits) => ({
      vx: bits % 3 - 1,
      vy: 1,
      x: greatest(bits),
      y: smallest(bits, -1),
      angle: greatest(bits, -1),
    }),
    (bits) => ({
      vx: 1,
      vy: -(bits % 2),
      x: smallest(bits, -1),
      y: greatest(bits, -1),
      spin: smallest(bits),
    }),
    (bits) => ({ vx: smallest(bits), vy: -1, angle: smallest(bits), spin: smallest(bits, -1) }),
  ];
  let first = 100;
  for (const errorsOf of errors) {
    script.tick([...gone(first), ...came(first + 100)]);
    first += 100;
    script.tick(LENGTHS.map((bits) => script.update(first + bits, errorsOf(bits))));
  }

  script.tick(gone(first));
}

/**
 * Balls that are not sent for 1 … 14 ticks, as predicted or not, and balls that are sent in a row.
 */
function agesAndStreaks(script: ServerScript): void {
  const ages = Array.from({ length: 14 }, (_, i) => i + 1);
  const exact = 1000;
  const predicted = 1100;
  const streak = 1200;
  const falling = (entity: number) => ball(entity, [5 * entity, 4000, entity - 1090, 500]);
  script.tick([
    ...ages.map((age) => falling(exact + age)),
    ...ages.map((age) => falling(predicted + age)),
  ]);
  script.tick(ages.map((age) => ball(streak + age, [0, 0, 100, age])));

  for (const age of ages) {
    const sent: SentBody[] = age === 1 ? [] : [
      script.update(exact + age, { x: age, vy: age % 3 }),
      { entity: predicted + age, asPredicted: true },
    ];
    // The first of these balls is sent in every tick, the second in two of three, the third in one
    // of two.
    for (const each of ages.slice(0, 3)) {
      const isSent = each === 1 || each === 2 && age % 3 !== 0 || each === 3 && age % 2 === 0;
      if (isSent) sent.push(script.update(streak + each, { y: 1 - each }));
    }
    script.tick(sent);
  }
}

/** Words at their limits, clocks, and jumps. */
function words(script: ServerScript): void {
  const balls = [2000, 2001, 2002].map((entity) =>
    ball(entity, [0, 0, 0, 0], 0, entity - 2000, 3, U32_MAX)
  );
  script.tick([{ entity: 0, kind: MATCH, fields: [254, 2, U32_MAX] }, ...balls]);

  // The clocks reach their ends by themselves.
  for (let i = 0; i < 4; i++) script.tick([{ entity: 2001, asPredicted: true }]);
  WORDS.forEach((word, i) => {
    const other = WORDS[(i + 5) % WORDS.length]!;
    const fields = script.bodies.get(2002)!.fieldBits;
    const predicted = marbles.model.predict(script.bodies.get(2002)!, script.nextTick).fieldBits;
    script.tick([
      match(i % 2 === 0 ? 255 : word, other, word),
      script.update(2000, {}, { fields: [word, other, word, other] }),
      script.update(2001, {}, {
        fields: [word, 250 + i, i === 3 ? 300 : 0, 0],
        jumps: (i * 77) & 255,
      }),
      script.update(2002, { vx: i % 2 }, {
        fields: i % 2 === 0 ? predicted : [fields[0]! + 1, ...predicted.slice(1)],
      }),
    ]);
  });
}

/**
 * Joints that change never, seldom, in a row and after a long time, and next ids that are not the
 * likely ones.
 */
function joints(script: ServerScript): void {
  const rope = (entity: number, length: number): SentBody => ({
    entity,
    kind: ROPE,
    fields: [100, 0, length, 1],
  });
  const hinge = (entity: number, flags: number): SentBody => ({
    entity,
    kind: HINGE,
    fields: [2000, 2001, flags],
  });
  script.tick([rope(3000, 0x4000_0000), hinge(3001, 12), hinge(3002, 0), rope(3003, U32_MAX)]);
  for (let i = 0; i < 5; i++) {
    script.tick([rope(3000, 0x4000_0000 - i), ...(i % 2 === 0 ? [hinge(3001, i)] : [])]);
  }
  for (let i = 0; i < 11; i++) script.tick([]);
  script.tick([rope(3000, 0), hinge(3001, 4), { entity: 3003, asPredicted: true }]);
  script.tick([{ entity: 3002, gone: true }]);
  script.tickWithNextId([], 3005);
  script.tickWithNextId([hinge(3010, 8)], 3011);
  script.tickWithNextId([], 10_000);
  script.tickWithNextId([{ entity: 3000, gone: true }, hinge(10_000, 4)], 20_000);
  script.tick([3001, 3003, 3010, 10_000].map((entity) => ({ entity, gone: true })));
}

/**
 * Bodies that go and come back, the greatest entity, ticks without bodies, and ticks with bodies
 * that send none.
 */
function comingAndGoing(script: ServerScript): void {
  const flag = (entity: number, seat: number): SentBody => ({ entity, kind: FLAG, fields: [seat] });
  script.tick([flag(70_000, 1), flag(70_001, 2)]);
  script.tick([{ entity: 70_000, gone: true }, { entity: 70_001, gone: true }]);
  script.tick([flag(70_000, 1)]);
  script.tick([]);
  script.tick(null);
  script.tick(null);
  script.tick([{ entity: 70_000, asPredicted: true }]);
  script.tick([{ entity: 70_000, gone: true }, flag(70_005, 3), flag(U32_MAX, 4)]);
  script.tick([{ entity: U32_MAX, gone: true }, { entity: 70_005, kind: FLAG, fields: [2 ** 31] }]);
  script.tick([flag(U32_MAX, 4)]);
  script.tick([{ entity: U32_MAX, gone: true }]);
}

/**
 * A state with a snapshot, much later, leaves the bodies as they are. Their ages are then beyond
 * 255.
 */
function distantTicks(script: ServerScript): void {
  script.state(script.nextTick + 254 - 14, null);
  for (let i = 0; i < 4; i++) script.tick([script.update(2001, { y: 1 })]);
  script.state(1499, null, { hash: 77 });
  script.tick([
    script.update(1004, { vx: 3 }),
    { entity: 1105, asPredicted: true },
    script.update(2000, { y: -3 }),
  ]);
  script.tick([script.update(1004, { vy: 3 })]);
  // A new stream begins without known bodies.
  script.state(1530, [match(0, 9, 1), wheel(1004)]);
  script.tick([script.update(1004, { spin: 1 })]);
}
