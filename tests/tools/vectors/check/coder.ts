/** The range coder's elements (WIRE 3 and 4), read and written. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  type Coder,
  CodeReader,
  CodeWriter,
  WireError,
} from "../../../../shared/netcode/wire/range_coder.ts";

/**
 * One element of a message: its coding, the coding's parameters, and the value, which a refused
 * message lacks.
 */
export type Element =
  | readonly ["flag", p: number, value?: 0 | 1]
  | readonly ["bits", width: number, value?: number]
  | readonly ["varint", value?: number]
  | readonly ["signed", value?: number]
  | readonly ["near", likely: number, p: number, value?: number]
  | readonly ["text", bytesMax: number, value?: string];

export interface CoderCase {
  readonly about: string;
  readonly bytes: string;
  readonly values: readonly Element[];
  /** The bytes behind the coded part. */
  readonly uncoded?: string;
  /** False: another end than the writer's, which a reader accepts. */
  readonly usual?: false;
  readonly refused?: true;
}

/** Codes one element. @returns the element with the value that was written or read */
export function codeElement(element: Element, coder: Coder): Element {
  switch (element[0]) {
    case "flag":
      return ["flag", element[1], coder.flag(element[2] === 1, element[1]) ? 1 : 0];
    case "bits":
      return ["bits", element[1], coder.bits(element[2] ?? 0, element[1])];
    case "varint":
      return ["varint", coder.varint(element[1] ?? 0)];
    case "signed":
      return ["signed", coder.signedVarint(element[1] ?? 0)];
    case "near": {
      const [, likely, p, value = 0] = element;
      return ["near", likely, p, coder.near(value, { likely, p })];
    }
    case "text":
      return ["text", element[1], coder.text(element[2] ?? "", element[1])];
  }
}

/** Writes elements. @param uncoded bytes behind them; undefined for the usual end */
export function writeElements(values: readonly Element[], uncoded?: Uint8Array): Uint8Array {
  const writer = new CodeWriter();
  writer.reset();
  for (const element of values) codeElement(element, writer);
  return (uncoded === undefined ? writer.finish() : writer.finishWith(uncoded)).slice();
}

/** Reads a whole message. @throws WireError for bytes that are none */
export function readElements(
  values: readonly Element[],
  bytes: Uint8Array,
  hasTail: boolean,
): { values: Element[]; tail: Uint8Array } {
  const reader = new CodeReader(bytes);
  const read = values.map((element) => codeElement(element, reader));
  if (hasTail) return { values: read, tail: reader.tail() };
  reader.end();
  return { values: read, tail: new Uint8Array(0) };
}

/** @throws AssertionError if the coder does anything else than the vector says */
export function checkCoderCase({ bytes: hex, values, uncoded, usual, refused }: CoderCase): void {
  const bytes = Uint8Array.fromHex(hex);
  const hasTail = uncoded !== undefined;
  if (refused) {
    assertThrows(() => readElements(values, bytes, hasTail), WireError);
    return;
  }
  const read = readElements(values, bytes, hasTail);
  assertEquals(read.values, values);
  assertEquals(read.tail.toHex(), uncoded ?? "");
  if (usual === false) return;
  const tail = uncoded === undefined ? undefined : Uint8Array.fromHex(uncoded);
  assertEquals(writeElements(values, tail).toHex(), hex);
}
