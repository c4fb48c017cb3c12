/** Results and logs at any node of a real cluster. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { Servers } from "../../client/net/servers.ts";
import { ResultsStream } from "../../server/cluster/results_stream.ts";
import { NatsLine } from "../../server/match_log/nats/nats_line.ts";
import { decodeResult, encodeResult, type SharedRound } from "../../server/results/result_message.ts";
import { unpackedLog } from "../../shared/netcode/match_log/packed_log.ts";
import { replayedLog } from "../../shared/netcode/match_log/replayed_log.ts";
import { BETWEEN_TICKS, ROUND_TICKS, roundsGame } from "../lab/results/rounds_game.ts";
import { NatsServers } from "../support/nats/nats_servers.ts";
import { natsTest } from "../support/nats/with_nats.ts";
import { TemporaryData } from "../support/logs/temporary_data.ts";
import { type NodeAnswers, ResultsNode, RoundsPlayer, until } from "./results_node.ts";

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const roundOf = (round: number): SharedRound => ({
  ...{ kind: "round", match: "20261125T120000-CROW-0123abcd", game: "counter", room: "CROW", at: 1_700_000_000 },
  round: { round, tick: 60 * round, scores: [{ seat: 0, name: "Wren", score: 3 }] },
});

/** A line of its own to the servers, and the stream of results on it. */
async function streamOn(servers: NatsServers) {
  const line = await NatsLine.open(servers.all.map(({ url }) => url)), lost: string[] = [];
  return { line, lost, stream: new ResultsStream({ line, wait, log: (event) => void lost.push(event) }) };
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
function equalAnswers(nodes: readonly ResultsNode[], holds: (answers: NodeAnswers) => boolean): Promise<NodeAnswers[]> {
  const read = () => Promise.all(nodes.map((node) => node.answers()));
  return until(
    read,
    (all) => all.every((each) => JSON.stringify(each) === JSON.stringify(all[0]) && holds(each)),
    "answers",
  );
}

natsTest(
  "cluster: results and logs are the same at any node, though their owner is killed at a round's end (SPEC 18.80, 18.82, 18.83, 18.84)",
  async () => {
    await using servers = await NatsServers.start();
    using data = await TemporaryData.make();
    using otherData = await TemporaryData.make();
    using archive = await TemporaryData.make();
    const own = { data: data.folder, archive: archive.folder };
    const first = await ResultsNode.start(servers, own);
    await using second = await ResultsNode.start(servers, { data: otherData.folder, archive: archive.folder });
    await wait(1_500); // until the nodes have heard each other
    let again: ResultsNode | undefined;
    try {
      const home = new Servers(first.url);
      home.learn(undefined, [second.url]);
      const wren = new RoundsPlayer(home, "Wren"), ash = new RoundsPlayer(home, "Ash");
      const [{ results: [round] }] = await equalAnswers([first, second], ({ results }) => results.length > 0) as [
        NodeAnswers,
      ];
      const id = round!.match;
      // A match that goes on is at both nodes, up to a tick that no fault changes.
      for (const node of [first, second]) {
        const { status, bytes } = await node.log(id);
        assertEquals([status, played(bytes).firstTick, played(bytes).counts.end], [200, 0, undefined]);
      }
      // As soon as a client has the tick that ends a round, its result is on the way to the servers.
      const period = ROUND_TICKS + BETWEEN_TICKS, endsAt = (Math.floor(wren.tick / period) + 1) * period + ROUND_TICKS;
      await until(() => wren.tick, (tick) => tick >= endsAt, "a round ends");
      await first.stop("SIGKILL");
      const killed = endsAt / period;
      const [after] = await equalAnswers([second], ({ results }) => results[0]!.round > killed + 1) as [NodeAnswers];
      assertEquals(after.results.map(({ round }) => round), after.results.map((_, i) => after.results.length - i));
      assert(second.stdout.includes("match_taken"));

      // The match ends at the other node, and the first one reads all of it when it is back.
      wren[Symbol.dispose]();
      ash[Symbol.dispose]();
      await equalAnswers([second], ({ over }) => over.length === 1);
      again = await ResultsNode.start(servers, own);
      const [{ over, matches }] = await equalAnswers([second, again], ({ over }) => over.length === 1) as [NodeAnswers];
      assertEquals([over[0]!.id, over[0]!.players, matches[0]!.endReason], [id, 2, "empty"]);
      const logs = await Promise.all([second, again].map((node) => node.log(id)));
      assertEquals(logs.map(({ status }) => status), [200, 200]);
      assertEquals(logs[0], logs[1]);
      const { firstTick, counts, replay } = played(logs[0]!.bytes);
      assertEquals([firstTick, counts.owner, counts.end, counts.tick], [0, 1, 1, over[0]!.ticks]);
      assertGreater(replay.tick, endsAt);
      // The node that ended the match has all of it in its file, too.
      assertEquals(played(otherData.read(`${id}.log`)).firstTick, 0);

      // Of all that two owners have reported, each round is on the servers once.
      const { line, stream } = await streamOn(servers);
      const messages = (await stream.after(0, 1_000))!.map(({ subject, bytes }) => decodeResult(subject, bytes));
      const rounds = messages.flatMap((each) => each.kind === "round" ? [each.round.round] : []);
      assertEquals(rounds.toSorted((a, b) => a - b), rounds.map((_, i) => i + 1));
      assertEquals(messages.filter(({ kind }) => kind === "end").length, 1);

      // Bytes of others are refused with a line, and what follows them counts.
      await line.request("result.evil", "no result", 1_000);
      await line.request(`result.${id}.99`, JSON.stringify({ v: 1, kind: "round", match: "../../x" }), 1_000);
      await stream.append(roundOf(7));
      await equalAnswers([second, again], ({ results }) => results[0]!.round === 7);
      for (const node of [second, again]) assertEquals(node.stdout.match(/result_refused sequence=/g)?.length, 2);
      await line.close();

      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", logs[0]!.bytes)).toHex();
      const name = `${hash.slice(0, 2)}/${hash}.log`, spoilt = archive.read(name);
      spoilt[spoilt.length >> 1]! ^= 1;
      archive.write(name, spoilt);
      for (const node of [second, again]) {
        const { status, bytes } = await node.log(id);
        const words = "The archived log of this match was changed: its hash does not fit.";
        assertEquals([status, new TextDecoder().decode(bytes).trim()], [500, words]);
      }
    } finally {
      await first.stop("SIGKILL");
      await again?.stop("SIGKILL");
    }
  },
);

natsTest(
  "ResultsStream: of two nodes that report one round, and of one that asks twice, one result stays (SPEC 18.80)",
  async () => {
    await using servers = await NatsServers.start();
    const one = await streamOn(servers), other = await streamOn(servers);
    await one.stream.make(servers.all.length);
    const numbers = Array.from({ length: 40 }, (_, i) => i + 1), identity = await one.stream.identity();
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
    assertEquals(
      read!.map(({ bytes }) => bytes),
      read!.map(({ subject }) => encodeResult(roundOf(Number(subject.split(".")[2])))),
    );
    // A stream that was made already stays.
    await other.stream.make(servers.all.length);
    assertEquals([await other.stream.identity(), typeof identity], [identity, "string"]);
    assertEquals(await one.stream.after(read!.at(-1)!.sequence, 10), []);

    // One that no reader would take goes nowhere.
    const bad = { ...roundOf(41), room: "crow" };
    assertEquals([await one.stream.append(bad), one.stream.lost, one.lost], [false, 1, ["result_lost"]]);
    await one.line.close();
    await other.line.close();
  },
);
