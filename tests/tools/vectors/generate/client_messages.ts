/**
 * Vectors of the client's messages: hellos, and connections with every sort of message and change.
 */
import { Random } from "../../../../shared/random.ts";
import type { ConnectionCase } from "../check/connection.ts";
import { dragons } from "../games/dragons.ts";
import { GAMES } from "../games/games.ts";
import {
  type CommandValues,
  someValuesOf,
  valuesOf,
  type VectorGame,
} from "../games/vector_game.ts";
import {
  type ClientMeaning,
  ClientWriter,
  type CommandsMeaning,
  type HelloMeaning,
} from "../meanings/client_message.ts";
import { COMMAND, HELLO, helloFor, LEAD_MAX, TICK_MAX } from "./client_samples.ts";
import { clientConnection, recordedClientConnection } from "./connections.ts";
import { refusedClientCases } from "./refused/client_messages.ts";

type ClientCase = ConnectionCase<ClientMeaning>;

const STATUSES = ["in sync", "desynced", "body stream", "body stream and state"] as const;

/** All cases of `client_messages.json`. @param recorded connections of the lab's clients */
export function clientMessageCases(recorded: readonly ClientCase[]): ClientCase[] {
  return [
    ...helloCases(),
    clientConnection("pings, reports, proofs, and ways back from a datagram path", {
      game: dragons,
      messages: [HELLO, ...pingsAndReports()],
    }),
    clientConnection("ticks and leads: as likely, a little off, and far off", {
      game: dragons,
      messages: [HELLO, ...nearMisses()],
    }),
    clientConnection("every status after every status, with and without pings", {
      game: dragons,
      messages: [HELLO, ...statusChanges()],
    }),
    ...GAMES.map((game) =>
      clientConnection("values of each field after others: all of a short range", {
        game,
        messages: [helloFor(game), ...fieldChanges(game)],
      })
    ),
    ...recorded,
    ...GAMES.map((game) =>
      clientConnection("datagrams with 0 to 32 commands", {
        game,
        link: "datagram",
        messages: [helloFor(game), ...datagrams(game)],
      })
    ),
    ...GAMES.map((game) =>
      clientConnection("datagrams that are coded against earlier ones", {
        game,
        link: "datagram",
        messages: [helloFor(game), ...shortDatagrams(game)],
      })
    ),
    withLostDatagrams(),
    ...refusedClientCases(),
  ];
}

/** The last datagram continues two that are lost: its commands cannot be read. */
function withLostDatagrams(): ClientCase {
  const writer = new ClientWriter(dragons, { ordered: false });
  const { codec } = dragons;
  const flap = codec.neutral.with(2, 1);
  const fire = flap.with(3, 1);
  const datagram = (
    tick: number,
    commands: readonly CommandValues[],
    reference: number | null,
  ): CommandsMeaning => ({
    type: "commands",
    received: tick - 5,
    status: "in sync",
    bodiesReceived: null,
    lead: 348,
    tick,
    reference,
    commands,
    count: commands.length,
  });
  const [hello, first, , , last] = [
    HELLO,
    datagram(16, [codec.neutral], null),
    datagram(18, [flap], null),
    datagram(19, [flap], null),
    datagram(24, [flap, fire, flap, fire, codec.neutral], 16),
  ].map((message) => writer.write(message));
  return recordedClientConnection("datagrams of which some are lost", {
    game: dragons,
    link: "datagram",
    messages: [hello!, first!, last!],
  });
}

function helloCases(): ClientCase[] {
  const hellos: HelloMeaning[] = [
    HELLO,
    { ...HELLO, bodyStream: "no", name: "" },
    { ...HELLO, bodyStream: "able", token: "00ff00ffdeadbeef00ff00ffdeadbeef" },
    { ...HELLO, bodyStream: "no", spectator: true, token: "0123456789abcdef0123456789abcdef" },
    {
      ...HELLO,
      bodyStream: "requested",
      spectator: true,
      token: "ffffffffffffffffffffffffffffffff",
    },
    { ...HELLO, bodyStream: "able", token: "00000000000000000000000000000000" },
    { ...HELLO, name: "龍騎士の名前はとても長い" },
    { ...HELLO, name: "\ufeffé\u0301\u202e\u200d\0\t" },
    { ...HELLO, name: "𝔇𝔯𝔞𝔤𝔬𝔫".repeat(4) },
    { ...HELLO, game: "g".repeat(32), room: "r".repeat(16), name: "n".repeat(96) },
    { ...HELLO, game: "", room: "", name: "" },
    { ...HELLO, game: "marbles-1", room: "ZZZZ", name: "Wren" },
    { ...HELLO, room: "ab d" },
    { ...HELLO, choices: [2] },
    { ...HELLO, game: "rovers-1", choices: [2, 200] },
    {
      ...HELLO,
      game: "marbles-1",
      token: "00ff00ffdeadbeef00ff00ffdeadbeef",
      choices: [1, 0, 3, 255, 127, 128, 64, 7],
    },
  ];
  return hellos.map((hello) => clientConnection("a hello", { game: dragons, messages: [hello] }));
}

