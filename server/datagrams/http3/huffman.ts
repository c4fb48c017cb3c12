/**
 * The Huffman code of HPACK and QPACK (RFC 7541 §5.2 and appendix B). It is canonical: codes grow
 * with their lengths and, among equal lengths, with the byte. So the lengths define it.
 *
 *     text = codes of its bytes, one after another, then up to seven bits of 1
 */
import { Http3Code, Http3Error } from "./http3_error.ts";

/**
 * The length of each byte's code, bits, and last that of the end mark, which no text may contain.
 */
// deno-fmt-ignore
const LENGTHS = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
  28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
   6, 10, 10, 12, 13,  6,  8, 11, 10, 10,  8, 11,  8,  6,  6,  6,
   5,  5,  5,  6,  6,  6,  6,  6,  6,  6,  7,  8, 15,  6, 12, 10,
  13,  6,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,
   7,  7,  7,  7,  7,  7,  7,  7,  8,  7,  8, 13, 19, 13, 14,  6,
  15,  5,  6,  5,  6,  5,  6,  6,  6,  5,  7,  7,  6,  6,  6,  5,
   6,  7,  6,  5,  5,  6,  7,  7,  7,  7,  7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
  24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
  21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
  26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
  30,
];
const END_MARK = 256;
const LENGTH_MAX = 30;
/** A text ends with fewer bits than a byte has, all of them 1. */
const PADDING_BITS_MAX = 7;

/** Each length's first code, and where its bytes begin in `BYTES`. */
const FIRST_CODES = new Float64Array(LENGTH_MAX + 2);
const FIRST_INDICES = new Int32Array(LENGTH_MAX + 2);
/** The bytes, ordered by their codes. */
const BYTES = LENGTHS.map((_, byte) => byte).sort((a, b) => LENGTHS[a]! - LENGTHS[b]! || a - b);

for (let length = 1; length <= LENGTH_MAX; length++) {
  const count = LENGTHS.filter((each) => each === length).length;
  FIRST_CODES[length + 1] = (FIRST_CODES[length]! + count) * 2;
  FIRST_INDICES[length + 1] = FIRST_INDICES[length]! + count;
}

/**
 * @returns at most 8/5 as many bytes
 * @throws Http3Error for the end mark, and for padding that is too long or contains a 0
 */
export function decodeHuffman(bytes: Uint8Array): Uint8Array {
  const output = new Uint8Array(Math.floor(bytes.length * 8 / 5));
  let count = 0;
  let code = 0;
  let length = 0;
  let isPadding = true;

  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const value = bytes[bit >> 3]! >> 7 - (bit & 7) & 1;
    code = code * 2 + value;
    length++;
    isPadding &&= value === 1;
    const index = FIRST_INDICES[length]! + code - FIRST_CODES[length]!;
    if (length > LENGTH_MAX || index >= FIRST_INDICES[length + 1]!) continue;
    if (BYTES[index] === END_MARK) fail("a text with an end mark");
    output[count++] = BYTES[index]!;
    code = length = 0;
    isPadding = true;
  }

  if (!isPadding || length > PADDING_BITS_MAX) fail("a text that ends within a character");
  return output.subarray(0, count);
}

function fail(message: string): never {
  throw new Http3Error(Http3Code.qpackDecompression, message);
}
