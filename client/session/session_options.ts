/** What a session needs from whoever opens it. */
import type { Game, GameEvent, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { Clock, Link } from "../../shared/netcode/link.ts";
import { type Hello, PROTOCOL_VERSION, type ResumeToken } from "../../shared/netcode/wire/messages.ts";
import type { BodyStreamSupport } from "./body_stream_client.ts";
import type { PosePair } from "./session_poses.ts";

/** Who decides what the own seat does. */
export interface CommandSource<Command> {
  /**
   * The command for one tick.
   * @param acknowledged the seat's newest command that the server has announced: what the game will have seen of our press
   * counters by then; undefined before the first
   */
  next(tick: Tick, acknowledged: Command | undefined): Command;
  /** What `next` would give now, for drawing: it takes nothing and tells nobody. Without it the last command is drawn on. */
  peek?(acknowledged: Command | undefined): Command;
}

export interface SessionOptions<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly game: Game<Command, Sim>;
  readonly link: Link;
  readonly clock: Clock;
  readonly room: string;
  readonly name: string;
  readonly commandSource: CommandSource<Command>;
  /** Wants no seat, only to see. */
  readonly spectate?: boolean;
  /** For the state stream; who has none is never put on it. */
  readonly bodyStream?: BodyStreamSupport<Command> | undefined;
  /** Wants the state stream from the beginning. */
  readonly startOnBodyStream?: boolean;
  /** `resume` of a session whose line was lost: to have its seat again. */
  readonly resume?: ResumeToken | undefined;
  /** Called with what happened in each step, also of a resimulation, in the order of steps: who shows it tells them by their key. */
  readonly onEvents?: (events: readonly GameEvent[], tick: Tick) => void;
  /** Called when a rollback or an adopted state has changed the present. Both pairs are only valid during the call. */
  readonly onCorrection?: (before: PosePair, after: PosePair) => void;
}

/** "joining" until the first state and the round trips are there. */
export type SessionPhase = "joining" | "playing" | "closed";

/** How a session introduces itself. */
export function helloOf<Command, Sim extends Simulation<Command>>(options: SessionOptions<Command, Sim>): Hello {
  const { game, room, name, spectate = false, resume, bodyStream } = options;
  const bodyStreamMode = bodyStream === undefined ? "no" : options.startOnBodyStream ? "chosen" : "able";
  return {
    type: "hello",
    protocolVersion: PROTOCOL_VERSION,
    gameId: game.id,
    room,
    name,
    spectate,
    bodyStreamMode,
    resume,
  };
}
