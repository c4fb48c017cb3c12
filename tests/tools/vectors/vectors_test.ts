/**
 * The files of vectors agree with the project in both directions, have all of their content, and
 * are up to date.
 */
import { assert, assertEquals, assertGreaterOrEqual, assertLess } from "@std/assert";
import { PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { inflate } from "../../../shared/netcode/wire/inflate.ts";
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { checkCases } from "./check/checks.ts";
import type { CoderCase } from "./check/coder.ts";
import type { ConnectionCase } from "./check/connection.ts";
import type { ClockCase, MotionCase } from "./check/predictions.ts";
import { FILES, formatFile, readFile, urlOf } from "./files.ts";
import { generateFiles } from "./generate/cases.ts";
import { endLength } from "./generate/coder.ts";
import type { ClientMeaning } from "./meanings/client_message.ts";
import type { BodiesMeaning } from "./meanings/sent_bodies.ts";
import type { ServerMeaning } from "./meanings/server_message.ts";
import { runPlants } from "./planted/planted_copy.ts";
import { unplantable } from "../../support/project_copy.ts";
import { PLANTS } from "./planted/plants.ts";

const BYTES_MAX = 1_500_000;
/** The rules that each file's cases hold. */
const RULES = {
  games: " (SPEC 8.14)",
  coder: "",
  client_messages: " (SPEC 10.1, 10.3)",
  server_messages: " (SPEC 2.8, 10.2, 10.4, 12.3, 12.11, 12.13)",
  predictions: " (SPEC 12.6)",
  checksums: " (SPEC 12.19)",
  clock: " (SPEC 5.2, 5.3, 5.6, 5.7, 5.14, 5.15, 5.19, 5.23, 5.24, 5.25, 5.27, 5.28, 5.31)",
  snapshots: "",
};

for (const name of FILES) {
  Deno.test(`vectors: ${name}.json is read to its meaning, and its meaning is written to its bytes${RULES[name]}`, async () => {
    const file = readFile(name);
    assertEquals(file.protocol, PROTOCOL_VERSION);
    assertGreaterOrEqual(file.cases.length, 2);
    await checkCases(name, file);
  });
}

Deno.test("vectors: the files are what `deno task vectors` writes now", () => {
  let bytes = 0;
  for (const { name, about, cases } of generateFiles()) {
    const text = Deno.readTextFileSync(urlOf(name));
    const generated = formatFile(about, cases);
    // Without a comparison that prints a megabyte.
    assert(text === generated, `${name}.json is not up to date: run \`deno task vectors\``);
    bytes += text.length;
  }
  assertLess(bytes, BYTES_MAX);
});

/** The messages of a file with meanings. */
function messagesOf<Meaning>(name: "client_messages" | "server_messages"): Meaning[] {
  const cases = readFile(name).cases as ConnectionCase<Meaning>[];
  return cases.flatMap(({ messages }) =>
    messages.flatMap(({ message }) => message === undefined ? [] : [message])
  );
}

Deno.test("vectors: hundreds of messages and a thousand predictions, and messages that are refused", () => {
  assertGreaterOrEqual(messagesOf("server_messages").length, 300);
  assertGreaterOrEqual(messagesOf("client_messages").length, 300);
  const predictions = readFile("predictions").cases as (MotionCase | ClockCase)[];
  const rows = predictions.reduce((sum, each) => sum + ("rows" in each ? each.rows.length : 0), 0);
  assertGreaterOrEqual(rows, 1000);
  for (const [name, least] of [["client_messages", 20], ["server_messages", 30]] as const) {
    const cases = readFile(name).cases as ConnectionCase<unknown>[];
    assertGreaterOrEqual(cases.filter(({ messages }) => messages.at(-1)!.refused).length, least);
  }
});

Deno.test("vectors: coder.json has both lengths of the usual end, other ends, uncoded and refused bytes", () => {
  const cases = readFile("coder").cases as CoderCase[];
  const usual = cases.filter(({ refused }) => !refused);
  assertEquals(new Set(usual.map(({ values }) => endLength(values))), new Set([0, 1]));
  const widths = usual.flatMap(({ values }) =>
    values.flatMap((element) => element[0] === "bits" ? [element[1]] : [])
  );
  assertEquals(new Set(widths).size, 33);
  assertGreaterOrEqual(cases.filter(({ usual }) => usual === false).length, 20);
  assertGreaterOrEqual(cases.filter(({ uncoded }) => uncoded !== undefined).length, 5);
  assertGreaterOrEqual(cases.filter(({ refused }) => refused).length, 15);
});

Deno.test("vectors: client_messages.json has every type, status, body stream mode and count of commands (SPEC 10.1, 10.3)", () => {
  const messages = messagesOf<ClientMeaning>("client_messages");
  const seen = new Set<string>();

  for (const message of messages) {
    seen.add(message.type);
    if ("status" in message) seen.add(`${message.type}: ${message.status}`);
    if (message.type === "hello") seen.add(`hello: ${message.bodyStream}`);
    if (message.type === "commands") {
      seen.add(`${message.count} commands`);
      seen.add(
        message.reference === null
          ? "full"
          : `the reference ${message.tick - message.tick % 8 - message.reference} older`,
      );
    }
  }

  const statuses = ["in sync", "desynced", "body stream", "body stream and state"];
  const missing = [
    ...["no", "able", "requested"].map((mode) => `hello: ${mode}`),
    ...statuses.flatMap((status) => [`command: ${status}`, `commands: ${status}`]),
    ...statuses.slice(1).map((status) => `report: ${status}`),
    ...Array.from({ length: 33 }, (_, count) => `${count} commands`),
    "full",
    "the reference 8 older",
    "the reference 16 older",
  ].filter((each) => !seen.has(each));
  assertEquals(missing, []);
});

/** The features of one message, in words. */
function* featuresOf(message: ServerMeaning): Generator<string> {
  yield message.type;
  if (message.type === "welcome") {
    yield message.seat === null ? "a spectator's welcome" : "a player's welcome";
  }
  if (message.type === "tick" && message.pong !== null) yield "a piggybacked pong";
  if (message.type === "tick" && message.tick <= 8) yield `tick ${message.tick}`;

  if ("presence" in message) {
    for (const [, , present, name] of message.presence) {
      yield present === 0
        ? "a seat becomes empty"
        : /[^\0-\x7f]/.test(name)
        ? "a name in another script"
        : "a name";
    }
  }

  if (message.type === "state") {
    yield message.snapshot === null ? "a body stream begins" : "a snapshot";
    for (const [, tick] of message.replaced) {
      yield tick === null ? "no newest command" : "another newest command";
    }
  }

  if (message.type === "ticks" && message.base !== null) {
    yield `${message.newest - message.base} ticks after its base`;
  }
  if (!("bodies" in message) || message.bodies === null) return;
  if (message.bodies === "unread") yield "bodies without their base";
  else yield* bodyFeaturesOf(message.bodies);
}

function* bodyFeaturesOf({ sent, checksum }: BodiesMeaning): Generator<string> {
  if (checksum !== null) yield "a checksum";
  for (const body of sent) {
    if ("gone" in body) yield "a body is gone";
    else if ("asPredicted" in body) yield "a body as predicted";
    else {
      if ((body.jumps ?? 0) > 0) yield "a teleported body";
      for (const field of body.fields) if (field >= 2 ** 31) yield "a field of 2^31 or more";
    }
  }
}

Deno.test("vectors: server_messages.json has everything that a match has (SPEC 2.1, 2.7, 10.2, 10.4, 12.1, 12.12, 12.13, 12.16)", () => {
  const seen = new Set(
    messagesOf<ServerMeaning>("server_messages").flatMap((message) => [...featuresOf(message)]),
  );
  const expected = [
    "welcome",
    "pong",
    "tick",
    "state",
    "ticks",
    "a spectator's welcome",
    "a player's welcome",
    "a piggybacked pong",
    ...[2, 3, 4, 5, 6, 7, 8].map((tick) => `tick ${tick}`),
    "a seat becomes empty",
    "a name",
    "a name in another script",
    "a body stream begins",
    "a snapshot",
    "no newest command",
    "another newest command",
    "3 ticks after its base",
    "bodies without their base",
    "a checksum",
    "a body is gone",
    "a body as predicted",
    "a teleported body",
    "a field of 2^31 or more",
  ];
  assertEquals(expected.filter((feature) => !seen.has(feature)), []);
});

Deno.test("vectors: a body stream goes on after a snapshot in its middle (SPEC 12.16)", () => {
  const cases = readFile("server_messages").cases as ConnectionCase<ServerMeaning>[];
  const probing = cases.find(({ about }) => about === "snapshots in the middle of a body stream")!;
  const kinds = probing.messages.flatMap(({ message }) =>
    message?.type === "state" ? [message.snapshot === null ? "begin" : "snapshot"] : []
  );
  assertEquals(kinds, ["begin", "snapshot", "snapshot"]);
  const last = probing.messages.at(-1)!.message!;
  assert(last.type === "tick" && last.bodies !== null);
});

Deno.test("vectors: the hash in a state's message is that of its snapshot (SPEC 2.2)", () => {
  const snapshot = new Snapshot();
  let compared = 0;
  for (
    const { game, messages } of readFile("server_messages").cases as ConnectionCase<ServerMeaning>[]
  ) {
    for (const { message } of messages) {
      if (game !== "dragons-10" || message?.type !== "state" || message.snapshot === null) continue;
      const { length, deflated, bytes } = message.snapshot;
      assertEquals(deflated, 1);
      snapshot.setBytes(inflate(Uint8Array.fromHex(bytes), length));
      assertEquals(hashOfSnapshot(snapshot) & 0xffff, message.hash);
      compared++;
    }
  }
  assertGreaterOrEqual(compared, 5);
});

Deno.test("runPlants: planted mistakes are caught, and one that changes nothing survives", async () => {
  const [probability] = PLANTS.filter(({ text }) => text.startsWith("P_ADVICE_CHANGED"));
  const [rounding] = PLANTS.filter(({ replacement }) =>
    replacement.includes("Math.trunc((2 * a + b)")
  );
  const harmless = { ...rounding!, text: "kinds of bodies`", replacement: "sorts of bodies`" };
  const results = await runPlants([probability!, rounding!, harmless]);
  assertEquals(results.map(({ caughtBy }) => caughtBy?.split(",")[0]), [
    "server_messages.json",
    "predictions.json",
    undefined,
  ]);
});

Deno.test("PLANTS: each text is found exactly once, and its replacement is another", async () => {
  assertEquals(await unplantable(PLANTS), []);
  assertGreaterOrEqual(PLANTS.length, 250);
});
