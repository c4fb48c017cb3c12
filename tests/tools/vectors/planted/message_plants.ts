/**
 * Plants in the messages' layouts and limits, and in the dragon game's command (WIRE 5, 6, 7 and
 * 10).
 */
import type { FileName } from "../files.ts";
import { type Plant, plantsIn, plantsInWire } from "./plants_of.ts";

const CLIENT: readonly FileName[] = ["client_messages"];
const SERVER: readonly FileName[] = ["server_messages"];

/** The text with two parts exchanged. */
function swapped(text: string, first: string, second: string): [text: string, replacement: string] {
  return [text, text.replace(first, "\0").replace(second, first).replace("\0", second)];
}

const LIMITS = plantsInWire("messages.ts", CLIENT, [
  ["export const NAME_BYTES_MAX = 96;", "export const NAME_BYTES_MAX = 97;"],
  ["export const NOTICE_BYTES_MAX = 240;", "export const NOTICE_BYTES_MAX = 241;"],
  ["export const GAME_ID_BYTES_MAX = 32;", "export const GAME_ID_BYTES_MAX = 31;"],
  ["export const ROOM_BYTES_MAX = 16;", "export const ROOM_BYTES_MAX = 17;"],
  ["export const LEAD_BITS = 14;", "export const LEAD_BITS = 15;"],
  ["const LEAD_UNITS_PER_MS = 4;", "const LEAD_UNITS_PER_MS = 2;"],
  ["const TICK_MAX = 0x7fff_ffff;", "const TICK_MAX = 0xffff_ffff;"],
  ["if (tick < 0 || tick > TICK_MAX)", "if (tick < -1 || tick > TICK_MAX)"],
  ["if (quarters < 0 ||", "if (quarters < -1 ||"],
  [
    'coded += coder.bits(word, 32).toString(16).padStart(WORD_DIGITS, "0");',
    'coded = coder.bits(word, 32).toString(16).padStart(WORD_DIGITS, "0") + coded;',
  ],
  ["export const SEAT_BITS = 5;", "export const SEAT_BITS = 6;"],
  [
    "export const SERVER_DATAGRAM_BYTES_MAX = 1200;",
    "export const SERVER_DATAGRAM_BYTES_MAX = 12_000;",
  ],
  ["export const CHOICES_MAX = 8;", "export const CHOICES_MAX = 9;"],
  ["const CHOICE_COUNT_BITS = 4;", "const CHOICE_COUNT_BITS = 5;"],
  ["CHOICE_BITS = 8;", "CHOICE_BITS = 9;"],
  ["export const PROTOCOL_VERSION = 16;", "export const PROTOCOL_VERSION = 17;"],
]);

const FROM_CLIENT = plantsInWire("client_messages.ts", CLIENT, [
  ["const VERSION_SHIFT = 2;", "const VERSION_SHIFT = 3;"],
  ["(bytes[0]! & 3) !== 0", "(bytes[0]! & 1) !== 0"],
  [
    "const reader = new CodeReader(bytes, HELLO_BYTES);",
    "const reader = new CodeReader(bytes, HELLO_BYTES - 1);",
  ],
  swapped(
    `    room: coder.text(hello.room, ROOM_BYTES_MAX),
    name: coder.text(hello.name, NAME_BYTES_MAX),`,
    "room: coder.text(hello.room, ROOM_BYTES_MAX)",
    "name: coder.text(hello.name, NAME_BYTES_MAX)",
  ),
  ["    choices: codeChoices(hello.choices, coder),\n", "    choices: [],\n"],
  [
    'return coder.flag(mode === "chosen") ? "chosen" : "able";',
    'return coder.flag(mode === "able") ? "able" : "chosen";',
  ],
  [
    "{ likely: last.tick + 1, p: P_COMMAND_NEXT_TICK }",
    "{ likely: last.tick, p: P_COMMAND_NEXT_TICK }",
  ],
  [
    "{ likely: last.received + 1, p: P_RECEIVED_NEXT_TICK }",
    "{ likely: last.received, p: P_RECEIVED_NEXT_TICK }",
  ],
  ["hadStatus ? P_STATUS_AGAIN : P_STATUS", "hadStatus ? P_STATUS : P_STATUS_AGAIN"],
  [
    "const hadStatus = last.isDesynced || last.bodyStreamRequest !== undefined;",
    "const hadStatus = last.isDesynced;",
  ],
  [
    "reference: last.command, p: P_PLAYER_UNCHANGED",
    "reference: codec.neutral, p: P_PLAYER_UNCHANGED",
  ],
  ["    this.leadMs = leadMs;\n", ""],
  ["    this.received = received;\n", ""],
  ["const read = checkedTick(coder.varint(received));", "const read = coder.varint(received);"],
  ["const blocks = coder.varint(tick / PROOF_TICKS);", "const blocks = coder.varint(tick);"],
  ["proof: coder.bits(proof, 32),", "proof: coder.bits(proof, 31),"],
  ["if (isWhole) coder.end();", "coder.end();"],
  ['    if (message.type === "commands") history.record(message);\n', ""],
]);

