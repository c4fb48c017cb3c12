/** A perfect log is ok, and each planted fault is found. */
import { commandOf } from "../../support/dragons.ts";
import { assertEquals, assertMatch } from "@std/assert";
import { type SeatId, SEATS, type Tick } from "../../../shared/netcode/game.ts";
import { LogError, parseClientLog } from "./client_log.ts";
import { compare, type Row } from "./compare.ts";
import type { MatchRecord, TrueBody } from "./observer.ts";

const SECONDS = 10;
const SEAT = 3;
const OWN = 18;
const CRATE = 7;
/** The first and the last definitive tick of the log. */
const FIRST = 100;
const LAST = 299;
const ticks = Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i);

const dirAt = (tick: Tick) => (tick % 3 - 1) as -1 | 0 | 1;
const placesAt = (tick: Tick) => [[OWN, 1, SEAT, tick / 10, 5], [CRATE, 3, -1, 2, 1]] as const;

const record: MatchRecord = {
  tick: LAST + 20,
  bodies: new Map(ticks.map((tick) => [tick, new Map(placesAt(tick).map(bodyOf))])),
  announced: Array.from(
    { length: SEATS },
    (_, seat) =>
      new Map(seat === SEAT ? ticks.map((tick) => [tick, commandOf({ dir: dirAt(tick) })]) : []),
  ),
};

function bodyOf(
  [entity, kind, seat, x, y]: readonly [number, number, SeatId, number, number],
): [number, TrueBody] {
  return [entity, { kind, seat, x, y }];
}

/** The lines of a perfect log, by type and tick. */
type Line = Record<string, unknown> & { readonly type: string; readonly tick?: Tick };
type TickLine = Line & { readonly bodies: readonly (readonly number[])[] };

function perfectLines(): Line[] {
  return [
    { type: "welcome", seat: SEAT },
    ...ticks.flatMap((tick): Line[] => [
      { type: "sent", tick, command: { dir: dirAt(tick), flapHeld: 0, flaps: 0, fires: 0 } },
      {
        type: "tick",
        tick,
        bodies: placesAt(tick).map(([entity, kind, , x, y]) => [entity, kind, x, y, 0, 0, 0, 0]),
      },
    ]),
    {
      type: "end",
      ticks: ticks.length,
      messages: ticks.length + 1,
      decodeErrors: 0,
      checksums: SECONDS,
      checksumsDiffer: 0,
      bytesDown: 8000,
      leadMs: 30,
      roundTripMs: 0.4,
    },
  ];
}

