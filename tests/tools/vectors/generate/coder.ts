/**
 * Vectors of the range coder: each element, its limits, long carries, all ends, and bytes that a
 * reader refuses.
 */
import { CodeWriter, WireError } from "../../../../shared/netcode/wire/range_coder.ts";
import { Random } from "../../../../shared/random.ts";
import {
  codeElement,
  type CoderCase,
  type Element,
  readElements,
  writeElements,
} from "../check/coder.ts";
import { carryElements } from "./carries.ts";

const U32_MAX = 2 ** 32 - 1;
/** Random messages of each length, and the most elements of one. */
const RANDOM_CASES = 60;
const RANDOM_ELEMENTS_MAX = 40;
const TEXTS = [
  "",
  "a",
  "Wren",
  "Ægir 🐉",
  "龍騎士",
  "é\u0301\u200d👩‍🚀",
  "\ufeffmark",
  "x".repeat(96),
  "\0\x7f\u07ff\uffff\u{10ffff}",
];

function caseOf(about: string, values: readonly Element[], uncoded?: Uint8Array): CoderCase {
  const bytes = writeElements(values, uncoded).toHex();
  return { about, bytes, values, ...(uncoded !== undefined && { uncoded: uncoded.toHex() }) };
}

/** All cases of `coder.json`. */
export function coderCases(): CoderCase[] {
  const random = new Random(1301);
  return [
    caseOf("the empty message", []),
    ...elementCases(random),
    ...Array.from(
      { length: RANDOM_CASES },
      (_, i) => caseOf(`random elements ${i + 1}`, randomElements(random)),
    ),
    ...[2, 3, 4, 6, 12].map((bytes) =>
      caseOf(`a carry over ${bytes} bytes of 255`, carryElements(bytes, random))
    ),
    ...tailCases(random),
    ...otherEndCases(random),
    ...refusedCases(),
  ];
}

/** Each coding with its smallest and greatest values and parameters. */
function elementCases(random: Random): CoderCase[] {
  const flags = [1, 2, 205, 2047, 2048, 2049, 4094, 4095].flatMap((
    p,
  ): Element[] => [["flag", p, 1], ["flag", p, 0]]);
  const widths = Array.from({ length: 33 }, (_, width) => width);
  const bits = (valueOf: (width: number) => number) =>
    widths.map((width): Element => ["bits", width, valueOf(width)]);
  const varints = [
    0,
    1,
    7,
    8,
    9,
    63,
    64,
    511,
    512,
    4095,
    2 ** 24,
    2 ** 30 - 1,
    2 ** 30,
    2 ** 31,
    U32_MAX,
  ];
  const signed = [0, 1, -1, 2, -2, 3, -4, 4, 1000, -1000, 2 ** 31 - 1, 1 - 2 ** 31, -(2 ** 31)];
  return [
    ...flags.map((flag) => caseOf("one flag", [flag])),
    caseOf("flags, set and not set", flags),
    caseOf("a hundred flags that are likely", Array.from({ length: 100 }, () => ["flag", 4095, 1])),
    caseOf("forty flags that are unlikely", Array.from({ length: 40 }, () => ["flag", 1, 1])),
    caseOf("bits of all widths, all 0", bits(() => 0)),
    caseOf("bits of all widths, all 1", bits((width) => 2 ** width - 1)),
    caseOf("bits of all widths", bits((width) => random.below(2 ** width))),
    ...varints.map((value) => caseOf("one varint", [["varint", value]])),
    caseOf("varints", varints.map((value) => ["varint", value])),
    ...signed.map((value) => caseOf("one signed", [["signed", value]])),
    caseOf("signed", signed.map((value) => ["signed", value])),
    caseOf(
      "near",
      [-70_000, -1, 0, 1, 5, 6, 7, 2 ** 30].map((value, i) => ["near", 5, 1 + i * 500, value]),
    ),
    ...TEXTS.map((text) => caseOf("one text", [["text", 96, text], ["bits", 8, 170]])),
  ];
}

function randomElements(random: Random): Element[] {
  return Array.from({ length: 1 + random.below(RANDOM_ELEMENTS_MAX) }, () => randomElement(random));
}

function randomElement(random: Random): Element {
  const p = 1 + random.below(4095);
  const width = random.below(33);
  const small = random.below(2 ** (1 + random.below(30)));
  switch (random.below(8)) {
    case 0:
      return ["bits", width, random.below(2 ** width)];
    case 1:
      return ["varint", small];
    case 2:
      return ["signed", random.chance(0.5) ? small : -small];
    case 3:
      return ["near", small, p, random.chance(0.5) ? small : random.below(1000)];
    default:
      return ["flag", p, random.below(4096) < p ? 1 : 0];
  }
}

function randomBytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