const CLIENT_DATAGRAMS = plantsInWire("uplink/client_datagram.ts", CLIENT, [
  swapped(
    `  const leadMs = dequantizeLead(coder.bits(quantizeLead(given?.leadMs ?? 0), LEAD_BITS));
  const tick = checkedTick(received + coder.signedVarint((given?.tick ?? 0) - (given?.received ?? 0)));`,
    "const leadMs = dequantizeLead(coder.bits(quantizeLead(given?.leadMs ?? 0), LEAD_BITS));",
    "const tick = checkedTick(received + coder.signedVarint((given?.tick ?? 0) - (given?.received ?? 0)));",
  ),
  ["const expected = { likely: received, p:", "const expected = { likely: received - 1, p:"],
  ["count > DATAGRAM_TICKS_MAX)", "count > DATAGRAM_TICKS_MAX + 1)"],
  ["if (tick - count < -1)", "if (tick - count < -2)"],
  ["const reference = commands.at(-1) ?? codec.neutral;", "const reference = codec.neutral;"],
  ["const REFERENCE_TICKS = 8;", "const REFERENCE_TICKS = 16;"],
  ["return [nearer, nearer - REFERENCE_TICKS];", "return [nearer, nearer - 2 * REFERENCE_TICKS];"],
  [
    "given?.reference === nearer, P_NEAR_REFERENCE) ? nearer : older;",
    "given?.reference === older, P_NEAR_REFERENCE) ? older : nearer;",
  ],
  ["for (let i = count - 1; i >= 0; i--) {", "for (let i = 0; i < count; i++) {"],
  [
    "let before = history.commandOf(tick - count);",
    "let before = history.commandOf(tick - count + 1);",
  ],
  ["{ likely: fields.lead, p: P_REFERENCE_LEAD }", "{ likely: 0, p: P_REFERENCE_LEAD }"],
  ["{ likely: fields.commandCount, p: P_REFERENCE_COUNT }", "{ likely: 2, p: P_REFERENCE_COUNT }"],
  ["{ likely: fields.offset, p: P_REFERENCE_OFFSET }", "{ likely: 5, p: P_REFERENCE_OFFSET }"],
]);

const DATAGRAM_HISTORY = plantsInWire("uplink/datagram_history.ts", CLIENT, [
  ["export const TICK_BITS = 6;", "export const TICK_BITS = 7;"],
  ["const AHEAD_TICKS_MAX = 24;", "const AHEAD_TICKS_MAX = -1;"],
  ["const AHEAD_OF_RECEIVED_TICKS_MAX = 32;", "const AHEAD_OF_RECEIVED_TICKS_MAX = 33;"],
  ["const AHEAD_OF_RECEIVED_TICKS_MAX = 32;", "const AHEAD_OF_RECEIVED_TICKS_MAX = 31;"],
  ["if (kept.count++ === 0) {", "{"],
  ["own.command ??= commands[i];", "own.command = undefined;"],
  ["kept.lead = quantizeLead(leadMs);", "kept.lead = leadMs;"],
]);

