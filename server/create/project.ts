/** The files of a new project: a template's game, tests of its rules, and what surrounds them. */
import { readFile } from "node:fs/promises";
import { titleOf } from "../../shared/game_names.ts";
import { filesOfGame, type NewFile } from "./templates.ts";

/** What new projects depend on, in exact versions. The bundle of this program has them. */
declare const WYVERN_VERSIONS: {
  readonly wyvern: string;
  readonly esbuild: string;
  readonly deno: string;
  readonly nodeTypes: string;
};

/** Files beside this module, and where they are in a project. */
const PROJECT_FILES: Readonly<Record<string, string>> = {
  "readme": "README.md",
  "Dockerfile": "Dockerfile",
  "dockerignore": ".dockerignore",
  "gitignore": ".gitignore",
  "ci.yml": ".github/workflows/check.yml",
};

/**
 * Makes a project's files.
 * @param template the name of a template
 * @param options.name the game's
 * @param options.wyvern the version of the package, or another place of it; by default this version
 */
export async function filesOfProject(
  template: string,
  { name, wyvern }: { readonly name: string; readonly wyvern?: string | undefined },
): Promise<readonly NewFile[]> {
  const folder = `games/${name}/`;
  const texts = await Promise.all(
    Object.entries(PROJECT_FILES).map(async ([file, path]) => ({
      path,
      content: named(await readText(`project/${file}`), name),
    })),
  );
  const tests = await readText(`rule_tests/${template}.ts`);
  return [
    ...await filesOfGame(template, { name, rules: folder, view: folder }),
    { path: `${folder}game_test.ts`, content: tests.replace(RULES, '"./game.ts"') },
    { path: `${folder}icon.svg`, content: await readText("project/icon.svg") },
    { path: "package.json", content: manifestOf(name, wyvern) },
    ...texts,
  ];
}

/** The module that a template's tests import. */
const RULES = /"[./]+shared\/game_kit\/templates\/\w+\/game\.ts"/;

function named(text: string, name: string): string {
  return text.replaceAll("Template", titleOf(name)).replaceAll("template", name);
}

function readText(path: string): Promise<string> {
  return readFile(new URL(path, import.meta.url), "utf8");
}

function manifestOf(name: string, wyvern?: string): string {
  const manifest = {
    name: name.replaceAll("_", "-"),
    version: "0.1.0",
    private: true,
    type: "module",
    scripts: {
      dev: "wyvern dev",
      start: "wyvern serve",
      bots: "wyvern bots",
      build: "wyvern build",
      check: "wyvern check",
      test: "deno test --allow-read games",
    },
    dependencies: { wyvern: wyvern ?? WYVERN_VERSIONS.wyvern },
    devDependencies: {
      "@types/node": WYVERN_VERSIONS.nodeTypes,
      deno: WYVERN_VERSIONS.deno,
      esbuild: WYVERN_VERSIONS.esbuild,
    },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
