/** Results and logs at any node of a real cluster. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { Servers } from "../../../client/net/servers.ts";
import { ResultsStream } from "../../../server/results/shared/results_stream.ts";
import { encodeLogMessage } from "../../../server/match_log/nats/log_message.ts";
import { NatsClient } from "../../../server/match_log/nats/nats_client.ts";
import { RecordStore, subjectOf } from "../../../server/match_log/nats/record_store.ts";
import {
  decodeResult,
  type ResultMessage,
  type SharedRound,
} from "../../../server/results/result_message.ts";
import { FrameReader } from "../../../shared/netcode/match_log/frames.ts";
import { unpackedLog } from "../../../shared/netcode/match_log/packed_log.ts";
import { replayedLog } from "../../../shared/netcode/match_log/replayed_log.ts";
import { BETWEEN_TICKS, ROUND_TICKS, roundsGame } from "../../tools/lab/results/rounds_game.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { natsTest } from "../../support/nats/with_nats.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import {
  type NodeAnswers,
  ResultsNode,
  RoundsPlayer,
  until,
} from "../../support/cluster/results_node.ts";

/** The nodes have heard each other after this time, ms. */
const HEARD_MS = 1_500;
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const roundOf = (round: number): SharedRound => ({
  kind: "round",
  match: "20261125T120000-CROW-0123abcd",
  game: "counter",
  room: "CROW",
  at: 1_700_000_000,
  round: { round, tick: 60 * round, scores: [{ seat: 0, name: "Wren", score: 3 }] },
});

const numberOf = (result: ResultMessage) => result.kind === "round" ? result.round.round : 0;

/** A line of its own to the servers, and the stream of results on it. */
async function streamOn(servers: NatsServers) {
  const client = await NatsClient.open(servers.all.map(({ url }) => url));
  const lost: string[] = [];
  return {
    client,
    lost,
    stream: new ResultsStream({ client, wait, log: (event) => void lost.push(event) }),
  };
}

/** Plays a packed log again. @throws AssertionError if a tick differs */
function played(packed: Uint8Array) {
  const replayed = replayedLog(unpackedLog(packed, 1 << 24), {
    gameOf: (id) => id === roundsGame.id ? roundsGame : undefined,
  });
  assertEquals([replayed.error, replayed.fault], [undefined, undefined]);
  return replayed;
}

/** The answers of two nodes, once they are equal and as wanted. */
async function equalAnswers(
  nodes: readonly ResultsNode[],
  holds: (answers: NodeAnswers) => boolean,
): Promise<readonly [NodeAnswers, ...NodeAnswers[]]> {
  const isEqual = (all: readonly NodeAnswers[]) =>
    new Set(all.map((each) => JSON.stringify(each))).size === 1;
  const read = () => Promise.all(nodes.map((node) => node.answers()));
  const [first, ...others] = await until(
    read,
    (all) => isEqual(all) && all.every(holds),
    "equal answers",
  );
  return [first!, ...others];
}

/** Two nodes that share an archive, and whoever plays on them. */
class TwoNodes implements AsyncDisposable {
  readonly servers: NatsServers;
  readonly archive: TemporaryData;
  readonly data: readonly [TemporaryData, TemporaryData];
  nodes: readonly [ResultsNode, ResultsNode];

  private constructor({ servers, archive, data, nodes }: {
    servers: NatsServers;
    archive: TemporaryData;
    data: TwoNodes["data"];
    nodes: TwoNodes["nodes"];
  }) {
    this.servers = servers;
    this.archive = archive;
    this.data = data;
    this.nodes = nodes;
  }

  static async start(): Promise<TwoNodes> {
    const archive = await TemporaryData.make();
    const data = [await TemporaryData.make(), await TemporaryData.make()] as const;
    const servers = await NatsServers.start();
    const { folder } = archive;
    const first = await ResultsNode.start(servers, { data: data[0].folder, archive: folder });
    const second = await ResultsNode.start(servers, { data: data[1].folder, archive: folder });
    await wait(HEARD_MS);
    return new TwoNodes({ servers, archive, data, nodes: [first, second] });
  }

