/**
 * The body stream in the lab: beside exact clients, over jitter and loss, and for an engine with
 * different arithmetic.
 */
import type { DragonCommand, DragonSimulation } from "../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater, assertLess, assertLessOrEqual } from "@std/assert";
import { bodyReaderOf } from "../../../shared/netcode/wire/body_codec.ts";
import { BodyModel } from "../../../shared/netcode/wire/body_model.ts";
import { type Game, PLAYER_SEATS, type Tick } from "../../../shared/netcode/game.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import type { QuantizedBody } from "../../../shared/netcode/wire/quantized_body.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { Lab } from "./lab.ts";
import { RandomDragonControls } from "./random_controls.ts";

type DragonLab = Lab<DragonCommand, DragonSimulation>;
type Player = ReturnType<DragonLab["join"]> | ReturnType<DragonLab["joinByDatagrams"]>;

const LOSSY = { oneWayMs: 50, jitterMs: 10, loss: 0.05, duplicated: 0.01, delayed: 0.01 };
const model = new BodyModel(dragonGame.bodies!, dragonGame.tickHz);

/** The server's poses, by tick. */
class ServerPoses {
  readonly #poses = new Map<Tick, PoseList>();
  readonly #replica = dragonGame.start({ npcs: 0 }, 0);
  readonly #state = new Snapshot();
  readonly #drawn = new PoseList();

  readonly record = (simulation: DragonSimulation) => {
    const poses = new PoseList();
    simulation.poses(poses);
    this.#poses.set(simulation.tick, poses);
  };