const ARRIVALS = plantsInWire("uplink/arrivals_codec.ts", SERVER, [
  ["likely: tick + 1,", "likely: tick,"],
  [
    "return coder.bits(Math.max(0, count - 2), MORE_BITS) + 2;",
    "return coder.bits(Math.max(0, count - 2), MORE_BITS) + 1;",
  ],
  ["areRead.push(count > 0 && coder.flag(", "areRead.push(coder.flag("],
]);

const ANNOUNCEMENTS = plantsInWire("announcement_codec.ts", SERVER, [
  ["const SILENT_TICKS = 8;", "const SILENT_TICKS = 9;"],
  ["const PRESENCE_CHANGES_MAX = 64;", "const PRESENCE_CHANGES_MAX = 65;"],
  ["COMMANDS_AHEAD_TICKS_MAX + 1;", "COMMANDS_AHEAD_TICKS_MAX + 2;"],
  ["if (tick <= this.ticks[seat]!) return;", "if (tick < this.ticks[seat]!) return;"],
  ["if (tick <= this.ticks[seat]!) return;", ""],
  [
    "commands[seat] === undefined || ticks[seat]! < this.#tick - SILENT_TICKS",
    "ticks[seat]! < this.#tick - SILENT_TICKS",
  ],
  [
    "Math.max(announced.ticks[seat]! + 1, this.#tick)",
    "Math.max(announced.ticks[seat]!, this.#tick)",
  ],
  [
    "announced.commands[seat] ?? codec.neutral; const tick = checkedTick(coder.near(given",
    "codec.neutral; const tick = checkedTick(coder.near(given",
  ],
  ["if (tick < this.#tick) throw", "if (tick < this.#tick - 1) throw"],
  [
    "const p = seat < PLAYER_SEATS ? P_PLAYER_UNCHANGED : P_NPC_UNCHANGED;",
    "const p = P_PLAYER_UNCHANGED;",
  ],
  [
    "seat < PLAYER_SEATS ? P_PLAYER_ANNOUNCES : P_NPC_ANNOUNCES",
    "seat <= PLAYER_SEATS ? P_PLAYER_ANNOUNCES : P_NPC_ANNOUNCES",
  ],
  swapped(
    `    const seat = coder.bits(change.seat, SEAT_BITS);
    const tick = checkedTick(base + coder.varint(change.tick - base));`,
    "const seat = coder.bits(change.seat, SEAT_BITS);",
    "const tick = checkedTick(base + coder.varint(change.tick - base));",
  ),
  [
    "tick - coder.signedVarint(tick - announced.ticks[seat]!)",
    "tick + coder.signedVarint(announced.ticks[seat]! - tick)",
  ],
  [
    "codec.code(command ?? codec.neutral, codec.neutral, coder));",
    "codec.code(command ?? codec.neutral, derivedCommand ?? codec.neutral, coder));",
  ],
]);

const ADVICE_AND_PINGS = [
  ...plantsInWire("advice_codec.ts", SERVER, [
    ["const SLACK_BITS = 12;", "const SLACK_BITS = 13;"],
    [
      "const SLACK_HALF = 1 << (SLACK_BITS - 1);",
      "const SLACK_HALF = (1 << (SLACK_BITS - 1)) - 1;",
    ],
    ["if (slackMs < -SLACK_HALF ||", "if (slackMs < -SLACK_HALF - 1 ||"],
    ["slackMs >= SLACK_HALF)", "slackMs > SLACK_HALF)"],
    [
      "baseline.slackMs + coder.signedVarint(advice.slackMs - baseline.slackMs)",
      "coder.signedVarint(advice.slackMs)",
    ],
  ]),
  ...plantsInWire("ping_codec.ts", SERVER, [
    ["const ID_BITS = 8;", "const ID_BITS = 9;"],
    ["const FRACTION_BITS = 10;", "const FRACTION_BITS = 11;"],
    [
      "serverTicks: tick + codeFractionalTicks(serverTicks - tick, coder),",
      "serverTicks: tick + 1 + codeFractionalTicks(serverTicks - tick - 1, coder),",
    ],
    swapped(
      `    serverTicks: tick + codeFractionalTicks(serverTicks - tick, coder),
    waitedTicks: codeFractionalTicks(waitedTicks, coder),`,
      "serverTicks: tick + codeFractionalTicks(serverTicks - tick, coder)",
      "waitedTicks: codeFractionalTicks(waitedTicks, coder)",
    ),
  ]),
];

