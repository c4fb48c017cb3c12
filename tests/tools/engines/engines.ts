/** The engines by name. Each is imported lazily, so that no worker or process has two. */
import type { Engine, EngineName } from "./scene.ts";

/**
 * An engine that is measured has a worker or process of its own: a garbage collection would charge
 * one engine for another one's allocations.
 */
export const ENGINES: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  stage: async () => (await import("./stage_engine.ts")).stageEngine,
  planck: async () => (await import("./planck_engine.ts")).planckEngine,
  box2dWasm: async () => (await import("./box2d_engine.ts")).box2dEngine,
  rapier: async () => (await import("./rapier_engine.ts")).rapierEngine,
};
