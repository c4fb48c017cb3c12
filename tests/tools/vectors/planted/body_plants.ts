/**
 * Plants in the coding and the prediction of bodies, in their checksum and in snapshots (WIRE 8 and
 * 9).
 */
import type { FileName } from "../files.ts";
import { type Plant, plantsIn, plantsInWire } from "./plants_of.ts";

const SERVER: readonly FileName[] = ["server_messages"];

const X_AND_Y = `  next.x += codeResidual((given?.x ?? 0) - next.x, lengths, coder);
  next.y += codeResidual((given?.y ?? 0) - next.y, lengths, coder);`;

const CODING = plantsInWire("body_codec.ts", SERVER, [
  ["export const BODIES_MAX = 2049;", "export const BODIES_MAX = 2050;"],
  ["const TELEPORTS_BITS = 8;", "const TELEPORTS_BITS = 9;"],
  ["const MOTION_BITS = 24;", "const MOTION_BITS = 25;"],
  ["const STREAK_TICKS = 2;", "const STREAK_TICKS = 3;"],
  ['    lastEntity = entity;\n    coder.part = "told";', '    coder.part = "told";'],
  ["    lastEntity = entity;\n  }", "  }"],
  ["if (age === 1 && streak >= STREAK_TICKS)", "if (streak >= STREAK_TICKS)"],
  [
    "tick - baseline.tick === 1 ? Math.min(STREAK_TICKS, baseline.streak + 1) : 1",
    "Math.min(STREAK_TICKS, baseline.streak + 1)",
  ],
  ["if (context.model.schema(schemaIndex).isJoint) return P_JOINT_SENT;", ""],
  [
    "const index = coder.varint(given?.schemaIndex ?? 0)",
    "const index = coder.bits(given?.schemaIndex ?? 0, 4)",
  ],
  ["const ID_MAX = 0xffff_ffff;", "const ID_MAX = 0x1_0000_0000;"],
  ["Math.max(baselines.nextId, lastEntity + 1)", "lastEntity + 1"],
  ["checkedId(likely + 1 + coder.varint(", "checkedId(likely + coder.varint("],
  [">= P_BODY_SENT_AT_AGE.length - 1", ">= P_BODY_SENT_AT_AGE.length - 2"],
  ["Math.abs(dvx) <= 1 && Math.abs(dvy) <= 1", "Math.abs(dvx) <= 1"],
  ["Math.abs(dvx) <= 1 && Math.abs(dvy) <= 1", "Math.abs(dvx) <= 2 && Math.abs(dvy) <= 2"],
  [
    "if (!isSteady) model.repredictPosition(baseline, next);",
    "model.repredictPosition(baseline, next);",
  ],
  ["if (!isSteady) model.repredictPosition(baseline, next);", ""],
  [X_AND_Y, X_AND_Y.split("\n").reverse().join("\n")],
  [
    "next.angle += codeResidual((given?.angle ?? 0) - next.angle, lengths, coder);",
    "next.angle += codeResidual((given?.angle ?? 0) - next.angle, P_SPEED_LENGTHS, coder);",
  ],
  ["Math.abs(value) >= 1 << MOTION_BITS", "Math.abs(value) > 1 << MOTION_BITS"],
  ["const isNegative = coder.flag(value < 0);", "const isNegative = !coder.flag(value >= 0);"],
  [
    "return (likely + coder.signedVarint((field - likely) | 0)) >>> 0;",
    "return likely + coder.signedVarint(field - likely);",
  ],
  ["if (predicted.length === 0) return predicted;", ""],
  [
    "if (schema.moves && coder.flag(teleports !== baseline.teleports, P_TELEPORTED)) {",
    "if (coder.flag(teleports !== baseline.teleports, P_TELEPORTED)) {",
  ],
]);

