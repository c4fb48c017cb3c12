/**
 * The recorder of a match that a page hosts. Its log is a file that players pass on, so it has no
 * tokens: in a room that still goes on, each of them gives a player's seat away.
 */
import {
  MatchRecorder,
  type RecordedState,
  type RecordedTick,
} from "../../server/match/match_recorder.ts";
import type { LoggedPlayer } from "../../shared/netcode/match_log/records.ts";

/** What stands in place of each token, which a log's records need. */
const NO_TOKEN = "0".repeat(32);

export class KeptLogRecorder<Command> extends MatchRecorder<Command> {
  override state(recorded: RecordedTick<Command>): Promise<void> | undefined {
    return super.state({ ...recorded, joinState: () => stripped(recorded.joinState()) });
  }

  override seat(player: LoggedPlayer): void {
    super.seat(withoutTokens(player));
  }
}

function stripped<Command>(
  state: RecordedState<Command> | undefined,
): RecordedState<Command> | undefined {
  return state && { ...state, players: state.players.map(withoutTokens) };
}

function withoutTokens({ seat, identity, entersAt }: LoggedPlayer): LoggedPlayer {
  return { seat, tokenHashes: [NO_TOKEN], identity, entersAt };
}
