/**
 * The whole system in one process on a virtual clock: the real rooms and match, real sessions, modelled links, one seed.
 * Time jumps from one thing that is due to the next, so a minute of play takes as long as its arithmetic.
 */
import { type Controls, Session, type SessionOptions } from "../../client/session.ts";
import { hashOfSnapshot } from "../../shared/netcode/bytes.ts";
import { Rooms } from "../../server/rooms.ts";
import type { Game, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { Link } from "../../shared/netcode/link.ts";
import type { LineModel } from "../../shared/netcode/line_model.ts";
import { ModelledLink } from "../../shared/netcode/modelled_link.ts";
import { Random } from "../../shared/random.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import { LocalLink } from "./local_link.ts";
import { LossyLink, type LossyModel } from "./lossy_link.ts";

export interface LabOptions<Command, Sim extends Simulation<Command>> {
  readonly game: Game<Command, Sim>;
  readonly seed: number;
  readonly npcs: number;
  readonly stream?: "commands" | "state";
}

export interface Player<Command, Sim extends Simulation<Command> = Simulation<Command>, Line = ModelledLink> {
  readonly session: Session<Command, Sim>;
  readonly link: Line;
  /** The server's end of the unmodelled line, for tests that meddle with it. */
  readonly far: LocalLink;
}

type Joining<Command, Sim extends Simulation<Command>> =
  & { readonly controls: Controls<Command> }
  & Partial<SessionOptions<Command, Sim>>;

const ROOM = "LABS";

export class Lab<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly #options: LabOptions<Command, Sim>;
  readonly random: Random;
  readonly #tickMs: number;
  #nowMs = 1000;
  #nextTickMs = 1000;
  readonly rooms: Rooms<Command>;
  readonly players: Player<Command, Sim, ModelledLink | LossyLink>[] = [];
  /** What the server's simulation did, by tick: the hash of S(tick). */
  readonly definitiveHashes = new Map<Tick, number>();
  serverSimulation: Sim | undefined;
  /** Whatever the rooms logged. */
  readonly log: { event: string; fields: Record<string, unknown> }[] = [];

  readonly clock = { now: () => this.#nowMs };

  constructor(options: LabOptions<Command, Sim>) {
    this.#options = options;
    this.random = new Random(options.seed);
    this.#tickMs = 1000 / options.game.tickHz;
    this.rooms = new Rooms({
      game: this.#recorded(options.game),
      clock: this.clock,
      npcs: options.npcs,
      seed: options.seed,
      stream: options.stream ?? "commands",
      log: (event, fields = {}) => this.log.push({ event, fields }),
    });
  }

  /** A player joins now, over an ordered line. */
  join(name: string, { line, ...joining }: Joining<Command, Sim> & { line: LineModel }): Player<Command, Sim> {
    const [near, far] = LocalLink.pair();
    const link = new ModelledLink(near, { model: line, seed: this.random.bits(), clock: this.clock });
    return this.#seat({ link, far, session: this.#open(name, { link, far, ...joining }) });
  }

  /** A player joins now, over datagrams. */
  joinByDatagrams(
    name: string,
    { line, ...joining }: Joining<Command, Sim> & { line: LossyModel },
  ): Player<Command, Sim, LossyLink> {
    const [near, far] = LocalLink.pair({ ordered: false });
    const link = new LossyLink(near, { model: line, seed: this.random.bits(), clock: this.clock });
    return this.#seat({ link, far, session: this.#open(name, { link, far, ...joining }) });
  }

  #open(
    name: string,
    { far, ...joining }: Joining<Command, Sim> & { link: Link; far: LocalLink },
  ): Session<Command, Sim> {
    this.rooms.admit(far);
    return new Session({ game: this.#options.game, clock: this.clock, room: ROOM, name, ...joining });
  }

  #seat<Seated extends Player<Command, Sim, ModelledLink | LossyLink>>(player: Seated): Seated {
    this.players.push(player);
    return player;
  }

  leave(player: Player<Command, Sim, ModelledLink | LossyLink>): void {
    player.session.close();
    this.players.splice(this.players.indexOf(player), 1);
  }

  /** Lets virtual time pass. @param onTick called after each of the server's ticks */
  run(seconds: number, onTick?: () => void): void {
    const endMs = this.#nowMs + seconds * 1000;
    while (true) {
      const dueMs = this.#nextDueMs();
      if (dueMs > endMs) break;
      this.#nowMs = Math.max(this.#nowMs, dueMs);
      if (this.#nextTickMs <= this.#nowMs) {
        this.rooms.tick(this.#nextTickMs);
        this.#nextTickMs += this.#tickMs;
        onTick?.();
      }
      for (const { link, session } of this.players) {
        link.advance(this.#nowMs);
        session.advance();
      }
    }
    this.#nowMs = endMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  #nextDueMs(): number {
    let dueMs = this.#nextTickMs;
    for (const { link, session } of this.players) {
      // A session that has just been advanced is never due at the same instant again.
      dueMs = Math.min(dueMs, link.nextDueMs, Math.max(session.nextDueMs, this.#nowMs + 0.01));
    }
    return dueMs;
  }

  /** The server's game: the same, but that every step leaves its hash behind. */
  #recorded(game: Game<Command, Sim>): Game<Command, Sim> {
    const snapshot = new Snapshot();
    return {
      ...game,
      start: (options, seed) => {
        const simulation = game.start(options, seed);
        this.serverSimulation = simulation;
        const step = simulation.step.bind(simulation);
        simulation.step = (commands) => {
          step(commands);
          simulation.save(snapshot);
          this.definitiveHashes.set(simulation.tick, hashOfSnapshot(snapshot));
        };
        return simulation;
      },
    };
  }
}
