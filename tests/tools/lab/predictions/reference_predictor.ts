/**
 * The reference predictor shares no line of code with the client's. It steps the exact physics from
 * the newest definitive state received, with every command received, and with guessed or assumed
 * commands beyond them.
 *
 *     reference(n) = f(… f(S(received), C(received+1)) …, C(n))        all of it anew each time
 *
 * With the same lead and the same messages, a predictor can do better only if it guesses the
 * players' next commands better. The guesses are those of the client's game.
 */
import type { Game, Guesser, SeatId, Simulation, Tick } from "../../../../shared/netcode/game.ts";
import type { PoseList } from "../../../../shared/netcode/pose_list.ts";
import { PLAYER_SEATS, SEATS } from "../../../../shared/netcode/game.ts";
import type { TickMessage } from "../../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import type { DefinitiveHistory } from "./definitive_history.ts";

/** Comparisons do not need older ticks. */
const RETAINED_TICKS = 256;

/** A guess that fails is a mistake of the game under test. */
function fail(mistake: Error): never {
  throw mistake;
}

interface KnownCommand<Command> {
  readonly tick: Tick;
  readonly command: Command;
}

/** All commands and presence of one seat that a client has received, oldest first. */
class SeatHistory<Command> {
  readonly commands: KnownCommand<Command>[] = [];
  /** Changes in presence. */
  readonly changes: { readonly tick: Tick; readonly present: boolean }[] = [];
  /** Undefined if unknown commands are assumed. */
  guesser: Guesser<Command> | undefined;

  insert(tick: Tick, command: Command): void {
    let index = this.commands.length;
    while (index > 0 && this.commands[index - 1]!.tick > tick) index--;
    if (this.commands[index - 1]?.tick === tick) return;
    if (index === this.commands.length) this.guesser?.learn(tick, command);
    this.commands.splice(index, 0, { tick, command });
    if (this.commands.length > RETAINED_TICKS) this.commands.shift();
  }

  isPresent(tick: Tick): boolean {
    let present = false;
    let newest = -1;
    for (const change of this.changes) {
      if (change.tick > tick || change.tick < newest) continue;
      newest = change.tick;
      present = change.present;
    }
    return present;
  }

  /** The tick of the newest entry up to `tick`; -1 if there is none. */
  since(tick: Tick): Tick {
    let since = -1;
    for (const change of this.changes) {
      if (change.present && change.tick <= tick) since = Math.max(since, change.tick);
    }
    return since;
  }

  newestUpTo(tick: Tick): KnownCommand<Command> | undefined {
    for (let i = this.commands.length - 1; i >= 0; i--) {
      if (this.commands[i]!.tick <= tick) return this.commands[i];
    }
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
  /** Ticks that wait for an earlier tick. */
  readonly #pendingTicks = new Map<Tick, TickMessage<Command>>();
  /** The client's own commands, sent or not. */
  readonly #localCommands = new Map<Tick, Command>();
  readonly #commands: (Command | undefined)[] = new Array(SEATS).fill(undefined);
  #simulation: Sim | undefined;
  #seat: SeatId | undefined;
  #received: Tick = -1;

  constructor(options: ReferenceOptions<Command, Sim>) {
    this.#options = options;
    this.#decoder = new ServerMessageDecoder(options.game.command);
  }

  /** Receives a message from the server. */
  receive(bytes: Uint8Array): void {
    const { game } = this.#options;
    const message = this.#decoder.decode(bytes);

    switch (message.type) {
      case "welcome":
        this.#seat = message.seat;
        this.#simulation = game.start(
          { npcs: message.npcs, choices: message.choices },
          message.seed,
        );
        return;
      case "early":
        for (const { seat, tick, command } of message.announcements) {
          this.#seats[seat]!.insert(tick, command);
        }
        return;
      case "tick":
        return this.#receiveTick(message);
      case "ticks":
        for (const tick of message.ticks) this.#receiveTick(tick);
    }
  }

  /** Sets the client's own command for a tick. */
  setLocalCommand(tick: Tick, command: Command): void {
    this.#localCommands.set(tick, command);
    this.#localCommands.delete(tick - RETAINED_TICKS);
  }

  /**
   * Predicts the poses at `tick` from all messages so far.
   * @returns false if the state received is no longer retained
   */
  predict(tick: Tick, out: PoseList): boolean {
    const simulation = this.#simulation;
    const state = this.#options.history.stateAt(this.#received);
    if (simulation === undefined || state === undefined) return false;
    simulation.load(state);
    for (let next = this.#received + 1; next <= tick; next++) {
      for (let seat = 0; seat < SEATS; seat++) this.#commands[seat] = this.#commandOf(seat, next);
      simulation.step(this.#commands);
    }
    simulation.poses(out);
    return true;
  }

  /** Applies ticks in order. States use the reliable channel, so later ticks may overtake them. */
  #receiveTick(message: TickMessage<Command>): void {
    if (message.tick <= this.#received) return;
    if (message.state !== undefined) this.#applyTick(message);
    else this.#pendingTicks.set(message.tick, message);
    if (this.#received < 0) return;
    for (let next; (next = this.#pendingTicks.get(this.#received + 1)) !== undefined;) {
      this.#applyTick(next);
    }
  }

  #applyTick({ tick, presence, announcements, state }: TickMessage<Command>): void {
    for (let old = this.#received; old <= tick; old++) this.#pendingTicks.delete(old);
    this.#received = tick;
    for (const { seat, last, ticksMissing } of state?.seats ?? []) {
      const history = this.#seats[seat]!;
      if (!history.isPresent(tick)) {
        this.#changePresence({ seat, tick: tick - ticksMissing, present: true });
      }
      if (last !== undefined) history.insert(tick - ticksMissing, last);
    }
    for (const change of presence) this.#changePresence(change);
    for (const { seat, tick, command } of announcements) this.#seats[seat]!.insert(tick, command);
  }

  #changePresence({ seat, tick, present }: { seat: SeatId; tick: Tick; present: boolean }): void {
    const history = this.#seats[seat]!;
    const isGuessed = seat < PLAYER_SEATS && seat !== this.#seat;
    history.changes.push({ tick, present });
    if (present) history.guesser = isGuessed ? this.#options.game.newGuesser?.(fail) : undefined;
  }

  #commandOf(seat: SeatId, tick: Tick): Command | undefined {
    const history = this.#seats[seat]!;
    if (!history.isPresent(tick)) return undefined;
    const known = history.newestUpTo(tick);
    if (known?.tick === tick) return known.command;
    const local = seat === this.#seat
      ? this.#newestLocalCommand(tick, known?.tick ?? -1)
      : undefined;
    if (local?.tick === tick) return local.command;
    const last = local ??
      (known !== undefined && known.tick >= history.since(tick) ? known : undefined);
    const ticksMissing = tick - (last?.tick ?? history.since(tick) - 1);
    return (history.guesser?.guess(last?.command, ticksMissing)) ??
      this.#options.game.assume(last?.command, ticksMissing);
  }

  /**
   * The newest own command after `from` and after the definitive ticks, among which an own command
   * that was not announced was late.
   */
  #newestLocalCommand(tick: Tick, from: Tick): KnownCommand<Command> | undefined {
    for (let at = tick; at > Math.max(from, this.#received); at--) {
      const command = this.#localCommands.get(at);
      if (command !== undefined) return { tick: at, command };
    }
    return undefined;
  }
}
