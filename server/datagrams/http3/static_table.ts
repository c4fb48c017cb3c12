/** The fields that both ends of HTTP/3 know from the start, by number (RFC 9204 appendix A). */

/** A field's name and value. */
export type Field = readonly [name: string, value: string];

/** A name precedes all of its values; a name alone stands for the empty value. */
const VALUES: readonly (readonly [name: string, ...values: string[]])[] = [
  [":authority"],
  [":path", "/"],
  ["age", "0"],
  ["content-disposition"],
  ["content-length", "0"],
  ["cookie"],
  ["date"],
  ["etag"],
  ["if-modified-since"],
  ["if-none-match"],
  ["last-modified"],
  ["link"],
  ["location"],
  ["referer"],
  ["set-cookie"],
  [":method", "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"],
  [":scheme", "http", "https"],
  [":status", "103", "200", "304", "404", "503"],
  ["accept", "*/*", "application/dns-message"],
  ["accept-encoding", "gzip, deflate, br"],
  ["accept-ranges", "bytes"],
  ["access-control-allow-headers", "cache-control", "content-type"],
  ["access-control-allow-origin", "*"],
  [
    "cache-control",
    "max-age=0",
    "max-age=2592000",
    "max-age=604800",
    "no-cache",
    "no-store",
    "public, max-age=31536000",
  ],
  ["content-encoding", "br", "gzip"],
  ["content-type", "application/dns-message", "application/javascript", "application/json"],
  [
    "content-type",
    "application/x-www-form-urlencoded",
    "image/gif",
    "image/jpeg",
    "image/png",
    "text/css",
  ],
  ["content-type", "text/html; charset=utf-8", "text/plain", "text/plain;charset=utf-8"],
  ["range", "bytes=0-"],
  ["strict-transport-security", "max-age=31536000", "max-age=31536000; includesubdomains"],
  ["strict-transport-security", "max-age=31536000; includesubdomains; preload"],
  ["vary", "accept-encoding", "origin"],
  ["x-content-type-options", "nosniff"],
  ["x-xss-protection", "1; mode=block"],
  [":status", "100", "204", "206", "302", "400", "403", "421", "425", "500"],
  ["accept-language"],
  ["access-control-allow-credentials", "FALSE", "TRUE"],
  ["access-control-allow-headers", "*"],
  ["access-control-allow-methods", "get", "get, post, options", "options"],
  ["access-control-expose-headers", "content-length"],
  ["access-control-request-headers", "content-type"],
  ["access-control-request-method", "get", "post"],
  ["alt-svc", "clear"],
  ["authorization"],
  ["content-security-policy", "script-src 'none'; object-src 'none'; base-uri 'none'"],
  ["early-data", "1"],
  ["expect-ct"],
  ["forwarded"],
  ["if-range"],
  ["origin"],
  ["purpose", "prefetch"],
  ["server"],
  ["timing-allow-origin", "*"],
  ["upgrade-insecure-requests", "1"],
  ["user-agent"],
  ["x-forwarded-for"],
  ["x-frame-options", "deny", "sameorigin"],
];

/** The table: 99 fields. */
export const STATIC_TABLE: readonly Field[] = VALUES.flatMap(([name, ...values]) =>
  (values.length === 0 ? [""] : values).map((value): Field => [name, value])
);

/** The number of a `:status` entry in the table, for use with any value. */
export const STATUS_INDEX = 24;
