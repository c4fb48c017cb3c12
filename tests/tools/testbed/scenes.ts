/** All scenes of the testbed, in the order of the page's list. */
import type { Scene } from "./scene.ts";
import { belts } from "./scenes/belts.ts";
import { billiards } from "./scenes/billiards.ts";
import { breakout } from "./scenes/breakout.ts";
import { bridge } from "./scenes/bridge.ts";
import { car } from "./scenes/car.ts";
import { crane } from "./scenes/crane.ts";
import { gears } from "./scenes/gears.ts";
import { pulleys } from "./scenes/pulleys.ts";
import { ragdolls } from "./scenes/ragdolls.ts";
import { rays } from "./scenes/rays.ts";
import { scales } from "./scenes/scales.ts";
import { tumbler } from "./scenes/tumbler.ts";

export const SCENES: readonly Scene[] = [
  car,
  bridge,
  gears,
  pulleys,
  tumbler,
  ragdolls,
  breakout,
  belts,
  scales,
  billiards,
  rays,
  crane,
];
