/**
 * Ticks, states and datagrams of the second game that no recorded match has. Counts and numbers are
 * at their limits, and commands are announced in every order. After some states a seat's newest
 * announced command is another.
 */
import { Random } from "../../../../../shared/random.ts";
import { marbles } from "../../games/marbles.ts";
import { type CommandValues, valuesOf } from "../../games/vector_game.ts";
import type {
  AdviceMeaning,
  ArrivalsMeaning,
  DeltaMeaning,
  ServerMeaning,
  TickMeaning,
} from "../../meanings/server_message.ts";
import { LEAD_MAX, TICK_MAX } from "../client_samples.ts";
import { ServerScript } from "./server_script.ts";

type Announcements = TickMeaning["announcements"];

const LONG_NAME = "ÄÖ".repeat(24);
/** Limits of one message. */
const PRESENCE_CHANGES_MAX = 64;
const ANNOUNCEMENTS_PER_SEAT_MAX = 65;
/** A seat whose newest announced command is older than this is silent. */
const SILENT_TICKS = 8;

const random = () => new Random(1310);

function commandBy(random: Random): CommandValues {
  return marbles.schema.command!.map((field) => {
    const values = valuesOf(field);
    return values[random.below(values.length)]!;
  });
}

/** A connection from the first welcome to states in its middle. */
export function marbleTicks(): Uint8Array[] {
  const script = new ServerScript(marbles);
  const source = random();
  welcomesAndPongs(script);
  script.state(0, null);
  announcements(script, source);
  advices(script);
  pongs(script);
  presence(script);
  replacedCommands(script, source);
  longStates(script, source);
  return script.messages;
}

function welcomesAndPongs(script: ServerScript): void {
  const welcome = {
    type: "welcome",
    seat: 0,
    resumed: 0,
    token: "00000000000000010000000000000001",
    npcs: 0,
    seed: 0,
    choices: [] as number[],
    ordered: 0 as 0 | 1,
  } as const;
  script.push(welcome);
  script.push({
    ...welcome,
    seat: 15,
    token: "ffffffffffffffffffffffffffffffff",
    npcs: 16,
    seed: 2 ** 32 - 1,
  });
  script.push({ ...welcome, seat: null, token: "80000000ffffffff80000000ffffffff", npcs: 31 });
  script.push({ ...welcome, seat: 31, seed: 0x12345678, choices: [1] });
  script.push({ ...welcome, choices: [0, 255, 1, 2, 128, 4, 5, 6] });
  script.push({ ...welcome, seat: 3, choices: [1], ordered: 1 });
  const clocks = [
    0,
    1,
    1023,
    1024,
    4711 * 1024 + 512,
    2 ** 31 * 1024 - 1,
    (2 ** 32 - 1) * 1024 + 1023,
  ];
  clocks.forEach((clock, i) => script.push({ type: "pong", id: i * 42 & 255, clock }));
}

/**
 * Seats announce for the message's tick, for later ticks, for earlier ones than before, and after
 * silences.
 */
