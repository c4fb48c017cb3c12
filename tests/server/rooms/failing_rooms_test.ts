/** An error ends the match in which it was thrown, and no other one, wherever it is thrown. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Drain } from "../../../server/rooms/drain.ts";
import type { MatchLog } from "../../../server/match/match_recorder.ts";
import type { MatchLogs } from "../../../server/match_log/match_logs.ts";
import { Rooms, type RoomsOptions } from "../../../server/rooms/rooms.ts";
import type { Game } from "../../../shared/netcode/game.ts";
import { LocalLink } from "../../../shared/netcode/simulated_network/local_link.ts";
import { ClientMessageEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import { CloseCode, type Hello, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import {
  type CounterCommand,
  counterGame,
  type CounterSimulation,
} from "../../tools/lab/counter_game.ts";
import { seededSecret } from "../../support/seeded_secret.ts";

const HELLO: Omit<Hello, "room"> = {
  type: "hello",
  protocolVersion: PROTOCOL_VERSION,
  gameId: counterGame.id,
  name: "Wren",
  spectate: false,
  bodyStreamMode: "no",
  choices: [],
  resume: undefined,
};

const FAILING = "FAIL";
const WELL = "WELL";

/** What differs from the counter game. */
type GamePart = Partial<Game<CounterCommand, CounterSimulation>>;

/** What fails in the room FAIL from its fifth tick on. */
interface Failing {
  readonly game?: GamePart;
  readonly log?: Partial<MatchLog>;
  readonly results?: Partial<NonNullable<RoomsOptions<CounterCommand>["results"]>>;
}

/** Two rooms of a server, of which one fails. */
class FailingServer {
  readonly said: string[] = [];
  readonly drain = new Drain();
  readonly rooms: Rooms<CounterCommand>;
  readonly victim;
  readonly bystander;
  readonly #failures: Failures;
  #nowMs = 0;

  constructor(failures: Failures, { game = {}, log = {}, results = {} }: Failing) {
    this.#failures = failures;
    const clock = { now: () => this.#nowMs };
    const logs: MatchLogs = {
      create: (room) => this.#logOf(room, log),
      unfinished: () => [],
    };
    this.rooms = new Rooms({
      games: { counter: { ...counterGame, ...game } },
      clock,
      npcs: 0,
      secret: seededSecret(5),
      stream: "commands",
      logs,
      unixClock: clock,
      drain: this.drain,
      results: { addRound() {}, endMatch() {}, ...results },
      log: (event, fields = {}) => this.said.push(`${event} ${JSON.stringify(fields)}`),
    });
    this.victim = this.#connect(FAILING);
    this.bystander = this.#connect(WELL);
  }

  async run(ticks: number): Promise<void> {
    for (let i = 0; i < ticks; i++) {
      this.rooms.tick(this.#nowMs += 50);
      this.rooms.announceEarly();
      await Promise.resolve();
      await Promise.resolve();
    }
  }

  #logOf(room: string, failing: Partial<MatchLog>): MatchLog {
    const well: MatchLog = { id: room, epoch: 1, isOpen: true, append: () => undefined, end() {} };
    const isFailing = () => this.#failures.isOn && room === FAILING;
    return {
      ...well,
      append: (frame) => isFailing() && failing.append ? failing.append(frame) : undefined,
      end: (frame) => isFailing() && failing.end ? failing.end(frame) : undefined,
    };
  }

  #connect(room: string) {
    const [near, far] = LocalLink.pair();
    const ticks: number[] = [];
    const decoder = new ServerMessageDecoder(counterGame.command);
    near.onMessage((bytes) => {
      const message = decoder.decode(bytes);
      if (message.type === "tick") ticks.push(message.tick);
    });
    this.rooms.admit(far);
    near.send(
      new ClientMessageEncoder(counterGame.command, { ordered: true }).encode({ ...HELLO, room }),
    );
    return { near, ticks };
  }
}

function fail(): never {
  throw new RangeError("it fails");
}

/** Whether failures have begun, and the simulation of the room FAIL, which is opened first. */
interface Failures {
  isOn: boolean;
  simulation: CounterSimulation | undefined;
}

/** The counter game whose first match is known, and may be changed. */
function gameWith(failures: Failures, change: (simulation: CounterSimulation) => void): GamePart {
  return {
    start(options, seed) {
      const simulation = counterGame.start(options, seed);
      if (failures.simulation === undefined) change(failures.simulation = simulation);
      return simulation;
    },
  };
}

function failingStep(failures: Failures): GamePart {
  return gameWith(failures, (simulation) => {
    const step = simulation.step.bind(simulation);
    simulation.step = (commands) => failures.isOn ? fail() : step(commands);
  });
}

const PLACES: Readonly<Record<string, (failures: Failures) => Failing>> = {
  "a step": (failures) => ({ game: failingStep(failures) }),
  "a save, which throws a text": (failures) => ({
    game: gameWith(failures, (simulation) => {
      const save = simulation.save.bind(simulation);
      simulation.save = (into) => {
        if (failures.isOn) throw "it fails";
        save(into);
      };
    }),
  }),
  "a record": () => ({ log: { append: fail } }),
  "a record that fails later": () => ({
    log: { append: () => Promise.reject(new RangeError("it fails")) },
  }),
  "what follows a record": (failures) => ({
    log: { append: () => Promise.resolve() },
    game: {
      ...gameWith(failures, () => {}),
      rounds: {
        isOver: (simulation) =>
          failures.isOn && simulation === failures.simulation ? fail() : false,
        result: () => ({ round: 1, scores: [] }),
      },
    },
  }),
  "a step and the end of its log": (failures) => ({
    game: failingStep(failures),
    log: { end: fail },
  }),
  "a step and its results": (failures) => ({
    game: failingStep(failures),
    results: { endMatch: fail },
  }),
};

for (const [place, failing] of Object.entries(PLACES)) {
  Deno.test(`Rooms: an error in ${place} ends that match alone (SPEC 15.39)`, async () => {
    const failures: Failures = { isOn: false, simulation: undefined };
    const server = new FailingServer(failures, failing(failures));
    await server.run(4);
    failures.isOn = true;
    await server.run(6);
    assertEquals([server.victim.near.closeCode, server.victim.near.closeReason], [
      CloseCode.roomFailed,
      "This match failed and is over. Enter the room again for a new one.",
    ]);
    assertEquals([server.bystander.ticks.length, server.rooms.byGame.get("counter")!.codes()], [
      10,
      [WELL],
    ]);
    assertStringIncludes(server.said.join("\n"), `room_failed {"room":"${FAILING}"`);
    assert(!server.said.some((line) => line.startsWith("tick_failed")));
  });
}

Deno.test("Drain: a match whose rules throw when they are asked for its round holds up no stop (SPEC 15.39)", async () => {
  const drain = new Drain();
  const closed: number[] = [];
  const match = {
    clientCount: 1,
    isLogged: true,
    announce: () => 1,
    close: (code: number) => void closed.push(code),
    get isBetweenRounds(): boolean {
      return fail();
    },
  };
  const never = new Promise<string>(() => {});
  await drain.run({
    matches: () => [match],
    signals: { first: Promise.resolve("SIGTERM"), second: never },
    graceMs: 60_000,
    clock: { now: () => 0 },
    wait: () => Promise.resolve(),
    log: () => {},
  });
  assertEquals(closed, [1001]);
});
