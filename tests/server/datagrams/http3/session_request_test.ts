import { assert, assertEquals, assertThrows } from "@std/assert";
import { FrameReader } from "../../../../server/datagrams/http3/frame_reader.ts";
import { Http3Code, Http3Error } from "../../../../server/datagrams/http3/http3_error.ts";
import {
  decodeFields,
  encodeStatus,
  SECTION_BYTES_MAX,
} from "../../../../server/datagrams/http3/qpack.ts";
import { decodeSessionRequest } from "../../../../server/datagrams/http3/session_request.ts";
import { decodeSettings, encodeSettings } from "../../../../server/datagrams/http3/settings.ts";
import { sectionOf } from "../../../support/datagrams/raw_quic.ts";
import { RECORDED, RECORDED_PATH } from "./recorded.ts";

/** Types of frames. */
const HEADERS = 0x01;
const SETTINGS = 0x04;

const REQUEST = [
  [":method", "CONNECT"],
  [":protocol", "webtransport"],
  [":scheme", "https"],
  [":authority", "a.example"],
  [":path", "/socket"],
] as const;

for (const { name, control, request, authority, origin } of RECORDED) {
  Deno.test(`decodeSessionRequest: path, name and origin of the real ${name}, also byte by byte (SPEC 16.2)`, () => {
    for (const step of [1, 7, request.length]) {
      const reader = new FrameReader(new Map([[HEADERS, SECTION_BYTES_MAX], [0, 4096]]));
      const chunks = Array.from(
        { length: Math.ceil(request.length / step) },
        (_, i) => request.slice(i * step, (i + 1) * step),
      );
      const [headers] = chunks.flatMap((chunk) => reader.push(chunk));
      assertEquals(decodeSessionRequest(headers!.payload), {
        authority,
        path: RECORDED_PATH,
        origin,
      });
    }
  });

  Deno.test(`decodeSettings: the real ${name} understands datagrams`, () => {
    const [settings] = new FrameReader(new Map([[SETTINGS, 1024]])).push(control.subarray(1));
    assertEquals(decodeSettings(settings!.payload), { datagrams: true });
  });
}

Deno.test("decodeSessionRequest: a request without a part, with one twice, or for anything else is refused", () => {
  assertEquals(decodeSessionRequest(sectionOf(REQUEST)), {
    authority: "a.example",
    path: "/socket",
    origin: undefined,
  });
  const refused = [
    ...REQUEST.map((_, i) => REQUEST.filter((__, j) => j !== i)),
    [...REQUEST, [":path", "/other"]] as const,
    [...REQUEST, ["origin", "https://a.example"], ["origin", "https://b.example"]] as const,
    REQUEST.map(([name, value]) => [name, name === ":method" ? "GET" : value] as const),
    REQUEST.map(([name, value]) => [name, name === ":protocol" ? "websocket" : value] as const),
    REQUEST.map(([name, value]) => [name, name === ":path" ? "socket" : value] as const),
  ];
  for (const fields of refused) {
    const error = assertThrows(() => decodeSessionRequest(sectionOf(fields)), Http3Error);
    assertEquals(error.code, Http3Code.message, error.message);
  }
});

Deno.test("decodeFields: the status of an answer comes back, and what needs a dynamic table is refused", () => {
  assertEquals(decodeFields(Uint8Array.from(encodeStatus(200))), [[":status", "200"]]);
  assertEquals(decodeFields(Uint8Array.from(encodeStatus(503))), [[":status", "503"]]);
  const refused: Record<string, number[]> = {
    "an insert": [1, 0],
    "an entry of the dynamic table": [0, 0, 0x80],
    "a name of the dynamic table": [0, 0, 0x40, 1, 97],
    "an entry behind the base": [0, 0, 0x10],
    "a name behind the base": [0, 0, 0x00, 1, 97],
    "an entry beyond the static table": [0, 0, 0xff, 36],
    "a number of 40 bits": [0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
    "a text beyond the end": [0, 0, 0x51, 5, 47],
    "a name in capitals": [...sectionOf([["Origin", "a"]])],
    "a line feed in a value": [...sectionOf([["origin", "a\nb: c"]])],
    "too many fields": [0, 0, ...Array(65).fill(0xc1)],
    "nothing": [],
  };
  for (const [what, bytes] of Object.entries(refused)) {
    const error = assertThrows(() => decodeFields(Uint8Array.from(bytes)), Http3Error);
    assertEquals(error.code, Http3Code.qpackDecompression, what);
  }
  assertEquals(decodeFields(Uint8Array.from([0, 0, 0xff, 35])), [[
    "x-frame-options",
    "sameorigin",
  ]]);
});

Deno.test("decodeSettings: own settings are readable; doubles, those of HTTP/2 and a wrong flag are refused", () => {
  assertEquals(decodeSettings(encodeSettings()), { datagrams: true });
  assertEquals(decodeSettings(new Uint8Array()), { datagrams: false });
  for (const bytes of [[0x33, 1, 0x33, 1], [0x02, 0], [0x33, 2], [0x33], [0x33, 0x40]]) {
    const error = assertThrows(() => decodeSettings(Uint8Array.from(bytes)), Http3Error);
    assertEquals(error.code, Http3Code.settings, `${bytes}`);
  }
  const many = Array.from({ length: 65 }, (_, i) => [0x40 | 1, i, 0]).flat();
  assert(
    assertThrows(() => decodeSettings(Uint8Array.from(many)), Http3Error).message.startsWith(
      "too many",
    ),
  );
});
