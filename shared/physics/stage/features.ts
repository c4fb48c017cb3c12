/** The parts of the physics that a stage has only if its declaration lists them. */
import { type StageDef, StageError, type StageFeature } from "../core/types.ts";

/** @returns the feature of that name, or undefined if the declaration does not list it */
export function featureOf<Feature extends StageFeature>(
  { features }: Pick<StageDef, "features">,
  name: Feature["feature"],
): Feature | undefined {
  return features?.find(({ feature }) => feature === name) as Feature | undefined;
}

/** @returns the error for a part of a declaration whose feature the declaration does not list */
export function missingFeature(what: string, name: StageFeature["feature"]): StageError {
  return new StageError(`${what} needs the feature ${name}: add it to the stage's features`);
}
