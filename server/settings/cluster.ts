/** Settings of several machines that share the matches (DESIGN 16). */
import * as z from "zod";
import { wholeNumber } from "../../shared/flags.ts";

/** The most servers that are named; a cluster of the log has three or five. */
const SERVERS_MAX = 8;

const SERVER = z.string().regex(/^nats:\/\/[A-Za-z0-9.:[\]-]{1,253}$/).refine((text) => URL.canParse(text));
const NODE_URL = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text);

/** An address would name a server that nobody asks. */
const FOLDER = z.string().min(1).refine((text) => !text.includes("://"));

export const CLUSTER_FLAGS = {
  cluster: {
    schema: z.string().transform((text) => text.split(",").map((part) => part.trim()))
      .pipe(z.array(SERVER).min(1).max(SERVERS_MAX).refine(({ length }) => length !== 2)).default([]),
    about: "nats-servers that several machines keep their matches on: when one machine dies, another plays on [none]",
    allowed: "one, three or more addresses such as nats://n1:4222,nats://n2:4222,nats://n3:4222",
  },
  "node-url": {
    schema: NODE_URL.optional(),
    about: "with --cluster: where players reach this machine, and no other one [its own address]",
    allowed: "an origin such as https://eu1.play.example.org",
  },
  archive: {
    schema: FOLDER.optional(),
    about: "with --cluster: a folder that all machines share, for the logs of matches that are over [none]",
    allowed: "the path of a folder, which may be on a shared disk",
  },
  "archive-gib": {
    schema: wholeNumber(1_048_576, 1).default(16),
    about: "how much the logs in that folder may take together, GiB; the oldest ones go [16]",
    allowed: "a whole number 1 to 1048576",
  },
} as const;
