/**
 * Makes style sheets that a script imports as text whole and small: with what they import, and
 * without comments. A script puts such a text into a shadow root, where no `@import` works.
 */
import * as esbuild from "esbuild";

export const styleTexts: esbuild.Plugin = {
  name: "style sheets as text",
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path, with: { type } }) => {
      if (type !== "text") return undefined;
      const { outputFiles } = await esbuild.build({
        entryPoints: [path],
        bundle: true,
        write: false,
        minify: true,
        logLevel: "silent", // the thrown error carries the messages
      });
      return { contents: outputFiles[0]!.text, loader: "text" };
    });
  },
};
