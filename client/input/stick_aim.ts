/** Aims with a gamepad's right stick. When released, it keeps its direction. */
import { type AimSource, angleOf } from "./aim.ts";
import type { GamepadState } from "./gamepads.ts";
import { STICK_CENTRE } from "./sticks.ts";

/** The right stick in the standard mapping. */
const X_AXIS = 2;
const Y_AXIS = 3;

export class StickAim implements AimSource {
  readonly #read: () => readonly (GamepadState | null)[];
  angle: number | undefined;

  /** @param read `readGamepads` in the browser */
  constructor(read: () => readonly (GamepadState | null)[]) {
    this.#read = read;
  }

  update(): boolean {
    for (const gamepad of this.#read()) {
      if (gamepad?.mapping !== "standard") continue;
      const x = gamepad.axes[X_AXIS] ?? 0, y = gamepad.axes[Y_AXIS] ?? 0;
      if (Math.hypot(x, y) < STICK_CENTRE) continue;
      this.angle = angleOf(x, y);
      return true;
    }
    return false;
  }
}
