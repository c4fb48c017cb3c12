/**
 * Slow time: a program whose clock and timers run slower than the machine's. If a server, its
 * pages and the network between them are slowed by the same factor, they play as on a machine that
 * is faster by it, so that a busy machine can record every frame of a match.
 */

/** How time passes. */
export interface Slowness {
  /** Seconds of the machine in a second of the program, 1 or more. */
  readonly slowdown: number;
  /** Frames in a second of the page. Two pages draw at the same moments. */
  readonly framesPerSecond?: number;
}

/**
 * Slows this program down from now on. It is one function without imports, because a page runs its
 * text before its own scripts.
 */
export function slowTime({ slowdown, framesPerSecond }: Slowness): void {
  const machineNow = Date.now;
  const now = performance.now.bind(performance);
  const { setTimeout: startTimeout, setInterval: startInterval } = globalThis;

  performance.now = () => now() / slowdown;
  Date.now = () => Math.floor(performance.timeOrigin + performance.now());
  globalThis.setTimeout =
    ((action: () => void, delayMs = 0, ...values: []) =>
      startTimeout(action, delayMs * slowdown, ...values)) as typeof setTimeout;
  globalThis.setInterval =
    ((action: () => void, periodMs = 0, ...values: []) =>
      startInterval(action, periodMs * slowdown, ...values)) as typeof setInterval;
  if (framesPerSecond === undefined) return;

  // Frames begin at multiples of a period on the machine's clock, which all pages share.
  const periodMs = 1000 * slowdown / framesPerSecond;
  const request = requestAnimationFrame;
  const frame = () => Math.floor(machineNow() / periodMs);
  globalThis.requestAnimationFrame = (draw) => {
    const requestedIn = frame();
    const look = () => request(() => frame() > requestedIn ? draw(performance.now()) : look());
    return look();
  };
}
