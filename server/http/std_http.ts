/**
 * Deno std's HTTP functions with their types, which the package on npm lacks. Its `http/mod.js`
 * imports a file that the package lacks too, so each file is imported by itself.
 */
import * as etag from "deno-std/http/etag.js";
import * as negotiation from "deno-std/http/negotiation.js";

/** The encodings that a client accepts (RFC 9110 §12.5.3), preferred ones first. */
export const acceptedEncodings: (request: { readonly headers: Headers }) => readonly string[] =
  negotiation.acceptsEncodings;

/** The entity tag of some bytes; undefined only for an empty tag. */
export const eTag: (entity: Uint8Array, options: { weak: boolean }) => Promise<string | undefined> =
  etag.eTag;

/** Whether the `If-None-Match` header lacks this tag, so that the body must be sent. */
export const ifNoneMatch: (value: string, etag: string) => boolean = etag.ifNoneMatch;
