/** Bytes that the server must refuse as a client's message. Each ends a connection. */
import type { ConnectionCase } from "../../check/connection.ts";
import { type Element, writeElements } from "../../check/coder.ts";
import { dragons } from "../../games/dragons.ts";
import { rovers } from "../../games/rovers.ts";
import type { ClientMeaning, CommandsMeaning } from "../../meanings/client_message.ts";
import { COMMAND, HELLO, helloFor } from "../client_samples.ts";
import { clientConnection } from "../connections.ts";

type ClientCase = ConnectionCase<ClientMeaning>;

const VERSION_BYTES = [HELLO.version * 4, 0, 0];
const KIND_COMMAND: Element = ["flag", 4060, 1];
const NO_COMMAND: Element = ["flag", 4060, 0];
const NO_PING: readonly Element[] = [NO_COMMAND, ["flag", 3900, 0]];
const PROOF: readonly Element[] = [...NO_PING, ["flag", 2048, 1]];
const REPORT: readonly Element[] = [...NO_PING, ["flag", 2048, 0], ["flag", 64, 0]];
const NEXT_TICK: Element = ["flag", 4070, 1];
const NEXT_RECEIVED: Element = ["flag", 3300, 1];

const SAME_LEAD_AND_STATUS: readonly Element[] = [["flag", 1600, 1], ["flag", 8, 0]];

/** A hello without body stream and token, from its flags on; then come the choices. */
const NO_TOKEN: readonly Element[] = [["flag", 2048, 0], ["flag", 2048, 0], ["flag", 2048, 0]];
const FLAGS: readonly Element[] = [...NO_TOKEN, ["bits", 4, 0]];

/** Connections whose last message is refused. */
export function refusedClientCases(): ClientCase[] {
  return [...refusedHellos(), ...refusedMessages(), ...refusedNumbers(), ...refusedDatagrams()];
}

/** Whole numbers behind the end of their range, in commands that differ from the neutral one. */
function refusedNumbers(): ClientCase[] {
  const refused = (about: string, because: string, elements: readonly Element[]) => {
    const command = [
      KIND_COMMAND,
      NEXT_TICK,
      NEXT_RECEIVED,
      ...SAME_LEAD_AND_STATUS,
      ["flag", 3350, 0] as Element,
    ];
    const bytes = writeElements([...command, ...elements]);
    return clientConnection(`refused: ${about}`, {
      game: rovers,
      messages: [helloFor(rovers)],
      refused: { bytes, because },
    });
  };
  const unset = (...chances: number[]) => chances.map((p): Element => ["flag", p, 0]);
  return [
    refused("an axis nine steps from its middle", "9 steps away; 8 are", [
      ...unset(1500, 1024, 1365, 2048),
      ["bits", 3, 1],
    ]),
    refused("a turn of eleven, six steps on", "6 steps away; 5 are", [
      ...[1500, 900, 3000, 3900].map((p): Element => ["flag", p, 1]),
      ...unset(2048, 1365, 2048),
      ["bits", 2, 2],
    ]),
  ];
}

function refusedHellos(): ClientCase[] {
  const refused = (about: string, because: string, bytes: readonly number[]) =>
    clientConnection(`refused: ${about}`, {
      game: dragons,
      messages: [],
      refused: { bytes: Uint8Array.from(bytes), because },
    });
  const hello = (...elements: Element[]) => [...VERSION_BYTES, ...writeElements(elements)];
  const whole = clientConnection("", { game: dragons, messages: [HELLO] }).messages[0]!.bytes;
  const bytes = [...Uint8Array.fromHex(whole)];
  const text = (length: number, character = 97): Element[] => [
    ["varint", length],
    ...Array.from({ length }, (): Element => ["bits", 8, character]),
  ];
  return [
    refused("no bytes", "no hello", []),
    refused("two bytes", "no hello", VERSION_BYTES.slice(1)),
    refused("a hello without its coded part", "empty", VERSION_BYTES),
    refused("a first byte whose lowest bit is set", "no hello", [
      VERSION_BYTES[0]! + 1,
      ...bytes.slice(1),
    ]),
    refused("a first byte whose second bit is set", "no hello", [
      VERSION_BYTES[0]! + 2,
      ...bytes.slice(1),
    ]),
    refused("a hello that is cut", "ends at", bytes.slice(0, 9)),
    refused("a hello with five bytes more", "more bytes", [...bytes, 0, 0, 0, 0, 0]),
    refused(
      "a game id of 33 bytes",
      "32 are",
      hello(...text(33), ...text(4), ...text(4), ...FLAGS),
    ),
    refused("a room of 17 bytes", "16 are", hello(...text(9), ...text(17), ...text(4), ...FLAGS)),
    refused("a name of 97 bytes", "96 are", hello(...text(9), ...text(4), ...text(97), ...FLAGS)),
    refused(
      "a name that is not UTF-8",
      "UTF-8",
      hello(...text(9), ...text(4), ...text(3, 0xff), ...FLAGS),
    ),
    refused(
      "nine choices",
      "more choices",
      hello(
        ...text(9),
        ...text(4),
        ...text(4),
        ...NO_TOKEN,
        ["bits", 4, 9],
        ...Array(9).fill(["bits", 8, 0]),
      ),
    ),
    refused("four bytes of 255 behind the version", "nobody", [
      ...VERSION_BYTES,
      255,
      255,
      255,
      255,
    ]),
  ];
}

