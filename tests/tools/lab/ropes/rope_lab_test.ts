/**
 * Joints made by rules, on the body stream: four players, over both kinds of links.
 */
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import type { BodyList } from "../../../../shared/body_list.ts";
import { CloseCode } from "../../../../shared/netcode/wire/messages.ts";
import { PoseList } from "../../../../shared/netcode/pose_list.ts";
import type { Game, Tick } from "../../../../shared/netcode/game.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import type { CounterCommand } from "../counter_game.ts";
import { Lab } from "../lab.ts";
import { RandomCounterControls } from "../random_controls.ts";
import { CAR, jointKey, ropeGame, type RopeSimulation } from "./rope_game.ts";

type RopeLab = Lab<CounterCommand, RopeSimulation>;
type Player = ReturnType<RopeLab["join"]> | ReturnType<RopeLab["joinByDatagrams"]>;

/** The word in a stage's snapshot that holds the id of the next entity or joint. */
const NEXT_ID = 1;
/** The joint field that holds the second entity. */
const ENTITY_B = 1;
const PLAYERS = 4;
const SECONDS = 20;
const LOSSY = { oneWayMs: 50, jitterMs: 10, loss: 0.05, duplicated: 0.01, delayed: 0.01 };

/** One of the server's states. */
interface ServerState {
  readonly joints: readonly string[];
  readonly nextId: number;
  readonly poses: PoseList;
}

/** Differences between bodies, metres. */
class Errors {
  sum = 0;
  count = 0;

  /** A body that only one of them has counts as a metre. */
  add(drawn: PoseList, actual: PoseList): void {
    for (let i = 0; i < actual.count; i++) {
      const { entity, x, y } = actual.at(i);
      const there = drawn.find(entity);
      this.sum += there === undefined ? 1 : Math.hypot(there.x - x, there.y - y);
    }
    this.count += actual.count;
  }

  get mean(): number {
    return this.sum / this.count;
  }
}

/**
 * A state's joints, in the form in which they are compared, and the id that the stage gives next.
 */
function jointsOf({ stage }: RopeSimulation): Omit<ServerState, "poses"> {
  stage.save(saved);
  const nextId = saved.words[NEXT_ID]!;
  const ids = Array.from({ length: nextId }, (_, id) => id);
  return { nextId, joints: ids.flatMap((id) => stage.joints.get(id) ?? []).map(jointKey) };
}

const saved = new Snapshot();

/** Compares one player with the server in each tick. */
class Comparison {
  /** At the player's newest definitive tick, and as drawn ahead of it. */
  readonly definitive = new Errors();
  readonly drawn = new Errors();
  samples = 0;
  mostJoints = 0;
  wrongJoints = 0;
  wrongNextIds = 0;
  readonly #server: ReadonlyMap<Tick, ServerState>;
  readonly #replica: RopeSimulation;
  readonly #state = new Snapshot();
  readonly #poses = new PoseList();
  readonly #heads = new Map<Tick, PoseList>();

  constructor(server: ReadonlyMap<Tick, ServerState>, replica: RopeSimulation) {
    this.#server = server;
    this.#replica = replica;
  }

