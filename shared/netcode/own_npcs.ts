/**
 * NPCs inside the step. Where the server orders commands and simulates nothing, nobody could tell
 * the clients what an NPC does, so every end lets it decide by itself:
 *
 *     S'(n) = ( S(n), what each NPC has decided for the ticks after n )
 *     f'( S'(n−1), C(n) ) = f( S(n−1), C(n) with the NPCs' first decisions ), after each has decided as far ahead as it reacts
 *
 * What is decided is part of the state, so that a rollback restores it. NPCs draw from the seed: a
 * client could compute beforehand what they will decide.
 */
import { type Commands, type Game, SEATS, type Simulation } from "./game.ts";
import { Snapshot, SnapshotError } from "../snapshot.ts";
import { codeChange } from "./wire/announcement_codec.ts";
import { decodedBy } from "./wire/decoded_commands.ts";
import { P_NPC_UNCHANGED } from "./wire/probabilities.ts";
import { type Coder, CodeReader, CodeWriter, WireError } from "./wire/range_coder.ts";

/** The longest reaction time, ticks (`Simulation.reactionTicks`). */
const QUEUED_MAX = 40;
const QUEUED_BITS = 6;

/**
 * The same game with its NPCs inside the step.
 * @returns a game whose simulations have all members of the given game's. Their states are longer,
 * and `npcCommand` still answers, although nobody needs to ask
 */
function withOwnNpcs<Command, Sim extends Simulation<Command>>(
  game: Game<Command, Sim>,
): Game<Command, Sim> {
  const { stateLabels } = game;
  return {
    ...game,
    start({ npcRandom: _secret, ...options }, seed) {
      const simulation = game.start(options, seed);
      return withNpcsOf(simulation, new OwnNpcs(game, simulation));
    },
    ...stateLabels !== undefined && {
      stateLabels(simulation, state) {
        const own = new Snapshot(0);
        const words = splitOff(state, own);
        return [
          ...stateLabels.call(game, simulation, own),
          ...Array.from(words, (_, i) => `what NPCs have decided, word ${i}`),
          "how many words NPCs have decided",
        ];
      },
    },
  };
}

/** The game as all ends of a match step it. @param match.isOrdered as the welcome and the log say */
export function rulesOf<Command, Sim extends Simulation<Command>>(
  game: Game<Command, Sim>,
  { isOrdered }: { readonly isOrdered: boolean },
): Game<Command, Sim> {
  return isOrdered ? withOwnNpcs(game) : game;
}

/** Replaces a simulation's step, save and load. All other members stay as they are. */
function withNpcsOf<Command, Sim extends Simulation<Command>>(
  simulation: Sim,
  npcs: OwnNpcs<Command>,
): Sim {
  const step = simulation.step.bind(simulation);
  const save = simulation.save.bind(simulation);
  const load = simulation.load.bind(simulation);
  const own = new Snapshot(0);
  return Object.assign(simulation, {
    step(commands: Commands<Command>) {
      step(npcs.addTo(commands));
    },
    save(into: Snapshot) {
      save(into);
      npcs.appendTo(into);
    },
    load(from: Snapshot) {
      npcs.read(splitOff(from, own));
      load(own);
    },
  });
}

/** What the NPCs of one simulation have decided. */
class OwnNpcs<Command> {
  readonly #codec: Game<Command>["command"];
  readonly #simulation: Simulation<Command>;
  readonly #decoded: (command: Command) => Command;
  /** By seat: the commands for the next ticks, nearest first. */
  readonly #queues: Command[][] = Array.from({ length: SEATS }, () => []);
  readonly #commands: (Command | undefined)[] = new Array(SEATS).fill(undefined);
  readonly #writer = new CodeWriter();

  constructor({ command }: Pick<Game<Command>, "command">, simulation: Simulation<Command>) {
    this.#codec = command;
    this.#simulation = simulation;
    this.#decoded = decodedBy(command);
  }

  /** @returns the commands of the players and of the NPCs, valid until the next call */
  addTo(players: Commands<Command>): Commands<Command> {
    const simulation = this.#simulation;
    const commands = this.#commands;
    const { npcSeats } = simulation;
    for (let seat = 0; seat < SEATS; seat++) {
      commands[seat] = players[seat];
      if (!npcSeats.includes(seat)) this.#queues[seat]!.length = 0;
    }

    for (const seat of npcSeats) {
      const queue = this.#queues[seat]!;
      const length = Math.min(QUEUED_MAX, Math.max(1, simulation.reactionTicks(seat)));
      while (queue.length < length) {
        queue.push(this.#decoded(simulation.npcCommand(seat, queue)));
      }
      commands[seat] = queue.shift()!;
    }
    return commands;
  }

  /** Appends what is decided, and how many words that takes, to the words of a state. */
  appendTo(state: Snapshot): void {
    const writer = this.#writer;
    writer.reset();
    for (let seat = 0; seat < SEATS; seat++) this.#codeQueue(this.#queues[seat]!, writer);
    const bytes = writer.finish();
    const words = Math.ceil(bytes.length / 4);
    const { length } = state;
    state.reserve(length + words + 1);
    state.words.fill(0, length, length + words);
    new Uint8Array(state.words.buffer).set(bytes, length * 4);
    state.words[length + words] = words;
    state.length = length + words + 1;
  }

  /** @throws SnapshotError for words that `appendTo` does not write */
  read(words: Uint32Array<ArrayBuffer>): void {
    try {
      const reader = new CodeReader(new Uint8Array(words.slice().buffer));
      for (let seat = 0; seat < SEATS; seat++) this.#codeQueue(this.#queues[seat]!, reader);
    } catch (error) {
      if (error instanceof WireError) {
        throw new SnapshotError(`decisions of NPCs: ${error.message}`);
      }
      throw error;
    }
  }

  /** Codes one seat's queue. A reader replaces what is in it. */
  #codeQueue(queue: Command[], coder: Coder): void {
    const codec = this.#codec;
    const given = coder.isReading ? 0 : queue.length;
    if (!coder.flag(given > 0)) {
      queue.length = 0;
      return;
    }
    const length = coder.bits(given, QUEUED_BITS);
    if (length > QUEUED_MAX) throw new WireError(`${length} decisions; ${QUEUED_MAX} are most`);
    let reference = codec.neutral;
    for (let i = 0; i < length; i++) {
      const command = coder.isReading ? reference : queue[i]!;
      reference = codeChange(command, { codec, coder, reference, p: P_NPC_UNCHANGED });
      queue[i] = reference;
    }
    queue.length = length;
  }
}

/**
 * Splits a state into the game's words and those of its NPCs.
 * @param own becomes the game's state
 * @returns the NPCs' words, which share the state's memory
 * @throws SnapshotError if the last word does not say how many those are
 */
function splitOff(state: Snapshot, own: Snapshot): Uint32Array<ArrayBuffer> {
  const end = state.length - 1;
  const appended = end < 0 ? Infinity : state.words[end]!;
  if (appended > end) {
    throw new SnapshotError("a snapshot that does not end with what NPCs have decided");
  }
  own.length = 0;
  own.reserve(end - appended);
  own.words.set(state.words.subarray(0, end - appended));
  own.length = end - appended;
  return state.words.subarray(end - appended, end);
}
