/** A session's options, and the hello that follows from them. */
import type { Game, GameEvent, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { ClientLink, Clock } from "../../shared/netcode/link.ts";
import {
  type Hello,
  PROTOCOL_VERSION,
  type ResumeToken,
} from "../../shared/netcode/wire/messages.ts";
import type { BodyStreamSupport } from "./body_stream_client.ts";
import type { InputDelayChoice } from "./input_delay.ts";
import type { SessionDatagrams } from "./datagrams/session_datagrams.ts";
import type { PosePair } from "./session_poses.ts";

/** Where the local seat's commands come from. */
export interface CommandSource<Command> {
  /**
   * Returns the command for one tick; called once for each tick.
   * @param acknowledged the seat's newest command that the server announced; undefined before
   * the first. By that tick the game will have compared its press counters.
   */
  next(tick: Tick, acknowledged: Command | undefined): Command;
  /**
   * Returns the command that `next` would return now, for drawing, without consuming input. Without
   * this method, frames show the assumed command.
   */
  peek?(acknowledged: Command | undefined): Command;
  /**
   * Called after an NPC gave the seat's last commands: press counters must continue from the next
   * acknowledged command, and presses that did not count are sent again. Without this method, the
   * NPC's presses may count as the player's.
   * @param own the newest announced command that this source gave; undefined before the first
   */
  resume?(own: Command | undefined): void;
}

/**
 * Passes on what a session needs for datagrams. A page loads that code when this is first called.
 */
export type DatagramSupport = (use: (Datagrams: typeof SessionDatagrams) => void) => void;

export interface SessionOptions<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly game: Game<Command, Sim>;
  readonly link: ClientLink;
  readonly clock: Clock;
  readonly room: string;
  readonly name: string;
  readonly commandSource: CommandSource<Command>;
  /** Without it the session takes no datagram path, and counts no datagrams. */
  readonly datagramSupport?: DatagramSupport | undefined;
  /** Returns the input delay that the player chose; none without this option. */
  readonly inputDelay?: (() => InputDelayChoice) | undefined;
  /** How many times as long as usual the first state may take (`Attempts.patience`); default 1. */
  readonly patience?: number | undefined;
  /**
   * Whether the player cannot see the match now, so that an NPC plays and no commands are sent;
   * never without this option.
   */
  readonly isAway?: (() => boolean) | undefined;
  /** The room's options, if this client opens it (`GameOptions.choices`). */
  readonly choices?: readonly number[] | undefined;
  /** Joins as a spectator, without a seat. */
  readonly spectate?: boolean;
  /**
   * What the session needs for the body stream. The server never moves a client without it to the
   * stream.
   */
  readonly bodyStream?: BodyStreamSupport<Command> | undefined;
  /** Requests the body stream from the start. */
  readonly startOnBodyStream?: boolean;
  /** The `resume` token from a session that lost its connection, to get its seat back. */
  readonly resume?: ResumeToken | undefined;
  /**
   * Called with each step's events, in step order, resimulations included. A resimulation may
   * repeat an event; its key (tick, kind, entity) identifies it.
   */
  readonly onEvents?: (events: readonly GameEvent[], tick: Tick) => void;
  /**
   * Called when a rollback or an adopted state changed the predicted present. Both pairs are valid
   * only during the call.
   */
  readonly onCorrection?: (before: PosePair, after: PosePair) => void;
  /**
   * Gets a mistake of the game's author that ends nothing, such as a guess that throws. By default
   * the console shows it.
   */
  readonly onMistake?: (mistake: Error) => void;
}

/** "joining" until the first state and enough pongs arrived. */
export type SessionPhase = "joining" | "playing" | "closed";

/** Makes the hello for these options. */
export function helloOf<Command, Sim extends Simulation<Command>>(
  options: SessionOptions<Command, Sim>,
): Hello {
  const { game, room, name, spectate = false, resume, bodyStream, choices = [] } = options;
  const bodyStreamMode = bodyStream === undefined
    ? "no"
    : options.startOnBodyStream
    ? "chosen"
    : "able";
  return {
    type: "hello",
    protocolVersion: PROTOCOL_VERSION,
    gameId: game.id,
    room,
    name,
    spectate,
    bodyStreamMode,
    resume,
    choices,
  };
}
