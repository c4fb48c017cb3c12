/**
 * HTTP/3's field sections: headers, packed with QPACK (RFC 9204 §4.5). The server offers its
 * clients no dynamic table, so each line is an entry of the static table, a name from it with a
 * text, or two texts.
 *
 *     section = 0 (required inserts), base, lines
 *     line    = 11 index | 01 N T index, text | 001 N, text, text
 *     text    = H (whether it has Huffman's code), length, bytes
 */
import { ByteReader } from "./byte_reader.ts";
import { Http3Code } from "./http3_error.ts";
import { decodeHuffman } from "./huffman.ts";
import { type Field, STATIC_TABLE, STATUS_INDEX } from "./static_table.ts";

/** The longest section, bytes: a ticket takes 2,048, and a browser's headers some hundred. */
export const SECTION_BYTES_MAX = 8 * 1024;
/** Browsers send about fifteen. */
const FIELDS_MAX = 64;
/** Larger numbers exceed any section. */
const NUMBER_MAX = 1 << 20;

/**
 * The characters that RFC 9110 §5 allows in names and values; lower case, as RFC 9114 §4.2 demands.
 */
const NAME = /^:?[a-z0-9!#$%&'*+.^_`|~-]+$/;
const FORBIDDEN_IN_VALUE = /[\0\r\n]/;

/**
 * Decodes a section's fields, in order.
 * @throws Http3Error for an invalid section, one that refers to a dynamic table, or one with too
 * many fields
 */
export function decodeFields(section: Uint8Array): Field[] {
  const reader = new ByteReader(section, Http3Code.qpackDecompression);
  if (number(reader, 8) !== 0) reader.fail("a section that refers to a dynamic table");
  number(reader, 7); // The base counts only for a dynamic table.

  const fields: Field[] = [];
  while (reader.left > 0) {
    if (fields.length === FIELDS_MAX) reader.fail("too many fields");
    const [name, value] = field(reader);
    if (!NAME.test(name) || FORBIDDEN_IN_VALUE.test(value)) {
      reader.fail("a field with forbidden characters");
    }
    fields.push([name, value]);
  }
  return fields;
}

/** Encodes the section of an answer that carries only a status. @param status three digits */
export function encodeStatus(status: number): number[] {
  const digits = [...String(status)].map((digit) => digit.charCodeAt(0));
  // The prefix's two numbers; a name from the static table, whose number takes two bytes; the text.
  return [0, 0, 0x5f, STATUS_INDEX - 0x0f, digits.length, ...digits];
}

function field(reader: ByteReader): Field {
  const first = reader.peek();
  if ((first & 0xc0) === 0xc0) return entry(reader, 6);
  if ((first & 0xd0) === 0x50) return [entry(reader, 4)[0], text(reader, 7)];
  if ((first & 0xe0) === 0x20) return [text(reader, 3), text(reader, 7)];
  return reader.fail("a line that refers to a dynamic table");
}

function entry(reader: ByteReader, prefixBits: number): Field {
  return STATIC_TABLE[number(reader, prefixBits)] ??
    reader.fail("a number beyond the static table");
}

/**
 * @param prefixBits bits of the length in the first byte; the bit before them tells whether the
 * text is Huffman-coded
 */
function text(reader: ByteReader, prefixBits: number): string {
  const isPacked = (reader.peek() >> prefixBits & 1) === 1;
  const bytes = reader.take(number(reader, prefixBits));
  return String.fromCharCode(...isPacked ? decodeHuffman(bytes) : bytes);
}

/** Reads a number that begins in a byte's lowest bits (RFC 7541 §5.1). */
function number(reader: ByteReader, prefixBits: number): number {
  const mask = (1 << prefixBits) - 1;
  const prefix = reader.byte() & mask;
  if (prefix < mask) return prefix;
  let value = mask;
  for (let shift = 0;; shift += 7) {
    const byte = reader.byte();
    value += (byte & 0x7f) * 2 ** shift;
    if (value > NUMBER_MAX || shift > 28) reader.fail("a number that is too large");
    if (byte < 0x80) return value;
  }
}
