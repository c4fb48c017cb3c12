/** Lines to the log's servers that others cannot read: TLS on their port, and WebSockets. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { NatsClient } from "../../../server/match_log/nats/nats_client.ts";
import { UsageError } from "../../../shared/flags.ts";
import { freePort } from "../../deploy/nginx.ts";
import { Certificate } from "../../support/certificate.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { natsTest } from "../../support/nats/with_nats.ts";
import { runServer, ServerProcess } from "../../support/servers/server_process.ts";
import { SECRET } from "../../support/cluster/cluster_node.ts";
import { PATIENT, until } from "../../support/cluster/play_now.ts";

const PASSWORD = "of this test only";
const CREDENTIALS = `wyvern:${encodeURIComponent(PASSWORD)}@`;
const AUTHORIZATION = `authorization { user: wyvern, password: "${PASSWORD}" }`;

/**
 * A node of a server.
 * @param certPath of a certificate that Deno trusts; by default only those of the machine
 */
async function startNode(
  cluster: string,
  { folder }: TemporaryData,
  certPath?: string,
): Promise<ServerProcess> {
  const env = { WYVERN_SECRET: SECRET, WYVERN_DATA: folder, WYVERN_CLUSTER: cluster };
  return await ServerProcess.startWith(
    { ...env, ...certPath && { DENO_CERT: certPath } },
    ...PATIENT,
  );
}

async function heardBy({ url }: ServerProcess): Promise<string> {
  return (await (await fetch(`${url}metrics`)).text()).match(/^wyvern_cluster_nodes (\d+)$/m)![1]!;
}

natsTest(
  "serve --cluster: nodes share matches over tls://, wss:// and ws://, and say no password (SPEC 17.192)",
  async () => {
    await using certificate = await Certificate.make();
    const { certPath, keyPath } = certificate;
    const socketPort = freePort();
    const tls = `tls { cert_file: "${certPath}", key_file: "${keyPath}" }`;
    const secure =
      `${AUTHORIZATION}\n${tls}\nwebsocket { listen: "127.0.0.1:${socketPort}", ${tls} }\n`;
    await using servers = await NatsServers.start({ count: 1, authorization: secure });
    const { port } = servers.all[0]!;
    using first = await TemporaryData.make();
    using second = await TemporaryData.make();
    await using byTls = await startNode(`tls://${CREDENTIALS}localhost:${port}`, first, certPath);
    await using bySocket = await startNode(
      `wss://${CREDENTIALS}localhost:${socketPort}`,
      second,
      certPath,
    );
    for (const node of [byTls, bySocket]) {
      await until(async () => await heardBy(node) === "2", "both nodes are heard");
    }

    // A room of the one is a room of the other, through the log.
    await until(async () => {
      const body = JSON.stringify({ game: dragonGame.id });
      const answer = await (await fetch(`${bySocket.url}api/play`, { method: "POST", body }))
        .json();
      return typeof answer.server === "string";
    }, "there is a place");

    for (const node of [byTls, bySocket]) {
      const { stdout, stderr } = await node.stop("SIGTERM");
      assertStringIncludes(stdout, `cluster=${node === byTls ? "tls" : "wss"}://localhost:`);
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)]) {
        assert(
          !(stdout + stderr).includes(secret),
          secret,
        );
      }
    }

    // Nobody whom Deno trusts has signed this certificate.
    using third = await TemporaryData.make();

    for (
      const address of [
        `tls://${CREDENTIALS}localhost:${port}`,
        `wss://${CREDENTIALS}localhost:${socketPort}`,
      ]
    ) {
      third.write("secret", new TextEncoder().encode(SECRET));
      const flags = [
        "--data",
        third.folder,
        "--secret-file",
        `${third.folder}/secret`,
        "--cluster",
        address,
      ];
      const { code, stderr } = await runServer("--port", "0", ...flags);
      assertEquals([code, stderr.trim().split("\n").length], [2, 1], stderr);
      assertStringIncludes(stderr, "does not answer");
      assert(!stderr.includes(encodeURIComponent(PASSWORD)), stderr);
    }
  },
);

natsTest("NatsClient: ws:// is a line without TLS (SPEC 17.192)", async () => {
  const socketPort = freePort();
  const socket = `websocket { listen: "127.0.0.1:${socketPort}", no_tls: true }`;
  await using _servers = await NatsServers.start({
    count: 1,
    authorization: `${AUTHORIZATION}\n${socket}\n`,
  });
  const line = await NatsClient.open([`ws://${CREDENTIALS}127.0.0.1:${socketPort}`]);
  assertEquals((await line.request("$JS.API.INFO", "", 5_000))?.status, 0);
  await line.close();
});

Deno.test("NatsClient: over tls:// a server without TLS gets no password, also one that lies (SPEC 17.192)", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const heard: string[] = [];
  const { port } = listener.addr;
  const serving = (async () => {
    for await (const connection of listener) {
      const info = {
        server_id: "x",
        version: "2.15.1",
        proto: 1,
        max_payload: 1_048_576,
        headers: true,
      };
      await connection.write(new TextEncoder().encode(`INFO ${JSON.stringify(info)}\r\n`));
      const bytes = new Uint8Array(4_096);
      for (
        let count = await connection.read(bytes);
        count !== null;
        count = await connection.read(bytes)
      ) {
        heard.push(new TextDecoder().decode(bytes.subarray(0, count)));
      }
      connection.close();
    }
  })().catch(() => {});
  await assertRejects(
    () => NatsClient.open([`tls://${CREDENTIALS}localhost:${port}`]),
    UsageError,
    "does not support 'tls'",
  );
  assertEquals(heard.join("").includes(PASSWORD), false, heard.join(""));
  listener.close();
  await serving;
});
