/** Servers of the log that let nobody in without a password. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { NatsLine } from "../../server/match_log/nats/nats_line.ts";
import { TemporaryData } from "../support/logs/temporary_data.ts";
import { NatsServers } from "../support/nats/nats_servers.ts";
import { natsTest } from "../support/nats/with_nats.ts";
import { runServer, ServerProcess } from "../support/server_process.ts";

const PASSWORD = "of this,test@only", ENCODED = encodeURIComponent(PASSWORD);
const AUTHORIZATION = `authorization { user: wyvern, password: "${PASSWORD}" }\n`;
const SECRET = "a secret of this test alone, with enough characters";

natsTest(
  "serve --cluster: a user and a password let it in, and nothing that it writes has them (SPEC 18.13)",
  async () => {
    await using servers = await NatsServers.start({ count: 1, authorization: AUTHORIZATION });
    using data = await TemporaryData.make();
    const { port } = servers.all[0]!, address = `nats://127.0.0.1:${port}`;
    const envOf = (cluster: string) => ({ WYVERN_SECRET: SECRET, WYVERN_DATA: data.folder, WYVERN_CLUSTER: cluster });
    await using server = await ServerProcess.startWith(envOf(`nats://wyvern:${ENCODED}@127.0.0.1:${port}`));
    await server.waitForOutput(/ node node=[0-9a-f]{16}/);
    await server.waitForOutput(/ settings /);
    const { stdout, stderr } = await server.stop("SIGTERM");
    assertStringIncludes(stdout, `cluster=${address}`);
    for (const secret of [PASSWORD, ENCODED, "wyvern:"]) assert(!(stdout + stderr).includes(secret), secret);

    const file = `${data.folder}/secret`;
    data.write("secret", new TextEncoder().encode(SECRET));
    for (const wrong of [address, `nats://wyvern:${ENCODED}x@127.0.0.1:${port}`, `nats://wyvern:%ff${ENCODED}@n1`]) {
      const refused = await runServer(...[
        "--port",
        "0",
        "--data",
        data.folder,
        "--secret-file",
        file,
        "--cluster",
        wrong,
      ]);
      assertEquals([refused.code, refused.stderr.trim().split("\n").length], [2, 1], refused.stderr);
      for (const secret of [PASSWORD, ENCODED]) assert(!refused.stderr.includes(secret), refused.stderr);
    }
  },
);

natsTest("NatsLine: a token lets it in (SPEC 18.13)", async () => {
  await using servers = await NatsServers.start({ count: 1, authorization: 'authorization { token: "t0k/en" }\n' });
  const line = await NatsLine.open([`nats://t0k%2Fen@127.0.0.1:${servers.all[0]!.port}`]);
  assert(line.isConnected);
  await line.close();
});
