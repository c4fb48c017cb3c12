/**
 * A player without a screen for any game, which gives the commands that an NPC on its seat would
 * give.
 */
import type { Game, SeatId, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { CommandSource } from "../session/session.ts";

/** What a bot reads from a session. */
export interface BotPerception<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly seat: SeatId;
  readonly simulation: Sim | undefined;
}

/** A bot for a game. */
export interface BotPlayer<Command, Sim extends Simulation<Command> = Simulation<Command>>
  extends CommandSource<Command> {
  /** Attaches the bot to a session; until then it keeps still. */
  attach(perception: BotPerception<Command, Sim>): void;
}

/**
 * How many queued commands to keep; a client that fell behind by more ticks catches up without the
 * older ones.
 */
const QUEUED_MAX = 64;

export class NpcBot<Command> implements BotPlayer<Command> {
  readonly #neutral: Command;
  #perception: BotPerception<Command> | undefined;
  /** Commands for ticks that are not simulated yet, the oldest first. */
  #queued: { readonly tick: Tick; readonly command: Command }[] = [];

  constructor(game: Pick<Game<Command>, "command">) {
    this.#neutral = game.command.neutral;
  }

  attach(perception: BotPerception<Command>): void {
    this.#perception = perception;
  }

  /** Lets the NPC decide, from the newest predicted state and the commands that follow it. */
  next(tick: Tick): Command {
    const { seat, simulation } = this.#perception ?? { seat: -1, simulation: undefined };
    if (simulation === undefined || seat < 0) return this.#neutral;
    this.#queued = this.#queued.filter((each) => each.tick > simulation.tick && each.tick < tick)
      .slice(-QUEUED_MAX);
    const command = simulation.npcCommand(seat, this.#queued.map((each) => each.command));
    this.#queued.push({ tick, command });
    return command;
  }
}
