/**
 * Attacks on what nodes say to each other. The stranger reaches the log servers' port and knows
 * their password, but not the nodes' secret.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { takeSubject } from "../../../../server/nodes/hand_over.ts";
import { listSubject } from "../../../../server/nodes/listed_rooms.ts";
import { openSubject } from "../../../../server/nodes/matchmaker.ts";
import { roomsSubject } from "../../../../server/nodes/advertised_rooms.ts";
import { seatSubject } from "../../../../server/nodes/seat_reservations.ts";
import { NODES_MAX } from "../../../../server/bus/missed_heartbeats.ts";
import type { NatsClient } from "../../../../server/match_log/nats/nats_client.ts";
import { subjectOf } from "../../../../server/match_log/nats/record_store.ts";
import { PROOF_HEADER } from "../../../../server/messages/message_proof.ts";
import { Peer, type SentMessage } from "../../../support/nats/peer.ts";
import { type Attack, countsOf, until, wait } from "../attack.ts";
import type { LiveCluster } from "../live_cluster.ts";
import { newSecret } from "../live_server.ts";
import type { Target } from "../target.ts";

/** Names that nobody has, as many as would fill what a node remembers of three. */
const INVENTED = NODES_MAX - 3;
/**
 * How many rounds the attack lasts, each with all of its messages, and how far they are apart, ms:
 * as far as heartbeats.
 */
const ROUNDS = 25;
const ROUND_MS = 200;
/** How many real messages the stranger keeps, and repeats in each round. */
const CAPTURED_MAX = 40;
const ASK_MS = 300;
/** Occurs in every message that the stranger invents. */
const MARK = /evil/i;
const ROOM = "EVIL";
const STRANGER = "e".repeat(16);
const EVIL_LISTING = { game: dragonGame.id, code: ROOM, players: 9, seats: 16, watchers: 0 };
/** The honest players' room. */
const PLAYED = "BOTS";

/**
 * The address that would end the policy's list and switch all scripts off, and one that is
 * well-formed.
 */
const URLS = ["http://evil.example/;sandbox", "http://evil.example"];

function heartbeatOf(node: string, url: string): string {
  return JSON.stringify({
    node,
    url,
    leaves: false,
    matches: 0,
    load: 0,
    loadMax: 1,
    region: "default",
  });
}

/** Messages in the name of a node that did not send them. */
function* forgedFor(node: string): Generator<{ subject: string; body: string }> {
  for (const url of URLS) yield { subject: `beat.${node}`, body: heartbeatOf(node, url) };
  const games = { [dragonGame.id]: [[ROOM, 1]] };
  yield { subject: roomsSubject(node), body: JSON.stringify({ node, games }) };
}

/** Questions with which a node could be made to do something. */
function* questionsFor(node: string, owner: string): Generator<{ subject: string; body: string }> {
  const game = dragonGame.id;
  yield {
    subject: takeSubject(node),
    body: JSON.stringify({ subject: subjectOf(game, PLAYED), owner }),
  };
  yield { subject: seatSubject(node), body: JSON.stringify({ game, hint: ROOM }) };
  yield { subject: openSubject(node), body: JSON.stringify({ game }) };
  yield { subject: listSubject(node), body: "" };
}

/**
 * What the stranger hears: it keeps real messages, and answers real questions before the node that
 * is asked.
 */
class Listener {
  readonly captured: SentMessage[] = [];
  /** Once the stranger speaks, it would hear itself. */
  isCapturing = true;

  /** @param names the nodes that are asked, and answered for */
  constructor(client: NatsClient, names: readonly string[]) {
    for (const kind of ["beat", "rooms", "take", "seat", "open", "list"]) {
      client.subscribe(`${kind}.*`, (message) => {
        const proof = message.header(PROOF_HEADER);
        const isReal = names.some((name) => proof.startsWith(`1 ${name} `));
        if (!isReal) return;
        const headers = { [PROOF_HEADER]: proof };
        const seat = { code: ROOM, players: 1 };
        if (this.isCapturing && this.captured.length < CAPTURED_MAX) {
          this.captured.push({ subject: message.subject, body: message.bytes.slice(), headers });
        }
        if (kind === "seat") message.respond(JSON.stringify({ seat }), headers);
        if (kind === "open") message.respond(JSON.stringify({ ...seat, node: STRANGER }), headers);
        if (kind === "list") message.respond(JSON.stringify({ rooms: [EVIL_LISTING] }), headers);
      });
    }
  }
}

/**
 * What pages and players are shown by all nodes: policies, regions, room lists and answers to "Play
 * now".
 */
async function shownBy({ nodes }: LiveCluster): Promise<string[]> {
  const shown = await Promise.all(nodes.map(async ({ url }) => {
    const page = await fetch(url);
    await page.body?.cancel();
    const texts = ["api/play", "api/rooms"].map(async (path) =>
      await (await fetch(url + path)).text()
    );
    return [page.headers.get("Content-Security-Policy")!, ...await Promise.all(texts)];
  }));
  return shown.flat();
}

