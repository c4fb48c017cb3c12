/** The engines by name. Each is imported lazily, so that no worker or process has two. */
import type { Engine, EngineName } from "./scene.ts";

/**
 * Each engine needs a worker or process of its own, because a stage replaces a function of planck's, and stock planck
 * must keep it.
 */
export const ENGINES: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  stage: async () => (await import("./stage_engine.ts")).stageEngine,
  planck: async () => (await import("./planck_engine.ts")).planckEngine,
  box2dWasm: async () => (await import("./box2d_engine.ts")).box2dEngine,
  rapier: async () => (await import("./rapier_engine.ts")).rapierEngine,
};
