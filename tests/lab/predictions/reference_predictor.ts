/**
 * What a client could have known at best: a predictor that shares no line with the client's. It steps the exact physics from the
 * newest definitive state that had arrived, with every command that had arrived, and holds what was known last beyond that.
 *
 *     reference(n) = f(… f(S(received), C(received+1)) …, C(n))        all of it anew each time
 *
 * Nobody who has the same lead and hears the same news at the same time can do better without guessing at people's minds.
 */
import type { Game, PoseList, SeatId, Simulation, Tick } from "../../../shared/netcode/game.ts";
import { SEATS } from "../../../shared/netcode/game.ts";
import type { TickMessage } from "../../../shared/netcode/wire/messages.ts";
import { DownDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import type { Truth } from "./truth.ts";

/** What is older can be needed by nobody. */
const REMEMBERED_TICKS = 256;

interface Known<Command> {
  readonly tick: Tick;
  readonly command: Command;
}

/** All that one client has heard of one seat, the oldest first. */
class SeatNews<Command> {
  readonly commands: Known<Command>[] = [];
  /** Coming and going. */
  readonly changes: { readonly tick: Tick; readonly present: boolean }[] = [];

  put(tick: Tick, command: Command): void {
    let place = this.commands.length;
    while (place > 0 && this.commands[place - 1]!.tick > tick) place--;
    if (this.commands[place - 1]?.tick === tick) return;
    this.commands.splice(place, 0, { tick, command });
    if (this.commands.length > REMEMBERED_TICKS) this.commands.shift();
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

  newestUpTo(tick: Tick): Known<Command> | undefined {
    for (let i = this.commands.length - 1; i >= 0; i--) if (this.commands[i]!.tick <= tick) return this.commands[i];
    return undefined;
  }
}

export interface ReferenceOptions<Command, Sim extends Simulation<Command>> {
  readonly game: Game<Command, Sim>;
  readonly truth: Truth<Command>;
}

export class ReferencePredictor<Command, Sim extends Simulation<Command>> {
  readonly #options: ReferenceOptions<Command, Sim>;
  readonly #decoder: DownDecoder<Command>;
  readonly #news = Array.from({ length: SEATS }, () => new SeatNews<Command>());
  /** Ticks that wait for one before them. */
  readonly #heard = new Map<Tick, TickMessage<Command>>();
  /** Our own commands, sent or not. */
  readonly #intended = new Map<Tick, Command>();
  readonly #commands: (Command | undefined)[] = new Array(SEATS).fill(undefined);
  #simulation: Sim | undefined;
  #seat: SeatId | undefined;
  #received: Tick = -1;

  constructor(options: ReferenceOptions<Command, Sim>) {
    this.#options = options;
    this.#decoder = new DownDecoder(options.game.command);
  }

  /** A message from the server has arrived. */
  hear(bytes: Uint8Array): void {
    const { game } = this.#options;
    const message = this.#decoder.decode(bytes);
    switch (message.kind) {
      case "welcome":
        this.#seat = message.seat;
        this.#simulation = game.start({ npcs: message.npcs }, message.seed);
        return;
      case "tick":
        return this.#hearTick(message);
      case "ticks":
        for (const tick of message.ticks) this.#hearTick(tick);
    }
  }

  /** The client has decided what its own seat does. */
  intend(tick: Tick, command: Command): void {
    this.#intended.set(tick, command);
    this.#intended.delete(tick - REMEMBERED_TICKS);
  }

  /** Predicts `tick` from what has been heard by now. @returns whether that much is remembered */
  predict(tick: Tick, out: PoseList): boolean {
    const simulation = this.#simulation, state = this.#options.truth.stateAt(this.#received);
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
  #hearTick(message: TickMessage<Command>): void {
    if (message.tick <= this.#received) return;
    if (message.state !== undefined) this.#take(message);
    else this.#heard.set(message.tick, message);
    if (this.#received < 0) return;
    for (let next; (next = this.#heard.get(this.#received + 1)) !== undefined;) this.#take(next);
  }

  #take({ tick, presence, announcements, state }: TickMessage<Command>): void {
    for (let old = this.#received; old <= tick; old++) this.#heard.delete(old);
    this.#received = tick;
    for (const { seat, last, ticksMissing } of state?.seats ?? []) {
      const news = this.#news[seat]!;
      if (!news.isPresent(tick)) news.changes.push({ tick: tick - ticksMissing, present: true });
      if (last !== undefined) news.put(tick - ticksMissing, last);
    }
    for (const change of presence) this.#news[change.seat]!.changes.push(change);
    for (const { seat, tick, command } of announcements) this.#news[seat]!.put(tick, command);
  }

  #commandOf(seat: SeatId, tick: Tick): Command | undefined {
    const news = this.#news[seat]!;
    if (!news.isPresent(tick)) return undefined;
    const known = news.newestUpTo(tick);
    if (known?.tick === tick) return known.command;
    const intended = seat === this.#seat ? this.#newestIntended(tick, known?.tick ?? -1) : undefined;
    if (intended?.tick === tick) return intended.command;
    const last = intended ?? (known !== undefined && known.tick >= news.since(tick) ? known : undefined);
    return this.#options.game.assume(last?.command, tick - (last?.tick ?? news.since(tick) - 1));
  }

  /** After `from`, and after what is definitive: there an own command that was not announced came too late. */
  #newestIntended(tick: Tick, from: Tick): Known<Command> | undefined {
    for (let at = tick; at > Math.max(from, this.#received); at--) {
      const command = this.#intended.get(at);
      if (command !== undefined) return { tick: at, command };
    }
    return undefined;
  }
}
