/** WIRE.md's text against the constants and the schema: what its tables of messages do not have. */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater } from "@std/assert";
import { DEFAULT_LIMITS } from "../../../../server/settings/limits.ts";
import { GRAVITY_UNITS_PER_MPS2 } from "../../../../shared/body_list.ts";
import { SEATS } from "../../../../shared/netcode/game.ts";
import { gameSchemaOf } from "../../../../shared/netcode/game_schema.ts";
import { COMMANDS_AHEAD_TICKS_MAX } from "../../../../shared/netcode/timeline.ts";
import { BODIES_MAX } from "../../../../shared/netcode/wire/body_codec.ts";
import { encodeHello } from "../../../../shared/netcode/wire/client_messages.ts";
import {
  CLIENT_MESSAGE_BYTES_MAX,
  CloseCode,
  DATAGRAM_TICKS_MAX,
  LEAD_BITS,
  PROTOCOL_VERSION,
  SERVER_DATAGRAM_BYTES_MAX,
} from "../../../../shared/netcode/wire/messages.ts";
import {
  ANGLE_UNITS_PER_TURN,
  POSITION_UNITS_PER_METRE,
  SPEED_UNITS_PER_MPS,
  SPIN_UNITS_PER_TURN_PER_SECOND,
} from "../../../../shared/netcode/wire/quantized_body.ts";
import { CodeWriter } from "../../../../shared/netcode/wire/range_coder.ts";
import { SNAPSHOT_WORDS_MAX } from "../../../../shared/snapshot.ts";
import { HELLOS } from "./messages.ts";

async function readDocument(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(`../../../../${name}`, import.meta.url));
}

const WIRE = await readDocument("WIRE.md");

/** The cells of every row of the table below a heading. @param column from 0 */
function columnOf(text: string, heading: string, column: number): string[] {
  const section = text.slice(text.indexOf(`\n${heading}`) + 1);
  const table = section.slice(section.indexOf("\n|") + 1).split("\n\n")[0]!;
  return table.split("\n").slice(2).map((row) => row.split("|")[column + 1]!.trim());
}

Deno.test("WIRE.md: versions, units and bounds are those of the code (SPEC 10.1, 10.2, 10.3, 10.4, 10.5, 12.6)", async () => {
  const text = WIRE.replace(/\s+/g, " ");
  const format = (value: number) => value.toLocaleString("en");
  const phrases = [
    `A seat is 0 … ${SEATS - 1}.`,
    `A lead is in quarters of a millisecond, 0 … ${format(2 ** LEAD_BITS - 1)}.`,
    `more than ${COMMANDS_AHEAD_TICKS_MAX + 1} announcements of one seat`,
    `more than ${COMMANDS_AHEAD_TICKS_MAX} ahead of the newest`,
    `at most ${SNAPSHOT_WORDS_MAX * 4 / 2 ** 20} MiB`,
    `more than ${format(BODIES_MAX)} known bodies`,
    `at most ${DATAGRAM_TICKS_MAX} commands`,
    `the last ${DATAGRAM_TICKS_MAX} ticks with bodies`,
    `more than ${format(SERVER_DATAGRAM_BYTES_MAX)} bytes`,
    `a message of more than ${format(CLIENT_MESSAGE_BYTES_MAX)} bytes`,
    `more than ${DEFAULT_LIMITS.messagesPerLink.perSecond} messages per second (${DEFAULT_LIMITS.messagesPerLink.burst} at once)`,
    `metres = number / ${POSITION_UNITS_PER_METRE} `,
    `m/s = number / ${SPEED_UNITS_PER_MPS} `,
    `radians = number · 2π / ${ANGLE_UNITS_PER_TURN} `,
    `rad/s = number · 2π / ${SPIN_UNITS_PER_TURN_PER_SECOND} `,
    `m/s² = number / ${GRAVITY_UNITS_PER_MPS2} `,
  ];
  assertEquals(phrases.filter((phrase) => !text.includes(phrase)), []);
  const versions = [...text.matchAll(/\bversion (\d+)|"protocol": (\d+)/g)].map(([, a, b]) =>
    Number(a ?? b)
  );
  assertGreater(versions.length, 2);
  assertEquals([...new Set(versions)], [PROTOCOL_VERSION]);
  assert(
    (await readDocument("SPEC.md")).includes(`The protocol version, now ${PROTOCOL_VERSION},`),
  );
});

Deno.test("WIRE.md: a hello begins with the version · 4 in three bytes (SPEC 10.1)", () => {
  const [a, b, c] = encodeHello({ ...HELLOS[0]!, protocolVersion: 0x1234 }, new CodeWriter());
  assertEquals(a! + 2 ** 8 * b! + 2 ** 16 * c!, 0x1234 * 4);
  assert(WIRE.includes("version · 4"));
});

Deno.test("WIRE.md: the close codes are those of the code and of SPEC (SPEC 8.12)", async () => {
  const heading = "The server closes a connection with these codes:";
  const codes = columnOf(WIRE, heading, 0).map(Number);
  assertEquals(codes.filter((code) => code >= 4000), Object.values(CloseCode));
  assertEquals(columnOf(await readDocument("SPEC.md"), "8.12 ", 0).map(Number), codes);
});

Deno.test("WIRE.md: the schema's keys and the dragon game's fields are those of the code (SPEC 8.14)", () => {
  const schema = gameSchemaOf(dragonGame);
  const keysOf = (value: unknown) => Object.keys(value as object);
  const unquoted = (cells: string[]) => cells.map((cell) => cell.replaceAll("`", ""));
  assertEquals(unquoted(columnOf(WIRE, "## 2 ", 0)), keysOf(schema));
  const fields = "The fields of the dragon game's command:";
  assertEquals(unquoted(columnOf(WIRE, fields, 0)), schema.command!.map(({ name }) => name));
  assertEquals(unquoted(columnOf(WIRE, fields, 1)), schema.command!.map(({ type }) => type));
  const kindKeys = keysOf(schema.kinds![1]);
  const fieldKeys = keysOf(schema.kinds![1]!.fields[0]);
  for (const key of [...kindKeys, ...fieldKeys]) assert(WIRE.includes(`\`${key}\``), key);
});