  /**
   * The distance between a client's bodies and the server's at the client's newest definitive tick:
   * a sum in metres. A body that only one of them has counts as a metre.
   */
  errorOf({ session }: Player): { sum: number; count: number } {
    const tick = session.definitiveTick;
    const drawn = this.#drawn;
    const actual = this.#poses.get(tick)!;
    if (!session.copyState(tick, this.#state)) return { sum: 0, count: 0 };
    this.#replica.load(this.#state);
    this.#replica.poses(drawn);
    let sum = Math.abs(drawn.count - actual.count);
    for (let i = 0; i < actual.count; i++) {
      const { entity, x, y } = actual.at(i);
      const there = drawn.find(entity);
      sum += there === undefined ? 1 : Math.hypot(there.x - x, there.y - y);
    }
    return { sum, count: actual.count };
  }
}

/** Decodes one client's messages and counts the bodies in them. */
class BodyStreamListener {
  readonly #decoder = new ServerMessageDecoder<DragonCommand>(
    dragonGame.command,
    bodyReaderOf(model),
  );
  #before = new Map<number, QuantizedBody>();
  /**
   * Ticks with bodies; by entity, the number of ticks that sent it; the longest run of ticks in
   * which any body was not sent.
   */
  ticks = 0;
  readonly sendCounts = new Map<number, number>();
  silenceTicks = 0;

  readonly receive = (bytes: Uint8Array) => {
    const message = this.#decoder.decode(bytes);
    const newest = message.type === "ticks" ? message.ticks.at(-1)! : message;
    if (newest.type !== "tick" || newest.bodies === undefined) return;
    this.ticks++;
    for (const [entity, body] of newest.bodies) {
      // A joint is sent only if it changes, however old it is
      const isJoint = dragonGame.bodies!.schemas[body.schemaIndex]!.isJoint ?? false;
      if (!isJoint) this.silenceTicks = Math.max(this.silenceTicks, newest.tick - body.tick);
      if (this.#before.get(entity) !== body) {
        this.sendCounts.set(entity, (this.sendCounts.get(entity) ?? 0) + 1);
      }
    }
    this.#before = new Map(newest.bodies);
  };
}

for (
  const { name, seed, datagrams } of [
    { name: "jitter 20 ms", seed: 201, datagrams: false },
    { name: "datagrams, 5 % loss", seed: 202, datagrams: true },
  ]
) {
  Deno.test(`Lab: a body-stream client beside an exact client, ${name} (SPEC 12.1, 12.2, 12.3, 12.4, 12.8) [seed ${seed}]`, () => {
    const serverPoses = new ServerPoses();
    const listener = new BodyStreamListener();
    const lab: DragonLab = new Lab({
      game: dragonGame,
      seed,
      npcs: 4,
      onDefinitive: serverPoses.record,
    });
    const riders = [1, 2].map((n) => new RandomDragonControls(seed * 10 + n));
    const [streaming, simulating] = riders.map((controls, i): Player => {
      const joining = {
        commandSource: controls,
        startOnBodyStream: i === 0,
        ...(i === 0 ? { onArrival: listener.receive } : {}),
      };
      return datagrams
        ? lab.joinByDatagrams(`p${i}`, { ...joining, network: LOSSY })
        : lab.join(`p${i}`, { ...joining, network: { oneWayMs: 50, jitterMs: 20 } });
    });
    let sum = 0;
    let count = 0;
    const sample = () => {
      if (!streaming!.session.isOnBodyStream) return;
      const error = serverPoses.errorOf(streaming!);
      sum += error.sum;
      count += error.count;
    };
    lab.run(5);
    lab.run(20, sample);
    for (const rider of riders) rider.isIdle = true;
    lab.run(5, sample);

    const { session } = streaming!;
    const server = lab.serverSimulation!;
    assertEquals([session.phase, session.isOnBodyStream, session.stats.desyncs], [
      "playing",
      true,
      0,
    ]);
    assertEquals([simulating!.session.isOnBodyStream, simulating!.session.stats.desyncs], [
      false,
      0,
    ]);
    riders.forEach(({ flapTotal, fireTotal }, i) => {
      const seat = [streaming, simulating][i]!.session.seat;
      const { fields } = server.world.player(seat)!;
      assertEquals([fields.flapPresses, fields.firePresses], [flapTotal, fireTotal]);
      assertGreater(flapTotal, 45);
    });
    assertGreater(session.head, session.definitiveTick);
    assertGreater(count, 4_000);
    assertLess(sum / count, datagrams ? 0.02 : 0.01);

    // Every tick that arrives includes the own dragon. Every body comes within half a second or,
    // with loss, half a second and a round trip.
    assertGreater(listener.ticks, 450);
    assertGreater(
      listener.sendCounts.get(server.world.player(session.seat)!.id)!,
      (datagrams ? 0.95 : 0.999) * listener.ticks - 60,
    );
    assertLessOrEqual(listener.silenceTicks, datagrams ? 16 : 10);
    assertLess(session.stats.ownCorrectionsOver5cm, 0.05 * session.stats.ticks);
  });
}

/**
 * The game on an engine with wrong arithmetic while `fault.on`: each step moves the first dragon by
 * a millionth.
 */
function onAnotherEngine(fault: { on: boolean }): Game<DragonCommand, DragonSimulation> {
  return {
    ...dragonGame,
    start: (options, seed) => {
      const simulation = dragonGame.start(options, seed);
      const state = new Snapshot();
      const step = simulation.step.bind(simulation);
      simulation.step = (commands) => {
        step(commands);
        if (!fault.on || simulation.world.all("dragon").length === 0) return;
        simulation.save(state);
        const word = state.floats.subarray(0, state.length).indexOf(
          simulation.world.all("dragon")[0]!.x,
        );
        assertGreater(word, 0);
        state.floats[word]! *= 1 + 1e-6;
        simulation.load(state);
      };
      return simulation;
    },
  };
}

Deno.test("Lab: a client that still desyncs after three states gets the body stream, plays, and leaves it when the fault is gone (SPEC 12.4, 12.5, 12.14, 12.15, 12.16, 12.17, 12.18) [seed 203]", () => {
  const serverPoses = new ServerPoses();
  const fault = { on: false };
  const lab: DragonLab = new Lab({
    game: dragonGame,
    seed: 203,
    npcs: 2,
    onDefinitive: serverPoses.record,
  });
  const riders = [1, 2].map((n) => new RandomDragonControls(2030 + n));
  const network = { oneWayMs: 50, jitterMs: 5 };
  const victim = lab.join("victim", {
    commandSource: riders[0]!,
    network,
    game: onAnotherEngine(fault),
  });
  const other = lab.join("other", { commandSource: riders[1]!, network });
  const { session } = victim;
  lab.run(10);
  assertEquals([session.isInSync, session.isOnBodyStream, session.stats.statesAdopted], [
    true,
    false,
    1,
  ]);

  fault.on = true;
  lab.run(5);
  assert(session.isOnBodyStream);

  // One desync, three more after three states, and the body stream begins.
  assertEquals(session.stats.desyncs, 4);
  let sum = 0;
  let count = 0;
  let seen = 0;
  const { statesAdopted } = session.stats;
  lab.run(25, () => {
    if (!session.isOnBodyStream) return;
    seen++;
    const error = serverPoses.errorOf(victim);
    sum += error.sum;
    count += error.count;
  });
  assertEquals(seen, 500);
  assertGreater(session.stats.statesAdopted, statesAdopted + 400);
  assertLess(sum / count, 0.01);

  fault.on = false;
  lab.run(25);
  assertEquals([session.isOnBodyStream, session.isInSync], [false, true]);
  const { desyncs, statesAdopted: adopted } = session.stats;
  assertEquals(desyncs, 4);
  lab.run(20);
  assertEquals([session.stats.desyncs, session.stats.statesAdopted], [desyncs, adopted]);
  for (let tick = session.definitiveTick - 50; tick < session.definitiveTick - 5; tick++) {
    assertEquals(session.provenHash(tick), lab.definitiveHashes.get(tick));
  }

  // No press was lost meanwhile.
  for (const rider of riders) rider.isIdle = true;
  lab.run(3);
  const { fields } = lab.serverSimulation!.world.player(session.seat)!;
  assert(session.seat < PLAYER_SEATS);
  assertEquals([fields.flapPresses, fields.firePresses], [
    riders[0]!.flapTotal,
    riders[0]!.fireTotal,
  ]);
  assertEquals(other.session.stats.desyncs, 0);
});

for (const datagrams of [false, true]) {
  const seed = datagrams ? 205 : 204;
  const over = datagrams ? "datagrams, 5 % loss" : "a reliable link";
  Deno.test(`Lab: a spectator that keeps desyncing gets the body stream over ${over}, and leaves it when the fault is gone (SPEC 7.6, 12.14, 12.15, 12.16, 12.17, 12.18) [seed ${seed}]`, () => {
    const serverPoses = new ServerPoses();
    const fault = { on: false };
    const lab: DragonLab = new Lab({
      game: dragonGame,
      seed,
      npcs: 2,
      onDefinitive: serverPoses.record,
    });
    const rider = new RandomDragonControls(seed);
    lab.join("rider", { commandSource: rider, network: { oneWayMs: 50, jitterMs: 5 } });
    const joining = { commandSource: rider, spectate: true, game: onAnotherEngine(fault) };
    const spectator: Player = datagrams
      ? lab.joinByDatagrams("watcher", { ...joining, network: LOSSY })
      : lab.join("watcher", { ...joining, network: { oneWayMs: 50, jitterMs: 5 } });
    const { session } = spectator;
    lab.run(10);
    assertEquals([session.seat, session.isInSync, session.isOnBodyStream], [-1, true, false]);

    fault.on = true;
    lab.run(5);
    assertEquals([session.isOnBodyStream, session.stats.desyncs], [true, 4]);
    let sum = 0;
    let count = 0;
    let seen = 0;
    let ticks = 0;
    lab.run(25, () => {
      ticks++;
      if (!session.isOnBodyStream) return;
      seen++;
      const error = serverPoses.errorOf(spectator);
      sum += error.sum;
      count += error.count;
    });
    assertEquals([seen, session.stats.desyncs], [ticks, 4]);
    assertGreater(count, 5_000);
    assertLess(sum / count, datagrams ? 0.02 : 0.01);

    fault.on = false;
    lab.run(25);
    assertEquals([session.isOnBodyStream, session.isInSync, session.stats.desyncs], [
      false,
      true,
      4,
    ]);
    const { statesAdopted } = session.stats;
    lab.run(10);
    assertEquals([session.stats.desyncs, session.stats.statesAdopted], [4, statesAdopted]);
    for (let tick = session.definitiveTick - 50; tick < session.definitiveTick - 5; tick++) {
      assertEquals(session.provenHash(tick), lab.definitiveHashes.get(tick));
    }
  });
}

Deno.test("Lab: a body-stream client that reconnects has its seat again, and the body stream as soon as it desyncs (SPEC 3.4, 12.14) [seed 206]", () => {
  const fault = { on: true };
  const network = { oneWayMs: 50, jitterMs: 5 };
  const lab: DragonLab = new Lab({ game: dragonGame, seed: 206, npcs: 2 });
  const rider = new RandomDragonControls(206);
  const game = onAnotherEngine(fault);
  lab.join("witness", { commandSource: new RandomDragonControls(207), network });
  const before = lab.join("victim", { commandSource: rider, network, game });
  lab.run(20);
  const { seat, resume, isOnBodyStream, definitiveTick: cutAt } = before.session;
  const { id } = lab.serverSimulation!.world.player(seat)!;
  assert(isOnBodyStream);
  assertGreater(before.session.stats.statesAdopted, 200);

  // The page reconnects with a new session, in which press counters begin at 0.
  before.link.close(1006, "cut");
  lab.players.splice(lab.players.indexOf(before), 1);
  lab.run(5);
  const returnedControls = new RandomDragonControls(208);
  const after = lab.join("victim", { commandSource: returnedControls, network, game, resume });
  lab.run(10);
  const { session } = after;
  const own = () => lab.serverSimulation!.world.player(seat)!;
  assertGreater(session.definitiveTick, cutAt + 200);
  assertEquals([session.phase, session.seat, own().id, session.isOnBodyStream], [
    "playing",
    seat,
    id,
    true,
  ]);
  assertEquals(session.stats.desyncs, 3);
  const presses = own().fields.flapPresses;
  const made = returnedControls.flapTotal;
  lab.run(10);
  returnedControls.isIdle = true;
  lab.run(2);
  assertEquals(session.stats.desyncs, 3);
  assertGreater(own().fields.flapPresses, presses + 20);
  assertLessOrEqual(own().fields.flapPresses - presses, returnedControls.flapTotal - made + 3);
});
