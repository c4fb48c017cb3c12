/**
 * Commands from a kit game's controls over a match: seats that others had before, presses, and what
 * peeking costs.
 */
import { assertEquals, assertGreater } from "@std/assert";
import { KitControls } from "../../../client/game_kit/kit_controls.ts";
import { kitActions } from "../../../client/game_kit/controls/kit_actions.ts";
import { FakeDevice } from "../input/fake_device.ts";
import { Random } from "../../../shared/random.ts";
import { Lab } from "../../tools/lab/lab.ts";
import { yardGame } from "../../shared/game_kit/yard_game.ts";
import { controlsGame } from "./controls_game.ts";

const { command: { neutral } } = controlsGame;
type Command = typeof neutral;

function openControls(device: FakeDevice) {
  const actions = kitActions(controlsGame.declaration.command);
  return new KitControls<Command>(controlsGame, {
    actions,
    device: () => device,
    aim: device,
    join: { team: "orange" },
  });
}

Deno.test("KitControls: a stick's value is quantized, so others decode exactly what its owner simulates (SPEC 13.4)", () => {
  const device = new FakeDevice();
  const controls = openControls(device);
  Object.assign(device.axes, { dx: 0.3, dy: -0.777 });
  device.angle = 6.28;
  const command = controls.next(1, neutral);
  assertEquals(command, { ...neutral, dx: 0, dy: -6, aim: 0, team: 1 });
  assertEquals(
    controlsGame.commandOf({ dx: 0, dy: -6 / 8, aim: 0, team: "orange" }, neutral),
    command,
  );
  device.axes.dy = -0.76;
  assertEquals(
    controls.next(2, command),
    command,
    "a stick that moves less than a step changes nothing",
  );
});

Deno.test("KitControls: dial and aim begin where the seat's player before left them (SPEC 13.33)", () => {
  const device = new FakeDevice();
  device.totals["gear-more"] = 7; // before the match
  const controls = openControls(device);
  assertEquals(controls.next(1, undefined).gear, 2, "nobody knows the seat yet");
  device.totals["gear-more"] = 8;
  const left: Command = { ...neutral, gear: 0, aim: 5, boost: 3 };
  const first = controls.next(2, left);
  assertEquals([first.gear, first.aim, first.boost, first.team], [1, 5, 3, 1]);
  device.totals["gear-less"] = 9;
  assertEquals([controls.next(3, left).gear, controls.peek(left).gear], [0, 0]);
  device.totals["gear-more"] = 9;
  assertEquals(controls.next(4, left).gear, 1, "turns beyond the end do not count");
});

Deno.test("KitControls: a pointer that lies still aims no more after 10 s without input (SPEC 3.23)", () => {
  const device = new FakeDevice();
  const controls = openControls(device);
  device.moves = 1;

  /** The own thing moves, so the angle to the pointer changes. */
  const aimAfter = (seconds: number) => {
    const angles: number[] = [];
    for (let tick = 0; tick < seconds * controlsGame.tickHz; tick++) {
      device.angle = (device.angle ?? 0) + 0.01;
      angles.push(controls.next(tick, neutral).aim);
    }
    return new Set(angles.slice(-controlsGame.tickHz)).size;
  };
  assertGreater(aimAfter(9), 1);
  assertEquals(aimAfter(3), 1);
  const still = controls.peek(neutral).aim;
  device.held.add("brake");
  assertEquals(controls.next(1, neutral).aim, still, "this tick had no input before");
  assertGreater(aimAfter(2), 1);
  aimAfter(12);
  device.moves++;
  assertGreater(aimAfter(2), 1, "the pointer has moved");
});

Deno.test("KitControls: each press is in one command, four at once take as long as the server needs (SPEC 1.10)", () => {
  const device = new FakeDevice();
  const controls = openControls(device);
  controls.next(1, neutral);
  device.totals.boost = 4;
  device.held.add("boost");
  const boosts = [2, 3, 4, 5].map((tick) => controls.next(tick, neutral).boost);
  assertEquals(boosts, [1, 2, 3, 3]);
  assertEquals([
    controls.peek({ ...neutral, boost: 1 }).boost,
    controls.next(6, { ...neutral, boost: 1 }).boost,
  ], [
    0,
    0,
  ]);
  assertEquals(controls.next(7, { ...neutral, boost: 1 }).turbo, 1);
});

Deno.test("KitControls: a lone player with analog sticks is never rolled back, and each press counts once (SPEC 13.3, 13.4) [seed 31]", () => {
  const lab = new Lab({ game: yardGame, seed: 31, npcs: 0, stream: "commands" });
  const device = new FakeDevice();
  const random = new Random(31);
  const actions = kitActions(yardGame.declaration.command);
  const commandSource = new KitControls(yardGame, {
    actions,
    device: () => device,
    aim: device,
    join: {},
  });
  const { session } = lab.join("p", { commandSource, network: { oneWayMs: 60, jitterMs: 0 } });
  lab.run(2);
  let pressed = 0;
  lab.run(20, () => {
    for (const axis of ["dx", "dy"]) device.axes[axis] = 2 * random.fraction() - 1;
    device.angle = 7 * random.fraction();
    if (!random.chance(0.2)) return;
    device.press("tie");
    device.press("gear-more");
    pressed++;
  });
  lab.run(2);
  const { rollbacks, desyncs, commandsLate } = session.stats;
  assertEquals({ rollbacks, desyncs, commandsLate }, { rollbacks: 0, desyncs: 0, commandsLate: 0 });
  const { presses, fuel } = lab.serverSimulation!.world.player(session.seat)!.fields;
  assertEquals(presses, pressed);
  assertGreater(pressed, 40);
  assertEquals(fuel, session.simulation!.world.player(session.seat)!.fields.fuel);
});