function pingsAndReports(): ClientMeaning[] {
  const received = [0, 1, 7, 8, 63, 64, 4711, 2 ** 24 + 5, TICK_MAX];
  return [
    ...[0, 1, 2, 128, 255].map((id): ClientMeaning => ({ type: "ping", id })),
    ...received.flatMap((received) =>
      STATUSES.slice(1).map((status): ClientMeaning => ({ type: "report", received, status }))
    ),
    ...received.map((received): ClientMeaning => ({ type: "back", received })),
    ...[0, 10, 70, 4710, TICK_MAX - TICK_MAX % 10].map((tick): ClientMeaning => (
      { type: "proof", tick, proof: (tick * 0x9e37_79b1) >>> 0 }
    )),
  ];
}

function nearMisses(): ClientMeaning[] {
  const steps = [1, 1, 1, 0, 2, 1, -1, 3, 1, -40, 64, 1];
  const leads = [0, 0, 1, -1, 0, 5, 0, -5, 300, -300, 0, 0];
  let { tick, received, lead } = COMMAND;
  const messages: ClientMeaning[] = [COMMAND];

  for (let i = 0; i < 3 * steps.length; i++) {
    // The three lists repeat at different steps, so that each is seen with the likely values of the
    // others.
    tick += steps[i % steps.length]!;
    received += steps[(i * 5 + 2) % steps.length]! < 0 ? 0 : steps[(i * 5 + 2) % steps.length]!;
    lead += leads[(i * 7) % leads.length]!;
    messages.push({ ...COMMAND, tick, received, lead });
  }

  const far: [tick: number, received: number, lead: number][] = [
    [TICK_MAX, TICK_MAX - 64, LEAD_MAX],
    [0, 0, 0],
    [1, 1, LEAD_MAX],
    [7, 900_000, 1],
    [900_007, 3, 2],
    [900_008, 4, 2],
  ];
  return [
    ...messages,
    ...far.map(([tick, received, lead]) => ({ ...COMMAND, tick, received, lead })),
  ];
}

function statusChanges(): ClientMeaning[] {
  const pings = [null, 0, 77, 255];
  const messages: ClientMeaning[] = [];
  let { tick, received } = COMMAND;

  for (const before of STATUSES) {
    for (const after of STATUSES) {
      for (const status of [before, after]) {
        messages.push({
          ...COMMAND,
          tick: tick++,
          received: received++,
          status,
          ping: pings[messages.length % 4]!,
        });
      }
    }
    // Neither of these changes the command that the next one is coded against.
    messages.push({ type: "ping", id: tick & 255 }, {
      type: "report",
      received,
      status: "desynced",
    });
  }

  return messages;
}

/**
 * Commands in which each field has each value after each other one, while the other fields stay or
 * change.
 */
function fieldChanges({ schema, codec }: VectorGame): ClientMeaning[] {
  const random = new Random(1302);
  const commands: CommandValues[] = [codec.neutral];
  const push = (field: number, value: number) => commands.push(commands.at(-1)!.with(field, value));
  const lists = schema.command!.map(valuesOf);
  schema.command!.map(someValuesOf).forEach((values, field) => {
    for (const from of values) {
      for (const to of values) {
        push(field, from);
        push(field, to);
      }
    }
  });
  for (let i = 0; i < 60; i++) {
    commands.push(lists.map((values) => values[random.below(values.length)]!));
  }
  return commands.map((command, i) => ({ ...COMMAND, tick: 101 + i, received: 95 + i, command }));
}

