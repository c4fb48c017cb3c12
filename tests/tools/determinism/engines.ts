/**
 * The engines that must agree, each behind the same interface: one request, one reply, in bounded
 * time.
 */
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundle } from "../../../client/build/build.ts";
import { bundleProgram } from "../../../client/build/programs.ts";
import { chromiumPath, launchChromium } from "../../browser/chromium.ts";
import { firefoxPath } from "../../browser/firefox.ts";
import { arm64Command, missingArm64 } from "./arm64.ts";
import type { Engine, EngineName } from "./engine.ts";
import { startFirefoxEngine } from "./firefox_engine.ts";
import { answer } from "./runner.ts";
import { withTimeout } from "./with_timeout.ts";

/** An engine that may be installed on this machine. */
export interface EngineSource {
  readonly name: EngineName;
  /** @returns undefined if the engine is installed; else the reason and a remedy, for the user */
  missingReason(): Promise<string | undefined>;
  start(): Promise<Engine>;
  /** Whether an emulator runs it, which takes half a minute of a core before the first tick. */
  readonly isEmulated?: boolean;
}

const CONFIG = fileURLToPath(new URL("../../../deno.json", import.meta.url));
const NODE_MAJOR_MIN = 20;
/**
 * Two thousand ticks take a second or two, and ten times as long on a busy machine. The limit is
 * far above both.
 */
const RUN_MS_MAX = 120_000;
/** In QEMU the full scene of `--table` takes three minutes of a core, ms. */
const EMULATED_RUN_MS_MAX = 1_200_000;

/** The engines in the order in which they run. The first one is the reference. */
export const ENGINES: readonly EngineSource[] = [
  {
    name: "deno",
    missingReason: () => Promise.resolve(undefined),
    start: () => Promise.resolve(denoEngine),
  },
  { name: "bundle", missingReason: () => Promise.resolve(undefined), start: startBundle },
  { name: "node", missingReason: missingNode, start: startNode },
  {
    name: "chromium",
    missingReason: () =>
      Promise.resolve(
        chromiumPath === undefined ? "there is none; install Debian's chromium" : undefined,
      ),
    start: startChromium,
  },
  {
    name: "firefox",
    missingReason: () =>
      Promise.resolve(
        firefoxPath === undefined ? "there is none; install Debian's firefox-esr" : undefined,
      ),
    start: async () => await startFirefoxEngine(await bundled("firefox_page.ts"), RUN_MS_MAX),
  },
  { name: "jsc", missingReason: missingBun, start: startBun },
  {
    name: "deno-arm64",
    missingReason: () => Promise.resolve(missingArm64()),
    start: startArm64,
    isEmulated: Deno.build.arch !== "aarch64",
  },
];

/** Runs in this process, without a bundle. */
const denoEngine: Engine = {
  name: "deno",
  run: answer,
  close: () => Promise.resolve(),
};

function bundled(file: string): Promise<string> {
  return bundle(fileURLToPath(new URL(file, import.meta.url)));
}

async function missingNode(): Promise<string | undefined> {
  const version = await versionOf("node");
  if (version === undefined) return "there is none on the PATH";
  if (Number(/^v(\d+)\./.exec(version)?.[1]) >= NODE_MAJOR_MIN) return undefined;
  return `it is ${version || "of no version"}; ${NODE_MAJOR_MIN} or newer is needed`;
}

/** JavaScriptCore, the engine of Safari, comes with Bun. */
async function missingBun(): Promise<string | undefined> {
  if (await versionOf("bun") !== undefined) return undefined;
  return "there is no bun on the PATH; npm's package bun has it";
}

/** What a program on the PATH prints as its version; undefined if there is no such program. */
async function versionOf(program: string): Promise<string | undefined> {
  try {
    const { stdout } = await new Deno.Command(program, { args: ["--version"] }).output();
    return new TextDecoder().decode(stdout).trim();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function startNode(): Promise<Engine> {
  const { program, folder } = await writtenProgram("node");
  return programEngine({ name: "node", command: ["node", program], folder });
}

async function startBun(): Promise<Engine> {
  const { program, folder } = await writtenProgram("jsc");
  return programEngine({ name: "jsc", command: ["bun", program], folder });
}

async function startArm64(): Promise<Engine> {
  const { program, folder } = await writtenProgram("deno-arm64");
  return programEngine({
    name: "deno-arm64",
    command: [...arm64Command(), "run", "--no-config", "--no-lock", program],
    folder,
    // Its caches are not for this machine's Deno.
    env: { DENO_DIR: `${folder}/cache` },
    runMsMax: EMULATED_RUN_MS_MAX,
  });
}

/** Writes the program into a folder of its own. */
async function writtenProgram(
  name: EngineName,
): Promise<{ readonly program: string; readonly folder: string }> {
  const folder = await Deno.makeTempDir({ prefix: `wyvern-${name}-` });
  const program = `${folder}/program.mjs`;
  await Deno.writeTextFile(program, await bundled("program.ts"));
  return { program, folder };
}

/** Deno with a bundle as the server's, where the reference runs the sources. */
async function startBundle(): Promise<Engine> {
  const folder = await Deno.makeTempDir({ prefix: "wyvern-bundle-" });
  const source = new URL("program.ts", import.meta.url).href;
  const module = await bundleProgram(source, pathToFileURL(`${folder}/`));
  const command = [Deno.execPath(), "run", "--config", CONFIG, module];
  return programEngine({ name: "bundle", command, folder });
}

/** @param options.folder the engine's own, which goes at its end */
function programEngine(
  { name, command: [file, ...args], folder, env = {}, runMsMax = RUN_MS_MAX }: {
    name: EngineName;
    command: readonly string[];
    folder: string;
    env?: Readonly<Record<string, string>>;
    runMsMax?: number;
  },
): Engine {
  return {
    name,
    async run(request) {
      const child = new Deno.Command(file!, {
        args,
        env,
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
        signal: AbortSignal.timeout(runMsMax),
      }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(JSON.stringify(request)));
      await writer.close();
      const { code, stdout, stderr } = await child.output();
      if (code !== 0) {
        throw new Error(`${name} ended with code ${code}: ${new TextDecoder().decode(stderr)}`);
      }
      return JSON.parse(new TextDecoder().decode(stdout));
    },
    close: () => Deno.remove(folder, { recursive: true }),
  };
}

async function startChromium(): Promise<Engine> {
  const script = await bundled("chromium_page.ts");
  const browser = await launchChromium({ handleSIGINT: false });

  try {
    const page = await browser.newPage();
    await page.addScriptTag({ content: script, type: "module" });
    // A module script runs asynchronously.
    await page.waitForFunction(() => "answer" in globalThis);
    return {
      name: "chromium",
      run: (request) =>
        withTimeout(
          RUN_MS_MAX,
          "chromium",
          page.evaluate(
            (request) =>
              (globalThis as unknown as { answer: (request: unknown) => unknown }).answer(request),
            request,
          ) as Promise<never>,
        ),
      close: () => browser.close(),
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
