/** The player's devices as the command of one tick. */
import type { DragonCommand } from "../../../shared/games/dragons/command.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import type { ActionSet } from "../../input/actions.ts";
import { ButtonCounters } from "../../input/button_counters.ts";
import type { InputDevice } from "../../input/input_device.ts";
import type { CommandSource } from "../../session/session.ts";

/**
 * Either hand can do everything. Shift is no key here: five presses of it open a system dialog on
 * Windows.
 */
export const DRAGON_ACTIONS: ActionSet = {
  // The left stick, and the cross.
  axes: [{
    id: "dir",
    less: { id: "left", label: "Fly left", keys: ["ArrowLeft", "KeyA"], gamepadButtons: [14] },
    more: { id: "right", label: "Fly right", keys: ["ArrowRight", "KeyD"], gamepadButtons: [15] },
    gamepadAxis: 0,
  }],
  buttons: [
    // Lower face button, right shoulder, up.
    {
      id: "flap",
      label: "Flap",
      touchLabel: "Flap",
      keys: ["ArrowUp", "KeyW", "Space"],
      gamepadButtons: [0, 5, 12],
    },
    // Left face button, right trigger.
    {
      id: "fire",
      label: "Breathe fire",
      touchLabel: "Fire",
      keys: ["KeyF", "KeyX", "KeyJ"],
      gamepadButtons: [2, 7],
    },
  ],
};

export class DragonControls implements CommandSource<DragonCommand> {
  readonly #buttons: ButtonCounters;

  /** @param device the device that plays now */
  constructor(device: () => InputDevice) {
    this.#buttons = new ButtonCounters(device, ["flap", "fire"]);
  }

  next(_tick: Tick, acknowledged: DragonCommand | undefined): DragonCommand {
    return this.#read("next", acknowledged);
  }

  peek(acknowledged: DragonCommand | undefined): DragonCommand {
    return this.#read("peek", acknowledged);
  }

  resume(own: DragonCommand | undefined): void {
    this.#buttons.resume((id) => id === "flap" ? own?.flaps : own?.fires);
  }

  #read(method: "next" | "peek", acknowledged: DragonCommand | undefined): DragonCommand {
    const buttons = this.#buttons;
    const device = buttons.currentDevice();
    // Read before the counters: with one button, the tick that consumes a direction can press fire.
    const dir = device.readAxis("dir", method === "next") as DragonCommand["dir"];
    return {
      dir,
      flapHeld: device.isHeld("flap"),
      flaps: buttons[method]("flap", acknowledged?.flaps),
      fires: buttons[method]("fire", acknowledged?.fires),
    };
  }
}
