/** Servers of the log that let nobody in without a password. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { NatsClient } from "../../../server/match_log/nats/nats_client.ts";
import { openSubject } from "../../../server/nodes/matchmaker.ts";
import { takeSubject } from "../../../server/nodes/hand_over.ts";
import { faultSubject } from "../../../server/nodes/known_faults.ts";
import { bansSubject, banSubject } from "../../../server/nodes/shared_bans.ts";
import { opsSubject } from "../../../server/ops/asked_nodes.ts";
import { listSubject } from "../../../server/nodes/listed_rooms.ts";
import { roomsSubject } from "../../../server/nodes/advertised_rooms.ts";
import { seatSubject } from "../../../server/nodes/seat_reservations.ts";
import { subjectOf } from "../../../server/match_log/nats/record_store.ts";
import { RESULT_SUBJECTS } from "../../../server/results/result_message.ts";
import { ClusterNode } from "../../support/cluster/cluster_node.ts";
import { seatedNow } from "../../support/cluster/play_now.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { natsTest } from "../../support/nats/with_nats.ts";
import { runServer, ServerProcess } from "../../support/servers/server_process.ts";

const PASSWORD = "of this,test@only";
const ENCODED = encodeURIComponent(PASSWORD);
const AUTHORIZATION = `authorization { user: wyvern, password: "${PASSWORD}" }\n`;
const SECRET = "a secret of this test alone, with enough characters";

natsTest(
  "serve --cluster: a user and a password let it in, and nothing that it writes has them (SPEC 17.113)",
  async () => {
    await using servers = await NatsServers.start({ count: 1, authorization: AUTHORIZATION });
    using data = await TemporaryData.make();
    const { port } = servers.all[0]!;
    const address = `nats://127.0.0.1:${port}`;
    const envOf = (cluster: string) => ({
      WYVERN_SECRET: SECRET,
      WYVERN_DATA: data.folder,
      WYVERN_CLUSTER: cluster,
    });
    await using server = await ServerProcess.startWith(
      envOf(`nats://wyvern:${ENCODED}@127.0.0.1:${port}`),
    );
    await server.waitForOutput(/ node node=[0-9a-f]{16}/);
    await server.waitForOutput(/ settings /);
    const { stdout, stderr } = await server.stop("SIGTERM");
    assertStringIncludes(stdout, `cluster=${address}`);
    for (const secret of [PASSWORD, ENCODED, "wyvern:"]) {
      assert(!(stdout + stderr).includes(secret), secret);
    }

    const file = `${data.folder}/secret`;
    data.write("secret", new TextEncoder().encode(SECRET));

    for (
      const wrong of [
        address,
        `nats://wyvern:${ENCODED}x@127.0.0.1:${port}`,
        `nats://wyvern:%ff${ENCODED}@n1`,
      ]
    ) {
      const refused = await runServer(
        "--port",
        "0",
        "--data",
        data.folder,
        "--secret-file",
        file,
        "--cluster",
        wrong,
      );
      assertEquals(
        [refused.code, refused.stderr.trim().split("\n").length],
        [2, 1],
        refused.stderr,
      );
      for (const secret of [PASSWORD, ENCODED]) {
        assert(!refused.stderr.includes(secret), refused.stderr);
      }
    }
  },
);

natsTest("NatsClient: a token lets it in (SPEC 17.113)", async () => {
  await using servers = await NatsServers.start({
    count: 1,
    authorization: 'authorization { token: "t0k/en" }\n',
  });
  const client = await NatsClient.open([`nats://t0k%2Fen@127.0.0.1:${servers.all[0]!.port}`]);
  assert(client.isConnected);
  await client.close();
});

natsTest(
  "serve --cluster: the subjects that docs/hosting.md names are enough, and none is too many (SPEC 17.113)",
  async () => {
    const hosting = (await Deno.readTextFile(new URL("../../../docs/hosting.md", import.meta.url)))
      .replaceAll(
        /\s+/g,
        " ",
      );
    const [, list = ""] = hosting.match(/A node needs the subjects (.*?)\. /)!;
    const subjects = [...list.matchAll(/`([^`]+)`/g)].map(([, subject]) => subject!);
    const allowed = JSON.stringify(subjects);
    const user =
      `{ user: node, password: unused, permissions: { publish: ${allowed}, subscribe: ${allowed} } }`;
    const authorization = `no_auth_user: node\nauthorization { users: [${user}] }\n`;
    await using servers = await NatsServers.start({ count: 1, authorization });
    const [{ url, port }] = servers.all as [typeof servers.all[number]];
    const client = await NatsClient.open([url]);
    const isAllowed = async (subject: string) =>
      await client.request(subject, "", 1_000) !== undefined;
    const used = [
      takeSubject("n"),
      openSubject("n"),
      seatSubject("n"),
      roomsSubject("n"),
      listSubject("n"),
      faultSubject("n"),
      opsSubject("n"),
      banSubject("n"),
      bansSubject("n"),
      "beat.n",
      "gone.n",
      "$JS.API.INFO",
      subjectOf(dragonGame.id, "ABCD"),
      RESULT_SUBJECTS.replace(">", "n"),
    ];
    for (const subject of used) assert(await isAllowed(subject), subject);
    assert(!await isAllowed("other.n"));

    // `_INBOX.>` is that of the answers.
    assertEquals(subjects.length, used.length + 1, allowed);
    await client.close();
    await using node = await ClusterNode.start([port], { flags: ["--tick-load", "100"] });
    const { room, server } = await seatedNow(node, { game: dragonGame.id });
    assertEquals([room?.length, server], [4, node.url]);
  },
);
