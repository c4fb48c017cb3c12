/** An input device that a test operates: a direction, and the buttons "flap" and "fire". */
import type { InputDevice } from "../../../client/input/input_device.ts";

export class FakeDevice implements InputDevice {
  dir = 0;
  flapHeld = false;
  flapPresses = 0;
  firePresses = 0;
  isHeld(button: string): boolean {
    return button === "flap" && this.flapHeld;
  }
  presses(button: string): number {
    return button === "flap" ? this.flapPresses : this.firePresses;
  }
  readAxis(): number {
    return this.dir;
  }
}
