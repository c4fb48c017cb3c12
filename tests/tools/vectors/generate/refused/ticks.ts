/** Ticks and datagrams that a client must refuse. */
import { assertGreater } from "@std/assert";
import { type Element, writeElements } from "../../check/coder.ts";
import {
  FULL_ADVICE,
  HASH,
  MORE_PRESENCE,
  NO_DELTA,
  NO_PRESENCE,
  refused,
  type ServerCase,
  silent,
  textOf,
  TICK,
  times,
} from "./message_parts.ts";

const KIND_TICK: Element = ["flag", 3900, 1];
/** A tick's end without a pong and without bodies; and one without new advice, too. */
const NOTHING_MORE: readonly Element[] = [["flag", 205, 0], ["flag", 8, 0]];
const END: readonly Element[] = [["flag", 700, 0], ...NOTHING_MORE];
/** A change of presence up to its tick, which follows. */
const CHANGE: readonly Element[] = [MORE_PRESENCE, ["bits", 5, 3]];
const DATAGRAM_BYTES_MAX = 1200;

const KIND_EARLY: readonly Element[] = [["flag", 3900, 0], ["bits", 3, 4]];
const KIND_NOTICE: readonly Element[] = [["flag", 3900, 0], ["bits", 3, 5]];
const NO_EARLY: readonly Element[] = times(16, ["flag", 300, 0]);

export function refusedTicks(): ServerCase[] {
  const tick = [KIND_TICK, ...NO_DELTA, ...END];
  const five = [0, 0, 0, 0, 0];
  const nothing = { begin: () => {} };
  const kind: Element[] = [["flag", 3900, 0], ["bits", 3, 0], ["flag", 2048, 0]];
  const welcome: Element[] = [...kind, ...times(4, ["bits", 32, 0]), ["bits", 5, 0], [
    "bits",
    32,
    0,
  ]];
  const pong: Element[] = [["flag", 3900, 0], ["bits", 3, 1], ["bits", 8, 1], ["varint", 9], [
    "bits",
    10,
    3,
  ]];
  const offer: Element[] = [
    ["flag", 3900, 0],
    ["bits", 3, 6],
    ["bits", 16, 8080],
    ...times(4, ["bits", 32, 0]),
  ];
  offer.push(["flag", 2048, 0]);
  const resume: Element[] = [
    ["flag", 3900, 0],
    ["bits", 3, 7],
    ["varint", 9],
    ...times(32, ["flag", 64, 0]),
  ];
  resume.push(...FULL_ADVICE);
  const withMore = (elements: readonly Element[]) =>
    Uint8Array.from([...writeElements(elements), ...five]);
  return [
    refused("no bytes", "empty", new Uint8Array(0)),
    refused("four bytes of 255", "nobody", new Uint8Array(4).fill(255)),
    refused("a tick before the first state", "before the first state", tick, nothing),
    refused("a tick after tick 2^31 − 1", "tick 2147483648", tick, {
      begin: (script) => script.state(2 ** 31 - 1, null),
    }),
    refused("a tick with five bytes more", "more bytes", withMore(tick)),
    refused(
      "a welcome with five bytes more",
      "more bytes",
      withMore([...welcome, ["bits", 4, 0]]),
      nothing,
    ),
    refused(
      "a welcome with nine choices",
      "more choices",
      [...welcome, ["bits", 4, 9], ...times(9, ["bits", 8, 0])],
      nothing,
    ),
    refused("a pong with five bytes more", "more bytes", withMore(pong), nothing),
    refused("an offer with five bytes more", "more bytes", withMore(offer), nothing),
    refused("a resume with five bytes more", "more bytes", withMore(resume), nothing),
    refused(
      "a resume at tick 2^31",
      "tick 2147483648",
      [["flag", 3900, 0], ["bits", 3, 7], ["varint", 2 ** 31]],
      nothing,
    ),
    refused(
      "a notice of 241 bytes",
      "240 are",
      [...KIND_NOTICE, ...textOf(...new Array<number>(241).fill(97))],
      nothing,
    ),
    refused(
      "a notice with five bytes more",
      "more bytes",
      withMore([...KIND_NOTICE, ...textOf(97)]),
      nothing,
    ),
    refused(
      "early announcements before the first state",
      "before the first state",
      [...KIND_EARLY, ...NO_EARLY],
      nothing,
    ),
    refused("an early announcement for a tick that is over", "announced before", [
      ...KIND_EARLY,
      ...[["flag", 300, 1], ["near", 10, 4030, 9]] as Element[],
    ], { begin: (script) => script.state(9, null) }),
    ...refusedPresence(),
    ...refusedAnnouncements(),
    ...refusedAdvice(),
  ];
}

