/** What is left on the servers of a match that was ended while another node fenced it. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assertEquals } from "@std/assert";
import { encodeLogMessage, type LogMessage } from "../../../server/match_log/nats/log_message.ts";
import { NatsClient } from "../../../server/match_log/nats/nats_client.ts";
import { RecordStore, subjectOf } from "../../../server/match_log/nats/record_store.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { natsTest } from "../../support/nats/with_nats.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";

const ROOM = "LOST";
const GONE_NODE = "d".repeat(16);

natsTest(
  "cluster: a fence without its match is removed, and the room is free (SPEC 17.207)",
  async () => {
    await using servers = await NatsServers.start({ count: 1 });
    const { url } = servers.all[0]!;
    const client = await NatsClient.open([url]);
    const store = new RecordStore(client);
    await store.makeStreams(1);
    const subject = subjectOf(dragonGame.id, ROOM);
    const append = async (message: Pick<LogMessage, "kind" | "epoch" | "stateAt" | "previous">) => {
      const bytes = encodeLogMessage({
        ...message,
        node: GONE_NODE,
        nonce: BigInt(message.epoch),
        begin: undefined,
        records: new Uint8Array(),
      });
      const outcome = await store.appendOnce({ subject, bytes, expected: message.previous });
      return typeof outcome === "object" ? outcome.sequence : 0;
    };
    const stateAt = await append({ kind: "records", epoch: 1, stateAt: 0, previous: 0 });
    await append({ kind: "take", epoch: 2, stateAt, previous: stateAt });
    await store.purge(subject, stateAt);

    using data = await TemporaryData.make();
    await using server = await ServerProcess.startWith({
      WYVERN_CLUSTER: url,
      WYVERN_SECRET: "a secret of this test alone, with enough characters",
      WYVERN_DATA: data.folder,
    });
    await server.waitForOutput(new RegExp(`match_was_over room=${ROOM} game=${dragonGame.id}`));
    const bot = new ReturningBot(server.url, { name: "Wren", seed: 1, room: ROOM });

    try {
      // The room is free once the servers have removed the fence.
      await bot.until(() => bot.isPlaying);
      assertEquals(bot.desyncs, 0);
    } finally {
      bot.stop();
      await client.close();
    }
  },
);