/** The origins at which players find a room, as each node's "Play now" names them. */
async function placesOf({ nodes }: LiveCluster): Promise<string[]> {
  const answers = await Promise.all(nodes.map(async ({ url }) => {
    const answer = await fetch(`${url}api/play`, {
      method: "POST",
      body: JSON.stringify({ game: dragonGame.id }),
    });
    const { server, room = "" } = await answer.json() as { server?: string; room?: string };
    assert(!MARK.test(room), `"Play now" leads to room ${room}`);
    return server;
  }));
  return answers.filter((server) => server !== undefined);
}

/** How many nodes each of them hears. */
async function nodesKnown({ nodes }: LiveCluster): Promise<number[]> {
  return await Promise.all(
    nodes.map(async (node) => (await node.figures()).of("wyvern_cluster_nodes")),
  );
}

async function droppedBy({ nodes }: LiveCluster): Promise<number[]> {
  const figures = await Promise.all(nodes.map((node) => node.figures()));
  return figures.map((each) => each.of("wyvern_cluster_messages_dropped_total"));
}

/**
 * Plays one round: everything in the name of every node, what was captured, and questions.
 * @returns how many messages were sent, and how many answers came
 */
async function speak(
  client: NatsClient,
  { forger, captured, names, invented }: {
    forger: Peer;
    captured: readonly SentMessage[];
    names: readonly string[];
    invented: readonly string[];
  },
): Promise<{ said: number; answered: number }> {
  let said = 0;
  for (const name of [...invented, ...names]) {
    for (const { subject, body } of forgedFor(name)) {
      client.publish(subject, body);
      forger.bus.publish(subject, body);
      // With the proof of something that was really said.
      client.publish(subject, body, captured.at(-1)!.headers);
      said += 3;
    }
  }

  for (const { subject, body, headers } of captured) client.publish(subject, body, headers);
  const questions = names.flatMap((name) =>
    names.flatMap((owner) => [...questionsFor(name, owner)])
  );
  const answers = await Promise.all(questions.flatMap(({ subject, body }) => [
    client.request(subject, body, ASK_MS),
    forger.bus.request(subject, body, ASK_MS),
  ]));
  return {
    said: said + captured.length + answers.length,
    answered: answers.filter((answer) => answer !== undefined).length,
  };
}

async function attackNodes({ cluster }: Target, client: NatsClient): Promise<string> {
  const names = await cluster.names();
  const origins = cluster.nodes.map(({ origin }) => origin);
  const invented = Array.from(
    { length: INVENTED },
    (_, i) => (0xe000 + i).toString(16).padStart(16, "0"),
  );

  // First the stranger listens, while players who want a room make nodes ask each other.
  const listener = new Listener(client, names);
  const { captured } = listener;
  const before = await droppedBy(cluster);
  const listened = async () => {
    await placesOf(cluster);
    return captured.length === CAPTURED_MAX;
  };
  await until("real messages", listened, { seconds: 20 });
  listener.isCapturing = false;

  const forger = new Peer(client, { name: STRANGER, secret: newSecret() });
  const servers: string[] = [];
  let said = 0;

  for (let i = 0; i < ROUNDS; i++) {
    const speech = speak(client, { forger, captured, names, invented });
    const [spoken, places, shown] = await Promise.all([
      speech,
      placesOf(cluster),
      shownBy(cluster),
      wait(ROUND_MS),
    ]);
    assertEquals(spoken.answered, 0, "questions of the stranger that were answered");
    for (const text of shown) assert(!MARK.test(text), text);
    assertEquals(places.filter((server) => !origins.includes(server)), [], 'servers of "Play now"');
    // On a busy machine a node may be silent for a second, so there may be fewer.
    assertLessOrEqual(Math.max(...await nodesKnown(cluster)), cluster.nodes.length, "nodes");
    said += spoken.said;
    servers.push(...places);
  }

  const dropped = (await droppedBy(cluster)).map((count, i) => count - before[i]!);
  for (const count of dropped) assertGreater(count, ROUNDS * INVENTED);
  return `${said} messages in the names of ${
    INVENTED + names.length
  } nodes, ${captured.length} real ones among them: ` +
    `dropped ${dropped.join(", ")}; "Play now" led to ${
      countsOf(servers)
    }; no word of the stranger's anywhere`;
}

const forgedHeartbeat: Attack = {
  name: "forged_heartbeat",
  threat: "35",
  server: { isCluster: true, flags: ["--tick-load", "100"] },
  async honest({ cluster }) {
    await until(
      "three nodes",
      async () => (await nodesKnown(cluster)).every((count) => count === 3),
      { seconds: 20 },
    );
    const [policy] = await shownBy(cluster);
    for (const { origin } of cluster.nodes) {
      assert(policy!.includes(` ${origin} `), `${policy} has no ${origin}`);
    }
    // Nodes that have just started open no room for two seconds.
    let places: string[] = [];
    const isPlaced = async () => (places = await placesOf(cluster)).length > 0;
    await until('a place of "Play now"', isPlaced, { seconds: 20 });
    return `three nodes know each other, a page may go to all of them, and "Play now" leads to ${
      countsOf(places)
    }`;
  },
  async commit(target) {
    const client = await target.cluster.openLine();
    try {
      return await attackNodes(target, client);
    } finally {
      await client.close();
    }
  },
};

export const NODE_ATTACKS: readonly Attack[] = [forgedHeartbeat];
