/**
 * What one player's commands did on their way, as nobody in the game can know it: with the lab's own clock at both ends, and
 * without believing what client and server say of it.
 */
import type { CommandSource, Session } from "../../../client/session/session.ts";
import type { Game, Simulation, Tick } from "../../../shared/netcode/game.ts";
import { ClientMessageDecoder } from "../../../shared/netcode/wire/client_messages.ts";
import type { LocalLink } from "../links/local_link.ts";
import type { CommandArrival } from "./oracle.ts";

interface SentCommand {
  readonly tick: Tick;
  readonly atMs: number;
  /** Its lead in force beyond the one that was advised, ms. */
  readonly beyondAdviceMs: number;
  /** How many ticks before their use commands of others had to be known here. */
  readonly neededTicks: number;
}

/** How long after the join the clock may still be settling, ms. */
const CLOCK_WARM_UP_MS = 3000;

interface RecordedPlayer<Command> {
  readonly session: Session<Command, Simulation<Command>>;
  readonly far: LocalLink;
  readonly clockRate: number;
}

export interface RecorderOptions<Command> {
  readonly game: Game<Command>;
  readonly controls: CommandSource<Command>;
  readonly nowMs: () => number;
}

/** Give it as the controls when a player joins, then `attach` him. */
export class QueueRecorder<Command> implements CommandSource<Command> {
  readonly #options: RecorderOptions<Command>;
  readonly #sent: SentCommand[] = [];
  /** First arrivals, by tick. */
  readonly #arrivedMs = new Map<Tick, number>();
  #player: RecordedPlayer<Command> | undefined;

  constructor(options: RecorderOptions<Command>) {
    this.#options = options;
  }

  attach(player: RecordedPlayer<Command>): void {
    this.#player = player;
    const { command } = this.#options.game;
    const { ordered } = player.far;
    const decoder = new ClientMessageDecoder(command, player.far);
    let hasHello = false;
    player.far.tap = (bytes, reliably) => {
      // Beside datagrams only the hello is sent reliably.
      if (reliably && !ordered) return;
      // On an ordered link it is the first.
      if (ordered && !hasHello) {
        hasHello = true;
        return;
      }
      const message = decoder.decode(bytes);
      if (message.type === "command") this.#arrive(message.tick);
      else if (message.type === "commands") message.commands.forEach((_, i) => this.#arrive(message.tick - i));
    };
  }

  next(tick: Tick, acknowledged: Command | undefined): Command {
    const { leadMs, advisedLeadMs, definitiveTick } = this.#player!.session;
    const atMs = this.#options.nowMs();
    this.#sent.push({ tick, atMs, beyondAdviceMs: leadMs - advisedLeadMs, neededTicks: tick - definitiveTick });
    return this.#options.controls.next(tick, acknowledged);
  }

  /** Of all commands whose tick was due by `untilMs`. */
  arrivals({ dueMs, untilMs }: { dueMs: (tick: Tick) => number; untilMs: number }): CommandArrival[] {
    const arrivals: CommandArrival[] = [];
    for (const { tick, atMs } of this.#sent) {
      const due = dueMs(tick);
      if (due > untilMs) break;
      const arrivedMs = this.#arrivedMs.get(tick) ?? Infinity;
      arrivals.push({ dueMs: due, leadMs: due - atMs, delayMs: arrivedMs - atMs });
    }
    return arrivals;
  }

  /** How much longer commands waited than the advice meant, ms, in the mean. */
  get phaseWaitMs(): number {
    return this.#sent.reduce((sum, { beyondAdviceMs }) => sum + beyondAdviceMs, 0) / this.#sent.length;
  }

  /** By how much the client's clock ran fast or slow at most, once it had settled: 0.05 is 5 %. */
  get rateMax(): number {
    const tickMs = 1000 / this.#options.game.tickHz;
    let rateMax = 0;
    for (const [before, now] of this.#steadyPairs()) {
      const ownMs = (now.atMs - before.atMs) * this.#player!.clockRate;
      if (isJump(before, now, tickMs)) continue;
      rateMax = Math.max(rateMax, Math.abs(tickMs / ownMs - 1));
    }
    return rateMax;
  }

  /** Ticks for which no command was sent, or more than one, or two in one go, once the clock had settled. */
  get skippedTicks(): number {
    const tickMs = 1000 / this.#options.game.tickHz;
    let skipped = 0;
    for (const [before, now] of this.#steadyPairs()) {
      if (isJump(before, now, tickMs)) skipped += Math.max(1, Math.abs(now.tick - before.tick - 1));
    }
    return skipped;
  }

  /** Of each command. */
  get neededTicks(): number[] {
    return this.#sent.map(({ neededTicks }) => neededTicks);
  }

  #arrive(tick: Tick): void {
    if (!this.#arrivedMs.has(tick)) this.#arrivedMs.set(tick, this.#options.nowMs());
  }

  *#steadyPairs(): Generator<[SentCommand, SentCommand]> {
    const fromMs = (this.#sent[0]?.atMs ?? 0) + CLOCK_WARM_UP_MS;
    for (let i = 1; i < this.#sent.length; i++) {
      if (this.#sent[i - 1]!.atMs >= fromMs) yield [this.#sent[i - 1]!, this.#sent[i]!];
    }
  }
}

/** No clock that runs a few percent fast or slow does that. */
function isJump(before: SentCommand, now: SentCommand, tickMs: number): boolean {
  return now.tick !== before.tick + 1 || now.atMs - before.atMs < tickMs / 2;
}
