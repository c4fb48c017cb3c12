/** Deno std's functions for pages and sessions, with their types: the package on npm has none. */
import * as timing from "deno-std/crypto/timing_safe_equal.js";
import * as entities from "deno-std/html/entities.js";
import * as cookie from "deno-std/http/cookie.js";

/** A text for HTML, in an element or in a quoted attribute. */
export const escapeHtml: (text: string) => string = entities.escape;

/** The cookies of a request, by name. */
export const cookiesOf: (headers: Headers) => Readonly<Record<string, string>> = cookie.getCookies;

/** Whether two values of equal length have equal bytes, in a time that does not depend on them. */
export const sameBytes: (a: Uint8Array, b: Uint8Array) => boolean = timing.timingSafeEqual;
