/** Vectors of checksums: the hash of words, and the bodies that a client of each game knows. */
import { hashOfWords } from "../../../../shared/netcode/wire/range_coder.ts";
import { Random } from "../../../../shared/random.ts";
import {
  type BodiesCase,
  checksumOf,
  knownBodiesOf,
  type KnownBody,
  type WordsCase,
} from "../check/checksums.ts";
import { dragons } from "../games/dragons.ts";
import { marbles } from "../games/marbles.ts";
import type { VectorGame } from "../games/vector_game.ts";
import { ServerReader } from "../meanings/server_reader.ts";
import type { MatchRecordings } from "./recorded/dragon_match.ts";
import { marbleStream } from "./scripted/marble_bodies.ts";

const WORDS: readonly (readonly number[])[] = [
  [],
  [0],
  [1],
  [0, 0],
  [2 ** 32 - 1],
  [2 ** 31],
  [2 ** 31 - 1, 2 ** 31],
  [1, 2, 3, 4, 5, 6, 7, 8, 9],
  [0x12345678, 0x9abcdef0],
];
const RANDOM_WORDS = [1, 3, 16, 100];
/** How many messages the client has read when its bodies are taken. */
const DRAGON_MESSAGES = [60, 150];
const MARBLE_MESSAGES = [8, 24, 66];

/** All cases of `checksums.json`. */
export function checksumCases({ streaming }: MatchRecordings): (WordsCase | BodiesCase)[] {
  const random = new Random(1330);
  const randomWords = RANDOM_WORDS.map((length) => Array.from({ length }, () => random.bits()));
  const marbleMessages = marbleStream();
  return [
    ...[...WORDS, ...randomWords].map((words) => ({
      about: `${words.length} words`,
      words,
      hash: hashOfWords(words, words.length),
    })),
    bodiesCase("no bodies", marbles, { tick: 30, bodies: [] }),
    ...DRAGON_MESSAGES.flatMap((count) =>
      knownAfter(dragons, streaming.fromServer.slice(0, count))
    ),
    ...MARBLE_MESSAGES.flatMap((count) => knownAfter(marbles, marbleMessages.slice(0, count))),
  ];
}

function bodiesCase(
  about: string,
  { schema: { id } }: VectorGame,
  { tick, bodies }: { tick: number; bodies: readonly KnownBody[] },
): BodiesCase {
  return { about, game: id, tick, bodies, checksum: checksumOf({ game: id, tick, bodies }) };
}

/** The bodies after some messages, in the newest of their ticks and much later. */
function knownAfter(game: VectorGame, messages: readonly Uint8Array[]): BodiesCase[] {
  const reader = new ServerReader(game);
  for (const message of messages) reader.read(message);
  const bodies = knownBodiesOf(game.schema.id, reader.bodies);
  const newest = Math.max(...bodies.map(({ tick }) => tick));
  return [0, 7, 400].map((later) =>
    bodiesCase(`after ${messages.length} messages`, game, { tick: newest + later, bodies })
  );
}
