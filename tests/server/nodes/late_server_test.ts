/** A node that is started while the log's servers are not together yet. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  type Answer,
  NatsClient,
  type NatsRequests,
} from "../../../server/match_log/nats/nats_client.ts";
import { RecordStore } from "../../../server/match_log/nats/record_store.ts";
import { jsonOf } from "../../../server/match_log/nats/stream_requests.ts";
import { UsageError } from "../../../shared/flags.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { natsTest } from "../../support/nats/with_nats.ts";

/** More than the streams of a node, so that one of them is refused more than once. */
const REFUSALS = 40;
const ANSWER_MS_MAX = 5_000;

natsTest(
  "makeStream: servers that are not together yet are asked again (SPEC 17.101)",
  async () => {
    await using servers = await NatsServers.start();
    const client = await NatsClient.open([servers.all[0]!.url]);

    try {
      // What a server said that had heard of only one other one.
      const description = "no suitable peers for placement, peer offline";
      const refusing = refusingLine(client, { code: 400, err_code: 10_005, description });
      await new RecordStore(refusing).makeStreams(servers.all.length);
      assertEquals(refusing.refusals, REFUSALS);

      const answer = await client.request("$JS.API.STREAM.NAMES", "{}", ANSWER_MS_MAX);
      assertEquals(jsonOf(answer!).error, undefined);
      const { streams } = JSON.parse(new TextDecoder().decode(answer!.bytes));
      assertEquals(streams.length > 0, true);
    } finally {
      await client.close();
    }
  },
);

natsTest("makeStream: what will not change is refused at once (SPEC 17.101)", async () => {
  await using servers = await NatsServers.start({ count: 1 });
  const client = await NatsClient.open([servers.all[0]!.url]);

  try {
    const description = "insufficient storage resources available";
    const refusing = refusingLine(client, { code: 500, err_code: 10_047, description });
    const made = new RecordStore(refusing).makeStreams(1);
    await assertRejects(() => made, UsageError, description);
  } finally {
    await client.close();
  }
});

/** A line on which the first requests get an error as their answer. */
function refusingLine(client: NatsClient, error: object): NatsRequests & { refusals: number } {
  const refusal: Answer = {
    status: 0,
    bytes: new TextEncoder().encode(JSON.stringify({ error })),
    header: () => "",
  };
  return {
    refusals: 0,
    send: (...request) => client.send(...request),
    request(...request) {
      if (this.refusals >= REFUSALS) return client.request(...request);
      this.refusals++;
      return Promise.resolve(refusal);
    },
  };
}
