/** The scene whose state is saved and loaded: balls and crates that pile up, some of them pinned. */
import type { BodySpec, Part, Pin, Rate, Scene } from "../../../engines/scene.ts";

export const BODY_COUNTS = [50, 200, 800] as const;
export type BodyCount = typeof BODY_COUNTS[number];

export const RATE: Rate = { tickHz: 60, substeps: 1 };
/** The first state is saved then: all bodies fall. */
export const FIRST_TICK = 30;
/** Ticks between the two states, as deep as a usual rollback. All bodies are awake in both. */
export const TICKS_BETWEEN = 20;

/** Metres from centre to centre in the rows of the first tick. */
const PITCH = 0.85;
/** Each of these bodies is pinned to the next one of its row. */
const BODIES_PER_PIN = 10;

/** A pit with rows of balls and crates in turns, a little out of line. */
export function pile(bodyCount: number): Scene {
  const columns = Math.ceil(Math.sqrt(bodyCount));
  const halfWidth = columns * PITCH / 2 + 0.2;
  const ground: Part[] = [
    { shape: { box: [halfWidth + 1, 0.5], y: -0.5 } },
    { shape: { box: [0.5, 60], x: -halfWidth - 0.5, y: 59 } },
    { shape: { box: [0.5, 60], x: halfWidth + 0.5, y: 59 } },
  ];

  const bodies = Array.from({ length: bodyCount }, (_, i): BodySpec => ({
    parts: [{ shape: i % 2 === 0 ? { circle: 0.4 } : { box: [0.36, 0.36] } }],
    x: (i % columns - (columns - 1) / 2) * PITCH + (i * 37 % 100 / 100 - 0.5) * 0.02,
    y: (Math.floor(i / columns) + 0.5) * PITCH,
  }));

  const pins: Pin[] = [];
  for (let a = 0; a + 1 < bodyCount; a += BODIES_PER_PIN) {
    if (a % columns === columns - 1) continue;
    const { x, y } = bodies[a]!;
    pins.push({ a, b: a + 1, x: (x + bodies[a + 1]!.x) / 2, y });
  }

  return { gravity: 10, ground, bodies, pins };
}
