/**
 * The fingerprint of a game's rules: a hash of the game bundled alone and minified, with kit and
 * physics, so that comments and spaces do not count. A page and a server with equal fingerprints
 * step every state alike; with different ones they may not.
 */
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { LIBRARY_FILES } from "./libraries.ts";
import { stripLabels } from "./strip_labels.ts";

/** In hexadecimal digits: 48 bits tell builds apart, and nobody has to be kept from forging one. */
const DIGITS = 12;

/** A game's module, as far as its fingerprint needs it. */
interface IdentifiedModule {
  readonly game: { readonly id: string };
}

const BUILT_RULES = /[\\/]shared[\\/]netcode[\\/]built_rules\.ts$/;
/** What a bundle has in its place. */
const DECLARED = /^declare const WYVERN_RULES\b.*$/m;

/**
 * Puts the fingerprints into a bundle. A plugin and no `define`, because that renames every script.
 * @param games the modules that export the games' rules
 * @throws Error with esbuild's message if a module does not bundle
 */
export async function withFingerprints(games: readonly URL[]): Promise<esbuild.Plugin> {
  const rules: Record<string, string> = {};
  for (const module of games) {
    const { game } = await import(module.href) as IdentifiedModule;
    rules[game.id] = await fingerprintOf(module);
  }
  const line = `const WYVERN_RULES = ${JSON.stringify(rules)};`;
  return {
    name: "fingerprints",
    setup(build) {
      build.onLoad({ filter: BUILT_RULES }, async ({ path }) => ({
        contents: (await Deno.readTextFile(path)).replace(DECLARED, line),
        loader: "ts",
      }));
    },
  };
}

/** @throws Error with esbuild's message if the module does not bundle */
export async function fingerprintOf(module: URL): Promise<string> {
  const { outputFiles } = await esbuild.build({
    bundle: true,
    write: false,
    alias: LIBRARY_FILES,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    minify: true,
    legalComments: "none",
    logLevel: "silent", // the thrown error carries the messages
    packages: "external",
    entryPoints: [fileURLToPath(module)],
    plugins: [stripLabels],
  });
  const digest = await crypto.subtle.digest("SHA-256", outputFiles[0]!.contents.slice());
  return new Uint8Array(digest).toHex().slice(0, DIGITS);
}
