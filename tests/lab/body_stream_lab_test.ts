/** The state stream in the lab: beside clients who simulate, over jitter and over loss, and for an engine that cannot agree. */
import { assert, assertEquals, assertGreater, assertLess, assertLessOrEqual } from "@std/assert";
import type { DragonCommand } from "../../shared/games/dragons/command.ts";
import { streamedDragonGame as dragonGame } from "../../shared/games/dragons/body_stream.ts";
import type { DragonSimulation } from "../../shared/games/dragons/simulation.ts";
import { BodyModel } from "../../shared/netcode/wire/body_codec.ts";
import { type Game, PLAYER_SEATS, type Tick } from "../../shared/netcode/game.ts";
import { PoseList } from "../../shared/netcode/pose_list.ts";
import { ServerMessageDecoder } from "../../shared/netcode/wire/server_messages.ts";
import type { QuantizedBody } from "../../shared/netcode/wire/quantized_body.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import { Lab } from "./lab.ts";
import { RandomDragonControls } from "./random_controls.ts";

type DragonLab = Lab<DragonCommand, DragonSimulation>;
type Player = ReturnType<DragonLab["join"]> | ReturnType<DragonLab["joinByDatagrams"]>;

const LOSSY = { oneWayMs: 50, jitterMs: 10, loss: 0.05, duplicated: 0.01, delayed: 0.01 };
const model = new BodyModel(dragonGame.bodies!, dragonGame.tickHz);

