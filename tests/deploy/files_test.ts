/**
 * Dockerfile and systemd unit: what they name is in the repository, and the server runs as they
 * start it.
 */
import { dragonGame } from "../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater } from "@std/assert";
import { joinedDatagramAddress } from "../../client/net/datagram_address.ts";
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { DatagramClient, quicTest } from "../support/datagrams/datagram_client.ts";
import { GAMES } from "../../shared/games/registry.ts";
import { parseSettings } from "../../server/settings/settings.ts";
import { programTest, runProgram } from "../support/programs.ts";
import { TemporaryData } from "../support/logs/temporary_data.ts";
import { textOf } from "../support/task.ts";
import { builtPage } from "../support/built_page.ts";

const PROJECT = new URL("../../", import.meta.url);
const FOLDER = new URL("docs/deploy/", PROJECT);

const dockerfile = (await textIn("Dockerfile")).replaceAll(/^#.*\n/gm, "").replaceAll(
  /\\\n\s*/g,
  "",
);
const unit = (await textIn("wyvern.service")).split("\n").filter((line) => !line.startsWith("#"));
const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", PROJECT)));
const serve = (tasks.serve.command as string).split("&&").at(-1)!.trim().split(" ");

function textIn(name: string): Promise<string> {
  return Deno.readTextFile(new URL(name, FOLDER));
}

/** The values of an instruction of the Dockerfile, in order. */
function instructions(name: string): string[] {
  return [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, "gm"))].map(([, value]) => value!);
}

/** The values of a directive of the unit. */
function directives(name: string): string[] {
  return unit.filter((line) => line.startsWith(`${name}=`)).map((line) =>
    line.slice(name.length + 1)
  );
}

const entry: string[] = JSON.parse(instructions("ENTRYPOINT").at(-1)!);
const start = directives("ExecStart")[0]!.split(" ");

/** Variables, as "NAME=value" with spaces between. */
function variablesOf(texts: readonly string[]): Map<string, string> {
  return new Map(
    texts.flatMap((text) => text.split(/\s+/)).map((pair) =>
      pair.split(/=(.*)/s) as [string, string]
    ),
  );
}

/** What a service of `Type=notify` with `WatchdogSec` and `RuntimeDirectory` is told. */
const SYSTEMD_VARIABLES = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "RUNTIME_DIRECTORY"];

/**
 * Files differ on purpose: a public server reads its pages and its secrets, and has its logs
 * elsewhere.
 */
const permissionsOf = (command: readonly string[]) =>
  command.filter((arg) => arg.startsWith("--allow-") && !/^--allow-(read|write)=?/.test(arg));

/** `deno task serve` builds its pages and its program first; an image has them. */
function builtEntryOf(args: readonly string[]): string {
  const source = args.findLast((arg) => arg !== "--build")!;
  return source.replace(/main\.ts$/, "dist/main.js");
}

Deno.test("docs/deploy: the server gets the permissions of `deno task serve`, and reads only pages, its program and secrets", () => {
  assertGreater(permissionsOf(serve).length, 1);
  assertEquals(permissionsOf(entry), permissionsOf(serve));

  // The supervisor reads what systemd tells it, and writes to systemd's socket.
  const said = `,${SYSTEMD_VARIABLES.join(",")}`;
  assertEquals(permissionsOf(start).map((each) => each.replace(said, "")), permissionsOf(serve));
  assert(permissionsOf(start).some((each) => each.endsWith(said)));

  for (const command of [entry, start]) {
    assert(
      command.some((arg) => arg.startsWith("--allow-read=client/dist,server,shared,")),
      command.join(" "),
    );
    const variables = variablesOf(
      command === entry ? instructions("ENV") : directives("Environment"),
    );
    const written = [
      variables.get("WYVERN_DATA"),
      ...command === entry ? [] : ["%t/wyvern", "/run/systemd/notify"],
    ];
    assert(command.includes(`--allow-write=${written.join(",")}`), command.join(" "));
    assertEquals(command.at(-1), builtEntryOf(serve), "the same entry");
  }
});

Deno.test("docs/deploy: WebTransport's port, flag and settings are named where a server is started (SPEC 16.22)", async () => {
  assertEquals(instructions("EXPOSE"), ["8080 8080/udp 9090"]);
  // Both start in the folder of deno.json, whose option QUIC needs.
  const { unstable } = JSON.parse(await Deno.readTextFile(new URL("deno.json", PROJECT)));
  assertEquals([unstable, instructions("WORKDIR").at(-1), directives("WorkingDirectory")], [
    ["net", "worker-options"],
    "/wyvern",
    ["/opt/wyvern"],
  ]);
  assert(instructions("COPY").some((each) => each.startsWith("deno.json ")));
  assert(permissionsOf(start).includes("--allow-net"));
  const named: Readonly<Record<string, string[]>> = {
    "Dockerfile": ["8080:8080/udp", "WYVERN_DATAGRAMS=on", "--unstable-net"],
    "wyvern.service": ["WYVERN_DATAGRAMS=on", "WYVERN_DATAGRAMS_HOST=0.0.0.0", "--unstable-net"],
    "nginx.conf": ["--datagrams on --datagrams-host 0.0.0.0"],
  };
  for (const [name, words] of Object.entries(named)) {
    const text = await textIn(name);
    for (const word of words) assert(text.includes(word), `${name}: ${word}`);
  }
});

