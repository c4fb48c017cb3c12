/** All features of the physics, for the declarations of tests. */
import { chains } from "../../../../shared/physics/chains/feature.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import { descriptions } from "../../../../shared/physics/stage/describe.ts";
import { paths } from "../../../../shared/physics/stage/kinematic_paths.ts";
import { properties } from "../../../../shared/physics/stage/properties.ts";
import { queries } from "../../../../shared/physics/stage/queries.ts";
import { rounded } from "../../../../shared/physics/rounded/feature.ts";
import { touches } from "../../../../shared/physics/events/touches.ts";

export const FEATURES = [
  chains,
  descriptions,
  joints,
  paths,
  properties,
  queries,
  rounded,
  touches,
];
