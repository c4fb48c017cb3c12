/**
 * Deno std's functions for pages, sessions and tickets with their types, which the package on npm
 * lacks.
 */
import * as abort from "deno-std/async/abortable.js";
import * as timing from "deno-std/crypto/timing_safe_equal.js";
import * as base64 from "deno-std/encoding/base64url.js";
import * as entities from "deno-std/html/entities.js";
import * as cookie from "deno-std/http/cookie.js";

/** Escapes a text for HTML, in an element or in a quoted attribute. */
export const escapeHtml: (text: string) => string = entities.escape;

/** A request's cookies, by name. */
export const cookiesOf: (headers: Headers) => Readonly<Record<string, string>> = cookie.getCookies;

/**
 * Whether two values of equal length have equal bytes, in a time that does not depend on the bytes.
 * @throws TypeError for values of different lengths
 */
export const sameBytes: (a: Uint8Array, b: Uint8Array) => boolean = timing.timingSafeEqual;

/** Encodes bytes in characters that URLs carry unchanged (RFC 4648 §5), without padding. */
export const encodeBase64Url: (bytes: Uint8Array | string) => string = base64.encodeBase64Url;

/** @throws TypeError for a text that is not Base64URL */
export const decodeBase64Url: (text: string) => Uint8Array<ArrayBuffer> = base64.decodeBase64Url;

/** The same promise, but rejected with the signal's reason once the signal is aborted. */
export const abortable: <T>(promise: Promise<T>, signal: AbortSignal) => Promise<T> =
  abort.abortable;
