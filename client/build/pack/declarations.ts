/**
 * The types of the package: TypeScript writes a declaration beside each module, and those that the
 * libraries reach are packed. TypeScript comes from npm when this runs, and is no package of the
 * project, so nothing that serves or builds pages installs it.
 */
import { posix } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The version that Deno 2.9 contains. */
const TYPESCRIPT = "npm:typescript@6.0.3/tsc";

/** How long the compiler may take, ms; 5 s on a quiet machine. */
const COMPILE_MS_MAX = 300_000;

const IMPORT = /(from |import\()"(\.[^"]+)\.ts"/g;
/** A declaration file that a module brings along, such as the types of files that views import. */
const REFERENCE = /^\/\/\/ <reference path="([^"]+)".*$/gm;

/** A module's declaration: its path below `types`, and its text. */
export interface DeclarationFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes the declarations of some modules, and of all that they name.
 * @param modules paths below `sources`
 * @param stage an empty folder, for the compiler
 * @throws Error with the compiler's output if it does not run
 */
export async function declarationsOf(
  modules: readonly string[],
  { sources, stage }: { readonly sources: URL; readonly stage: URL },
): Promise<readonly DeclarationFile[]> {
  const types = new URL("types/", stage);
  await Deno.writeTextFile(new URL("deno.d.ts", stage), await denoTypes());
  await Deno.writeTextFile(
    new URL("tsconfig.json", stage),
    JSON.stringify({
      compilerOptions: {
        ...STRICT,
        module: "preserve",
        moduleResolution: "bundler",
        target: "esnext",
        lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
        types: [],
        allowImportingTsExtensions: true,
        declaration: true,
        emitDeclarationOnly: true,
        noCheck: true, // `deno task check` does
        rootDir: fileURLToPath(sources),
        outDir: fileURLToPath(types),
      },
      files: [
        fileURLToPath(new URL("deno.d.ts", stage)),
        ...modules.map((path) => fileURLToPath(new URL(path, sources))),
      ],
    }),
  );
  await compile(new URL("tsconfig.json", stage));
  return await reachedFrom(modules.map(declarationPath), { types, sources });
}

/**
 * Checks declarations as a strict project would that has installed them, without Deno's types.
 * @param options.stage the folder of `declarationsOf`
 * @returns the compiler's complaints
 */
export async function checkDeclarations(
  declarations: readonly DeclarationFile[],
  { stage }: { readonly stage: URL },
): Promise<readonly string[]> {
  const folder = new URL("checked/", stage);
  for (const { path, text } of declarations) {
    const file = new URL(path, folder);
    await Deno.mkdir(new URL(".", file), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
  const project = new URL("tsconfig.checked.json", stage);
  await Deno.writeTextFile(
    project,
    JSON.stringify({
      compilerOptions: {
        ...STRICT,
        skipLibCheck: false,
        noEmit: true,
        module: "nodenext",
        target: "esnext",
        lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
        types: [],
      },
      files: declarations.map(({ path }) => fileURLToPath(new URL(path, folder))),
    }),
  );
  const said = await compilerOutput(project);
  return said.split("\n").filter((line) => /^\S.*error TS\d+/.test(line));
}

/** What the project's own check demands (`deno.json`). */
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
};

/**
 * Runs the compiler. @param project the compiler's settings, a file
 * @returns what it says about mistakes, none if there are none
 * @throws Error if it does not run
 */
async function compilerOutput(project: URL): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    // Without the project's configuration, so that neither its lock nor its packages change.
    args: [
      "run",
      "--quiet",
      "--no-config",
      "--no-lock",
      "--node-modules-dir=none",
      "-A",
      TYPESCRIPT,
      "--project",
      fileURLToPath(project),
      "--pretty",
      "false",
    ],
    stdin: "null",
    signal: AbortSignal.timeout(COMPILE_MS_MAX),
  }).output();
  const text = new TextDecoder();
  const said = text.decode(stdout);
  if (code !== 0 && said === "") throw new Error(`${TYPESCRIPT}: ${text.decode(stderr)}`);
  return said;
}

async function compile(project: URL): Promise<void> {
  const said = await compilerOutput(project);
  if (said !== "") throw new Error(said);
}

async function denoTypes(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["types"] }).output();
  return new TextDecoder().decode(stdout);
}

/** The declaration beside a module. */
export function declarationPath(module: string): string {
  return module.replace(/\.ts$/, ".d.ts");
}

/** The declarations that imports lead to, in the order of their paths. */
async function reachedFrom(
  paths: readonly string[],
  { types, sources }: { readonly types: URL; readonly sources: URL },
): Promise<DeclarationFile[]> {
  const texts = new Map<string, string>();
  const waiting = [...paths];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path)) continue;
    const at = new URL(path, types);
    // The compiler writes no declaration for one that somebody has written.
    const written = await readIfThere(at) ?? await Deno.readTextFile(new URL(path, sources));
    const text = written.replace(REFERENCE, (_, target: string) => {
      // The compiler leaves it beside the source; here it is beside the other declarations.
      const targetPath = new URL(target, at).href.slice(sources.href.length);
      waiting.push(targetPath);
      return `/// <reference path="${posix.relative(posix.dirname(path), targetPath)}" />`;
    });
    for (const [, , specifier] of text.matchAll(IMPORT)) {
      waiting.push(new URL(`${specifier}.d.ts`, at).href.slice(types.href.length));
    }
    // Compilers resolve the ending of the module to the declaration beside it.
    texts.set(path, text.replace(IMPORT, `$1"$2.js"`));
  }
  return [...texts].map(([path, text]) => ({ path, text })).sort((a, b) =>
    a.path < b.path ? -1 : 1
  );
}

async function readIfThere(file: URL): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The folder of a file, as a URL that ends with a slash. */
export function folderUrl(path: string): URL {
  return pathToFileURL(`${path}/`);
}
