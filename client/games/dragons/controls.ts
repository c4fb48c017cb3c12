/** What a player's hands say, as the command for one tick. */
import type { DragonCommand } from "../../../shared/games/dragons/command.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import type { InputDevice } from "../../input/input_device.ts";
import { PressCounter } from "../../input/press_counter.ts";
import type { CommandSource } from "../../session/session.ts";

export class DragonControls implements CommandSource<DragonCommand> {
  readonly #device: () => InputDevice;
  readonly #flaps = new PressCounter();
  readonly #fires = new PressCounter();
  /** The hand that the totals are of: another one's presses so far are not ours. */
  #baseline: { device: InputDevice; flaps: number; fires: number } | undefined;
  #flapTotal = 0;
  #fireTotal = 0;

  /** @param device who plays now; presses before this match began, or before he took over, do not count */
  constructor(device: () => InputDevice) {
    this.#device = device;
    this.#currentDevice();
  }

  next(_tick: Tick, acknowledged: DragonCommand | undefined): DragonCommand {
    const device = this.#currentDevice();
    const dir = device.consumeDirection();
    this.#count(device);
    const flaps = this.#flaps.next(acknowledged?.flaps), fires = this.#fires.next(acknowledged?.fires);
    return { dir, flapHeld: device.flapHeld, flaps, fires };
  }

  peek(acknowledged: DragonCommand | undefined): DragonCommand {
    const device = this.#currentDevice();
    this.#count(device);
    const flaps = this.#flaps.peek(acknowledged?.flaps), fires = this.#fires.peek(acknowledged?.fires);
    return { dir: device.peekDirection(), flapHeld: device.flapHeld, flaps, fires };
  }

  #currentDevice(): InputDevice {
    const device = this.#device();
    if (this.#baseline?.device !== device) {
      this.#baseline = { device, flaps: device.flapPresses, fires: device.firePresses };
    }
    return device;
  }

  #count(device: InputDevice): void {
    const baseline = this.#baseline!;
    this.#flapTotal += device.flapPresses - baseline.flaps;
    this.#fireTotal += device.firePresses - baseline.fires;
    baseline.flaps = device.flapPresses;
    baseline.fires = device.firePresses;
    this.#flaps.setTotal(this.#flapTotal);
    this.#fires.setTotal(this.#fireTotal);
  }
}
