/** Settings for several machines that share the matches (DESIGN 17). */
import * as z from "zod";
import { present, wholeNumber } from "../../shared/flags.ts";
import { credentialsOf, schemeOf } from "./server_address.ts";
import { ORIGIN } from "./network.ts";

/** How many servers may be named; a log cluster has three or five. */
const SERVERS_MAX = 8;

/** Credentials percent-encode commas, blanks, slashes and "@". */
const SERVER_ADDRESS = /^(nats|tls|wss?):\/\/([^\s,/@]{1,512}@)?[A-Za-z0-9.:[\]-]{1,253}$/;
const SERVER = z.string().refine((text) => {
  if (!SERVER_ADDRESS.test(text) || !URL.canParse(text)) return false;
  // The client compares the certificate with the server's name, and takes "localhost" for an IP
  // address's name.
  return schemeOf(text) !== "tls" || !isAddress(new URL(text).hostname);
});
/**
 * A name without spaces, because it appears in JSON and in logs, and people have to remember it.
 */
export const REGION = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/);
/** The region of nodes that name none. */
export const DEFAULT_REGION = "default";

/** A path instead of a URL, because the archive does not use a server. */
const FOLDER = z.string().min(1).refine((text) => !text.includes("://"));

export const CLUSTER_FLAGS = {
  cluster: {
    schema: z.string().transform((text) => text.split(",").map((part) => part.trim()))
      .pipe(z.array(SERVER).min(1).max(SERVERS_MAX).refine(({ length }) => length !== 2))
      .refine((urls) => urls.every((url) => schemeOf(url) === schemeOf(urls[0]!)))
      .refine((urls) => credentialsOf(urls) !== undefined).default([]),
    about:
      "nats-servers that several machines keep their matches on: when one machine dies, another plays on [none]",
    allowed:
      "one, three or more addresses such as nats://user:password@n1:4222,nats://n2:4222,nats://n3:4222; all of " +
      "them nats://, tls:// with host names, ws:// or wss://",
    secret: true,
  },
  "node-url": {
    schema: ORIGIN.optional(),
    about: "with --cluster: where players reach this machine, and no other one [its own address]",
    allowed: "an origin such as https://eu1.play.example.org",
  },
  "cluster-unsigned": {
    schema: present(),
    about:
      "with --cluster: while nodes of a version before signed messages still run: believe their messages, too",
    allowed: "",
    switch: true,
  },
  region: {
    schema: REGION.optional(),
    about:
      `with --cluster: where this machine is; "Play now" prefers machines near a player [${DEFAULT_REGION}]`,
    allowed: "1 to 32 of a to z, 0 to 9 and inner hyphens, such as eu-west",
  },
  archive: {
    schema: FOLDER.optional(),
    about:
      "with --cluster: a folder that all machines share, for the logs of matches that are over [none]",
    allowed: "the path of a folder, which may be on a shared disk",
  },
  "archive-gib": {
    schema: wholeNumber(1_048_576, 1).default(16),
    about: "how much the logs in that folder may take together, GiB; the oldest ones go [16]",
    allowed: "a whole number 1 to 1048576",
  },
} as const;

/** Whether a host name is an IPv4 or IPv6 address. */
function isAddress(hostname: string): boolean {
  return hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
}
