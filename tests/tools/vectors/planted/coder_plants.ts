/** Plants in the range coder, its values and the hash (WIRE 3, 4 and 9). */
import { type Plant, plantsInWire } from "./plants_of.ts";

const VARINT =
  `    for (let read = 0, worth = 1, rest = value;; worth *= 8, rest = Math.floor(rest / 8)) {
      read += this.bits(rest & 7, 3) * worth;
      if (read > RANGE_MAX) throw new WireError("an integer longer than 32 bits");
      if (!this.flag(rest > 7)) return read;`;
const SIGNED = `this.varint(value < 0 ? -2 * value - 1 : 2 * value);
    return folded % 2 === 1 ? -(folded + 1) / 2 : folded / 2;`;
const END = `const rounded = Math.ceil(this.#low / worth) * worth;`;
const TAIL = `    for (let i = 0; i < WINDOW_BYTES; i++) this.#shift();
    this.#append(tail);`;

export const CODER_PLANTS: readonly Plant[] = [
  ...plantsInWire("range_coder.ts", ["coder"], [
    ["const P_HALF = P_ONE / 2;", "const P_HALF = P_ONE / 2 + 1;"],
    ["const BITS_AT_ONCE = 8;", "const BITS_AT_ONCE = 7;"],
    ["const RANGE_MIN = 16_777_216;", "const RANGE_MIN = 8_388_608;"],
    [
      VARINT,
      VARINT.replace("worth *= 8", "worth *= 16").replace("/ 8", "/ 16").replace(
        "& 7, 3",
        "& 15, 4",
      ).replace(
        "> 7",
        "> 15",
      ),
    ],
    ["if (!this.flag(rest > 7)) return read;", "if (this.flag(rest <= 7)) return read;"],
    ["if (worth >= 1_073_741_824)", "if (worth >= 8_589_934_592)"],
    ["if (read > RANGE_MAX)", "if (read > 2 * RANGE_MAX)"],
    [
      SIGNED,
      SIGNED.replace(
        "value < 0 ? -2 * value - 1 : 2 * value",
        "value > 0 ? 2 * value - 1 : -2 * value",
      ).replace(
        "-(folded + 1) / 2 : folded / 2",
        "(folded + 1) / 2 : -folded / 2 + 0",
      ),
    ],
    ["likely + this.signedVarint(value - likely)", "likely - this.signedVarint(likely - value)"],
    ["this.isReading && length > bytesMax", "this.isReading && length > bytesMax + 1"],
    ["fatal: true", "fatal: false"],
    ["ignoreBOM: true", "ignoreBOM: false"],
    [
      "while (this.#bytes[at] === 255) this.#bytes[at--] = 0;",
      "if (this.#bytes[at] === 255) this.#bytes[at--] = 0;",
    ],
    [END, "const rounded = Math.floor(this.#low / worth) * worth + worth;"],
    ["if (this.#length === 0) this.#shift();", ""],
    [TAIL, TAIL.replace("WINDOW_BYTES", "WINDOW_BYTES - 1")],
    ["if (this.#bytes.length > this.#at) throw", "if (this.#bytes.length > this.#at + 1) throw"],
    [
      "if (this.#at >= this.#bytes.length + WINDOW_BYTES) {",
      "if (this.#at > this.#bytes.length + WINDOW_BYTES) {",
    ],
    ["if (this.#place >= RANGE_MAX) throw", "if (this.#place > RANGE_MAX) throw"],
    ["if (read >= 1 << taken) throw", "if (read > 1 << taken) throw"],
  ]),
  ...plantsInWire("range_coder.ts", ["checksums", "snapshots"], [
    ["let hash = length;", "let hash = 0;"],
    ["(k << 15) | (k >>> 17)", "(k << 17) | (k >>> 15)"],
    ["(hash << 13) | (hash >>> 19)", "(hash << 19) | (hash >>> 13)"],
    ["hash ^ (hash >>> 13)", "hash ^ (hash >>> 15)"],
    ["return (hash ^ (hash >>> 16)) >>> 0;", "return hash >>> 0;"],
  ]),
];
