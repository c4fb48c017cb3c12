/**
 * Two nodes behind nginx get a new build, one after the other, while pages are open and others
 * come. A page here loads what a browser loads: its document, the scripts and style sheets that
 * this names, and later those that the scripts name.
 */
import { assertEquals, assertGreater } from "@std/assert";
import { pathToFileURL } from "node:url";
import { buildVersion } from "../support/build_version.ts";
import { Certificate } from "../support/certificate.ts";
import { programTest } from "../support/programs.ts";
import { Proxy } from "../support/proxy.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { Nginx } from "./nginx.ts";

/** The server with pages of its own. */
const SERVER = new URL("../server/stop/rounds_server.ts", import.meta.url);
const HASHED = /[\w.]+-[0-9A-Z]{8}\.(?:js|css)/g;
/** A browser loads these at once, and what other attributes or scripts name when it is needed. */
const LOADED = /(?:src|href)="[^"]+"/g;
const PAGES = 20;
const NODES = 2;
/**
 * All pages here come from one address and load as fast as a program can, so the default limit of
 * requests for one address would refuse some of their files.
 */
const FLAGS = ["--requests-per-address", "100000/100000"];

/** A node with an address that stays when its process is another one. */
class Node implements AsyncDisposable {
  readonly #folder: string;
  #server: ServerProcess | undefined;
  #proxy: Proxy | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get port(): number {
    return this.#proxy!.port;
  }

  /** Stops what runs, builds, and starts. Until then connections are refused. */
  async deploy(version: string): Promise<void> {
    await this.#proxy?.cut();
    await this.#server?.stop("SIGKILL");
    await buildVersion(version, pathToFileURL(`${this.#folder}/counter/`));
    const server = this.#server = await ServerProcess.startScript(
      SERVER,
      pathToFileURL(`${this.#folder}/`).href,
      ...FLAGS,
    );
    if (this.#proxy === undefined) this.#proxy = new Proxy(server.port);
    else {
      this.#proxy.retarget(server.port);
      this.#proxy.mend();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy?.[Symbol.asyncDispose]();
    await this.#server?.[Symbol.asyncDispose]();
  }
}

/** What the pages got. */
class Visits {
  readonly #url: string;
  readonly #client: Deno.HttpClient;
  readonly wrong: string[] = [];
  files = 0;

  constructor(url: string, client: Deno.HttpClient) {
    this.#url = url;
    this.#client = client;
  }

  /** Opens a page. @returns the names of the files that it loads later */
  async open(): Promise<Set<string>> {
    const html = await this.#get("");
    const late = new Set(html.match(HASHED));
    const first = new Set(
      html.match(LOADED)?.flatMap((attribute) => attribute.match(HASHED) ?? []),
    );
    for (const name of first) {
      for (const other of (await this.#get(name)).match(HASHED) ?? []) late.add(other);
    }
    return late.difference(first);
  }

  async load(names: Iterable<string>): Promise<void> {
    for (const name of names) await this.#get(name);
  }

  async #get(name: string): Promise<string> {
    const answer = await fetch(this.#url + name, { client: this.#client } as RequestInit);
    const text = await answer.text();
    this.files++;
    if (answer.status !== 200) this.wrong.push(`${answer.status} ${name}`);
    return text;
  }
}

programTest(
  "nginx: a new build comes to two nodes in turn under 20 open pages, and none lacks a file (SPEC 8.42)",
  {
    programs: ["nginx"],
    async run() {
      const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
      await using stack = new AsyncDisposableStack();
      stack.defer(() => Deno.remove(folder, { recursive: true }));
      const nodes = Array.from({ length: NODES }, (_, i) => stack.use(new Node(`${folder}/${i}`)));
      for (const node of nodes) await node.deploy("first");
      await using certificate = await Certificate.make();
      const [one, two] = nodes as [Node, Node];
      await using nginx = await Nginx.start([one.port, two.port], certificate);
      using client = Deno.createHttpClient({
        caCerts: [await Deno.readTextFile(certificate.certPath)],
      });
      const visits = new Visits(nginx.url, client);

      const open: Set<string>[] = [];
      for (let i = 0; i < PAGES; i++) open.push(await visits.open());
      assertGreater(open[0]!.size, 2, "scripts that a page loads later");

      for (const node of nodes) {
        let isDone = false;
        const deploying = node.deploy("second").finally(() => isDone = true);
        // Pages that are open load one of their files, and others come and load all of theirs.
        for (let turn = 0; !isDone; turn++) {
          const names = [...open[turn % open.length]!];
          await visits.load([names[turn % names.length]!]);
          if (turn % 4 === 0) open.push(await visits.open());
        }
        await deploying;
        for (let i = 0; i < PAGES / 2; i++) open.push(await visits.open());
      }

      for (const names of open) await visits.load(names);
      assertEquals(visits.wrong, []);
      assertGreater(visits.files, 10 * PAGES);
      const builds = new Set(open.map((names) => [...names].sort().join(" ")));
      assertEquals(builds.size, 2, "pages of both builds were open");
    },
  },
);
