import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { FrameReader } from "../../../shared/netcode/match_log/frames.ts";
import { RecordWriter } from "../../../shared/netcode/match_log/record_coder.ts";
import { headerOf } from "../../../shared/netcode/match_log/replayed_log.ts";

/** The log of a match of the dragon game with another header: of another room, of other rules. */
export function logWithHeader(
  bytes: Uint8Array,
  changed: {
    readonly key?: string;
    readonly gameId?: string;
    readonly room?: string;
    readonly startedAt?: number;
  },
): Uint8Array {
  const { type: _, version: __, ...header } = headerOf(bytes);
  const frames = new FrameReader(bytes);
  frames.next();
  const own = new RecordWriter(dragonGame.command, 1).header({ ...header, ...changed });
  return new Uint8Array([...own, ...bytes.subarray(frames.offset)]);
}
