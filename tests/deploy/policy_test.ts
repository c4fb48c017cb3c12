/**
 * The pages of a node among 64, behind nginx as it comes: their policy fits into the header that
 * nginx takes.
 */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { request } from "node:https";
import type { IncomingMessage } from "node:http";
import { contentPolicy, POLICY_CHARACTERS_MAX } from "../../server/http/static_files.ts";
import { NODES_MAX } from "../../server/bus/missed_heartbeats.ts";
import { NatsClient } from "../../server/match_log/nats/nats_client.ts";
import { SECRET } from "../support/cluster/cluster_node.ts";
import { until } from "../support/cluster/play_now.ts";
import { Certificate } from "../support/certificate.ts";
import { TemporaryData } from "../support/logs/temporary_data.ts";
import { NatsServers } from "../support/nats/nats_servers.ts";
import { Peer } from "../support/nats/peer.ts";
import { IS_WITHOUT_NATS } from "../support/nats/with_nats.ts";
import { programTest } from "../support/programs.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { freePort, Nginx } from "./nginx.ts";

const ORIGIN = "https://play.example.org";
const HOST = "play.example.org";
const UDP_PORT = 8443;
/** Peers say so often that they live, ms. */
const SAY_MS = 300;

/** Nodes with the secret that say where they are, and do nothing else. */
class SaidNodes implements AsyncDisposable {
  readonly #client: NatsClient;
  readonly #timer: ReturnType<typeof setInterval>;

  private constructor(client: NatsClient, urls: readonly string[]) {
    this.#client = client;
    const peers = urls.map((_, i) =>
      new Peer(client, { name: (i + 1).toString(16).padStart(16, "0"), secret: SECRET })
    );
    const datagrams = { port: UDP_PORT };
    const say = () => {
      for (const [i, { name: node, bus }] of peers.entries()) {
        const beat = {
          node,
          url: urls[i],
          datagrams,
          leaves: false,
          matches: 0,
          load: 0,
          loadMax: 1,
          region: "default",
        };
        bus.publish(`beat.${node}`, JSON.stringify(beat));
      }
    };
    this.#timer = setInterval(say, SAY_MS);
  }

  static async start(server: string, urls: readonly string[]): Promise<SaidNodes> {
    return new SaidNodes(await NatsClient.open([server]), urls);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#client.close();
  }
}

/** The answer to `GET /` behind nginx, under the name of the site. */
async function pageOf(nginx: Nginx, ca: string): Promise<{ status: number; policy: string }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port: nginx.port,
      headers: { host: HOST },
      ca,
      servername: "localhost",
    };
    request(options, resolve).on("error", reject).end();
  });
  answer.resume();
  return {
    status: answer.statusCode!,
    policy: String(answer.headers["content-security-policy"] ?? ""),
  };
}

/** The page of a node that has heard 63 others. @param urlOf that of each of them */
async function pageAmong(
  servers: NatsServers,
  { certificate, urlOf }: { certificate: Certificate; urlOf: (i: number) => string },
): Promise<{ status: number; policy: string; leftOut: number }> {
  const [{ url, port }] = servers.all as [typeof servers.all[number]];
  using data = await TemporaryData.make();
  const env = {
    WYVERN_SECRET: SECRET,
    WYVERN_DATA: data.folder,
    WYVERN_CLUSTER: `nats://127.0.0.1:${port}`,
  };
  const own = [
    "--public",
    "--origin",
    ORIGIN,
    "--node-url",
    "https://own.example.org",
    "--ops-port",
    "0",
  ];
  await using server = await ServerProcess.startWith(env, ...own, "--datagrams", "off");
  const [, opsUrl, token] =
    (await server.waitForOutput(/^Operators: (\S+); the token is (\w+)$/m))!;
  const metric = async (name: string) => {
    const answer = await fetch(new URL("/metrics", opsUrl), {
      headers: { authorization: `Bearer ${token}` },
    });
    return Number((await answer.text()).match(new RegExp(`^${name} (\\d+)$`, "m"))![1]);
  };
  await using nginx = await Nginx.start(server.port, certificate, freePort());
  await using _nodes = await SaidNodes.start(
    url,
    Array.from({ length: NODES_MAX - 1 }, (_, i) => urlOf(i)),
  );
  await until(
    async () => await metric("wyvern_cluster_nodes") === NODES_MAX,
    "all nodes are heard",
  );
  const page = await pageOf(nginx, await Deno.readTextFile(certificate.certPath));
  return { ...page, leftOut: await metric("wyvern_policy_left_out") };
}

