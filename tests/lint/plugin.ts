/**
 * The project's own rules for `deno lint`: they refuse in `shared/`, and most of all in games, what
 * makes a rollback or another machine end in another state (SPEC 1.21). deno.json lists this file,
 * so plain `deno lint` runs them.
 */
import type { Plugin } from "./lint_types.ts";
import { moduleState } from "./module_state.ts";
import { orderedIteration } from "./ordered_iteration.ts";
import { pureNames } from "./pure_names.ts";

const plugin: Plugin = {
  name: "wyvern",
  rules: {
    "pure-names": pureNames,
    "module-state": moduleState,
    "ordered-iteration": orderedIteration,
  },
};

export default plugin;
