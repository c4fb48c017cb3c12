/**
 * The server behind Caddy with the example of `docs/deploy`, on one port without UDP: as on a small
 * machine, and as on a platform that gives a program one port. The description for such a platform
 * is read.
 */
import { assert, assertEquals } from "@std/assert";
import { launchChromium } from "../browser/chromium.ts";
import { parseSettings } from "../../server/settings/settings.ts";
import { Certificate } from "../support/certificate.ts";
import { programPath, programTest } from "../support/programs.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { freePort } from "./nginx.ts";
import { ProxiedPlayer } from "./proxied_player.ts";
import { parseToml } from "./std_toml.ts";
import { playIn } from "./tls_page.ts";

const FOLDER = new URL("../../docs/deploy/", import.meta.url);
const PROGRAMS = ["caddy", "openssl"];
const SOCKETS_PER_ADDRESS = 4;
/** Between two looks whether Caddy listens, ms. */
const POLL_MS = 50;

class Caddy implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #folder: string;

  private constructor(child: Deno.ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
  }

  /** Starts it with the example. @returns when it listens */
  static async start(
    { port, target, certificate }: { port: number; target: number; certificate: Certificate },
  ): Promise<Caddy> {
    const folder = await Deno.makeTempDir({ prefix: "wyvern_caddy_" });
    const example = await Deno.readTextFile(new URL("Caddyfile", FOLDER));
    const site = example
      .replace(
        "play.example.org {",
        `https://127.0.0.1:${port} {\n\ttls ${certificate.certPath} ${certificate.keyPath}`,
      )
      .replace("127.0.0.1:8080", `127.0.0.1:${target}`);
    const options = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n";
    await Deno.writeTextFile(`${folder}/Caddyfile`, options + site);
    const child = new Deno.Command(programPath("caddy")!, {
      args: ["run", "--config", `${folder}/Caddyfile`, "--adapter", "caddyfile"],
      env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    let hasEnded = false;
    void child.status.then(() => hasEnded = true);
    while (!await listens(port)) {
      if (hasEnded) throw new Error("Caddy ended instead of listening");
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return new Caddy(child, folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#child.status;
    await Deno.remove(this.#folder, { recursive: true });
  }
}

async function listens(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch {
    return false;
  }
}

programTest("Caddy: one port and no UDP are enough; addresses are the players' own (SPEC 14.6)", {
  programs: PROGRAMS,
  async run() {
    await using certificate = await Certificate.make();
    const port = freePort();
    const url = `https://127.0.0.1:${port}/`;
    // As a platform gives them
    const env = {
      WYVERN_SECRET: "0".repeat(32),
      WYVERN_PUBLIC: "true",
      WYVERN_ORIGIN: url.slice(0, -1),
      WYVERN_TRUST_PROXY: "127.0.0.1",
    };
    const flags = ["--npcs", "1", "--sockets-per-address", String(SOCKETS_PER_ADDRESS)];
    await using server = await ServerProcess.startWith(env, ...flags);
    await using _caddy = await Caddy.start({ port, target: server.port, certificate });

    const browser = await launchChromium();
    await playIn(browser, url).finally(() => browser.close());

    // A client that names other addresses counts under its own.
    const caCert = await Deno.readTextFile(certificate.certPath);
    const player = (address: string, forwarded: string) =>
      new ProxiedPlayer({
        url,
        caCert,
        room: "LIAR",
        address,
        headers: { "X-Forwarded-For": forwarded },
      });
    const liars = Array.from({ length: 8 }, (_, i) => player("127.0.2.1", `192.0.2.${i}`));
    const statuses = await Promise.all(liars.map(({ status }) => status));
    const counts = [101, 503].map((status) => statuses.filter((each) => each === status).length);
    assertEquals(counts, [SOCKETS_PER_ADDRESS, liars.length - SOCKETS_PER_ADDRESS]);
    const honest = player("127.0.2.2", "192.0.2.1");
    assertEquals(await honest.status, 101);
    for (const each of [...liars, honest]) each.cut();
  },
});

Deno.test("fly.toml: its variables are settings, and its port and check are the image's", async () => {
  const file = parseToml(await Deno.readTextFile(new URL("fly.toml", FOLDER))) as {
    build: { dockerfile: string };
    env: Record<string, string>;
    http_service: { internal_port: number; checks: readonly { path: string }[] };
    files: readonly { guest_path: string }[];
  };
  const image = await Deno.readTextFile(new URL(file.build.dockerfile, FOLDER));
  const own = [...image.matchAll(/(WYVERN_\w+)=(\S+)/g)].map(([, name, value]) =>
    [name!, value!] as const
  );
  const variables: Record<string, string | undefined> = { ...Object.fromEntries(own), ...file.env };
  const settings = parseSettings([], ["dragons"], {
    readVariable: (name) => variables[name],
  });
  assert(settings !== "help");
  assertEquals(settings.port, file.http_service.internal_port);
  assertEquals(file.http_service.checks.map(({ path }) => path), ["/healthz"]);
  const secrets = [settings["secret-file"], settings["ops-token-file"]];
  assertEquals(file.files.map((each) => each.guest_path), secrets);
});
