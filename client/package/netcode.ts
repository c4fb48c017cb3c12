/**
 * `wyvern/netcode`: rollback for a simulation of your own. `Game` and `Simulation` are the contract,
 * `Timeline` and `Predictor` the parts that a session is made of.
 *
 *     S(n) = f( S(n−1), C(n) )      f is your `step`, S a `Snapshot`, C one command per seat
 */
export {
  type ChoiceWords,
  type Codec,
  type CommandFieldSchema,
  type Commands,
  type Game,
  type GameBodies,
  type GameDescription,
  type GameEvent,
  type GameOptions,
  type GameRounds,
  type Guesser,
  type NpcRandom,
  PLAYER_SEATS,
  type PlayerCounts,
  type RoundResult,
  type SeatId,
  SEATS,
  type Simulation,
  type Tick,
} from "../../shared/netcode/game.ts";
export { type Pose, PoseList } from "../../shared/netcode/pose_list.ts";
export { Snapshot, SnapshotError } from "../../shared/snapshot.ts";
export { checkCodec, CodecError } from "../../shared/netcode/codec_check.ts";
export {
  buttonCoder,
  directionCoder,
  type FieldCoder,
  fieldCoderOf,
  pressesCoder,
} from "../../shared/netcode/wire/command_fields.ts";
export {
  type Coder,
  CodeReader,
  CodeWriter,
  hashOfSnapshot,
  WireError,
} from "../../shared/netcode/wire/range_coder.ts";
export { type SeatRecord, Timeline } from "../../shared/netcode/timeline.ts";
export { Predictor, type PredictorOptions } from "../session/predictor.ts";
export { TwinCheck } from "../../shared/netcode/twin_check.ts";
export { hashOf as hashOfNumbers, Random } from "../../shared/random.ts";
export { hashOf } from "../../shared/package/renamed.ts";