function refusedMessages(): ClientCase[] {
  const refused = (
    about: string,
    because: string,
    bytes: Uint8Array,
    messages: ClientMeaning[] = [],
  ) =>
    clientConnection(`refused: ${about}`, {
      game: dragons,
      messages: [HELLO, ...messages],
      refused: { bytes, because },
    });
  const ping = writeElements([NO_COMMAND, ["flag", 3900, 1], ["bits", 8, 7]]);
  return [
    refused("no bytes", "empty", new Uint8Array(0)),
    refused("a ping with five bytes more", "more bytes", Uint8Array.from([...ping, 0, 0, 0, 0, 0])),
    refused(
      "a report of tick 2^31",
      "tick 2147483648",
      writeElements([...REPORT, ["varint", 2 ** 31], ["flag", 2048, 0]]),
    ),
    refused("a report of tick 2^32", "32 bits", writeElements([...REPORT, ...varintOf(2 ** 32)])),
    refused(
      "a proof of tick 2^31",
      "tick 2147483650",
      writeElements([...PROOF, ["varint", 214_748_365], ["bits", 32, 0]]),
    ),
    refused(
      "a command for tick −1",
      "tick -1",
      writeElements([KIND_COMMAND, ["near", 1, 4070, -1], NEXT_RECEIVED]),
    ),
    refused(
      "a command that has received tick −2",
      "tick -2",
      writeElements([KIND_COMMAND, NEXT_TICK, ["near", 1, 3300, -2]]),
    ),
    refused(
      "a command for tick 2^31",
      "tick 2147483648",
      writeElements([KIND_COMMAND, ["near", 102, 4070, 2 ** 31], NEXT_RECEIVED]),
      [
        COMMAND,
      ],
    ),
    refused(
      "a lead of 16,384",
      "a lead",
      writeElements([KIND_COMMAND, NEXT_TICK, NEXT_RECEIVED, ["near", 0, 1600, 2 ** 14]]),
    ),
    refused(
      "a lead of −1",
      "a lead",
      writeElements([KIND_COMMAND, NEXT_TICK, NEXT_RECEIVED, ["near", 0, 1600, -1]]),
    ),
  ];
}

function refusedDatagrams(): ClientCase[] {
  const refused = (about: string, because: string, elements: readonly Element[]) =>
    clientConnection(`refused: ${about}`, {
      game: dragons,
      link: "datagram",
      messages: [HELLO],
      refused: { bytes: writeElements(elements), because },
    });
  const full: readonly Element[] = [KIND_COMMAND, ["flag", 4050, 0]];
  const head: readonly Element[] = [...full, ["varint", 100], ["flag", 8, 0], ["bits", 14, 348]];
  const unchanged = (count: number) =>
    Array.from({ length: count }, (): Element => ["flag", 3350, 1]);
  const onStream: readonly Element[] = [["flag", 8, 1], ["flag", 2048, 1], ["flag", 64, 0]];
  return [
    refused("33 commands", "33 commands", [
      ...head,
      ["signed", 5],
      ["varint", 33],
      ...unchanged(33),
    ]),
    refused("a command for tick −1", "before the first", [
      ...head,
      ["signed", -99],
      ["varint", 3],
      ...unchanged(3),
    ]),
    refused("a tick below 0", "tick -1", [...head, ["signed", -101], ["varint", 0]]),
    refused("received tick 2^31", "tick 2147483648", [
      ...full,
      ["varint", 2 ** 31],
      ["flag", 8, 0],
      [
        "bits",
        14,
        0,
      ],
    ]),
    refused("bodies of a tick below 0", "tick -1", [...full, ["varint", 100], ...onStream, [
      "near",
      100,
      3000,
      -1,
    ]]),
    ...refusedShortDatagrams(),
  ];
}

/** After a datagram of tick 16 with one command, which others are coded against. */
function refusedShortDatagrams(): ClientCase[] {
  const before: CommandsMeaning = {
    type: "commands",
    received: 11,
    status: "in sync",
    bodiesReceived: null,
    lead: 348,
    tick: 16,
    reference: null,
    commands: [COMMAND.command],
    count: 1,
  };
  const refused = (about: string, because: string, elements: readonly Element[]) =>
    clientConnection(`refused: ${about}`, {
      game: dragons,
      link: "datagram",
      messages: [HELLO, before],
      refused: { bytes: writeElements([KIND_COMMAND, ["flag", 4050, 1], ...elements]), because },
    });
  const head = (tick: number, offset: number): Element[] => [
    ...[["bits", 6, tick], ["flag", 4050, 1], ["near", 5, 3900, offset], [
      "flag",
      8,
      0,
    ]] as Element[],
  ];
  const NEAR_LEAD: Element = ["near", 348, 3300, 348];
  return [
    refused(
      "a datagram without its reference, which a server ignores",
      "no datagram of tick 24",
      head(32, 5),
    ),
    refused("the older reference, which is missing", "no datagram of tick 8", [["bits", 6, 24], [
      "flag",
      4050,
      0,
    ]]),
    refused("a short datagram that has received tick −1", "tick -1", head(24, 25)),
    refused("a short datagram with a lead of −1", "a lead", [...head(24, 5), [
      "near",
      348,
      3300,
      -1,
    ]]),
    refused("a short datagram with −1 commands", "-1 commands", [...head(24, 5), NEAR_LEAD, [
      "near",
      1,
      3800,
      -1,
    ]]),
    refused("a short datagram with 33 commands", "33 commands", [...head(24, 5), NEAR_LEAD, [
      "near",
      1,
      3800,
      33,
    ]]),
    refused("a short datagram with a command for tick −1", "before the first", [
      ...[...head(24, 5), NEAR_LEAD, ["near", 1, 3800, 26]] as Element[],
    ]),
  ];
}

/** The groups of a number that has more than 32 bits, which `Coder.varint` refuses to write. */
function varintOf(value: number): Element[] {
  const elements: Element[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 8)) {
    elements.push(["bits", 3, rest % 8], ["flag", 2048, rest >= 8 ? 1 : 0]);
  }
  return elements;
}
