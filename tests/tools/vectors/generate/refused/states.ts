/** States, packed snapshots and bodies that a client must refuse. */
import { type Element, writeElements } from "../../check/coder.ts";
import { WHEEL } from "../../games/marbles.ts";
import { deflateFixed, deflateRle, deflateStored, deflateTooFar } from "../deflate.ts";
import {
  FULL_ADVICE,
  HASH,
  NO_DELTA,
  NO_PRESENCE,
  refused,
  type ServerCase,
  TICK,
  times,
} from "./message_parts.ts";
import type { ServerScript } from "../scripted/server_script.ts";

const KIND_STATE: readonly Element[] = [["flag", 3900, 0], ["bits", 3, 2]];
/** A seat that is empty, announces nothing, and has the newest announced command that follows. */
const NO_SEAT: readonly Element[] = [["flag", 2048, 0], ["flag", 12, 0], ["flag", 64, 0]];
const SNAPSHOT_BYTES_MAX = 2 ** 20;

interface StateParts {
  readonly tick?: number;
  /** Seat 0. */
  readonly seat?: readonly Element[];
  readonly length?: number;
  readonly deflated?: 0 | 1;
  readonly uncoded?: Uint8Array;
}

function stateOf(
  { tick = TICK, seat = NO_SEAT, length = 8, deflated = 0, uncoded = new Uint8Array(8) }:
    StateParts,
): Uint8Array {
  const joinState: Element[] = [
    ["varint", tick],
    HASH,
    NO_PRESENCE,
    ...seat,
    ...times(31, ...NO_SEAT),
  ];
  const snapshot: Element[] = [["flag", 256, 0], ["varint", length], ["flag", 2048, deflated]];
  return writeElements([...KIND_STATE, ...joinState, ...snapshot, ...FULL_ADVICE], uncoded);
}

export function refusedStates(): ServerCase[] {
  const whole = stateOf({});
  const tooMany = SNAPSHOT_BYTES_MAX + 4;
  const isAnother: Element[] = [["flag", 2048, 0], ["flag", 12, 0], ["flag", 64, 1], [
    "flag",
    2048,
    1,
  ]];
  const unchanged: Element[] = [["flag", 1000, 1], ["flag", 500, 1], ["flag", 3000, 1]];
  return [
    refused("a state of tick 2^31", "tick 2147483648", stateOf({ tick: 2 ** 31 })),
    refused("a snapshot of 8 bytes that has 7", "7 bytes of", whole.subarray(0, -1)),
    refused("a snapshot of 8 bytes that has 9", "9 bytes of", Uint8Array.from([...whole, 0])),
    refused("a state that ends before its coded part does", "ends at", whole.subarray(0, 9)),
    refused(
      "a snapshot of more than 1 MiB",
      "a snapshot of",
      stateOf({ length: tooMany, deflated: 1, uncoded: deflateRle(new Uint8Array(tooMany)) }),
    ),
    refused(
      "a newest announced command of tick −1",
      "tick -1",
      stateOf({ seat: [...isAnother, ["signed", TICK + 1], ...unchanged] }),
    ),
    ...refusedPackings(),
  ];
}

function refusedPackings(): ServerCase[] {
  const nothing = { begin: () => {} };
  const zeros = (length: number) => new Uint8Array(length);
  const state = (about: string, because: string, length: number, uncoded: Uint8Array) =>
    refused(`deflated: ${about}`, because, stateOf({ length, deflated: 1, uncoded }), nothing);
  return [
    state(
      "a byte more than needed",
      "too many bytes",
      64,
      Uint8Array.from([...deflateFixed(zeros(64)), 0]),
    ),
    state("less than the length", "inflated 60 bytes", 64, deflateRle(zeros(60))),
    state("more than the length", "inflated more", 64, deflateFixed(zeros(65))),
    state("cut", "it ends within", 64, deflateStored(zeros(64)).subarray(0, -1)),
    state("a kind of block that does not exist", "does not exist", 64, Uint8Array.of(7, 0, 0)),
    state(
      "a stored block with two lengths",
      "two lengths",
      4,
      Uint8Array.of(1, 4, 0, 250, 255, 1, 2, 3, 4),
    ),
    state("a match from before the beginning", "a copy of nothing", 6, deflateTooFar()),
  ];
}