function announcements(script: ServerScript, source: Random): void {
  const tick = (announcements: Announcements) => script.tick(null, { announcements });
  const at = () => script.nextTick;
  tick([]);
  tick([[0, at(), [0, 1, 0]], [15, at(), [1, 1, 0]], [16, at() + 20, [2, 0, 1]], [31, at(), [
    3,
    0,
    -1,
  ]]]);
  tick([[0, at(), [0, 1, 0]], [1, at() + 3, [0, 1, 0]], [16, at() + 20, [2, 0, 1]], [31, at() + 1, [
    3,
    1,
    -1,
  ]]]);

  // Several of one seat: in their order, in reverse, and the same tick twice.
  tick([[0, at(), [1, 1, 0]], [0, at() + 1, [1, 0, 0]], [0, at() + 2, [1, 0, 1]], [2, at() + 9, [
    2,
    1,
    0,
  ]]]);
  tick([[2, at() + 4, [3, 1, 1]], [2, at() + 2, [3, 1, 1]], [2, at() + 9, [0, 1, 1]], [
    2,
    at() + 30,
    [0, 1, 1],
  ]]);
  tick([[2, at() + 31, [0, 1, 1]], [3, at() + 64, [0, 0, -1]]]);
  tick([[3, at() + 64, [1, 1, 1]], [3, at() + 64, [2, 0, 0]], [3, at() + 65, [1, 1, 1]]]);
  const silences = at() - 1;

  for (let i = 0; i <= SILENT_TICKS + 2; i++) {
    const announced: [number, number, CommandValues][] = [];
    // Seats 4 … 14 announce once, and again after 1 … 11 ticks; seats 17 … 27 likewise.
    for (let seat = 4; seat < 28; seat++) {
      const pause = seat < 16 ? seat - 4 : seat - 17;
      if (pause < 0 || pause > SILENT_TICKS + 2) continue;
      if (i === 0 || at() === silences + 1 + pause) announced.push([seat, at(), commandBy(source)]);
    }
    tick(announced);
  }

  for (let i = 0; i < 12; i++) {
    const seats = Array.from({ length: 32 }, (_, seat) => seat).filter(() => source.chance(0.7));
    tick(seats.map((seat) => [seat, at() + (seat >= 16 ? 20 : 0), commandBy(source)]));
  }
  tick([[5, TICK_MAX, [0, 0, 0]], [6, at(), [0, 0, 0]]]);
  tick(
    Array.from({ length: ANNOUNCEMENTS_PER_SEAT_MAX }, (_, i) => [7, at() + i, [i & 3, i & 1, 0]]),
  );
}

function advices(script: ServerScript): void {
  const advices: AdviceMeaning[] = [
    { slack: 5, advisedLead: 348 },
    { slack: 5, advisedLead: 348 },
    { slack: 6, advisedLead: 348 },
    { slack: 6, advisedLead: 347 },
    { slack: -2048, advisedLead: LEAD_MAX },
    { slack: 2047, advisedLead: 0 },
    { slack: 0, advisedLead: 1 },
    { slack: -33, advisedLead: 480 },
  ];
  for (const advice of advices) script.tick(null, advice);
}

function pongs(script: ServerScript): void {
  const units = [0, 1, 7, 8, 511, 512, 1023, 1024, 5000, 2 ** 20, 2 ** 32 - 1];
  units.forEach((clock, i) => {
    const held = units[(i * 3 + 1) % units.length]!;
    script.tick(null, { hash: i * 6553 & 0xffff, pong: { id: i * 25 & 255, clock, held } });
  });
}

function presence(script: ServerScript): void {
  const at = () => script.nextTick;
  script.tick(null, { presence: [[4, at(), 1, "Wren"]] });
  script.tick(null, {
    presence: [[4, at() + 7, 0, ""], [31, at() + 64, 1, ""], [0, at() + 1, 1, LONG_NAME]],
  });
  script.tick(null, {
    presence: Array.from(
      { length: PRESENCE_CHANGES_MAX },
      (_, i) => [i & 31, at() + i, 1, ""] as const,
    ),
  });
  script.tick(null, { presence: [[9, TICK_MAX, 1, "Ω"]] });
}

/**
 * States whose seats' newest announced commands do not follow from them, and ticks that are coded
 * against those.
 */