  /** Another process in the place of the first node. */
  async restartFirst(): Promise<void> {
    const folders = { data: this.data[0].folder, archive: this.archive.folder };
    this.nodes = [await ResultsNode.start(this.servers, folders), this.nodes[1]];
  }

  /** The answers of both nodes about the log of a match. */
  logs(id: string) {
    return Promise.all(this.nodes.map((node) => node.log(id)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node[Symbol.asyncDispose]()));
    await this.servers[Symbol.asyncDispose]();
    for (const folder of [this.archive, ...this.data]) folder[Symbol.dispose]();
  }
}

/**
 * Players stay until a round has ended at the first node, which is then killed, and until the next
 * one has ended.
 */
async function playThroughAKill(world: TwoNodes): Promise<{ id: string; endsAt: number }> {
  const { nodes: [first, second] } = world;
  const home = new Servers(first.url);
  home.learn("", [second.url]);
  using wren = new RoundsPlayer(home, "Wren");
  using _ash = new RoundsPlayer(home, "Ash");
  const [{ results: [round] }] = await equalAnswers(
    world.nodes,
    ({ results }) => results.length > 0,
  );

  // A match that goes on is at both nodes, up to a tick that no fault changes.
  for (const { status, bytes } of await world.logs(round!.match)) {
    assertEquals([status, played(bytes).firstTick, played(bytes).counts.end], [200, 0, undefined]);
  }

  // As soon as a client has the tick that ends a round, its result is on the way to the servers.
  const period = ROUND_TICKS + BETWEEN_TICKS;
  const endsAt = (Math.floor(wren.tick / period) + 1) * period + ROUND_TICKS;
  await until(() => wren.tick, (tick) => tick >= endsAt, "a round ends");
  await first.stop("SIGKILL");
  const killedRound = Math.floor(endsAt / period) + 1;
  const [{ results }] = await equalAnswers(
    [second],
    ({ results }) => results[0]!.round > killedRound,
  );
  assertEquals(results.map(({ round }) => round), results.map((_, i) => results.length - i));
  assert(second.stdout.includes("match_taken"));
  return { id: round!.match, endsAt };
}

/** Each round that two owners have reported is on the servers once, and so is the end. */
async function assertOnce(stream: ResultsStream): Promise<void> {
  const messages = (await stream.after(0, 1_000))!.map(({ subject, bytes }) =>
    decodeResult(subject, bytes)
  );
  const rounds = messages.filter(({ kind }) => kind === "round").map(numberOf);
  assertEquals(rounds.toSorted((a, b) => a - b), rounds.map((_, i) => i + 1));
  assertEquals(messages.length - rounds.length, 1);
}

/**
 * Leaves a match that is over on the servers, as a node that died before it archived the log.
 * @param log of another match
 */
async function leaveEnded(store: RecordStore, log: Uint8Array): Promise<string> {
  const id = "20261125T130000-DEAD-0123abcd";
  const subject = subjectOf(roundsGame.id, "DEAD");
  const frames = new FrameReader(log);
  frames.next();
  const header = log.subarray(0, frames.offset);
  const begin = { id, header, stateOffset: header.length };
  const common = { epoch: 1, node: "00000000000000ff", nonce: 1n, stateAt: 0 } as const;
  const claim = {
    ...common,
    kind: "claim",
    previous: 0,
    begin: undefined,
    records: new Uint8Array(),
  } as const;
  const first = await store.appendOnce({ subject, bytes: encodeLogMessage(claim), expected: 0 });
  assert(typeof first === "object");
  const end = { ...common, kind: "end", previous: first.sequence, begin, records: log } as const;
  await store.appendOnce({ subject, bytes: encodeLogMessage(end), expected: first.sequence });
  return id;
}

/** Flips a bit of the archived log. */
async function spoil(archive: TemporaryData, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  archive.write(
    `${hash.slice(0, 2)}/${hash}.log`,
    bytes.with(bytes.length >> 1, bytes[bytes.length >> 1]! ^ 1),
  );
}