function datagrams(game: VectorGame): ClientMeaning[] {
  const random = new Random(1303);
  const { codec, schema } = game;
  const changing: CommandValues[] = [codec.neutral];

  for (let i = 0; i < 40; i++) {
    const field = random.below(schema.command!.length);
    const values = valuesOf(schema.command![field]!);
    changing.push(
      random.chance(0.5)
        ? changing.at(-1)!
        : changing.at(-1)!.with(field, values[random.below(values.length)]!),
    );
  }

  const datagram: CommandsMeaning = {
    type: "commands",
    received: 4700,
    status: "in sync",
    bodiesReceived: null,
    lead: 348,
    tick: 4705,
    reference: null,
    commands: changing.slice(3, 6),
    count: 3,
  };
  const one = { commands: changing.slice(4, 5), count: 1 };
  const all = { commands: changing.slice(0, 32), count: 32 };
  const none = { commands: [], count: 0 };
  return [
    ...Array.from(
      { length: 33 },
      (_, count) => ({ ...datagram, commands: changing.slice(0, count), count }),
    ),
    { ...datagram, ...none, tick: 4700 },
    { ...datagram, ...none, tick: 0 },
    { ...datagram, status: "desynced", tick: 4600 },
    { ...datagram, status: "body stream", bodiesReceived: 4700 },
    { ...datagram, status: "body stream", bodiesReceived: 4691 },
    { ...datagram, status: "body stream and state", bodiesReceived: 0 },
    { ...datagram, received: 0, tick: 0, lead: 0, ...one },
    { ...datagram, received: 0, tick: 31, lead: LEAD_MAX, ...all },
    { ...datagram, received: TICK_MAX, tick: TICK_MAX - 9 },
    { ...datagram, received: 3, tick: TICK_MAX, lead: 1 },
    { type: "ping", id: 0 },
    { type: "ping", id: 200 },
    { ...datagram, status: "body stream", received: 4701, bodiesReceived: 4702, tick: 4706 },
  ];
}

/**
 * Ticks 8 … 120, of which some are lost, come again or come late. Each datagram is coded against
 * the nearer reference, or the older one, or it is full.
 */
function shortDatagrams(game: VectorGame): ClientMeaning[] {
  const random = new Random(1304);
  const { codec, schema } = game;
  const commands: CommandValues[] = [codec.neutral];
  const messages: CommandsMeaning[] = [];
  const known = new Set<number>();
  const sent = new Set<number>();
  const statuses = ["in sync", "desynced", "body stream", "body stream and state"] as const;
  let lead = 200;

  for (let tick = 1; tick <= 120; tick++) {
    const field = random.below(schema.command!.length);
    const values = valuesOf(schema.command![field]!);
    const change = random.chance(0.7) ? undefined : values[random.below(values.length)]!;
    commands.push(change === undefined ? commands.at(-1)! : commands.at(-1)!.with(field, change));
    if (tick < 8 || tick % 13 === 5) continue;
    if (random.chance(0.2)) lead += random.below(9) - 4;
    const nearer = tick - tick % 8 - 8;
    const reference = [nearer, nearer - 8].find((each) => sent.has(each));
    const counts = [2, 2, 1, 4, 9].filter((count) => known.has(tick - count));
    const isShort = reference !== undefined && counts.length > 0 && tick % 29 !== 0;
    const count = isShort ? counts[random.below(counts.length)]! : Math.min(tick, 5);
    const status = tick % 11 === 0 ? statuses[(tick / 11) % 4]! : "in sync";
    const bodiesReceived = status.startsWith("body") ? tick - 5 - tick % 2 : null;
    messages.push({
      type: "commands",
      received: tick - (random.chance(0.1) ? 6 : 5),
      status,
      bodiesReceived,
      lead,
      tick,
      reference: isShort
        ? (tick % 17 === 0 && sent.has(nearer - 8) ? nearer - 8 : reference)
        : null,
      commands: Array.from({ length: count }, (_, i) => commands[tick - i]!),
      count,
    });
    for (let i = 0; i < count; i++) known.add(tick - i);
    sent.add(tick);
    // A copy, and a late one: the first datagram of a tick stays the reference.
    if (tick % 10 === 7) messages.push(messages.at(-1)!);
    if (tick % 31 === 0) messages.push({ ...messages.at(-4)!, reference: null });
  }

  return [...messages, ...datagramsFarAhead(commands)];
}

/**
 * Full datagrams that are 33 ticks and more ahead of what was received leave no trace, and those
 * that are 32 ahead do.
 */
function datagramsFarAhead(commands: readonly CommandValues[]): CommandsMeaning[] {
  const datagram = (
    tick: number,
    rest: { received: number; lead: number; reference: number | null; count: number },
  ) => ({
    ...{ type: "commands", status: "in sync", bodiesReceived: null, tick, ...rest } as const,
    commands: Array.from({ length: rest.count }, (_, i) => commands[(tick - i) % commands.length]!),
  });
  return [
    datagram(300, { received: 118, lead: 200, reference: null, count: 3 }),
    datagram(121, { received: 116, lead: 200, reference: 112, count: 1 }),
    datagram(128, { received: 96, lead: 240, reference: null, count: 5 }),
    datagram(128, { received: 122, lead: 220, reference: null, count: 5 }),
    datagram(136, { received: 103, lead: 240, reference: null, count: 4 }),
    datagram(136, { received: 130, lead: 207, reference: null, count: 4 }),
    datagram(137, { received: 131, lead: 222, reference: 128, count: 9 }),
    datagram(145, { received: 139, lead: 207, reference: 136, count: 9 }),
  ];
}