function replacedCommands(script: ServerScript, source: Random): void {
  const tick = script.nextTick + 50;
  script.state(tick, null, {
    hash: 4711,
    presence: [[8, tick + 2, 1, "Æ"], [1, tick + 3, 0, ""]],
    seats: [
      [0, "Wren", 0, [1, 0, 1]],
      [1, "", 3, [3, 1, -1]],
      [2, "Ida", 40, null],
      [3, "Ω", 9, [0, 1, 0]],
      [5, LONG_NAME, tick - 1, [2, 1, 0]],
      [16, "", 0, [0, 0, 1]],
      [17, "", 100, null],
    ],
    announcements: [[0, tick + 1, [1, 0, 1]], [0, tick + 2, [2, 0, 1]], [16, tick + 1, [0, 0, 1]], [
      30,
      tick + 5,
      [
        1,
        1,
        1,
      ],
    ]],
    replaced: [
      [0, null, null],
      [1, tick - 2, [3, 0, -1]],
      [2, tick - 60, [2, 1, 1]],
      [4, tick - 1, [0, 0, 0]],
      [16, tick + 12, [1, 1, 1]],
      [18, 0, [0, 1, 0]],
      [30, null, null],
    ],
    slack: -5,
    advisedLead: 499,
  });

  for (let i = 0; i < 5; i++) {
    const seats = [0, 1, 2, 3, 4, 5, 16, 18, 30].filter((seat) => (seat + i) % 3 !== 0);
    script.tick(null, {
      announcements: seats.map((seat) => [seat, script.nextTick, commandBy(source)]),
    });
  }
}

/**
 * A state of all seats, as a join in a full room has it; and one that begins the body stream
 * without any body.
 */
function longStates(script: ServerScript, source: Random): void {
  const tick = 100_000;
  const seats = Array.from({ length: 32 }, (_, seat) => seat);
  script.state(tick, null, {
    seats: seats.map((
      seat,
    ) => [seat, seat < 16 ? `Player ${seat}` : "", seat % 5, commandBy(source)]),
    announcements: seats.flatMap((seat) => {
      const ahead = seat < 16 ? seat % 4 : 25;
      return Array.from(
        { length: ahead },
        (_, i) => [seat, tick + 1 + i, commandBy(source)] as const,
      );
    }),
  });
  script.tick(null, {
    announcements: seats.map((seat) => [seat, tick + 1 + (seat < 16 ? 5 : 25), commandBy(source)]),
  });
  script.state(tick + 9, [], { slack: 1, advisedLead: 2 });
  script.tick([]);
  script.state(TICK_MAX - 1, null);
  script.tick(null, { announcements: [[1, TICK_MAX, [1, 0, 1]]] });
}

/**
 * Datagrams without bodies: one tick, many ticks, and announcements whose baselines begin with each
 * datagram.
 */
export function marbleDatagrams(): ServerMeaning[] {
  const source = random();
  const advice = { slack: -33, advisedLead: 481 };
  const delta = (tick: number): DeltaMeaning => ({
    hash: source.below(65_536),
    presence: tick % 11 === 0 ? [[tick % 16, tick + 6, 1, "Ida"]] : [],
    announcements: [1, 3, 16, 20].filter((seat) => (seat + tick) % 4 !== 0).map((seat) =>
      [seat, tick + (seat >= 16 ? 25 : 0), commandBy(source)] as const
    ),
  });
  const once = [1, 1, 1, 1, 1, 1, 1, 1];
  const read = [1, 1, 1, 1, 1, 1, 1, 1] as const;
  const arrivals: (ArrivalsMeaning | null)[] = [
    null,
    { newest: 91, counts: once, read },
    { newest: 128, counts: once, read },
    { newest: 234, counts: [1, 2, 3, 4, 5, 0, 1, 0], read: [1, 1, 0, 1, 1, 0, 0, 0] },
    { newest: 211, counts: once, read: [0, 1, 1, 1, 1, 1, 1, 1] },
    { newest: 251, counts: [...once.slice(1), 2], read },
  ];
  return [1, 2, 3, 16, 31, 32].map((count, i) => {
    const newest = 50 + 40 * i;
    return {
      ...{
        type: "ticks",
        newest,
        ...advice,
        arrivals: arrivals[i]!,
        base: null,
        bodies: null,
      } as const,
      ticks: Array.from({ length: count }, (_, i) => delta(newest - count + 1 + i)),
    };
  });
}