function sourcesOf(policy: string): string[] {
  return policy.match(/connect-src 'self' ?([^;]*)/)![1]!.split(" ");
}

if (IS_WITHOUT_NATS) console.warn("left out, for want of nats-server: tests/deploy/policy_test.ts");
else {
  programTest(
    "policy: 64 nodes below the name of an origin are one source, behind nginx (SPEC 17.191)",
    {
      programs: ["nginx", "openssl"],
      async run() {
        await using certificate = await Certificate.make();
        await using servers = await NatsServers.start({ count: 1 });
        const urlOf = (i: number) => `https://node${i}.${HOST}`;
        const { status, policy, leftOut } = await pageAmong(servers, { certificate, urlOf });
        assertEquals([status, leftOut], [200, 0]);
        // Its own heartbeat may be heard before or after the others.
        const own = ["https://own.example.org", "wss://own.example.org"];
        const shared = [`https://*.${HOST}`, `wss://*.${HOST}`, `https://*.${HOST}:${UDP_PORT}`];
        assertEquals(
          new Set(sourcesOf(policy)),
          new Set([ORIGIN, `wss://${HOST}`, ...own, ...shared]),
        );
      },
    },
  );

  programTest(
    "policy: of 64 nodes with other names as many are named as fit, each whole, behind nginx (SPEC 17.191)",
    {
      programs: ["nginx", "openssl"],
      async run() {
        await using certificate = await Certificate.make();
        await using servers = await NatsServers.start({ count: 1 });
        const urlOf = (i: number) => `https://node${i}.eu-west.example.net`;
        const { status, policy, leftOut } = await pageAmong(servers, { certificate, urlOf });
        assertEquals(status, 200);
        assertLessOrEqual(policy.length, POLICY_CHARACTERS_MAX);
        const hosts = Map.groupBy(sourcesOf(policy), (source) => new URL(source).hostname);
        const named = [...hosts].filter(([host]) => host.endsWith(".example.net"));
        assertGreater(named.length, 10);
        assertEquals(named.length + leftOut, NODES_MAX - 1);
        for (const [host, sources] of named) assertEquals(sources.length, 3, host);
      },
    },
  );
}

Deno.test("contentPolicy: embedders may frame the page, and take room from the places (SPEC 14.70)", () => {
  const framing = ({ text }: { text: string }) => /frame-ancestors ([^;]+)/.exec(text)![1];
  assertEquals(framing(contentPolicy([])), "'none'");
  const embedders = ["https://www.example.org", "https://*.portal.example"];
  assertEquals(framing(contentPolicy([], embedders)), embedders.join(" "));

  const places = Array.from({ length: 500 }, (_, i) => [`https://n${i}.example`]);
  const policy = contentPolicy(places, embedders);
  assertLessOrEqual(policy.text.length, POLICY_CHARACTERS_MAX);
  assertGreater(policy.leftOut, contentPolicy(places).leftOut);
});

Deno.test("contentPolicy: places come in their order, whole, and a place that is named already costs nothing (SPEC 17.191)", () => {
  const short = ["https://a.example", "wss://a.example"];
  const long = ["https://b.example", `wss://${"b".repeat(2_000)}.example`];
  const { text, leftOut } = contentPolicy([short, long, [...short, "https://a.example:1"], short]);
  assertEquals([sourcesOf(text), leftOut], [[...short, "https://a.example:1"], 1]);
  assertEquals(contentPolicy([]).leftOut, 0);
  const many = Array.from({ length: 500 }, (_, i) => [`https://n${i}.example`]);
  const full = contentPolicy(many);
  assert(
    full.text.length <= POLICY_CHARACTERS_MAX && full.text.length > POLICY_CHARACTERS_MAX - 30,
  );
  assertEquals(sourcesOf(full.text).length + full.leftOut, 500);
});
