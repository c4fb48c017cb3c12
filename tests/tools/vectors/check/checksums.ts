/** The hash of words (WIRE 9), and the checksum of bodies (WIRE 8.4). */
import { assertEquals } from "@std/assert";
import { hashOfWords } from "../../../../shared/netcode/wire/range_coder.ts";
import { bodyChecksum } from "../../../../shared/netcode/wire/body_checksum.ts";
import { BaselineMap, type BodyBaselines } from "../../../../shared/netcode/wire/quantized_body.ts";
import { gameOf } from "../games/games.ts";
import { type Motion, motionOf, quantizedOf } from "../meanings/sent_bodies.ts";

export interface WordsCase {
  readonly about: string;
  readonly words: readonly number[];
  readonly hash: number;
}

/** A known body with all of its numbers. */
export interface KnownBody {
  readonly entity: number;
  readonly kind: number;
  /** The tick in which it was sent. */
  readonly tick: number;
  readonly motion?: Motion;
  readonly jumps?: number;
  readonly fields: readonly number[];
}

export interface BodiesCase {
  readonly about: string;
  readonly game: string;
  readonly tick: number;
  readonly bodies: readonly KnownBody[];
  readonly checksum: number;
}

/** @param bodies ascending by entity */
export function checksumOf({ game, tick, bodies }: Omit<BodiesCase, "about" | "checksum">): number {
  const baselines = new BaselineMap(
    bodies.map((body) => [body.entity, quantizedOf(body, body.tick)]),
  );
  return bodyChecksum(baselines, tick, gameOf(game).model);
}

/** The known bodies of a game in the form of the vectors. */
export function knownBodiesOf(game: string, bodies: BodyBaselines): KnownBody[] {
  const { model } = gameOf(game);
  return [...bodies].map(([entity, body]) => {
    const { schemaIndex: kind, tick, teleports: jumps, fieldBits: fields } = body;
    return {
      entity,
      kind,
      tick,
      ...(model.schema(kind).moves && { motion: motionOf(body), jumps }),
      fields,
    };
  });
}

export function checkChecksum(each: WordsCase | BodiesCase): void {
  if ("words" in each) assertEquals(hashOfWords(each.words, each.words.length), each.hash);
  else assertEquals(checksumOf(each), each.checksum);
}
