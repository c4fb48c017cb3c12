/** Games that are played with one button. */
import { assertEquals, assertThrows } from "@std/assert";
import { defineView, oneButton } from "../../../client/game_kit/client_kit.ts";
import { GameError } from "../../../shared/game_kit/game_error.ts";
import { FakeDevice } from "../input/fake_device.ts";
import { truckGame, turretGame } from "./controls_game.ts";

const view = defineView(truckGame, {
  view: [20, 10],
  oneButton: oneButton({ tap: "jump", turn: "drive" }),
});

function play() {
  const device = new FakeDevice();
  const one = view.oneButton!(device);
  const controls = view.controls(() => one);
  let acknowledged = truckGame.command.neutral;
  let tick = 0;
  const ticks = (count: number) =>
    Array.from({ length: count }, () => acknowledged = controls.next(tick++, acknowledged));
  return { device, ticks };
}

Deno.test("oneButton: a tap is one press, and the thing always moves on (SPEC 13.131)", () => {
  const { device, ticks } = play();
  device.press("jump");
  device.press("brake");
  device.axes.drive = -1;
  assertEquals(ticks(3).map(({ drive, jump, brake }) => [drive, jump, brake]), [
    [1, 1, 0],
    [1, 1, 0],
    [1, 1, 0],
  ]);
});

Deno.test("oneButton: held for 0.3 s it turns the thing round, once and for good (SPEC 13.131)", () => {
  const { device, ticks } = play();
  device.press("jump");
  device.held.add("jump");
  const drives = ticks(20).map(({ drive }) => drive);
  assertEquals(drives, [...new Array(5).fill(1), ...new Array(15).fill(-1)]);
  device.held.delete("jump");
  assertEquals(ticks(2).map(({ drive }) => drive), [-1, -1]);
});

Deno.test("oneButton: held longer it makes another press, once (SPEC 13.131)", () => {
  const turret = defineView(turretGame, {
    view: [20, 10],
    oneButton: oneButton({ tap: "jump", hold: "shoot" }),
  });
  const device = new FakeDevice();
  const one = turret.oneButton!(device);
  const controls = turret.controls(() => one);
  device.press("jump");
  device.held.add("jump");
  let acknowledged = turretGame.command.neutral;
  const shots = Array.from({ length: 40 }, (_, tick) => {
    acknowledged = controls.next(tick, acknowledged);
    return acknowledged.shoot;
  });
  assertEquals([shots.indexOf(1), shots.at(-1)], [13, 1]);
});

Deno.test("oneButton: the help line says what the button does; other games offer none (SPEC 13.131)", () => {
  const keys = { jump: ["Space"], brake: ["KeyF"] };
  assertEquals(view.helpText(keys, { oneButton: true }), "Space: jump · hold: turn round");
  assertEquals(defineView(truckGame, { view: [20, 10] }).oneButton, undefined);
});

Deno.test("oneButton: a name that the command does not have is refused", () => {
  const wrong = defineView(truckGame, {
    view: [20, 10],
    // @ts-expect-error Trucks do not fly
    oneButton: oneButton({ tap: "fly" }),
  });
  assertThrows(
    () => wrong.oneButton!(new FakeDevice()),
    GameError,
    'oneButton: the command has no press or hold "fly"',
  );
});
