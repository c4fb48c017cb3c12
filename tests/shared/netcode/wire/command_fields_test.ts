/**
 * Every value of a field is coded against every other one; wrong schemas and hostile bits are
 * refused.
 */
import { assert, assertEquals, assertLess, assertThrows } from "@std/assert";
import type { CommandFieldSchema, NumberFieldSchema } from "../../../../shared/netcode/game.ts";
import { fieldCoderOf } from "../../../../shared/netcode/wire/command_fields.ts";
import { CodeReader, CodeWriter, WireError } from "../../../../shared/netcode/wire/range_coder.ts";
import { valuesOf } from "../../../tools/vectors/games/vector_game.ts";

const CHANCE = { neutral: 0, held: false, unchanged: 2000 } as const;

function number(least: number, greatest: number, wraps = false): NumberFieldSchema {
  return { ...CHANCE, name: `${least} to ${greatest}`, type: "number", least, greatest, wraps };
}

const FIELDS: readonly CommandFieldSchema[] = [
  { ...CHANCE, name: "dir", type: "direction", values: [-1, 0, 1] },
  { ...CHANCE, name: "brake", type: "button", values: [0, 1] },
  { ...CHANCE, name: "boost", type: "presses", values: [0, 1, 2, 3], onePress: 3900 },
  number(-8, 8),
  number(0, 4),
  number(0, 1),
  number(-3, 0),
  number(0, 63),
  number(0, 1, true),
  number(0, 2, true),
  number(0, 255, true),
  number(-5, 5, true),
  number(0, 36, true),
];

Deno.test("fieldCoderOf: every value is read as it was written, against every other one", () => {
  const writer = new CodeWriter();
  for (const field of FIELDS) {
    const code = fieldCoderOf(field);
    const values = valuesOf(field);
    for (const reference of values) {
      for (const value of values) {
        writer.reset();
        assertEquals(code(value, reference, writer), value, field.name);
        const reader = new CodeReader(writer.finish());
        assertEquals(
          code(NaN, reference, reader),
          value,
          `${field.name}: ${value} after ${reference}`,
        );
        reader.end();
      }
    }
  }
});

Deno.test("fieldCoderOf: a short way takes fewer bits than a long one, also across the end of a turn", () => {
  const code = fieldCoderOf(number(0, 255, true));
  const writer = new CodeWriter();
  const bytesOf = (value: number, reference: number) => {
    writer.reset();
    for (let i = 0; i < 100; i++) code(value, reference, writer);
    return writer.finish().length;
  };
  assertLess(bytesOf(0, 255), 70);
  assertEquals(bytesOf(0, 255), bytesOf(1, 0));
  assertLess(bytesOf(130, 100), bytesOf(164, 100));
});

Deno.test("fieldCoderOf: bits that lead out of the range are refused, and all others read as a value", () => {
  const field = number(0, 4);
  const code = fieldCoderOf(field);
  const writer = new CodeWriter();
  writer.reset();
  writer.flag(false, CHANCE.unchanged);
  for (const p of [1365, 2048]) writer.flag(false, p);
  writer.bits(1, 2);
  assertThrows(
    () => code(0, 0, new CodeReader(writer.finish())),
    WireError,
    "5 steps away; 4 are possible",
  );
  let read = 0;

  for (let seed = 0; seed < 4096; seed++) {
    try {
      const value = code(
        0,
        seed % 5,
        new CodeReader(Uint8Array.of(seed >> 4, seed << 4, seed * 7)),
      );
      assert(value >= 0 && value <= 4, `${value}`);
      read++;
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
    }
  }

  assertLess(1000, read);
});

Deno.test("fieldCoderOf: a wrong schema is refused by the field's name", () => {
  const refused = (field: CommandFieldSchema, message: string) =>
    assertThrows(() => fieldCoderOf(field), RangeError, `field "${field.name}": ${message}`);
  refused({ ...number(0, 4), unchanged: 4096 }, "the chance 4096 is not 1 … 4095");
  refused({ ...number(0, 4), unchanged: 0.5 }, "the chance 0.5");
  refused(
    { ...CHANCE, name: "boost", type: "presses", values: [0, 1, 2, 3] },
    "the chance undefined",
  );
  refused(number(0, 0), "0 … 0 is no range of 2 … 65536 numbers");
  refused(number(0, 65_536), "0 … 65536 is no range");
  refused(number(0, 1.5), "0 … 1.5 is no range");
  refused({ ...number(1, 4), neutral: 0 }, "its neutral value 0 is not 1 … 4");
});