function tailCases(random: Random): CoderCase[] {
  return [
    caseOf("nothing before uncoded bytes", [], randomBytes(random, 5)),
    ...[0, 1, 9, 64].map((length) =>
      caseOf(
        `elements before ${length} uncoded bytes`,
        randomElements(random),
        randomBytes(random, length),
      )
    ),
    caseOf(
      "uncoded bytes of 255",
      [["flag", 2048, 0], ["bits", 32, U32_MAX]],
      new Uint8Array(4).fill(255),
    ),
  ];
}

/**
 * Ends that a reader accepts and the writer does not write: 0s up to four bytes, and the whole of
 * `low`.
 */
function otherEndCases(random: Random): CoderCase[] {
  const cases: CoderCase[] = [];
  for (let i = 0; i < 12; i++) {
    const values = i === 0 ? [] : randomElements(random);
    const bytes = writeElements(values);
    const whole = writeElements(values, new Uint8Array(0));
    const longer = Uint8Array.from([...bytes, 0]);
    const longest = new Uint8Array(whole.length);
    longest.set(bytes);
    const ends = [["one byte of 0 more", longer], ["all four bytes of low", whole], [
      "0s as far as possible",
      longest,
    ]];
    for (const [about, end] of ends as [string, Uint8Array][]) {
      cases.push({ about, bytes: end.toHex(), values, usual: false });
    }
  }
  return cases;
}

/** @throws Error if a reader takes the bytes */
function refusedCase(about: string, values: readonly Element[], bytes: Uint8Array): CoderCase {
  try {
    readElements(values, bytes, false);
  } catch (error) {
    if (error instanceof WireError) return { about, bytes: bytes.toHex(), values, refused: true };
    throw error;
  }
  throw new Error(`a reader takes ${bytes.toHex()}: ${about}`);
}

function refusedCases(): CoderCase[] {
  const eightBits: Element[] = Array.from({ length: 12 }, () => ["bits", 8]);
  const whole = writeElements(
    eightBits.map((_, i): Element => ["bits", 8, 40 + i]),
    new Uint8Array(0),
  );
  const group: readonly Element[] = [["bits", 3, 7], ["flag", 2048, 1]];
  const zero = (isLast: boolean): Element[] => [["bits", 3, 0], ["flag", 2048, isLast ? 0 : 1]];
  const twelve = Array.from({ length: 12 }, (_, i) => zero(i === 11)).flat();
  const ten = Array.from({ length: 10 }, () => group).flat();
  const varint = (...last: Element[]) => writeElements([...ten, ...last]);
  const text = (...bytes: number[]) =>
    writeElements([["varint", bytes.length], ...bytes.map((byte): Element => ["bits", 8, byte])]);
  return [
    refusedCase("no bytes", [], new Uint8Array(0)),
    refusedCase(
      "too short: five bytes behind the end are needed",
      eightBits,
      whole.subarray(0, -5),
    ),
    refusedCase("too short by far", eightBits, whole.subarray(0, 1)),
    refusedCase(
      "one byte more than the reader has read",
      eightBits,
      Uint8Array.from([...whole, 0]),
    ),
    refusedCase("one byte more than the reader has read", [], new Uint8Array(5)),
    refusedCase("many bytes more", eightBits, Uint8Array.from([...whole, 1, 2, 3, 4, 5, 6, 7])),
    refusedCase("four bytes of 255", [], new Uint8Array(4).fill(255)),
    refusedCase("four bytes of 255 and more", eightBits, new Uint8Array(16).fill(255)),
    refusedCase("a group of 2^8", [["bits", 8]], Uint8Array.of(255, 255, 255, 254)),
    refusedCase(
      "a group of 2^8 after a flag",
      [["flag", 2048], ["bits", 8]],
      Uint8Array.of(255, 255, 255, 254),
    ),
    refusedCase("a group of 2^3", [["bits", 3]], Uint8Array.of(255, 255, 255, 254)),
    refusedCase("a varint of 2^32", [["varint"]], varint(["bits", 3, 4], ["flag", 2048, 0])),
    refusedCase("a varint with twelve groups", [["varint"]], writeElements(twelve)),
    refusedCase("a text of 5 bytes where 4 are allowed", [["text", 4]], text(97, 98, 99, 100, 101)),
    refusedCase("UTF-8 with a byte that no character has", [["text", 9]], text(97, 255)),
    refusedCase("UTF-8 that begins within a character", [["text", 9]], text(0x80, 97)),
    refusedCase("UTF-8 that ends within a character", [["text", 9]], text(97, 0xe2, 0x82)),
    refusedCase("UTF-8 that is longer than needed", [["text", 9]], text(0xc0, 0xaf)),
    refusedCase("UTF-8 of half a surrogate pair", [["text", 9]], text(0xed, 0xa0, 0x80)),
    refusedCase("UTF-8 beyond the last character", [["text", 9]], text(0xf4, 0x90, 0x80, 0x80)),
  ];
}

/** The number of bytes of a message's usual end, beyond those that were output before it. */
export function endLength(values: readonly Element[]): number {
  const writer = new CodeWriter();
  writer.reset();
  for (const element of values) codeElement(element, writer);
  const output = writer.bytesMax - 4;
  return writer.finish().length - output;
}