/** What was where, by tick, as the server has it. */
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

  /** Metres between what a client has of its newest definitive tick and what was there; one more metre for what is here or there only. */
  errorOf({ session }: Player): { sum: number; count: number } {
    const tick = session.definitiveTick, drawn = this.#drawn, actual = this.#poses.get(tick)!;
    if (!session.copyState(tick, this.#state)) return { sum: 0, count: 0 };
    this.#replica.load(this.#state);
    this.#replica.poses(drawn);
    let sum = Math.abs(drawn.count - actual.count);
    for (let i = 0; i < actual.count; i++) {
      const { entity, x, y } = actual.at(i), there = drawn.find(entity);
      sum += there === undefined ? 1 : Math.hypot(there.x - x, there.y - y);
    }
    return { sum, count: actual.count };
  }
}

/** Reads along what one client is told. */
class BodyStreamListener {
  readonly #decoder = new ServerMessageDecoder<DragonCommand>(dragonGame.command, model);
  #before = new Map<number, QuantizedBody>();
  /** Ticks with bodies, and in how many of them each of these was told; the longest that any other was not told of. */
  ticks = 0;
  readonly sendCounts = new Map<number, number>();
  silenceTicks = 0;

  readonly receive = (bytes: Uint8Array) => {
    const message = this.#decoder.decode(bytes);
    const newest = message.type === "ticks" ? message.ticks.at(-1)! : message;
    if (newest.type !== "tick" || newest.bodies === undefined) return;
    this.ticks++;
    for (const [entity, body] of newest.bodies) {
      this.silenceTicks = Math.max(this.silenceTicks, newest.tick - body.tick);
      if (this.#before.get(entity) !== body) this.sendCounts.set(entity, (this.sendCounts.get(entity) ?? 0) + 1);
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
  Deno.test(`Lab: the state stream beside one who simulates, ${name} (SPEC 12.1, 12.2, 12.3) [seed ${seed}]`, () => {
    const serverPoses = new ServerPoses(), listener = new BodyStreamListener();
    const lab: DragonLab = new Lab({ game: dragonGame, seed, npcs: 4, onDefinitive: serverPoses.record });
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
    let sum = 0, count = 0;
    const sample = () => {
      if (!streaming!.session.isOnBodyStream) return;
      const error = serverPoses.errorOf(streaming!);
      sum += error.sum;
      count += error.count;
    };
    lab.run(5);
    lab.run(40, sample);
    for (const rider of riders) rider.isIdle = true;
    lab.run(5, sample);

    const { session } = streaming!, server = lab.serverSimulation!;
    assertEquals([session.phase, session.isOnBodyStream, session.stats.desyncs], ["playing", true, 0]);
    assertEquals([simulating!.session.isOnBodyStream, simulating!.session.stats.desyncs], [false, 0]);
    riders.forEach(({ flapTotal, fireTotal }, i) => {
      const seat = [streaming, simulating][i]!.session.seat, { fields } = server.dragonOfSeat(seat)!;
      assertEquals([fields.flapPresses, fields.firePresses], [flapTotal, fireTotal]);
      assertGreater(flapTotal, 100);
    });
    assertGreater(session.head, session.definitiveTick);
    assertGreater(count, 10_000);
    assertLess(sum / count, datagrams ? 0.02 : 0.01);
    // Every tick the own dragon, where it came through; everybody within half a second, and a round trip where it may be lost.
    assertGreater(listener.ticks, 800);
    assertGreater(
      listener.sendCounts.get(server.dragonOfSeat(session.seat)!.id)!,
      (datagrams ? 0.95 : 0.999) * listener.ticks - 60,
    );
    assertLessOrEqual(listener.silenceTicks, datagrams ? 16 : 10);
    assertLess(session.stats.ownCorrectionsOver5cm, 0.05 * session.stats.ticks);
  });
}

/** The game on an engine whose arithmetic is wrong while `fault` says so: each step leaves the first dragon a hair off. */
function onAnotherEngine(fault: { on: boolean }): Game<DragonCommand, DragonSimulation> {
  return {
    ...dragonGame,
    start: (options, seed) => {
      const simulation = dragonGame.start(options, seed), state = new Snapshot();
      const step = simulation.step.bind(simulation);
      simulation.step = (commands) => {
        step(commands);
        if (!fault.on || simulation.dragons.length === 0) return;
        simulation.save(state);
        const word = state.floats.subarray(0, state.length).indexOf(simulation.dragons[0]!.x);
        assertGreater(word, 0);
        state.floats[word]! *= 1 + 1e-6;
        simulation.load(state);
      };
      return simulation;
    },
  };
}

Deno.test("Lab: who cannot agree is on the state stream after three heals, plays, and is back when the fault is gone (SPEC 12.4, 12.5) [seed 203]", () => {
  const serverPoses = new ServerPoses(), fault = { on: false };
  const lab: DragonLab = new Lab({ game: dragonGame, seed: 203, npcs: 2, onDefinitive: serverPoses.record });
  const riders = [1, 2].map((n) => new RandomDragonControls(2030 + n)), network = { oneWayMs: 50, jitterMs: 5 };
  const victim = lab.join("victim", { commandSource: riders[0]!, network, game: onAnotherEngine(fault) });
  const other = lab.join("other", { commandSource: riders[1]!, network });
  const { session } = victim;
  lab.run(10);
  assertEquals([session.isInSync, session.isOnBodyStream, session.stats.statesAdopted], [true, false, 1]);

  fault.on = true;
  lab.run(5);
  assert(session.isOnBodyStream);
  // The first state, three heals in vain, and the stream begins.
  assertEquals(session.stats.desyncs, 4);
  let sum = 0, count = 0, seen = 0;
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
  // Through all of that no press was lost.
  for (const rider of riders) rider.isIdle = true;
  lab.run(3);
  const { fields } = lab.serverSimulation!.dragonOfSeat(session.seat)!;
  assert(session.seat < PLAYER_SEATS);
  assertEquals([fields.flapPresses, fields.firePresses], [riders[0]!.flapTotal, riders[0]!.fireTotal]);
  assertEquals(other.session.stats.desyncs, 0);
});

for (const datagrams of [false, true]) {
  const seed = datagrams ? 205 : 204, over = datagrams ? "datagrams, 5 % loss" : "a stream";
  Deno.test(`Lab: a watcher who cannot agree, over ${over}, is told where bodies are, and is back when the fault is gone (SPEC 7.6, 12.4, 12.5) [seed ${seed}]`, () => {
    const serverPoses = new ServerPoses(), fault = { on: false };
    const lab: DragonLab = new Lab({ game: dragonGame, seed, npcs: 2, onDefinitive: serverPoses.record });
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
    let sum = 0, count = 0, seen = 0, ticks = 0;
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
    assertEquals([session.isOnBodyStream, session.isInSync, session.stats.desyncs], [false, true, 4]);
    const { statesAdopted } = session.stats;
    lab.run(10);
    assertEquals([session.stats.desyncs, session.stats.statesAdopted], [4, statesAdopted]);
    for (let tick = session.definitiveTick - 50; tick < session.definitiveTick - 5; tick++) {
      assertEquals(session.provenHash(tick), lab.definitiveHashes.get(tick));
    }
  });
}

Deno.test("Lab: who is on the state stream and loses his line has his seat again, and is on it again as soon as he cannot agree (SPEC 3.4, 12.4) [seed 206]", () => {
  const fault = { on: true }, network = { oneWayMs: 50, jitterMs: 5 };
  const lab: DragonLab = new Lab({ game: dragonGame, seed: 206, npcs: 2 });
  const rider = new RandomDragonControls(206), game = onAnotherEngine(fault);
  lab.join("witness", { commandSource: new RandomDragonControls(207), network });
  const before = lab.join("victim", { commandSource: rider, network, game });
  lab.run(20);
  const { seat, resume, isOnBodyStream, definitiveTick: cutAt } = before.session;
  const { id } = lab.serverSimulation!.dragonOfSeat(seat)!;
  assert(isOnBodyStream);
  assertGreater(before.session.stats.statesAdopted, 200);

  // Its page comes back with another session, whose press counters begin anew.
  before.link.close(1006, "cut");
  lab.players.splice(lab.players.indexOf(before), 1);
  lab.run(5);
  const returnedControls = new RandomDragonControls(208);
  const after = lab.join("victim", { commandSource: returnedControls, network, game, resume });
  lab.run(10);
  const { session } = after, own = () => lab.serverSimulation!.dragonOfSeat(seat)!;
  assertGreater(session.definitiveTick, cutAt + 200);
  assertEquals([session.phase, session.seat, own().id, session.isOnBodyStream], ["playing", seat, id, true]);
  assertEquals(session.stats.desyncs, 3);
  const presses = own().fields.flapPresses, made = returnedControls.flapTotal;
  lab.run(10);
  returnedControls.isIdle = true;
  lab.run(2);
  assertEquals(session.stats.desyncs, 3);
  assertGreater(own().fields.flapPresses, presses + 20);
  assertLessOrEqual(own().fields.flapPresses - presses, returnedControls.flapTotal - made + 3);
});
