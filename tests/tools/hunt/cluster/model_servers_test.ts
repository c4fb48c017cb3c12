/**
 * Compares the model of the log's servers with three real ones: the same requests have the same
 * outcomes.
 */
import { assertEquals, assertGreater } from "@std/assert";
import {
  encodeLogMessage,
  type MessageKind,
} from "../../../../server/match_log/nats/log_message.ts";
import { NatsClient } from "../../../../server/match_log/nats/nats_client.ts";
import { RecordStore, subjectOf } from "../../../../server/match_log/nats/record_store.ts";
import { Random } from "../../../../shared/random.ts";
import { NatsServers } from "../../../support/nats/nats_servers.ts";
import { natsTest } from "../../../support/nats/with_nats.ts";
import { VirtualTime } from "../../../support/virtual_time.ts";
import { ModelServers } from "./model_servers.ts";

const REQUESTS = 300;
const SEED = 11;
const SUBJECTS = ["ROCK", "WREN", "CROW"].map((room) => subjectOf("counter-1", room));
/** A replica may lag behind, so a read that lacks something is repeated. */
const TRIES = 40;

/**
 * Writes an outcome as text. Some readers return bytes as a Buffer, which has a JSON form of its
 * own.
 */
function plain(outcome: unknown): string {
  return JSON.stringify(outcome, (_, value) => {
    if (value instanceof Uint8Array) return value.toHex();
    return typeof value === "bigint"
      ? `${value}`
      : value?.type === "Buffer"
      ? new Uint8Array(value.data).toHex()
      : value;
  });
}

natsTest(`ModelServers: it answers as real servers do [seed ${SEED}]`, async () => {
  await using servers = await NatsServers.start();
  const realLine = await NatsClient.open(servers.urls.split(","));
  const real = new RecordStore(realLine);
  await real.makeStreams(3);
  const time = new VirtualTime();
  const random = new Random(SEED);
  const model = new RecordStore(
    new ModelServers({ time, seed: SEED }).connect((action) => action()),
  );
  const inModel = async <Outcome>(outcome: Promise<Outcome>): Promise<Outcome> => {
    await time.pass(3_000);
    return await outcome;
  };
  const kinds = new Map<string, number>();
  const newest = new Map<string, number>();
  let nonce = 0n;
  const same = async (what: string, ask: (store: RecordStore) => Promise<unknown>) => {
    const expected = await inModel(ask(model));
    let found = await ask(real);
    for (let tries = 0; tries < TRIES && plain(found) !== plain(expected); tries++) {
      if (what === "append") break;
      await new Promise((resolve) => setTimeout(resolve, 50));
      found = await ask(real);
    }
    assertEquals(plain(found), plain(expected), what);
    const kind = `${what} ${
      typeof expected === "string" || expected === undefined ? expected : "found"
    }`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    return expected;
  };

  try {
    for (let i = 0; i < REQUESTS; i++) {
      const subject = SUBJECTS[random.below(SUBJECTS.length)]!;
      const last = newest.get(subject) ?? 0;
      const draw = random.below(10);
      if (draw < 5) {
        const kind = (["claim", "records", "take", "end"] as MessageKind[])[random.below(4)]!;
        const expected = random.chance(0.7) ? last : random.below(2 * last + 2);
        const head = {
          kind,
          epoch: 1,
          node: "00000000000000aa",
          nonce: ++nonce,
          stateAt: 0,
          previous: last,
        };
        const bytes = encodeLogMessage({
          ...head,
          begin: undefined,
          records: new Uint8Array(random.below(300)),
        });
        const outcome = await same(
          "append",
          (store) => store.appendOnce({ subject, bytes, expected }),
        );
        if (typeof outcome === "object") {
          newest.set(subject, (outcome as { sequence: number }).sequence);
        }
      } else if (draw < 7) await same("last", (store) => store.lastOnce(subject));
      else if (draw < 8 && last > 0) {
        await same("match", (store) => store.readMatch(subject, { to: last, bytesMax: 1e6 }));
      } else if (draw < 9) await same("last of all", (store) => store.lastOfAll());
      else {
        const upTo = random.chance(0.7) ? last : random.below(last + 1);
        await same("purge", (store) => store.purge(subject, upTo));
        if (upTo >= last) newest.set(subject, 0);
      }
    }
  } finally {
    await realLine.close();
  }

  for (
    const kind of [
      "append found",
      "append conflict",
      "last found",
      "last none",
      "match found",
      "last of all found",
    ]
  ) {
    assertGreater(kinds.get(kind) ?? 0, 2, kind);
  }
});