natsTest(
  "cluster: results and logs are the same at any node, though their owner is killed at a round's end (SPEC 17.180, 17.181, 17.182, 17.183, 17.184)",
  async () => {
    await using world = await TwoNodes.start();
    const { id, endsAt } = await playThroughAKill(world);
    const [, second] = world.nodes;

    // The match ends at the other node, and the first one reads all of it when it is back.
    await equalAnswers([second], ({ over }) => over.length === 1);
    await world.restartFirst();
    const [{ over, matches }] = await equalAnswers(world.nodes, ({ over }) => over.length === 1);
    assertEquals([over[0]!.id, over[0]!.players, matches[0]!.endReason], [id, 2, "empty"]);
    const [log, other] = await world.logs(id);
    assertEquals([log!.status, log], [200, other]);
    const { firstTick, counts, replay } = played(log!.bytes);
    assertEquals([firstTick, counts.owner, counts.end, counts.tick], [0, 1, 1, over[0]!.ticks]);
    assertGreater(replay.tick, endsAt);

    // The node that ended the match has all of it in its file, too.
    assertEquals(played(world.data[1].read(`${id}.log`)).firstTick, 0);

    const { client, stream } = await streamOn(world.servers);
    await assertOnce(stream);

    // A match that is over, whose node died before it archived the log, is archived by a node that
    // finds it.
    const left = await leaveEnded(new RecordStore(client), world.data[1].read(`${id}.log`));
    const [{ over: both }] = await equalAnswers(world.nodes, ({ over }) => over.length === 2);
    assertEquals(both.map(({ id }) => id).sort(), [id, left].sort());
    assertEquals((await world.logs(left)).map(({ bytes }) => bytes), [log!.bytes, log!.bytes]);

    // Bytes of others are refused with a line, and what follows them counts.
    await client.request("result.evil", "no result", 1_000);
    await client.request(
      `result.${id}.99`,
      JSON.stringify({ v: 1, kind: "round", match: "../../x" }),
      1_000,
    );
    await stream.append(roundOf(7));
    await equalAnswers(world.nodes, ({ results }) => results[0]!.round === 7);
    for (const node of world.nodes) {
      // Lines of the log come by a pipe, and answers by HTTP: either may be first.
      const refused = () => node.stdout.match(/result_refused sequence=/g)?.length ?? 0;
      assertEquals(await until(refused, (count) => count >= 2, "both are refused"), 2);
    }

    await client.close();

    await spoil(world.archive, log!.bytes);
    for (const { status, bytes } of await world.logs(id)) {
      const words = "The archived log of this match was changed: its hash does not fit.";
      assertEquals([status, new TextDecoder().decode(bytes).trim()], [500, words]);
    }
  },
);

natsTest(
  "ResultsStream: of two nodes that report one round, and of one that asks twice, one result stays (SPEC 17.180)",
  async () => {
    await using servers = await NatsServers.start();
    const one = await streamOn(servers);
    const other = await streamOn(servers);
    await one.stream.make(servers.all.length);
    const numbers = Array.from({ length: 40 }, (_, i) => i + 1);
    const identity = await one.stream.identity();
    const taken = await Promise.all(
      numbers.flatMap((i) => [one, other, one].map(({ stream }) => stream.append(roundOf(i)))),
    );
    assertEquals(taken.every((isTaken) => isTaken), true);
    const read = await until(
      () => one.stream.after(0, 1_000),
      (all) => all?.length === numbers.length,
      "all are there",
    );
    assertEquals(
      new Set(read!.map(({ subject }) => subject)).size,
      numbers.length,
    );
    const results = read!.map(({ subject, bytes }) => decodeResult(subject, bytes));
    assertEquals(results.toSorted((a, b) => numberOf(a) - numberOf(b)), numbers.map(roundOf));

    // A stream that was made already stays.
    await other.stream.make(servers.all.length);
    assertEquals([await other.stream.identity(), typeof identity], [identity, "string"]);
    assertEquals(await one.stream.after(read!.at(-1)!.sequence, 10), []);

    // One that no reader would take goes nowhere.
    const bad = { ...roundOf(41), room: "crow" };
    assertEquals([await one.stream.append(bad), one.stream.lost, one.lost], [false, 1, [
      "result_lost",
    ]]);
    await one.client.close();
    await other.client.close();
  },
);
