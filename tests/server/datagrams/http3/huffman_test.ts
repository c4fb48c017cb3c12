import { assertEquals, assertThrows } from "@std/assert";
import { decodeHuffman } from "../../../../server/datagrams/http3/huffman.ts";
import { Http3Code, Http3Error } from "../../../../server/datagrams/http3/http3_error.ts";

const decoded = (hex: string) => new TextDecoder().decode(decodeHuffman(Uint8Array.fromHex(hex)));

Deno.test("decodeHuffman: the examples of RFC 7541, appendices C.4 and C.6", () => {
  const examples = {
    f1e3c2e5f23a6ba0ab90f4ff: "www.example.com",
    a8eb10649cbf: "no-cache",
    "25a849e95ba97d7f": "custom-key",
    "25a849e95bb8e8b4bf": "custom-value",
    d07abe941054d444a8200595040b8166e082a62d1bff: "Mon, 21 Oct 2013 20:13:21 GMT",
    "9d29ad171863c78f0b97c8e9ae82ae43d3": "https://www.example.com",
    "94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007":
      "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
  };
  for (const [hex, text] of Object.entries(examples)) assertEquals(decoded(hex), text);
});

Deno.test("decodeHuffman: the longest codes, of 30 bits, and those between (RFC 7541, appendix B)", () => {
  // 10: 3ffffffc, 13: 3ffffffd, 22: 3ffffffe; 4 × 30 bits are 15 bytes.
  const bits = [0x3ffffffc, 0x3ffffffd, 0x3ffffffe, 0x3ffffffc].map((code) => code.toString(2))
    .join("");
  const bytes = Uint8Array.from(bits.match(/.{8}/g)!, (octet) => parseInt(octet, 2));
  assertEquals([...decodeHuffman(bytes)], [10, 13, 22, 10]);
  // 255 has the code 3ffffee of 26 bits, 128 has fffe6 of 20 bits, and 2 bits remain.
  const mixed = (0x3ffffee).toString(2) + (0xfffe6).toString(2) + "11";
  assertEquals([
    ...decodeHuffman(Uint8Array.from(mixed.match(/.{8}/g)!, (octet) => parseInt(octet, 2))),
  ], [255, 128]);
});

Deno.test("decodeHuffman: an end mark, a padding of a byte, and one with a 0 are refused", () => {
  assertEquals(decoded("1f"), "a"); // 00011, and 111
  for (const hex of ["1fff", "18", "ffffffff", "3fffffff"]) {
    const error = assertThrows(() => decoded(hex), Http3Error);
    assertEquals(error.code, Http3Code.qpackDecompression, hex);
  }
});