const textOf = (lines: readonly Line[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

/** @param change replaces each line by those it returns */
function rowWith(change: (line: Line) => readonly Line[] = (line) => [line]): Row {
  const log = parseClientLog(textOf(perfectLines().flatMap(change)));
  return compare({ record, log, failures: [] }, { stream: "state", rttMs: 0, seconds: SECONDS });
}

/** Replaces the bodies of the tick lines. */
const withBodies =
  (change: (body: readonly number[], tick: Tick) => readonly (readonly number[])[]) =>
  (line: Line) =>
    line.type === "tick"
      ? [{ ...line, bodies: (line as TickLine).bodies.flatMap((body) => change(body, line.tick!)) }]
      : [line];

const withEnd = (values: Record<string, number>) => (line: Line) =>
  line.type === "end" ? [{ ...line, ...values }] : [line];

Deno.test("other-client: a perfect log is ok", () => {
  assertEquals(rowWith(), {
    stream: "state",
    rttMs: 0,
    ticks: 200,
    decodeErrors: 0,
    checksums: 10,
    checksumsDiffer: 0,
    commandsSent: 160,
    commandsTaken: 160,
    takenShare: 1,
    ownErrorWorstM: 0,
    ownErrorMeanM: 0,
    othersErrorMeanM: 0,
    othersErrorWorstM: 0,
    missingBodies: 0,
    bytesDownPerSecond: 800,
    failures: [],
  });
});

Deno.test("other-client: the own body 2 cm off in one tick is found", () => {
  const row = rowWith(withBodies(([entity, kind, x, ...rest], tick) => [
    [entity!, kind!, entity === OWN && tick === 150 ? x! + 0.02 : x!, ...rest],
  ]));
  assertEquals([row.ownErrorWorstM, row.ownErrorMeanM, row.othersErrorWorstM], [0.02, 0.0001, 0]);
  assertEquals(row.failures, [
    "ownErrorWorstM is 0.02, but at most 0.01 is allowed: entity 18 at tick 150",
  ]);
});

Deno.test("other-client: others 6 mm off in the mean are found", () => {
  const row = rowWith(withBodies(([entity, kind, x, y, ...rest]) => [
    [entity!, kind!, x!, entity === CRATE ? y! - 0.006 : y!, ...rest],
  ]));
  assertEquals(row.failures, [
    "othersErrorMeanM is 0.006, but at most 0.005 is allowed: entity 7 at tick 100",
  ]);
});

Deno.test("other-client: a body that is absent, invented or of another kind is found", () => {
  const isAt = (entity: number, tick: Tick, [id]: readonly number[], at: Tick) =>
    id === entity && at === tick;
  const absent = rowWith(withBodies((body, tick) => isAt(CRATE, 200, body, tick) ? [] : [body]));
  const invented = rowWith(
    withBodies((body, tick) =>
      isAt(CRATE, 200, body, tick) ? [body, [99, 2, 0, 0, 0, 0, 0, 0]] : [body]
    ),
  );
  const other = rowWith(
    withBodies((body, tick) =>
      isAt(CRATE, 200, body, tick) ? [[CRATE, 4, ...body.slice(2)]] : [body]
    ),
  );
  const fault = "missingBodies is 1, but at most 0 is allowed";
  assertEquals(absent.failures, [
    `${fault}: entity 7 at tick 200 is of kind 3, and in the log absent`,
  ]);
  assertEquals(invented.failures, [`${fault}: entity 99 at tick 200 is in the log alone`]);
  assertEquals(other.failures, [
    `${fault}: entity 7 at tick 200 is of kind 3, and in the log of kind 4`,
  ]);
});

Deno.test("other-client: a tick that the log leaves out ends the run of ticks, and misses all bodies", () => {
  const row = rowWith((line) => line.type === "tick" && line.tick === 250 ? [] : [line]);
  assertEquals([row.ticks, row.missingBodies], [150, 2]);
  assertEquals(row.failures, [
    "missingBodies is 2, but at most 0 is allowed: tick 250 is not in the log",
  ]);
});

Deno.test("other-client: a tick that the server has not run is found", () => {
  const invented = { type: "tick", tick: 2 ** 50, bodies: [] };
  const row = rowWith((line) => line.type === "end" ? [invented, line] : [line]);
  assertEquals(
    row.failures.at(-1),
    `missingBodies is 1, but at most 0 is allowed: tick ${2 ** 50} is in the log alone`,
  );
});

Deno.test("other-client: every twentieth command not sent, or not taken, is found", () => {
  const isTwentieth = ({ type, tick }: Line) => type === "sent" && tick! % 20 === 10;
  const unsent = rowWith((line) => isTwentieth(line) ? [] : [line]);
  const lost = rowWith((line) =>
    isTwentieth(line)
      ? [{ ...line, command: { dir: dirAt(line.tick!), flapHeld: 1, flaps: 0, fires: 0 } }]
      : [line]
  );
  assertEquals([unsent.commandsSent, unsent.commandsTaken, unsent.takenShare], [152, 152, 0.95]);
  assertEquals([lost.commandsSent, lost.commandsTaken, lost.takenShare], [160, 152, 0.95]);
  const fault = "takenShare is 0.95, but at least 0.98 is needed";
  assertEquals(unsent.failures, [`${fault}: tick 150 has no command`]);
  assertEquals(lost.failures, [`${fault}: the command for tick 150 was taken as another one`]);
});

Deno.test("other-client: commands count from the third second on", () => {
  const late = rowWith((line) => line.type === "sent" && line.tick! < FIRST + 40 ? [] : [line]);
  assertEquals([late.commandsSent, late.takenShare, late.failures], [160, 1, []]);
  const later = rowWith((line) => line.type === "sent" && line.tick! < FIRST + 60 ? [] : [line]);
  assertEquals([later.commandsSent, later.takenShare], [140, 0.875]);
});

Deno.test("other-client: decode errors, wrong checksums and few checksums are found", () => {
  const row = rowWith(withEnd({ decodeErrors: 2, checksums: 4, checksumsDiffer: 1 }));
  assertEquals(row.failures, [
    "decodeErrors is 2, but at most 0 is allowed",
    "checksumsDiffer is 1, but at most 0 is allowed",
    "checksums is 4, but at least 5 is needed",
  ]);
});

Deno.test("other-client: a log without ticks, seat or end is not ok, and has no errors to show", () => {
  const combination = { stream: "commands", rttMs: 100, seconds: SECONDS } as const;
  const empty = compare({ record, log: parseClientLog(""), failures: ["it ended"] }, combination);
  assertEquals([empty.ownErrorWorstM, empty.othersErrorMeanM, empty.takenShare], [null, null, 0]);
  assertEquals(empty.failures, ["it ended", "the log has no ticks"]);
  const seatless = rowWith((line) => line.type === "welcome" || line.type === "end" ? [] : [line]);
  assertEquals(seatless.failures, [
    "the log has no end",
    "checksums is 0, but at least 5 is needed",
    "takenShare is 0, but at least 0.98 is needed: the command for tick 140 was not taken",
    "ownErrorWorstM is null, but at most 0.01 is allowed: there is no such body",
  ]);
});

/** The error that a log with this line behind a welcome and two ticks leads to. */
function errorOf(json: string): string {
  const lines = [
    { type: "welcome", seat: SEAT },
    { type: "sent", tick: 5, command: commandOf({}) },
    {
      type: "tick",
      tick: 5,
      bodies: [],
    },
  ];
  try {
    parseClientLog(textOf(lines) + json);
  } catch (error) {
    if (error instanceof LogError) return error.message;
    throw error;
  }
  return "";
}

Deno.test("parseClientLog: a line that breaks the contract is named, with its fault", () => {
  const body = [7, 3, 0, 0, 0, 0, 0, 0];
  const wrong: readonly (readonly [string, RegExp])[] = [
    ["nonsense", /"nonsense" is no JSON/],
    ['{"type":"tick","tick":6,"bodies":[[7,3,NaN,0,0,0,0,0]]}', /is no JSON/],
    ['{"type":"hello"}', /type: /],
    ["7", /expected object/],
    ['{"type":"welcome","seat":3}', /a second welcome/],
    ['{"type":"tick","tick":5,"bodies":[]}', /tick 5 after tick 5/],
    ['{"type":"tick","tick":6,"bodies":[[7,3]]}', /bodies\.0/],
    [JSON.stringify({ type: "tick", tick: 6, bodies: [body, body] }), /tick 6 has an entity twice/],
    [
      '{"type":"sent","tick":5,"command":{"dir":0,"flapHeld":0,"flaps":0,"fires":0}}',
      /a second command for tick 5/,
    ],
    [
      '{"type":"sent","tick":6,"command":{"dir":0,"flapHeld":2,"flaps":0,"fires":0}}',
      /command\.flapHeld/,
    ],
    [
      '{"type":"sent","tick":6,"command":{"dir":0,"flapHeld":0,"flaps":4,"fires":0}}',
      /command\.flaps/,
    ],
    ['{"type":"end","ticks":-1}', /ticks/],
  ];
  for (const [json, fault] of wrong) {
    assertMatch(errorOf(json), /^line 4 of the log: /);
    assertMatch(errorOf(json), fault);
  }
  const end = JSON.stringify(perfectLines().at(-1));
  assertMatch(errorOf(`${end}\n${end}`), /^line 5 of the log: a line after the end/);
  assertEquals(errorOf(end), "");
});
