/** HTTP/3's settings, in which both ends say that they speak WebTransport (RFC 9114 §7.2.4). */
import { ByteReader, varint } from "./byte_reader.ts";
import { Http3Code } from "./http3_error.ts";

/** Identifiers of settings. */
const SETTING = {
  /** RFC 9220 §3: requests may be CONNECT with a protocol. */
  enableConnect: 0x08,
  /** RFC 9297 §2.1.1: datagrams are understood. */
  datagrams: 0x33,
  /** WebTransport in drafts 2 to 6. */
  webTransport: 0x2b603742,
} as const;

/**
 * How many WebTransport sessions may be open at once, a setting that replaced the flag: its
 * identifier in draft 7, as eight bytes, and in draft 13 and since then.
 */
const MAX_SESSIONS = [[0xc0, 0, 0, 0, 0xc6, 0x71, 0x70, 0x6a], varint(0x14e9cd29)] as const;

/** HTTP/2 settings that HTTP/3 forbids (RFC 9114 §7.2.4.1). */
const FORBIDDEN: ReadonlySet<number> = new Set([0x02, 0x03, 0x04, 0x05]);

/** Browsers send about ten. */
const SETTINGS_MAX = 64;

/** What the server reads from a client's settings. */
export interface ClientSettings {
  readonly datagrams: boolean;
}

/**
 * Encodes the payload of the server's settings frame. It does not offer QPACK a table, so clients
 * can refer only to the static one.
 */
export function encodeSettings(): Uint8Array<ArrayBuffer> {
  const flags = Object.values(SETTING).flatMap((id) => [...varint(id), 1]);
  return Uint8Array.from([...flags, ...MAX_SESSIONS.flatMap((id) => [...id, 1])]);
}

/** @throws Http3Error for a payload that is not a list of different settings */
export function decodeSettings(payload: Uint8Array): ClientSettings {
  const reader = new ByteReader(payload, Http3Code.settings);
  const seen = new Map<number, number>();
  while (reader.left > 0) {
    const id = reader.varint();
    const value = reader.varint();
    if (seen.has(id) || FORBIDDEN.has(id)) reader.fail(`setting ${id} may not be here`);
    if (seen.size === SETTINGS_MAX) reader.fail("too many settings");
    seen.set(id, value);
  }

  const datagrams = seen.get(SETTING.datagrams) ?? 0;
  if (datagrams > 1) reader.fail("the setting of datagrams is 0 or 1");
  return { datagrams: datagrams === 1 };
}
