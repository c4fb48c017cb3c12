/** The feature `joints` with all types. A stage that needs few lists them with `jointsOf`. */
import { JOINT_FORMS } from "./joint_forms.ts";
import { type JointsFeature, jointsOf } from "./joints_of.ts";

/** The feature `joints`: stages that list it may have joints of all types. */
export const joints: JointsFeature = jointsOf(...JOINT_FORMS);
