/**
 * Lets many nodes claim one room at the same moment, and then take over its match. On servers that
 * fence, exactly one gets it.
 */
import { encodeLogMessage } from "../../../server/match_log/nats/log_message.ts";
import { NatsClient } from "../../../server/match_log/nats/nats_client.ts";
import { RecordStore, subjectOf } from "../../../server/match_log/nats/record_store.ts";
import { randomHex } from "../../../server/ground/server_secret.ts";
import type { NatsServers } from "../../support/nats/nats_servers.ts";

const RIVALS = 8;
const ROOM_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** @returns how many races were won by more than one or by none */
export async function races(servers: NatsServers, tries: number) {
  const lines = await Promise.all(servers.all.map(({ url }) => NatsClient.openUnchecked([url])));
  try {
    const stores = lines.map((client) => new RecordStore(client));
    await stores[0]!.makeStreams(servers.all.length);
    let doubleWinners = 0;
    let withoutWinner = 0;
    for (let i = 0; i < tries; i++) {
      const subject = subjectOf("race", roomOf(i));
      const claimed = await race(stores, { subject, expected: 0 });
      const taken = await race(stores, { subject, expected: Math.max(0, ...claimed) });
      if (claimed.length > 1 || taken.length > 1) doubleWinners++;
      if (claimed.length === 0 || taken.length === 0) withoutWinner++;
    }
    return { tries, rivals: RIVALS, doubleWinners, withoutWinner };
  } finally {
    await Promise.all(lines.map((client) => client.close()));
  }
}

/** @returns the winners' sequences */
async function race(
  stores: readonly RecordStore[],
  { subject, expected }: { subject: string; expected: number },
): Promise<number[]> {
  const outcomes = await Promise.all(Array.from({ length: RIVALS }, (_, i) => {
    const records = new Uint8Array();
    const nonce = BigInt(i);
    const node = randomHex(8);
    const begin = undefined;
    const bytes = encodeLogMessage({
      kind: "take",
      epoch: 1,
      node,
      nonce,
      stateAt: 0,
      previous: expected,
      begin,
      records,
    });
    return stores[i % stores.length]!.appendOnce({ subject, bytes, expected });
  }));
  return outcomes.flatMap((outcome) => typeof outcome === "object" ? outcome.sequence : []);
}

function roomOf(index: number): string {
  let room = "";
  for (let rest = index, i = 0; i < 4; i++, rest = Math.floor(rest / 26)) {
    room += ROOM_LETTERS[rest % 26];
  }
  return room;
}
