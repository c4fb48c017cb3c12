/**
 * Snapshots (WIRE 9): unpacked, hashed, taken apart and put together again, and loaded by the game.
 */
import type { DragonSimulation } from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assertEquals } from "@std/assert";
import { inflate } from "../../../../shared/netcode/wire/inflate.ts";
import { hashOfSnapshot } from "../../../../shared/netcode/wire/range_coder.ts";
import { Body } from "../../../../shared/physics/core/body_rows.ts";
import { type BodyRecord, ProjectileRecord } from "../../../../shared/physics/stage/entity.ts";
import { INTERNALS } from "../../../../shared/physics/stage/internals.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { gameOf } from "../games/games.ts";
import { meaningOfSnapshot, type SnapshotMeaning, writeSnapshot } from "../meanings/snapshot.ts";

export interface SnapshotCase extends SnapshotMeaning {
  readonly about: string;
  readonly game: string;
  /** In bytes, before packing. */
  readonly length: number;
  readonly deflated: 0 | 1;
  readonly bytes: string;
  /** 32 bits. */
  readonly hash: number;
}

export function checkSnapshot(
  { about: _, game, length, deflated, bytes: hex, hash, ...meaning }: SnapshotCase,
): void {
  const packed = Uint8Array.fromHex(hex);
  const bytes = deflated === 1 ? inflate(packed, length) : packed;
  const snapshot = new Snapshot();
  const other = new Snapshot();
  snapshot.setBytes(bytes);
  assertEquals(snapshot.length * 4, length);
  assertEquals(hashOfSnapshot(snapshot), hash);
  assertEquals(meaningOfSnapshot(snapshot, gameOf(game).schema), meaning);
  writeSnapshot(meaning, other);
  assertEquals(other.bytes().toHex(), snapshot.bytes().toHex());
  const simulation = dragonGame.start({ npcs: 0 }, 0);
  simulation.load(snapshot);
  assertEquals(entitiesOf(simulation), meaning.entities);
  simulation.save(other);
  assertEquals(other.bytes().toHex(), snapshot.bytes().toHex());
}

/** The entities of a simulation in the form of the vectors. */
function entitiesOf({ stage }: DragonSimulation): SnapshotMeaning["entities"] {
  return stage[INTERNALS].entities.records.map((record) => {
    const { id, x, y, vx, vy, teleports: jumps, compiled: { index: kind } } = record;
    const fields = Object.values(record.fields).map((value) => value >>> 0);

    if (record instanceof ProjectileRecord) {
      return {
        id,
        kind,
        age: record.ageTicks,
        bounces: record.bounces,
        jumps,
        motion: [x, y, vx, vy],
        fields,
      };
    }

    const { angle, spin, awake, values, offset } = record as BodyRecord;
    const rest = values[offset + Body.SLEEP_S]!;
    return {
      id,
      kind,
      awake: awake ? 1 : 0,
      jumps,
      motion: [x, y, angle, vx, vy, spin],
      rest,
      fields,
    };
  });
}