const TICKS_AND_STATES = [
  ...plantsInWire("tick_codec.ts", SERVER, [
    ["const HASH_BITS = 16;", "const HASH_BITS = 15;"],
    swapped(
      `  const codedAdvice = codeAdvice(advice, lastAdvice, coder);
  const codedPong = codePiggybackedPong(pong, tick, coder);`,
      "const codedAdvice = codeAdvice(advice, lastAdvice, coder);",
      "const codedPong = codePiggybackedPong(pong, tick, coder);",
    ),
    ["hadBodies ? P_BODIES_AGAIN : P_BODIES_START", "hadBodies ? P_BODIES_START : P_BODIES_AGAIN"],
    [
      "const baseTick = tick - 1 - coder.bits(tick - 1 - bodies!.baseTick, COUNT_BITS);",
      "const baseTick = tick - 2 - coder.bits(tick - 2 - bodies!.baseTick, COUNT_BITS);",
    ],
    ["coder.bits(given.length - 1, COUNT_BITS) + 1", "coder.bits(given.length, COUNT_BITS)"],
    ["count > newest) throw", "count > newest + 1) throw"],
    ["  announced.clear();\n", ""],
    ["tick: newest - count + 1 + i, announced", "tick: newest, announced"],
    [
      "fresh.announced.update(seat, tick - record.ticksMissing, record.last)",
      "fresh.announced.update(seat, tick, record.last)",
    ],
    [
      "    announcementCoder.codeSeat(seat);\n    codeBaseline(seat, announced, fresh);",
      "    codeBaseline(seat, announced, fresh);\n    announcementCoder.codeSeat(seat);",
    ],
    ["last: coder.flag(last !== undefined) ?", "last: coder.flag(last !== undefined, 2049) ?"],
    swapped(
      `    name: coder.text(name, NAME_BYTES_MAX),
    ticksMissing: coder.varint(ticksMissing),`,
      "name: coder.text(name, NAME_BYTES_MAX)",
      "ticksMissing: coder.varint(ticksMissing)",
    ),
  ]),
  ...plantsInWire("server_messages.ts", SERVER, [
    ["isOrdered: coder.flag(isOrdered),", "isOrdered: !coder.flag(isOrdered),"],
    [
      "{ welcome: 0, pong: 1, state: 2, ticks: 3, early: 4, notice: 5, offer: 6, resume: 7 }",
      "{ welcome: 0, pong: 2, state: 1, ticks: 3, early: 4, notice: 5, offer: 6, resume: 7 }",
    ],
    [
      "{ welcome: 0, pong: 1, state: 2, ticks: 3, early: 4, notice: 5, offer: 6, resume: 7 }",
      "{ welcome: 0, pong: 1, state: 2, ticks: 3, early: 5, notice: 4, offer: 6, resume: 7 }",
    ],
    swapped(
      `    npcs: coder.bits(npcs, SEAT_BITS),
    seed: coder.bits(seed, 32),`,
      "npcs: coder.bits(npcs, SEAT_BITS)",
      "seed: coder.bits(seed, 32)",
    ),
    swapped(
      `    seed: coder.bits(seed, 32),
    choices: codeChoices(choices, coder),`,
      "seed: coder.bits(seed, 32)",
      "choices: codeChoices(choices, coder)",
    ),
    ["this.#hadBodies = message.bodies !== undefined;", ""],
    ["    this.#hadBodies = true;\n", ""],
    ['if (message.type !== "ticks") coder.end();', ""],
    ["if (isWhole) coder.end();", ""],
    [
      'if (this.#tick < 0) throw new WireError("a tick',
      'if (this.#tick < -1) throw new WireError("a tick',
    ],
    ["tick: this.#tick + 1, announced", "tick: this.#tick + 2, announced"],
    [
      "codeBodies: (tick) => this.#readReliableBodies(NO_BASELINES, tick, coder),",
      "codeBodies: (tick) => this.#readReliableBodies(this.#reliableBodies, tick, coder),",
    ],
    ["    this.#lastAdvice = advice;\n    const message", "    const message"],
    ['    this.#lastAdvice = advice;\n    return { type: "resume"', '    return { type: "resume"'],
    [
      "    this.#tick = tick;\n    this.#lastAdvice = advice;\n    return",
      "    this.#lastAdvice = advice;\n    return",
    ],
  ]),
];