  sample({ session }: Player): void {
    const tick = session.definitiveTick;
    const actual = this.#server.get(tick);
    const replica = this.#replica;
    if (actual === undefined || !session.copyState(tick, this.#state)) return;
    replica.load(this.#state);
    replica.poses(this.#poses);
    this.definitive.add(this.#poses, actual.poses);
    const { joints, nextId } = jointsOf(replica);
    this.samples++;
    this.mostJoints = Math.max(this.mostJoints, joints.length);
    if (joints.join() !== actual.joints.join()) this.wrongJoints++;
    if (nextId !== actual.nextId) this.wrongNextIds++;
    this.#compareHeads(session);
  }

  /** Compares earlier heads with the ticks that the server has run since. */
  #compareHeads({ head, poses }: Player["session"]): void {
    const drawn = new PoseList();
    drawn.copyFrom(poses.head);
    this.#heads.set(head, drawn);
    for (const [tick, poses] of this.#heads) {
      const actual = this.#server.get(tick);
      if (actual === undefined) continue;
      this.drawn.add(poses, actual.poses);
      this.#heads.delete(tick);
    }
  }
}

/** A match of four people. */
function play(
  { seed, datagrams, hasJoints, stream }: {
    seed: number;
    datagrams: boolean;
    hasJoints: boolean;
    stream: "state" | "commands";
  },
) {
  const game = ropeGame({ hasJoints });
  const server = new Map<Tick, ServerState>();
  const lab: RopeLab = new Lab({
    game,
    seed,
    npcs: 0,
    stream,
    onDefinitive: (simulation) => {
      const poses = new PoseList();
      simulation.poses(poses);
      server.set(simulation.tick, { ...jointsOf(simulation), poses });
    },
  });
  let bytes = 0;
  const players = Array.from({ length: PLAYERS }, (_, i): Player => {
    const commandSource = new RandomCounterControls(10 * seed + i);
    const joining = { commandSource, onArrival: (message: Uint8Array) => bytes += message.length };
    return datagrams
      ? lab.joinByDatagrams(`p${i}`, { ...joining, network: LOSSY })
      : lab.join(`p${i}`, { ...joining, network: { oneWayMs: 50, jitterMs: 10 } });
  });
  const comparisons = players.map(() => new Comparison(server, game.start({ npcs: 0 }, 0)));
  lab.run(3);
  bytes = 0;
  lab.run(SECONDS, () => players.forEach((player, i) => comparisons[i]!.sample(player)));
  const sum = (count: (of: Comparison) => number) =>
    comparisons.reduce((total, of) => total + count(of), 0);
  return {
    lab,
    players,
    samples: sum(({ samples }) => samples),
    mostJoints: Math.max(...comparisons.map(({ mostJoints }) => mostJoints)),
    wrongJoints: sum(({ wrongJoints }) => wrongJoints),
    wrongNextIds: sum(({ wrongNextIds }) => wrongNextIds),
    definitiveError: sum(({ definitive }) => definitive.mean) / PLAYERS,
    drawnError: sum(({ drawn }) => drawn.mean) / PLAYERS,
    bytesPerSecond: bytes / SECONDS / PLAYERS,
  };
}

for (const datagrams of [false, true]) {
  const seed = datagrams ? 222 : 221;
  const over = datagrams ? "datagrams, 5 % loss" : "reliable links";
  Deno.test(`Lab: a client on the body stream has the joints that rules make, over ${over} (SPEC 12.20, 12.22, 12.23) [seed ${seed}]`, () => {
    const options = { seed, datagrams, stream: "state" } as const;
    const { lab, players, ...ropes } = play({ ...options, hasJoints: true });

    for (const { session } of players) {
      assertEquals([session.phase, session.isOnBodyStream, session.stats.desyncs], [
        "playing",
        true,
        0,
      ]);
    }

    assertEquals(lab.log.filter(({ event }) => event.includes("error")), []);
    assertEquals([ropes.wrongJoints, ropes.wrongNextIds], [0, 0]);
    assertGreater(ropes.samples, 0.99 * SECONDS * 20 * PLAYERS);
    assertGreater(ropes.mostJoints, 5);

    const none = play({ ...options, hasJoints: false });
    const exact = play({ ...options, hasJoints: true, stream: "commands" });
    assertEquals([none.mostJoints, none.wrongNextIds, exact.wrongJoints], [0, 0, 0]);

    // A stream with joints is as close to the server as one without.
    assertLess(ropes.definitiveError, none.definitiveError + 1 / 512);

    // The players' picture is as wrong as for clients that simulate exactly, because no client has
    // the others' newest presses.
    assertLess(ropes.drawnError, 1.1 * exact.drawnError);
  });
}

/**
 * The game on an engine with wrong arithmetic while `fault.on`: each step moves the first car by a
 * millionth.
 */
function onAnotherEngine(fault: { on: boolean }): Game<CounterCommand, RopeSimulation> {
  const game = ropeGame({ hasJoints: true });
  return {
    ...game,
    start: (options, seed) => {
      const simulation = game.start(options, seed);
      const state = new Snapshot();
      const step = simulation.step.bind(simulation);
      simulation.step = (commands) => {
        step(commands);
        const [car] = simulation.stage.all(CAR);
        if (!fault.on || car === undefined) return;
        simulation.save(state);
        state.floats[state.floats.subarray(0, state.length).indexOf(car.x)]! *= 1 + 1e-6;
        simulation.load(state);
      };
      return simulation;
    },
  };
}

Deno.test("Lab: a client that cannot agree in a match with joints is moved to the body stream and back (SPEC 12.14, 12.18, 12.20) [seed 224]", () => {
  const fault = { on: false };
  const network = { oneWayMs: 40, jitterMs: 5 };
  const lab: RopeLab = new Lab({ game: ropeGame({ hasJoints: true }), seed: 224, npcs: 0 });
  const [{ session }, other] = [onAnotherEngine(fault), ropeGame({ hasJoints: true })].map((
    game,
    i,
  ) =>
    lab.join(`p${i}`, { network, game, commandSource: new RandomCounterControls(2240 + i) })
  ) as [Player, Player];
  lab.run(10);
  assertEquals([session.isInSync, session.isOnBodyStream], [true, false]);
  fault.on = true;
  lab.run(10);
  assertEquals([session.phase, session.isOnBodyStream, session.stats.desyncs], [
    "playing",
    true,
    4,
  ]);
  fault.on = false;
  lab.run(25);
  assertEquals([session.phase, session.isOnBodyStream, session.isInSync], ["playing", false, true]);
  assertGreater(session.simulation!.stage.joints.count, 2);
  for (let tick = session.definitiveTick - 50; tick < session.definitiveTick - 5; tick++) {
    assertEquals(session.provenHash(tick), lab.definitiveHashes.get(tick));
  }
  assertEquals(other.session.stats.desyncs, 0);
});

Deno.test("Lab: a joint that no stage can have closes the link of the client that gets it, and nothing else (SPEC 8.1, 12.25) [seed 223]", () => {
  const game = ropeGame({ hasJoints: true });
  const bodies = game.bodies!;
  const lie = { on: false };
  const lying = {
    ...game,
    bodies: {
      ...bodies,
      fill: (simulation: RopeSimulation, out: BodyList) => {
        bodies.fill(simulation, out);
        for (let i = 0; lie.on && i < out.count; i++) {
          const { schemaIndex, fieldBits } = out.at(i);
          if (bodies.schemas[schemaIndex]!.isJoint) fieldBits[ENTITY_B] = 4_000_000_000;
        }
      },
    },
  };
  const lab: RopeLab = new Lab({ game: lying, seed: 223, npcs: 0 });
  const network = { oneWayMs: 40, jitterMs: 5 };
  const [streaming, exact] = [true, false].map((startOnBodyStream, i) =>
    lab.join(`p${i}`, {
      network,
      startOnBodyStream,
      commandSource: new RandomCounterControls(i),
      game,
    })
  );
  lab.run(10);
  assertEquals([streaming!.session.isOnBodyStream, streaming!.session.phase], [true, "playing"]);
  lie.on = true;
  lab.run(10);
  const { phase, closeCode, closeReason } = streaming!.session;
  assertEquals(phase, "closed");
  assertEquals([closeCode, closeReason], [
    CloseCode.protocol,
    "a snapshot that has a joint of nobody",
  ]);
  const { session } = exact!;
  assertEquals([session.phase, session.isInSync, session.stats.desyncs], ["playing", true, 0]);
  assertEquals(
    session.provenHash(session.definitiveTick - 5),
    lab.definitiveHashes.get(session.definitiveTick - 5),
  );
});