const PREDICTION = plantsInWire("body_model.ts", ["predictions", "server_messages"], [
  ["const CLOCK_MAX = 255;", "const CLOCK_MAX = 254;"],
  ["const AGE_TICKS_MAX = 255;", "const AGE_TICKS_MAX = 256;"],
  ["const g = baseline.vy === 0 ? 0 : gravityUnits;", "const g = gravityUnits;"],
  [
    "next.vy -= roundedRatio(g * ticks, this.tickHz);",
    "next.vy += roundedRatio(-g * ticks, this.tickHz);",
  ],
  ["-g * (ticks * this.#substeps + 1)", "-g * (ticks * this.#substeps - 1)"],
  [
    "next.angle += this.#travel(baseline.spin, ticks);",
    "next.angle += Math.trunc(4 * baseline.spin * ticks / this.tickHz);",
  ],
  ["if (ticks === 1) {", "if (ticks <= 2) {"],
  ["const g = next.vy === 0 ?", "const g = baseline.vy === 0 ?"],
  ["g * (this.#substeps - 1)", "g * this.#substeps"],
  ["this.#travel((baseline.vx + next.vx) / 2, ticks)", "this.#travel(next.vx, ticks)"],
  ["this.#travel((baseline.vy + next.vy) / 2, ticks)", "this.#travel(baseline.vy, ticks)"],
  ["return Math.floor((2 * a + b) / (2 * b));", "return Math.floor((2 * a + b - 1) / (2 * b));"],
  ["return Math.floor((2 * a + b) / (2 * b));", "return Math.trunc((2 * a + b) / (2 * b));"],
  ["if (drift === 0 || field === 0 ||", "if (drift === 0 ||"],
  ["(drift > 0 && field >= CLOCK_MAX)", "(drift > 0 && field > 1000)"],
  ["Math.max(0, field - ticks)", "field - ticks >>> 0"],
]);

const UNITS = plantsInWire("quantized_body.ts", ["predictions"], [
  ["export const UNITS_PER_SPEED_UNIT = 4;", "export const UNITS_PER_SPEED_UNIT = 2;"],
]);

const CHECKSUM = plantsInWire("body_checksum.ts", ["checksums", "server_messages"], [
  ["words.push(entity, schemaIndex);", "words.push(schemaIndex, entity);"],
  ["if (moves) words.push(x, y, vx, vy);", "if (moves) words.push(vx, vy, x, y);"],
  ["if (turns) words.push(spin, angle);", "if (moves) words.push(spin, angle);"],
  ["if (moves) words.push(teleports);", "words.push(teleports);"],
  ["= model.predict(baseline, tick);", "= baseline;"],
  ["tick % model.tickHz !== 0", "tick % 20 !== 0"],
  ["const CHECKSUM_BITS = 16;", "const CHECKSUM_BITS = 17;"],
  [
    "if (coder.bits(checksum, CHECKSUM_BITS) !== checksum)",
    "if (coder.bits(checksum, CHECKSUM_BITS) === -1)",
  ],
]);

const SNAPSHOT = [
  ...plantsIn("shared/physics/snapshot/layout.ts", ["snapshots"], [
    [
      "fixtureA | fixtureB << 8 | points << 16 | type << 18",
      "fixtureA | fixtureB << 8 | points << 18 | type << 16",
    ],
    [
      "AWAKE = 2, TELEPORTS = 3,",
      "AWAKE = 3, TELEPORTS = 2,",
    ],
    [
      "AGE = 2, BOUNCES = 3,",
      "AGE = 3, BOUNCES = 2,",
    ],
    ["POINT_FEATURES = 4;", "POINT_FEATURES = 3;"],
    [
      "JOINT_COUNT = 3, CONTACT_COUNT = 4",
      "JOINT_COUNT = 4, CONTACT_COUNT = 3",
    ],
  ]),
  ...plantsIn("shared/games/dragons/declaration.ts", ["games", "snapshots"], [
    ["airborne: stopwatch(),", "airborne: clock(),"],
    ['round: "u32",', 'round: "i32",'],
  ]),
];

export const BODY_PLANTS: readonly Plant[] = [
  ...CODING,
  ...PREDICTION,
  ...UNITS,
  ...CHECKSUM,
  ...SNAPSHOT,
];
