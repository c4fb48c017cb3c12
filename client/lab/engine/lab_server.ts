/**
 * The server of the lab: a real match, whose ticks are due on a virtual clock. It can stand still,
 * as a process does whose machine is busy; then it runs the newest due ticks and drops the others.
 */
import { BodyList } from "../../../shared/body_list.ts";
import { type Commands, SEATS } from "../../../shared/netcode/game.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import { LocalLink } from "../../../shared/netcode/simulated_network/local_link.ts";
import { decodeHello } from "../../../shared/netcode/wire/client_messages.ts";
import type { Match } from "../../../server/match/match.ts";
import type { LooseCommand, LooseGame, LooseSimulation } from "../../game_kit/loose_types.ts";
import { PageMatch } from "../../solo/page_match.ts";
import { Truth } from "./truth.ts";

const PLAYERS_MAX = 4;

/** Hears of a message that has reached the server, and by which channel. */
export type OnServerArrival = (
  message: Uint8Array,
  by: { readonly end: LocalLink; readonly reliably: boolean },
) => void;

export interface LabServerOptions {
  readonly game: LooseGame;
  readonly npcs: number;
  readonly seed: number;
  readonly clock: Clock;
  /** Called with each tick, before it is broadcast. Both arguments are valid during the call. */
  readonly onTick: (bodies: BodyList, commands: Commands<LooseCommand>) => void;
}

export class LabServer {
  readonly truth: Truth;
  readonly #options: LabServerOptions;
  readonly #host: PageMatch<LooseCommand>;
  readonly #bodies = new BodyList();
  readonly #ends: LocalLink[] = [];
  #simulation!: LooseSimulation;
  #commands: Commands<LooseCommand> = new Array(SEATS).fill(undefined);
  /** Until when it stands still, ms; undefined while it runs. */
  #pausedUntilMs: number | undefined;

  constructor(options: LabServerOptions) {
    const { game, npcs, seed, clock } = options;
    this.#options = options;
    this.truth = new Truth(game);
    const onTick = () => this.#recordTick();
    this.#host = new PageMatch(this.#watched(game), { npcs, seed, clock, onTick });
  }

  get match(): Match<LooseCommand> {
    return this.#host.match;
  }

  /** The same game, whose first simulation is the match's own and tells its commands. */
  #watched(game: LooseGame): LooseGame {
    return {
      ...game,
      start: (options, seed) => {
        const simulation = game.start(options, seed);
        const step = simulation.step.bind(simulation);
        this.#simulation ??= simulation;
        simulation.step = (commands) => {
          this.#commands = commands;
          step(commands);
        };
        return simulation;
      },
    };
  }

  /**
   * Opens a link to the match.
   * @param onArrival hears of each message that reaches the server, after the first
   * @throws RangeError beyond `PLAYERS_MAX` links
   */
  open(
    { ordered, onArrival }: {
      ordered: boolean;
      onArrival: OnServerArrival;
    },
  ): LocalLink {
    if (this.#ends.length >= PLAYERS_MAX) throw new RangeError("the lab is full");
    const [clientEnd, serverEnd] = LocalLink.pair({ ordered });
    this.#ends.push(serverEnd);
    serverEnd.onMessage((hello, reliably) => {
      // A ping by datagram may overtake the hello.
      if (!reliably) return;
      serverEnd.tap = (message, reliably) => onArrival(message, { end: serverEnd, reliably });
      this.match.join(serverEnd, decodeHello(hello));
    });
    return clientEnd;
  }

  /** Stands still for so long. @param ms 0 … 2000 */
  pause(ms: number): void {
    this.#pausedUntilMs = this.#options.clock.now() + ms;
    for (const end of this.#ends) end.pause();
  }

  get isPaused(): boolean {
    return this.#pausedUntilMs !== undefined;
  }

  /** A simulation of the same match, to load states into. */
  newSimulation(): LooseSimulation {
    const { game, npcs, seed } = this.#options;
    return game.start({ npcs, choices: this.match.choices }, seed);
  }

  /** When `advance` must be called again at the latest, ms on the clock. */
  get nextDueMs(): number {
    return this.#pausedUntilMs ?? this.#host.nextDueMs;
  }

  /** Runs what is due. */
  advance(): void {
    if (this.#pausedUntilMs !== undefined) {
      if (this.#options.clock.now() < this.#pausedUntilMs) return;
      this.#pausedUntilMs = undefined;
      for (const end of this.#ends) end.resume();
    }
    this.#host.advance();
  }

  #recordTick(): void {
    const { game, clock, onTick } = this.#options;
    const bodies = this.#bodies;
    game.bodies!.fill(this.#simulation, bodies);
    this.truth.record(this.#simulation, bodies, clock.now());
    onTick(bodies, this.#commands);
  }
}