const PACKING = [
  ...plantsInWire("packed_snapshot.ts", SERVER, [
    ["coded > SNAPSHOT_WORDS_MAX * 4", "coded > SNAPSHOT_WORDS_MAX * 8"],
    ["if (!isDeflated && tail.length !== length)", "if (!isDeflated && tail.length < length)"],
    ["isDeflated: coder.flag(isDeflated)", "isDeflated: !coder.flag(!isDeflated)"],
  ]),
  ...plantsInWire("inflate.ts", ["snapshots", "server_messages"], [
    ["const BLOCKS_AT_ONCE = 16;", "const BLOCKS_AT_ONCE = 15;"],
    ["BYTES_PER_BLOCK = 1024;", "BYTES_PER_BLOCK = 2048;"],
    ["if (this.#count !== this.#length)", "if (this.#count > this.#length)"],
    [
      "if ((this.#bit + 7) >> 3 !== this.#from.length)",
      "if ((this.#bit + 7) >> 3 > this.#from.length)",
    ],
    ["[16, 17, 18, 0, 8, 7, 9, 6, 10, 5,", "[16, 17, 18, 0, 8, 7, 9, 6, 5, 10,"],
    ["(i >> 1) - 1", "(i >> 1) - 2"],
    ["fill(9, 144, 256)", "fill(9, 144, 255)"],
    [
      "if (symbol === 16) times = 3 + this.#bits(2)",
      "if (symbol === 16) times = 4 + this.#bits(2)",
    ],
    ["if (distance > this.#count) throw", "if (distance > this.#count + 9) throw"],
  ]),
];

const COMMANDS = plantsIn("shared/game_kit/command/command_schema.ts", CLIENT, [
  ["  axis: 2000,", "  axis: 2001,"],
  ["  press: 3000,", "  press: 3001,"],
  ["  hold: 3600,", "  hold: 3601,"],
  ["const ONE_PRESS = 3900;", "const ONE_PRESS = 3899;"],
]);

const COMMAND_FIELDS = plantsInWire("command_fields.ts", CLIENT, [
  [
    "return coder.flag(value === greater) ? greater : lesser;",
    "return coder.flag(value === lesser) ? lesser : greater;",
  ],
  ["(coder.flag(presses === 2) ? 2 : 3)", "(coder.flag(presses === 3) ? 3 : 2)"],
  ["return numberCoder(field);", "return numberCoder({ ...field, wraps: false });"],
  ["way = wraps ? up - count * Math.round(up / count) : up;", "way = up;"],
  ["wraps ? count >> 1 :", "wraps ? (count >> 1) + 1 :"],
  [
    "Math.max(greatest - reference, reference - least)",
    "Math.min(greatest - reference, reference - least)",
  ],
  [
    "if (above > greatest) return below; if (below < least) return above; return coder.flag",
    "return coder.flag",
  ],
  ["2 * distance === count || coder.flag(way > 0)", "coder.flag(way > 0)"],
  ["P_ONE / (longest - read + 1)", "P_ONE / (longest - read + 2)"],
  ["Math.floor(P_ONE /", "Math.ceil(P_ONE /"],
  ["if (coded > farthest)", "if (coded > farthest + 9)"],
]);

export const MESSAGE_PLANTS: readonly Plant[] = [
  ...LIMITS,
  ...FROM_CLIENT,
  ...CLIENT_DATAGRAMS,
  ...DATAGRAM_HISTORY,
  ...ARRIVALS,
  ...ANNOUNCEMENTS,
  ...ADVICE_AND_PINGS,
  ...TICKS_AND_STATES,
  ...PACKING,
  ...COMMANDS,
  ...COMMAND_FIELDS,
];
