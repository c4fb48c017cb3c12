/** The physics engines that run the full scene of `/same-bits`, each loaded when it is asked for. */
import type { FullScene } from "../../../client/same_bits/full_scene.ts";
import type { LibraryName } from "../../../client/same_bits/table.ts";

export const LIBRARIES: Readonly<Record<LibraryName, () => Promise<new () => FullScene>>> = {
  wyvern: async () => (await import("../../../client/same_bits/stage_scene.ts")).StageScene,
  planck: async () => {
    return (await import("../../../client/same_bits/libraries/planck_scene.ts")).PlanckScene;
  },
  matter: async () => {
    return (await import("../../../client/same_bits/libraries/matter_scene.ts")).MatterScene;
  },
  rapier: async () => {
    return (await import("../../../client/same_bits/libraries/rapier_scene.ts")).RapierScene;
  },
};
