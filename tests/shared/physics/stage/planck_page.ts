/**
 * A page, as a worker, that uses planck for itself before it loads the stage. It posts what the
 * stage has changed in planck and in `Math`, and the state of the scene that it has run.
 */
import * as planck from "planck";
import { Snapshot } from "../../../../shared/snapshot.ts";

/** The message of the worker. */
export interface PlanckPageReport {
  /** Paths of properties, e.g. "Settings.linearSlop". */
  readonly changed: readonly string[];
  /** The number of properties that were compared. */
  readonly compared: number;
  readonly words: Uint32Array;
}

const TICKS = 60;

type Descriptors = Record<PropertyKey, PropertyDescriptor>;

/** Finds all that hangs on an object: its properties, its prototype, and what hangs on those. */
function propertiesOf(
  root: object,
  path: string,
  found = new Map<object, [string, Descriptors]>(),
) {
  if (found.has(root)) return found;
  const own = Object.getOwnPropertyDescriptors(root) as Descriptors;
  found.set(root, [path, own]);
  for (const key of Reflect.ownKeys(own)) {
    const { value } = own[key]!;
    const isObject = typeof value === "object" && value !== null || typeof value === "function";
    if (isObject) propertiesOf(value, `${path}.${String(key)}`, found);
  }
  const prototype = Object.getPrototypeOf(root);
  if (prototype !== null) propertiesOf(prototype, `${path}.__proto__`, found);
  return found;
}

/** @returns the paths of the properties that are others now, were added or are gone */
function changesOf(before: ReadonlyMap<object, [string, Descriptors]>): string[] {
  const changed: string[] = [];
  for (const [object, [path, old]] of before) {
    const now = Object.getOwnPropertyDescriptors(object) as Descriptors;
    for (const key of new Set([...Reflect.ownKeys(old), ...Reflect.ownKeys(now)])) {
      const { value, get, set } = old[key] ?? {};
      const other = now[key];
      const isSame = other !== undefined && key in old && Object.is(value, other.value) &&
        get === other.get &&
        set === other.set;
      if (!isSame) changed.push(`${path}.${String(key)}`);
    }
  }
  return changed;
}

const before = propertiesOf({ planck: { ...planck }, Math }, "page");
const { startScene, stepScene } = await import("../scenes/scene.ts");
const stage = startScene(1);
const state = new Snapshot();
while (stage.tick < TICKS) stepScene(stage, 1);
stage.save(state);
const compared = [...before.values()].reduce(
  (sum, [, own]) => sum + Reflect.ownKeys(own).length,
  0,
);
const report: PlanckPageReport = {
  changed: changesOf(before),
  compared,
  words: state.words.slice(0, state.length),
};
(self as unknown as Worker).postMessage(report);
