/**
 * A short match of any game in the lab: real server, real sessions, and a simulated network that
 * rolls them back.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import type { CommandSource } from "../../client/session/session.ts";
import { type Game, playersOf, type Simulation, type Tick } from "../../shared/netcode/game.ts";
import { networkModelOf } from "../../shared/netcode/simulated_network/network_profiles.ts";
import { Random } from "../../shared/random.ts";
import { Lab } from "../tools/lab/lab.ts";
import type { LossyModel } from "../tools/lab/links/lossy_link.ts";
import { randomCommand } from "../../shared/duties/random_commands.ts";

const SECONDS = 8;
/** In a room of a game with as many seats. */
const PLAYERS_MAX = 4;
/** A command lasts a quarter of a second in the mean. */
const CHANGE_CHANCE = 0.2;
const LOSSY: LossyModel = {
  oneWayMs: 60,
  jitterMs: 40,
  loss: 0.1,
  duplicated: 0.01,
  delayed: 0.03,
};

class RandomSource<Command> implements CommandSource<Command> {
  readonly #game: Game<Command>;
  readonly #random: Random;
  #command: Command;

  constructor(game: Game<Command>, seed: number) {
    this.#game = game;
    this.#random = new Random(seed);
    this.#command = game.command.neutral;
  }

  next(_tick: Tick, _acknowledged: Command | undefined): Command {
    if (this.#random.chance(CHANGE_CHANCE)) {
      this.#command = randomCommand(this.#game.command, this.#command, this.#random);
    }
    return this.#command;
  }
}

export interface LabRunOptions {
  readonly seed: number;
  readonly stream: "commands" | "state";
  readonly link: "reliable" | "datagrams";
}

/**
 * Plays for a few seconds and checks the result.
 * @throws AssertionError for a desync, a closed connection, or a network that has rolled nobody
 *   back
 */
export function playInLab<Command, Sim extends Simulation<Command>>(
  game: Game<Command, Sim>,
  { seed, stream, link }: LabRunOptions,
): void {
  const lab = new Lab({ game, seed, npcs: 2, stream, checkTwin: stream === "commands" });
  const network = networkModelOf("awful");
  const playerCount = Math.min(PLAYERS_MAX, playersOf(game).max);
  const players = Array.from({ length: playerCount }, (_, i) => {
    const commandSource = new RandomSource(game, seed + i);
    if (link === "datagrams") {
      return lab.joinByDatagrams(`p${i}`, { network: LOSSY, commandSource });
    }
    return lab.join(`p${i}`, { network, commandSource });
  });
  lab.run(SECONDS);
  const sum = { rollbacks: 0, late: 0, desyncs: 0, ticks: 0 };

  for (const { session } of players) {
    const { stats } = session;
    assertEquals(session.phase, "playing", session.closeReason);
    sum.rollbacks += stats.rollbacks;
    sum.late += stats.commandsLate;
    sum.desyncs += stats.desyncs;
    sum.ticks += stats.ticks;
    assertEquals(session.isOnBodyStream, stream === "state" && game.bodies !== undefined);
  }

  const events = lab.log.filter(({ event }) =>
    event === "contract_broken" || event === "room_failed"
  );
  assertEquals(events.slice(0, 1), []);
  assertEquals(sum.desyncs, 0);
  assertGreater(sum.ticks, playerCount * SECONDS * game.tickHz * 0.8);
  assert(sum.late > 0, "no command was late");
  if (stream === "commands") assert(sum.rollbacks > 5 * playerCount, `${sum.rollbacks} rollbacks`);
}
