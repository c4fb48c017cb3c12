/**
 * nginx with the example of `docs/deploy`, in which a test replaces addresses, ports and the
 * certificate's paths.
 */
import { assertStringIncludes } from "@std/assert";
import type { Certificate } from "../support/certificate.ts";
import { runProgram } from "../support/programs.ts";

const EXAMPLE = new URL("../../docs/deploy/nginx.conf", import.meta.url);

export class Nginx implements AsyncDisposable {
  readonly #folder: string;
  /** Where its HTTPS listens on 127.0.0.1. */
  readonly port: number;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  /**
   * @returns when it listens
   * @param target the server's port on this machine, or those of several nodes
   */
  static async start(
    target: number | readonly [number, ...number[]],
    certificate: Certificate,
    port = freePort(),
  ): Promise<Nginx> {
    const nginx = new Nginx(await Deno.makeTempDir(), port);
    const site = `${nginx.#folder}/site.conf`;
    await Deno.writeTextFile(site, await siteOf({ targets: [target].flat(), port, certificate }));
    await Deno.writeTextFile(nginx.#configPath, frameOf(nginx.#folder, site));
    await runProgram("nginx", "-c", nginx.#configPath, "-e", `${nginx.#folder}/error.log`);
    return nginx;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await runProgram(
      "nginx",
      "-c",
      this.#configPath,
      "-e",
      `${this.#folder}/error.log`,
      "-s",
      "stop",
    );
    await Deno.remove(this.#folder, { recursive: true });
  }

  get #configPath(): string {
    return `${this.#folder}/nginx.conf`;
  }
}

/**
 * A port that is free now. The server has to know it before nginx starts, because it is part of the
 * page's origin.
 */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** The example for this machine. */
async function siteOf(
  { targets, port, certificate }: {
    targets: readonly number[];
    port: number;
    certificate: Certificate;
  },
): Promise<string> {
  let text = await Deno.readTextFile(EXAMPLE);
  const replace = (from: string, to: string) => {
    assertStringIncludes(text, from);
    text = text.replaceAll(from, to);
  };
  replace("    listen [::]:80;\n", "");
  replace("    listen [::]:443 ssl http2;\n", "");
  replace("listen 80;", `listen 127.0.0.1:${freePort()};`);
  replace("listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`);
  replace(
    "server 127.0.0.1:8080 max_fails=0;",
    targets.map((target) => `server 127.0.0.1:${target} max_fails=0;`).join(" "),
  );
  for (const worker of [1, 2]) {
    replace(`${worker} ${8080 + worker};`, `${worker} ${targets[0]! + worker};`);
  }
  replace("/etc/letsencrypt/live/play.example.org/fullchain.pem", certificate.certPath);
  replace("/etc/letsencrypt/live/play.example.org/privkey.pem", certificate.keyPath);
  return text;
}

/** What Debian's own nginx.conf has around a site, with all files in one folder. */
function frameOf(folder: string, site: string): string {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((each) =>
    `${each}_temp_path ${folder}/${each};`
  );
  return `${Deno.uid() === 0 ? "user root root;" : ""}
    worker_processes 1;
    pid ${folder}/nginx.pid;
    events { worker_connections 4096; }
    http { access_log off; ${paths.join(" ")} include ${site}; }
  `;
}
