/** Settings for operators: the log, their port, and the secrets. */
import * as z from "zod";
import { present, wholeNumber } from "../../shared/flags.ts";

export const OPERATION_FLAGS = {
  "log-json": { schema: present(), about: "log one JSON object a line", allowed: "", switch: true },
  "log-lines": {
    schema: wholeNumber(1_000_000, 1).default(1_000),
    about: "log lines that may wait for their reader; further ones are dropped and counted [1000]",
    allowed: "a whole number 1 to 1000000",
  },
  data: {
    schema: z.string().min(1).default("data"),
    about:
      "where the logs of matches are, from which a server goes on after a restart or a crash [data]",
    allowed: "a folder, or off",
  },
  "collect-hashes": {
    schema: present(),
    about:
      "the page /same-bits shows which hashes visitors' devices got; no addresses are kept [none]",
    allowed: "",
    switch: true,
  },
  grace: {
    schema: wholeNumber(3_600).default(60),
    about: "seconds that rounds have to end after a signal to stop [60]",
    allowed: "a whole number 0 to 3600",
  },
  "journal-sync": {
    schema: z.enum(["tick", "200ms", "off"]).default("200ms"),
    about:
      "how often the logs of matches have to be on the disk: what a loss of power may cost [200ms]",
    allowed: "tick, 200ms or off",
  },
  "secret-file": {
    schema: z.string().min(1).optional(),
    about:
      "a file with the secret behind seeds and tickets, 32 characters or more; --public needs it [WYVERN_SECRET, or drawn]",
    allowed: "a path",
  },
  authorise: {
    schema: z.string().min(1).optional(),
    about:
      "a module whose function `authorise` decides who may come in, under which name and role [everybody may]",
    allowed: "the path of a TypeScript or JavaScript file",
  },
  "ops-port": {
    schema: wholeNumber(65_535).optional(),
    about: "where operators find /ops, /metrics and the API [nowhere]",
    allowed: "a whole number 0 to 65535, 0 takes any free one",
  },
  "ops-host": {
    schema: z.string().min(1).default("127.0.0.1"),
    about: "where to listen for operators [127.0.0.1]",
    allowed: "a name or address of this machine",
  },
  "ops-token-file": {
    schema: z.string().min(1).optional(),
    about:
      "a file with the operators' token, at least 32 characters [WYVERN_OPS_TOKEN, or drawn at start and printed]",
    allowed: "a path",
  },
} as const;
