/** All scenes of the testbed, in the order of the page's list. */
import type { Scene } from "./scene.ts";
import { bridge } from "./scenes/bridge.ts";

export const SCENES: readonly Scene[] = [bridge];
