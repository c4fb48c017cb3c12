/** The log of a dragon match played in the lab, for tests of what plays it again. */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { deflateRawSync } from "node:zlib";
import { LogPacker, unpackedLog } from "../../../../shared/netcode/match_log/packed_log.ts";
import { compactedRecords } from "../../../../shared/netcode/match_log/compact_log.ts";
import type { Tick } from "../../../../shared/netcode/game.ts";
import { Lab } from "../lab.ts";
import { RandomDragonControls } from "../random_controls.ts";
import { MemoryLogs } from "../../../support/logs/memory_logs.ts";
import { seededTokens } from "../../../support/seeded_secret.ts";

export interface PlayedLog {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** By tick: what the server broadcast. */
  readonly hashes: ReadonlyMap<Tick, number>;
  readonly lastTick: Tick;
}

/** A log as the server sends it to pages. */
export function packedLog(unpacked: Uint8Array): Uint8Array<ArrayBuffer> {
  const log = new Uint8Array(unpacked);
  const packer = new LogPacker(log);
  for (const payload of compactedRecords(log)) packer.add(payload);
  return packer.bytes;
}

/** The same log as a page unpacks it. */
export function compactedLog(log: Uint8Array): Uint8Array {
  return unpackedLog(packedLog(log), Infinity);
}

export interface PlayedOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly players?: number;
  readonly npcs?: number;
}

/** The log of a whole match, which ends when its players leave. */
export function playedLog({ seed, seconds, players = 2, npcs = 3 }: PlayedOptions): PlayedLog {
  const logs = new MemoryLogs();
  const newToken = seededTokens(seed);
  const lab = new Lab({ game: dragonGame, seed, npcs, logs, newToken, deflate: deflateRawSync });
  for (let i = 0; i < players; i++) {
    const name = ["Wren", "Ash"][i] ?? `Rider ${i}`;
    const commandSource = new RandomDragonControls(seed * 10 + i);
    lab.join(name, { commandSource, network: { oneWayMs: 60, jitterMs: 20 } });
  }
  lab.run(seconds);
  const lastTick = lab.match!.tick;
  for (const player of [...lab.players]) lab.leave(player);
  lab.run(0.1);
  return { bytes: logs.all[0]!.bytes.slice(), hashes: lab.definitiveHashes, lastTick };
}