/** The connections' first message begins the body stream with one wheel, entity 5. */
export function refusedBodies(): ServerCase[] {
  const begin = (script: ServerScript, tick = TICK) =>
    script.state(tick, [{
      entity: 5,
      kind: WHEEL,
      motion: [2 ** 24 - 1, 0, 0, 0, 0, 0],
      jumps: 0,
      fields: [],
    }]);
  const head: readonly Element[] = [
    ...[["flag", 3900, 1], ...NO_DELTA, ["flag", 700, 0], ["flag", 205, 0], [
      "flag",
      4088,
      1,
    ]] as Element[],
  ];
  const bodies = (about: string, because: string, elements: readonly Element[]) =>
    refused(about, because, [...head, ...elements], { begin });
  const newcomers: readonly Element[] = [["flag", 740, 0], ["flag", 2050, 1]];
  const update: readonly Element[] = [["flag", 740, 1], ["flag", 200, 0], ["flag", 8, 0]];
  const noMore: Element = ["flag", 2050, 0];
  const likelyNextId: Element = ["flag", 10, 0];
  const noJump: Element = ["flag", 16, 0];
  const atRest: readonly Element[] = [
    ...[["flag", 40, 1], ["flag", 40, 1], ["flag", 300, 1], ["flag", 300, 1]] as Element[],
    ...[["flag", 1340, 1], ["flag", 1340, 1], noJump] as Element[],
  ];
  const calm = times(2, ["flag", 1340, 1]);
  const oneMore: Element[] = [["flag", 2500, 0], ["flag", 3000, 1], ["flag", 2048, 0]];
  const rest: Element[] = [
    ["flag", 2500, 1],
    ["flag", 1340, 1],
    ["flag", 2500, 1],
    noJump,
    noMore,
    likelyNextId,
  ];
  return [
    bodies("a newcomer of a kind that the schema lacks", "kind 10", [
      ...[
        ...newcomers,
        ["varint", 0],
        ["varint", 10],
        ...atRest,
        noMore,
        likelyNextId,
      ] as Element[],
    ]),
    bodies("a newcomer with an entity of 2^32", "more ids", [
      ...[
        ...newcomers,
        ["varint", 2 ** 32 - 6],
        ["varint", WHEEL],
        ...atRest,
        noMore,
        likelyNextId,
      ] as Element[],
    ]),
    bodies("2,050 bodies", "more bodies", [
      ...newcomers,
      ...times(2048, ["varint", 0], ["varint", WHEEL], ...atRest, ["flag", 2050, 1]),
      ...[["varint", 0], ["varint", WHEEL], ...atRest, noMore, likelyNextId] as Element[],
    ]),
    bodies("a next id of 2^32", "more ids", [
      ...[["flag", 740, 0], noMore, ["flag", 10, 1], ["varint", 2 ** 32 - 7]] as Element[],
    ]),
    bodies("an error of 25 bits", "out of bounds", [...update, ...errorOf25Bits()]),
    bodies("x at 2^24", "lost", [...update, ...calm, ...oneMore, ...rest]),
    refused("another checksum", "not the server's", [
      ...[...head, ["flag", 740, 0], noMore, ["flag", 10, 0], ["bits", 16, 0x1234]] as Element[],
    ], { begin: (script) => begin(script, 29) }),
  ];
}

/**
 * The flags of a velocity's error that has more bits than there are, and 24 bits that could follow.
 */
function errorOf25Bits(): Element[] {
  const row = [1340, 70, 64, 150, 430, 850, 2080, 890, 1300, 2400];
  const flags = Array.from(
    { length: 25 },
    (_, k): Element => ["flag", row[Math.min(k, row.length - 1)]!, 0],
  );
  return [...flags, ["flag", row.at(-1)!, 1], ["flag", 2048, 0], ["bits", 24, 0]];
}