Deno.test("docs/deploy: the variables of the Dockerfile and of the unit are settings that fit together (SPEC 14.1)", () => {
  const docker = variablesOf(instructions("ENV"));
  const service = variablesOf(directives("Environment"));
  docker.set("WYVERN_ORIGIN", "https://play.example.org"); // as its first lines say
  for (const variables of [docker, service]) {
    const own = [...variables.keys()].filter((name) => name.startsWith("WYVERN_"));
    const asked: string[] = [];
    const settings = parseSettings([], Object.keys(GAMES), {
      readVariable(name) {
        asked.push(name);
        return variables.get(name);
      },
    });
    assert(settings !== "help" && settings.public);
    assertEquals(own.filter((name) => !asked.includes(name)), []);
    assertEquals(settings["ops-port"], 9090);
  }
});

Deno.test("Dockerfile: what it copies is there and enough to build, its base is pinned, and its user is not root", async () => {
  const copied = instructions("COPY").filter((each) => !each.startsWith("--from")).flatMap((
    each,
  ) => (
    each.split(" ").slice(0, -1)
  ));
  for (const path of copied) await Deno.stat(new URL(path, PROJECT));
  const kept = (await textIn("Dockerfile.dockerignore")).split("\n").filter((line) =>
    line.startsWith("!")
  );
  assertEquals(kept.map((line) => line.slice(1)).sort(), copied.sort());
  const [first, second] = instructions("FROM");
  assert(first!.startsWith(`${second} AS`));
  assertEquals(second, `denoland/deno:${Deno.version.deno}`, "the version that the tests run with");
  assertEquals(instructions("USER").at(-1), "deno");
});

/** Resolves with the first match in a process' output. @throws Error if it ends before */
async function firstMatch(child: Deno.ChildProcess, pattern: RegExp): Promise<RegExpMatchArray> {
  let text = "";
  for await (
    const part of child.stdout.pipeThrough(new TextDecoderStream()).values({ preventCancel: true })
  ) {
    text += part;
    const match = text.match(pattern);
    if (match !== null) return match;
  }
  throw new Error(`it ended: ${text}${await textOf(child.stderr)}`);
}

quicTest(
  "Dockerfile: its entry serves the page and WebTransport, and its health check passes while it runs",
  async () => {
    await builtPage();
    using data = await TemporaryData.make();
    const own = {
      WYVERN_PORT: "0",
      WYVERN_LOG_JSON: "true",
      WYVERN_DATA: data.folder,
      WYVERN_DATAGRAMS: "on",
    };
    const env = { ...own, NO_COLOR: "1" };
    const ownArgs = entry.slice(1).map((arg) => arg.replace("/data", data.folder));
    const child = new Deno.Command(Deno.execPath(), {
      ...{
        args: ownArgs,
        cwd: PROJECT.pathname,
        env,
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      } as const,
    }).spawn();
    const [, url] = await firstMatch(child, /"url":"([^"]+)"/);
    const { port } = new URL(url!);
    const check = instructions("HEALTHCHECK")[0]!;
    const command: string[] = JSON.parse(check.slice(check.indexOf("[")));
    assert(command.includes("--allow-net=127.0.0.1:8080"), "the check names the port of the image");

    // In the image it is process 1 that ends after six failures.
    const container = new Deno.Command("sleep", { args: ["600"] }).spawn();
    const args = [
      ...command.slice(1).map((arg) => arg.replace("8080", port)),
      port,
      String(container.pid),
    ];
    const isHealthy = async () =>
      (await new Deno.Command(Deno.execPath(), { args, cwd: PROJECT.pathname }).output()).success;
    const page = await fetch(url!);
    assertEquals([page.status, page.headers.get("content-type")], [
      200,
      "text/html; charset=utf-8",
    ]);
    await page.body?.cancel();
    assert(await isHealthy());
    const request = { gameId: dragonGame.id, room: "PORT", name: "Ada", spectate: false };
    const session = new DatagramClient(await joinedDatagramAddress(new URL(url!).origin, request));

    // It is open if the server closes it with a code of its own, here for a hello that is none.
    session.link.sendReliably(Uint8Array.of(255));
    assertEquals((await session.ended)[0], CloseCode.protocol);
    child.kill("SIGTERM");
    assertEquals((await child.status).code, 0);
    await child.stderr.cancel();
    for (let failures = 1; failures <= 6; failures++) {
      assert(!await isHealthy(), `check ${failures} fails`);
    }
    assertEquals(
      (await container.status).signal,
      "SIGTERM",
      "the sixth failure in a row ends the container",
    );
  },
);

programTest("wyvern.service: systemd accepts it and rates it as safe", {
  programs: ["systemd-analyze"],
  async run() {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/wyvern.service`;

    try {
      await Deno.writeTextFile(
        path,
        unit.join("\n").replace("/usr/local/bin/deno", Deno.execPath()),
      );
      // It reports what it does not know on standard error, with exit code 0.
      assertEquals(await runProgram("systemd-analyze", "verify", "--man=no", path), "");
      await runProgram(
        "systemd-analyze",
        "security",
        "--offline=true",
        "--threshold=20",
        "--no-pager",
        path,
      );
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
