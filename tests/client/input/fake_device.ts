/** An input device that a test operates. It aims, too. */
import type { InputDevice } from "../../../client/input/input_device.ts";

export class FakeDevice implements InputDevice {
  /** How often it has aimed. */
  moves = 0;
  /** By axis. */
  readonly axes: Record<string, number> = {};
  /** All presses, by button. */
  readonly totals: Record<string, number> = {};
  /** The buttons that are down. */
  readonly held = new Set<string>();
  /** As `NewestAim.read` returns it. */
  angle: number | undefined;

  readAxis(axis: string): number {
    return this.axes[axis] ?? 0;
  }
  isHeld(button: string): boolean {
    return this.held.has(button);
  }
  presses(button: string): number {
    return this.totals[button] ?? 0;
  }
  press(button: string): void {
    this.totals[button] = this.presses(button) + 1;
  }
  read(): number | undefined {
    return this.angle;
  }
}
