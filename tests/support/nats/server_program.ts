/**
 * The program nats-server for tests: the newest one that the machine has or can get, and the
 * machine's own old one as a canary. Debian's packages are unpacked below `data/`, and nothing is
 * installed.
 *
 *     the machine's sources, with another suite → apt-get update, into a folder → apt-get download → dpkg -x
 */
import { fileURLToPath } from "node:url";
import { isFencingVersion } from "../../../server/match_log/nats/server_version.ts";
import { programPath } from "../programs.ts";

/** Suites that have a server new enough, the newest first. */
const NEWEST_SUITES = ["sid", "testing"];
const CACHE = fileURLToPath(new URL("../../../data/programs/", import.meta.url));

/** One place of packages in the sources of the machine. */
interface AptSource {
  readonly uri: string;
  readonly keyring: string | undefined;
}

let newest: Promise<string | undefined> | undefined;

/** The path of a server that fences; undefined if the machine has none and reaches none. */
export function newestServer(): Promise<string | undefined> {
  return newest ??= findNewest();
}

/** The path of the machine's own server that does not fence; undefined if it has none. */
export async function canaryServer(): Promise<string | undefined> {
  const isOld = (version: string) => !isFencingVersion(version);
  return await firstWith(isOld, [programPath("nats-server"), cached("own")]) ??
    await firstWith(isOld, [await unpacked("own", undefined)]);
}

/** The version of a server, such as "2.11.4"; undefined for a program that is none. */
export async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await new Deno.Command(path, { args: ["--version"] }).output();
    return new TextDecoder().decode(stdout).match(/v?(\d+\.\d+\.\d+)/)?.[1];
  } catch {
    return undefined;
  }
}

async function findNewest(): Promise<string | undefined> {
  const present = await firstWith(isFencingVersion, [
    programPath("nats-server"),
    ...NEWEST_SUITES.map(cached),
  ]);
  if (present !== undefined) return present;
  for (const suite of NEWEST_SUITES) {
    const path = await firstWith(isFencingVersion, [await unpacked(suite, suite)]);
    if (path !== undefined) return path;
  }
  return undefined;
}

async function firstWith(
  isWanted: (version: string) => boolean,
  paths: readonly (string | undefined)[],
): Promise<string | undefined> {
  for (const path of paths) {
    const version = path && await versionOf(path);
    if (version && isWanted(version)) return path;
  }
  return undefined;
}

function cached(name: string): string {
  return `${CACHE}nats-${name}/usr/sbin/nats-server`;
}

/**
 * @param suite of Debian; undefined for the machine's own
 * @returns the program; undefined if there is no package
 */
async function unpacked(name: string, suite: string | undefined): Promise<string | undefined> {
  const folder = await Deno.makeTempDir({ prefix: "wyvern-apt-" });
  try {
    const options = suite === undefined ? [] : await privateLists(folder, suite);
    if (options === undefined) return undefined;
    if (suite !== undefined) await run("apt-get", [...options, "-qq", "update"], folder);
    // As root, apt would fetch as a user of its own, which may not write here.
    await run("apt-get", [
      ...options,
      "-o",
      "APT::Sandbox::User=root",
      "-qq",
      "download",
      "nats-server",
    ], folder);
    const [file] = [...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".deb"));
    if (file === undefined) return undefined;
    const target = `${CACHE}nats-${name}`;
    await Deno.mkdir(target, { recursive: true });
    await run("dpkg", ["-x", `${folder}/${file.name}`, target], folder);
    return exists(cached(name)) ? cached(name) : undefined;
  } catch (error) {
    console.warn(
      `nats-server of ${suite ?? "this suite"} cannot be had: ${
        error instanceof Error ? error.message : error
      }`,
    );
    return undefined;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Options that make apt use lists of its own for another suite, and leave those of the machine
 * alone.
 */
async function privateLists(folder: string, suite: string): Promise<string[] | undefined> {
  const sources = await machineSources();
  if (sources.length === 0) return undefined;
  for (const part of ["lists/partial", "cache/archives/partial", "parts"]) {
    await Deno.mkdir(`${folder}/${part}`, { recursive: true });
  }
  const lines = sources.map(({ uri, keyring }) =>
    `deb ${keyring ? `[signed-by=${keyring}] ` : ""}${uri} ${suite} main`
  );
  await Deno.writeTextFile(`${folder}/sources.list`, lines.join("\n") + "\n");
  const places = {
    "Dir::Etc::SourceList": `${folder}/sources.list`,
    "Dir::Etc::SourceParts": `${folder}/parts`,
    "Dir::State::Lists": `${folder}/lists`,
    "Dir::Cache": `${folder}/cache`,
    "APT::Sandbox::User": "root",
    "Acquire::Languages": "none",
  };
  return Object.entries(places).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}

/**
 * The sources of the machine's own suite, without those of its updates, which have other suites'
 * names.
 */
async function machineSources(): Promise<AptSource[]> {
  const codename = (await Deno.readTextFile("/etc/os-release")).match(/^VERSION_CODENAME=(\w+)$/m)
    ?.[1];
  const format = "$(REPO_URI) $(RELEASE) $(COMPONENT)";
  const text = await run(
    "apt-get",
    ["indextargets", "--format", format, "Identifier: Packages"],
    ".",
  );
  const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
  const uris = text.split("\n").map((line) => line.split(" "))
    .filter(([, release, component]) => release === codename && component === "main").map(([uri]) =>
      uri!
    );
  return [...new Set(uris)].map((uri) => ({ uri, keyring: exists(keyring) ? keyring : undefined }));
}

async function run(program: string, args: string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(program, { args, cwd }).output();
  if (code !== 0) {
    throw new Error(`${program} ended with ${code}: ${new TextDecoder().decode(stderr).trim()}`);
  }
  return new TextDecoder().decode(stdout);
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
