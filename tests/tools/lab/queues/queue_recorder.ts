/**
 * Records one player's command delays by the lab's clock at both ends, independently of what client
 * and server measure.
 */
import type { CommandSource, Session } from "../../../../client/session/session.ts";
import type { Game, Simulation, Tick } from "../../../../shared/netcode/game.ts";
import { ClientMessageDecoder } from "../../../../shared/netcode/wire/client_messages.ts";
import type { LocalLink } from "../../../../shared/netcode/simulated_network/local_link.ts";
import type { CommandArrival } from "./oracle.ts";

interface SentCommand {
  readonly tick: Tick;
  readonly atMs: number;
  /** The lead in force minus the advised lead, ms. */
  readonly beyondAdviceMs: number;
  /** How many ticks before their use this client needed the others' commands. */
  readonly neededTicks: number;
}

/** How long after the join the clock may still converge, ms. */
const CLOCK_WARM_UP_MS = 3000;

interface RecordedPlayer<Command> {
  readonly session: Session<Command, Simulation<Command>>;
  readonly serverEnd: LocalLink;
  readonly clockRate: number;
}

export interface RecorderOptions<Command> {
  readonly game: Game<Command>;
  readonly controls: CommandSource<Command>;
  readonly nowMs: () => number;
}

/** Pass it as the command source of a new player, then `attach` the player. */
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
    const { ordered } = player.serverEnd;
    const decoder = new ClientMessageDecoder(command, player.serverEnd);
    let hasHello = false;
    player.serverEnd.tap = (bytes, reliably) => {
      // Beside datagrams, only the hello is sent reliably.
      if (reliably && !ordered) return;
      // On a reliable link the hello is the first message.
      if (ordered && !hasHello) {
        hasHello = true;
        return;
      }
      const message = decoder.decode(bytes);
      if (message.type === "command") this.#arrive(message.tick);
      else if (message.type === "commands") {
        message.commands.forEach((_, i) => this.#arrive(message.tick - i));
      }
    };
  }

  next(tick: Tick, acknowledged: Command | undefined): Command {
    const { leadMs, advisedLeadMs, definitiveTick } = this.#player!.session;
    const atMs = this.#options.nowMs();
    this.#sent.push({
      tick,
      atMs,
      beyondAdviceMs: leadMs - advisedLeadMs,
      neededTicks: tick - definitiveTick,
    });
    return this.#options.controls.next(tick, acknowledged);
  }

  /** When all commands arrived that were due by `untilMs`. */
  arrivals(
    { dueMs, untilMs }: { dueMs: (tick: Tick) => number; untilMs: number },
  ): CommandArrival[] {
    const arrivals: CommandArrival[] = [];
    for (const { tick, atMs } of this.#sent) {
      const due = dueMs(tick);
      if (due > untilMs) break;
      const arrivedMs = this.#arrivedMs.get(tick) ?? Infinity;
      arrivals.push({ dueMs: due, leadMs: due - atMs, delayMs: arrivedMs - atMs });
    }
    return arrivals;
  }

  /** The mean of the lead in force minus the advised lead, ms. */
  get phaseWaitMs(): number {
    return this.#sent.reduce((sum, { beyondAdviceMs }) => sum + beyondAdviceMs, 0) /
      this.#sent.length;
  }

  /** The client clock's largest rate error after its warm-up: 0.05 is 5 %. */
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

  /** Ticks after the warm-up without a command, with more than one, or with two sent at once. */
  get skippedTicks(): number {
    const tickMs = 1000 / this.#options.game.tickHz;
    let skipped = 0;
    for (const [before, now] of this.#steadyPairs()) {
      if (isJump(before, now, tickMs)) skipped += Math.max(1, Math.abs(now.tick - before.tick - 1));
    }
    return skipped;
  }

  /** By command: how many ticks before their use the others' commands were needed. */
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

/** True if clocks that run a few percent fast or slow cannot explain the two commands. */
function isJump(before: SentCommand, now: SentCommand, tickMs: number): boolean {
  return now.tick !== before.tick + 1 || now.atMs - before.atMs < tickMs / 2;
}
