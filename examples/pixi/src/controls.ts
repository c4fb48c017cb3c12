/**
 * What the player does. Arrow keys or WASD steer, and Space presses. On glass the left thumb steers
 * from where it comes down, and the right one presses.
 */

/** So many CSS pixels away from where it came down, a thumb steers with full strength. */
const STICK_PX = 48;

/** A thumb that steers: its pointer, and where it came down, in CSS pixels. */
interface Stick {
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
}

export class Controls {
  readonly #keys = new Set<string>();
  readonly #pressing = new Set<number>();
  #stick: Stick | undefined;
  #stickX = 0;
  #stickY = 0;

  constructor() {
    addEventListener("keydown", (event) => {
      if (/^(Arrow|Space)/.test(event.code)) event.preventDefault(); // the page must not scroll
      this.#keys.add(event.code);
    });
    addEventListener("keyup", ({ code }) => this.#keys.delete(code));
    addEventListener("blur", () => this.#keys.clear());

    addEventListener("pointerdown", ({ pointerId, pointerType, clientX, clientY }) => {
      if (pointerType === "mouse") return;
      const isLeft = clientX < innerWidth / 2;
      if (!isLeft) this.#pressing.add(pointerId);
      else this.#stick ??= { pointer: pointerId, x: clientX, y: clientY };
    });
    addEventListener("pointermove", ({ pointerId, clientX, clientY }) => {
      if (this.#stick?.pointer !== pointerId) return;
      this.#stickX = (clientX - this.#stick.x) / STICK_PX;
      this.#stickY = (this.#stick.y - clientY) / STICK_PX;
    });
    for (const end of ["pointerup", "pointercancel"] as const) {
      addEventListener(end, ({ pointerId }) => {
        this.#pressing.delete(pointerId);
        if (this.#stick?.pointer !== pointerId) return;
        this.#stick = undefined;
        this.#stickX = 0;
        this.#stickY = 0;
      });
    }
  }

  /** −1 for left to 1 for right. */
  get dx(): number {
    return this.#axis("ArrowRight", "KeyD", "ArrowLeft", "KeyA") || within(this.#stickX);
  }

  /** −1 for down to 1 for up. */
  get dy(): number {
    return this.#axis("ArrowUp", "KeyW", "ArrowDown", "KeyS") || within(this.#stickY);
  }

  /** Whether the button is down: Space or the up key, or the right thumb. */
  get isPressed(): boolean {
    return this.#has("Space") || this.#has("ArrowUp") || this.#has("KeyW") ||
      this.#pressing.size > 0;
  }

  #has(code: string): boolean {
    return this.#keys.has(code);
  }

  #axis(plus: string, plusToo: string, minus: string, minusToo: string): number {
    const isPlus = this.#has(plus) || this.#has(plusToo);
    const isMinus = this.#has(minus) || this.#has(minusToo);
    return Number(isPlus) - Number(isMinus);
  }
}

function within(value: number): number {
  return Math.max(-1, Math.min(1, value));
}
