/**
 * Makes a self-signed certificate for pages that know its SHA-256 (WebTransport's
 * `serverCertificateHashes`). Browsers accept such a certificate only with a P-256 key, and only if
 * it is valid for 14 days at most.
 *
 *     Certificate = SEQUENCE { fields, algorithm, signature }         (RFC 5280 §4.1, as DER)
 */
import { isoTime } from "../ground/ticker.ts";

const HOUR_MS = 3_600_000;
/** A day below the browsers' limit. */
export const CERTIFICATE_MS = 13 * 24 * HOUR_MS;
/** How far a page's clock may be behind. */
const BACKDATED_MS = HOUR_MS;

const SERIAL_BYTES = 16;

/** DER's tags (ITU-T X.690). */
const TAG = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
  extensions: 0xa3,
  dnsName: 0x82,
} as const;

/** Object identifiers, as in DER. */
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME = [0x55, 0x04, 0x03];
const SUBJECT_ALT_NAME = [0x55, 0x1d, 0x11];

const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" } as const;

export interface OwnCertificate {
  readonly cert: string;
  readonly key: string;
  /** The certificate's SHA-256. */
  readonly hash: Uint8Array<ArrayBuffer>;
  /** When it stops being valid, ms since 1970. */
  readonly endMs: number;
}

/**
 * Makes a key and its certificate, both as PEM. The certificate is valid from an hour ago.
 * @param nowMs since 1970
 */
export async function newCertificate(nowMs: number): Promise<OwnCertificate> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(CURVE, true, [
    "sign",
    "verify",
  ]);
  const spki = new Uint8Array(await crypto.subtle.exportKey("spki", publicKey));

  // The fields, and their signature
  const beginMs = nowMs - BACKDATED_MS;
  const endMs = beginMs + CERTIFICATE_MS;
  const fields = fieldsOf(spki, { beginMs, endMs });
  const signature = new Uint8Array(await crypto.subtle.sign(SIGNATURE, privateKey, fields));
  const der = sequence(fields, ALGORITHM, element(TAG.bitString, [0], signatureOf(signature)));

  return {
    cert: pemOf("CERTIFICATE", der),
    key: pemOf("PRIVATE KEY", new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey))),
    hash: new Uint8Array(await crypto.subtle.digest("SHA-256", der)),
    endMs,
  };
}

/** Encodes the part of the certificate that is signed. */
function fieldsOf(
  spki: Uint8Array,
  { beginMs, endMs }: { beginMs: number; endMs: number },
): Uint8Array<ArrayBuffer> {
  const serial = crypto.getRandomValues(new Uint8Array(SERIAL_BYTES));
  const name = sequence(
    element(TAG.set, sequence(element(TAG.objectId, COMMON_NAME), text(TAG.utf8, "wyvern"))),
  );
  const altNames = element(TAG.octetString, sequence(text(TAG.dnsName, "localhost")));
  return sequence(
    element(TAG.version, integer([2])), // version 3, which begins at 0
    integer(serial),
    ALGORITHM,
    name,
    sequence(utcTime(beginMs), utcTime(endMs)),
    name,
    spki,
    element(TAG.extensions, sequence(sequence(element(TAG.objectId, SUBJECT_ALT_NAME), altNames))),
  );
}

/** @param raw r and s, 32 bytes each, as WebCrypto returns them */
function signatureOf(raw: Uint8Array): Uint8Array<ArrayBuffer> {
  return sequence(integer(raw.subarray(0, 32)), integer(raw.subarray(32)));
}

/** @param bytes an unsigned number, highest byte first */
function integer(bytes: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  let from = 0;
  while (from < bytes.length - 1 && bytes[from] === 0) from++;
  const shortest = Array.from(bytes).slice(from);
  // DER reads the highest bit as a sign, so a 0 precedes a byte with that bit.
  return element(TAG.integer, shortest[0]! >= 0x80 ? [0] : [], shortest);
}

/** @param ms since 1970, before 2050 */
function utcTime(ms: number): Uint8Array<ArrayBuffer> {
  const digits = isoTime(ms).replace(/\..*$/, "").replaceAll(/\D/g, "");
  return text(TAG.utcTime, `${digits.slice(2)}Z`);
}

function text(tag: number, value: string): Uint8Array<ArrayBuffer> {
  return element(tag, new TextEncoder().encode(value));
}

function sequence(...parts: ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  return element(TAG.sequence, ...parts);
}

/** Encodes a tag, the content's length, and the content. */
function element(tag: number, ...parts: ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = [tag, ...encodedLength(length)];
  const bytes = new Uint8Array(head.length + length);
  bytes.set(head);

  let at = head.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** @param length below 65,536; if it takes several bytes, their number precedes them */
function encodedLength(length: number): number[] {
  if (length < 0x80) return [length];
  if (length < 0x100) return [0x81, length];
  return [0x82, length >> 8, length];
}

const ALGORITHM = sequence(element(TAG.objectId, ECDSA_WITH_SHA256));

function pemOf(label: string, der: Uint8Array): string {
  const lines = btoa(String.fromCharCode(...der)).match(/.{1,64}/g)!;
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
