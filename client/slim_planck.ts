/**
 * planck without what no page runs. Its bundle keeps every joint and its JSON serializer alive: classes are wrapped in calls that
 * a bundler must take for side effects, and the serializer names them all. Said to be pure and unnamed, what is not imported
 * falls away: 15 kB of the compressed script. Nothing that runs is changed; the golden run of the browser test is bundled so, too.
 */
import type { Plugin } from "esbuild";

/** What planck 1.5.0 says, what is said instead, and how often it must be found. */
const EDITS: readonly { readonly said: RegExp; readonly instead: string; readonly times: number }[] = [
  { said: /\/\*\* @class \*\//g, instead: "/* @__PURE__ */", times: 68 },
  { said: /^Serializer\.(from|to)Json = .*$/gm, instead: "", times: 2 },
  { said: /(?<== )new Serializer\(\{/g, instead: "/* @__PURE__ */ new Serializer({", times: 1 },
  { said: /(?<=var DESERIALIZE_BY_TYPE_FIELD = )\(_a = \{\}[\s\S]*?_a\)(?=;)/g, instead: "{}", times: 1 },
];

/** @throws Error where planck is not the one that these edits were written for */
export function slimmed(planck: string): string {
  let text = planck;
  for (const { said, instead, times } of EDITS) {
    const found = text.match(said)?.length ?? 0;
    if (found !== times) {
      throw new Error(`planck has ${said} ${found} times, not ${times}: look at slim_planck.ts again`);
    }
    text = text.replace(said, instead);
  }
  return text;
}

/** By the project's own name for it: the path that esbuild finds behind links may be outside what a build may read. */
const PLANCK = new URL("../node_modules/planck/dist/planck.mjs", import.meta.url);

export const slimPlanck: Plugin = {
  name: "slim planck",
  setup(build) {
    build.onLoad({ filter: /[\\/]planck[\\/]dist[\\/]planck\.mjs$/ }, async () => ({
      contents: slimmed(await Deno.readTextFile(PLANCK)),
      loader: "js",
    }));
  },
};
