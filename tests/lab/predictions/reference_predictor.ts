/**
 * What a client could have known at best: a predictor that shares no line with the client's. It steps the exact physics from the
 * newest definitive state that had arrived, with every command that had arrived, and holds what was known last beyond that.
 *
 *     reference(n) = f(… f(S(received), C(received+1)) …, C(n))        all of it anew each time
 *
 * Nobody who has the same lead and hears the same news at the same time can do better without guessing at people's minds.
 */
import type { Game, SeatId, Simulation, Tick } from "../../../shared/netcode/game.ts";
import type { PoseList } from "../../../shared/netcode/pose_list.ts";
import { SEATS } from "../../../shared/netcode/game.ts";
import type { TickMessage } from "../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import type { DefinitiveHistory } from "./definitive_history.ts";

/** What is older can be needed by nobody. */
const RETAINED_TICKS = 256;

interface KnownCommand<Command> {
  readonly tick: Tick;
  readonly command: Command;
}

/** All that one client has heard of one seat, the oldest first. */
class SeatHistory<Command> {
  readonly commands: KnownCommand<Command>[] = [];
  /** Coming and going. */
  readonly changes: { readonly tick: Tick; readonly present: boolean }[] = [];

  insert(tick: Tick, command: Command): void {
    let index = this.commands.length;
    while (index > 0 && this.commands[index - 1]!.tick > tick) index--;
    if (this.commands[index - 1]?.tick === tick) return;
    this.commands.splice(index, 0, { tick, command });
    if (this.commands.length > RETAINED_TICKS) this.commands.shift();
  }

  isPresent(tick: Tick): boolean {
    let present = false, newest = -1;
    for (const change of this.changes) {
      if (change.tick > tick || change.tick < newest) continue;
      newest = change.tick;
      present = change.present;
    }
    return present;
  }

  /** Since when it is present at `tick`. */
  since(tick: Tick): Tick {
    let since = -1;
    for (const change of this.changes) if (change.present && change.tick <= tick) since = Math.max(since, change.tick);
    return since;
  }

  newestUpTo(tick: Tick): KnownCommand<Command> | undefined {
    for (let i = this.commands.length - 1; i >= 0; i--) if (this.commands[i]!.tick <= tick) return this.commands[i];
    return undefined;
  }
}

export interface ReferenceOptions<Command, Sim extends Simulation<Command>> {
  readonly game: Game<Command, Sim>;
  readonly history: DefinitiveHistory<Command>;
}

export class ReferencePredictor<Command, Sim extends Simulation<Command>> {
  readonly #options: ReferenceOptions<Command, Sim>;
  readonly #decoder: ServerMessageDecoder<Command>;
  readonly #seats = Array.from({ length: SEATS }, () => new SeatHistory<Command>());
  /** Ticks that wait for one before them. */
  readonly #pendingTicks = new Map<Tick, TickMessage<Command>>();
  /** Our own commands, sent or not. */
  readonly #localCommands = new Map<Tick, Command>();
  readonly #commands: (Command | undefined)[] = new Array(SEATS).fill(undefined);
  #simulation: Sim | undefined;
  #seat: SeatId | undefined;
  #received: Tick = -1;

  constructor(options: ReferenceOptions<Command, Sim>) {
    this.#options = options;
    this.#decoder = new ServerMessageDecoder(options.game.command);
  }

  /** A message from the server has arrived. */
  receive(bytes: Uint8Array): void {
    const { game } = this.#options;
    const message = this.#decoder.decode(bytes);
    switch (message.type) {
      case "welcome":
        this.#seat = message.seat;
        this.#simulation = game.start({ npcs: message.npcs }, message.seed);
        return;
      case "tick":
        return this.#receiveTick(message);
      case "ticks":
        for (const tick of message.ticks) this.#receiveTick(tick);
    }
  }

  /** The client has decided what its own seat does. */
  setLocalCommand(tick: Tick, command: Command): void {
    this.#localCommands.set(tick, command);
    this.#localCommands.delete(tick - RETAINED_TICKS);
  }

  /** Predicts `tick` from what has been heard by now. @returns whether that much is remembered */
  predict(tick: Tick, out: PoseList): boolean {
    const simulation = this.#simulation, state = this.#options.history.stateAt(this.#received);
    if (simulation === undefined || state === undefined) return false;
    simulation.load(state);
    for (let next = this.#received + 1; next <= tick; next++) {
      for (let seat = 0; seat < SEATS; seat++) this.#commands[seat] = this.#commandOf(seat, next);
      simulation.step(this.#commands);
    }
    simulation.poses(out);
    return true;
  }

  /** Ticks are taken in order. A state comes by a stream of its own, and ticks that follow it may overtake it. */
  #receiveTick(message: TickMessage<Command>): void {
    if (message.tick <= this.#received) return;
    if (message.state !== undefined) this.#applyTick(message);
    else this.#pendingTicks.set(message.tick, message);
    if (this.#received < 0) return;
    for (let next; (next = this.#pendingTicks.get(this.#received + 1)) !== undefined;) this.#applyTick(next);
  }

  #applyTick({ tick, presence, announcements, state }: TickMessage<Command>): void {
    for (let old = this.#received; old <= tick; old++) this.#pendingTicks.delete(old);
    this.#received = tick;
    for (const { seat, last, ticksMissing } of state?.seats ?? []) {
      const history = this.#seats[seat]!;
      if (!history.isPresent(tick)) history.changes.push({ tick: tick - ticksMissing, present: true });
      if (last !== undefined) history.insert(tick - ticksMissing, last);
    }
    for (const change of presence) this.#seats[change.seat]!.changes.push(change);
    for (const { seat, tick, command } of announcements) this.#seats[seat]!.insert(tick, command);
  }

  #commandOf(seat: SeatId, tick: Tick): Command | undefined {
    const history = this.#seats[seat]!;
    if (!history.isPresent(tick)) return undefined;
    const known = history.newestUpTo(tick);
    if (known?.tick === tick) return known.command;
    const local = seat === this.#seat ? this.#newestLocalCommand(tick, known?.tick ?? -1) : undefined;
    if (local?.tick === tick) return local.command;
    const last = local ?? (known !== undefined && known.tick >= history.since(tick) ? known : undefined);
    return this.#options.game.assume(last?.command, tick - (last?.tick ?? history.since(tick) - 1));
  }

  /** After `from`, and after what is definitive: there an own command that was not announced came too late. */
  #newestLocalCommand(tick: Tick, from: Tick): KnownCommand<Command> | undefined {
    for (let at = tick; at > Math.max(from, this.#received); at--) {
      const command = this.#localCommands.get(at);
      if (command !== undefined) return { tick: at, command };
    }
    return undefined;
  }
}
