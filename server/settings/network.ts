/** Network settings: where the server listens, and which proxies and origins it trusts. */
import * as z from "zod";
import { present, wholeNumber } from "../../shared/flags.ts";

/**
 * Letters, digits, dots and hyphens of a name, or the colons of IPv6. Only binding shows whether
 * the host is valid.
 */
const HOST = /^[A-Za-z0-9:][A-Za-z0-9.:-]{0,252}$/;

/** How many entries a list may hold: operators write them by hand. */
const LIST_MAX = 32;

/**
 * The schema of a comma-separated list; by default it is empty.
 * @param charactersMax of the whole list
 */
function listOf(entry: z.ZodType<string, string>, charactersMax = 32_768) {
  return z.string().max(charactersMax)
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(z.array(entry).min(1).max(LIST_MAX)).default([]);
}

/** An IPv4 or IPv6 address, with or without a prefix length. */
const CIDR = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/**
 * A page's origin, such as https://play.example.org:8443. It appears in headers and policies, where
 * `;`, `,` and `*` have a meaning, so these are refused here although a URL's host allows them.
 */
export const ORIGIN = z.string().max(256).regex(
  /^https?:\/\/([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/,
)
  .refine((text) => URL.canParse(text) && new URL(text).origin === text);

/**
 * Whose pages may frame ours: an origin, or all names below one, such as https://*.example.org. The
 * policy's syntax allows more, such as `*` alone, which would let any page lay itself over ours.
 */
const EMBEDDER = z.string().max(256).regex(
  /^https?:\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/,
);
/** A STUN or TURN server as operators write it: a TURN server's name and password stand before it. */
const ICE_SERVER = z.string().max(512).regex(
  /^(stuns?:|turns?:[^:@,\s]+:[^@,\s]+@)[a-z0-9.[\]:-]+(\?transport=(udp|tcp))?$/i,
);

/** The longest list of them, characters, so that a page's policy fits in its header. */
const EMBEDDERS_CHARACTERS_MAX = 1_024;

export const NETWORK_FLAGS = {
  host: {
    schema: z.string().regex(HOST).default("127.0.0.1"),
    about: "where to listen; other than loopback needs --public [127.0.0.1]",
    allowed: "a name or address of this machine, 0.0.0.0 for all of them",
  },
  port: {
    schema: wholeNumber(65_535).default(8080),
    about: "where to listen [8080]",
    allowed: "a whole number 0 to 65535, 0 takes any free one",
  },
  datagrams: {
    schema: z.enum(["off", "auto", "on"]).default("auto"),
    about:
      "WebTransport beside WebSocket, by UDP on the same port: for players who gain, or for all [auto]",
    allowed: "off, auto or on",
  },
  "datagrams-host": {
    schema: z.string().regex(HOST).optional(),
    about: "where UDP listens, for a server behind a proxy, which forwards no UDP [--host]",
    allowed: "an address of this machine, 0.0.0.0 for all of them",
  },
  "datagrams-port": {
    schema: wholeNumber(65_535).optional(),
    about: "the UDP port, which players have to reach under the same number [that of HTTP]",
    allowed: "a whole number 0 to 65535, 0 takes any free one",
  },
  signalling: {
    schema: present(),
    about: "introduce pages to each other that host rooms themselves; no match runs here for them",
    allowed: "",
    switch: true,
  },
  ice: {
    schema: listOf(ICE_SERVER),
    about:
      "STUN and TURN servers that --signalling names to pages: stun:HOST:PORT, turn:USER:PASSWORD@HOST:PORT [none]",
    allowed: "a list of such addresses",
  },
  "ice-relay-only": {
    schema: present(),
    about: "pages connect through the TURN servers of --ice alone, so no player learns an address",
    allowed: "",
    switch: true,
  },
  public: {
    schema: present(),
    about:
      "for an address that strangers reach: checked names and origins, metrics on the operators' port only",
    allowed: "",
    switch: true,
  },
  "tls-cert": {
    schema: z.string().min(1).optional(),
    about: "a certificate chain, for HTTPS; with --tls-key",
    allowed: "the path of a PEM file",
  },
  "tls-key": {
    schema: z.string().min(1).optional(),
    about: "the certificate's private key",
    allowed: "the path of a PEM file",
  },
  "trust-proxy": {
    schema: listOf(CIDR),
    about: "proxies whose X-Forwarded-For is believed [none]",
    allowed: "addresses or networks with commas between, such as 127.0.0.1,10.0.0.0/8",
  },
  origin: {
    schema: listOf(ORIGIN),
    about: "origins whose pages may play here [the page's own]",
    allowed: "origins with commas between, such as https://play.example.org",
  },
  "embed-in": {
    schema: listOf(EMBEDDER, EMBEDDERS_CHARACTERS_MAX),
    about: "sites that may show the pages in a frame [none]",
    allowed:
      "origins with commas between, such as https://www.example.org or https://*.example.org; at most 1,024 characters",
  },
  "allow-host": {
    schema: listOf(z.string().regex(HOST)),
    about:
      "names under which this server is reached [with --public those of --origin; otherwise loopback names]",
    allowed: "host names with commas between",
  },
} as const;

/** Whether only this machine can reach a host. A name other than localhost may mean anything. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