function refusedPresence(): ServerCase[] {
  const presence = (about: string, because: string, elements: readonly Element[]) =>
    refused(about, because, [KIND_TICK, HASH, ...elements, NO_PRESENCE, ...silent(32), ...END]);
  const enters: readonly Element[] = [...CHANGE, ["varint", 1], ["flag", 2048, 1]];
  return [
    presence(
      "65 changes of presence",
      "presence",
      times(65, ...CHANGE, ["varint", 1], ["flag", 2048, 0]),
    ),
    presence("a change of presence in tick 2^31", "tick 2147483648", [
      ...CHANGE,
      ...[["varint", 2 ** 31 - TICK - 1], ["flag", 2048, 0]] as Element[],
    ]),
    presence("a name of 97 bytes", "96 are", [
      ...enters,
      ...textOf(...new Array<number>(97).fill(97)),
    ]),
    presence("a name that is not UTF-8", "UTF-8", [...enters, ...textOf(97, 0xc3)]),
  ];
}

/** All are of seat 0. */
function refusedAnnouncements(): ServerCase[] {
  const announce = (
    likely: number,
    tick: number,
  ): Element[] => [["near", likely, 4030, tick], ["flag", 3350, 1]];
  const announcements = (about: string, because: string, list: readonly Element[][]) =>
    refused(about, because, [
      ...[KIND_TICK, HASH, NO_PRESENCE, ["flag", 12, 1]] as Element[],
      ...list.flatMap((
        each,
        i,
      ): Element[] => [...each, ["flag", 120, i < list.length - 1 ? 1 : 0]]),
      ...silent(31),
      ...END,
    ]);
  return [
    announcements(
      "66 announcements of one seat",
      "more announcements",
      Array.from({ length: 66 }, (_, i) => announce(TICK + 1 + i, TICK + 1 + i)),
    ),
    announcements("an announcement for the tick before the message's", "tick 20 announced", [
      announce(TICK + 1, TICK),
    ]),
    announcements("an announcement for tick 2^31", "tick 2147483648", [
      announce(TICK + 1, 2 ** 31),
    ]),
  ];
}

function refusedAdvice(): ServerCase[] {
  const advice = (about: string, because: string, [slack, lead]: readonly [number, number]) =>
    refused(about, because, [
      KIND_TICK,
      ...NO_DELTA,
      ...[["flag", 700, 1], ["signed", slack], ["signed", lead]] as Element[],
      ...NOTHING_MORE,
    ]);
  return [
    advice("a slack of 2,048 ms", "a slack", [2048, 0]),
    advice("a slack of −2,049 ms", "a slack", [-2049, 0]),
    advice("an advised lead of 16,384", "a lead", [0, 16_384]),
    advice("an advised lead of −1", "a lead", [0, -1]),
  ];
}

export function refusedDatagrams(): ServerCase[] {
  const datagram = (about: string, because: string, bytes: Uint8Array | readonly Element[]) =>
    refused(about, because, bytes, { link: "datagram" });
  const ticks = (newest: number, ...deltas: (readonly Element[])[]): Element[] => [
    ...[["flag", 3900, 0], ["bits", 3, 3], ["varint", newest], [
      "bits",
      5,
      deltas.length - 1,
    ]] as Element[],
    ...deltas.flat(),
    ...[...FULL_ADVICE, ["flag", 4000, 0], ["flag", 256, 0]] as Element[],
  ];
  const longName = textOf(...new Array<number>(96).fill(97));
  const long = [
    HASH,
    ...CHANGE,
    ["varint", 1],
    ["flag", 2048, 1],
    ...longName,
    NO_PRESENCE,
    ...silent(32),
  ] as Element[];
  const tooLong = writeElements(ticks(60, ...Array.from({ length: 14 }, () => long)));
  assertGreater(tooLong.length, DATAGRAM_BYTES_MAX);
  return [
    datagram("a datagram of more than 1,200 bytes", "bytes of ticks", tooLong),
    datagram("three ticks up to tick 2", "3 ticks up to 2", ticks(2, NO_DELTA, NO_DELTA, NO_DELTA)),
    datagram("a newest tick of 2^31", "tick 2147483648", ticks(2 ** 31, NO_DELTA)),
    datagram("arrivals up to tick −1", "tick -1", [
      ...ticks(20, NO_DELTA).slice(0, -2),
      ...[["flag", 4000, 1], ["near", 21, 2500, -1]] as Element[],
    ]),
    datagram(
      "a datagram with five bytes more",
      "more bytes",
      Uint8Array.from([...writeElements(ticks(21, NO_DELTA)), 0, 0, 0, 0, 0]),
    ),
  ];
}
