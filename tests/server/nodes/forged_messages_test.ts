/**
 * Messages in the name of nodes, to a real node over a real server: those with a good proof count,
 * and no others.
 */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { takeSubject } from "../../../server/nodes/hand_over.ts";
import { listSubject } from "../../../server/nodes/listed_rooms.ts";
import { openSubject } from "../../../server/nodes/matchmaker.ts";
import { roomsSubject } from "../../../server/nodes/advertised_rooms.ts";
import { seatSubject } from "../../../server/nodes/seat_reservations.ts";
import { NatsClient, type NatsMessage } from "../../../server/match_log/nats/nats_client.ts";
import { subjectOf } from "../../../server/match_log/nats/record_store.ts";
import {
  answerContext,
  MessageProofs,
  PROOF_HEADER,
} from "../../../server/messages/message_proof.ts";
import { ServerSecret } from "../../../server/ground/server_secret.ts";
import { PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { Peer } from "../../support/nats/peer.ts";
import { natsTest } from "../../support/nats/with_nats.ts";
import { Figures } from "../../tools/attack/figures.ts";
import { ClusterNode, SECRET } from "../../support/cluster/cluster_node.ts";
import { PATIENT, playNow, until } from "../../support/cluster/play_now.ts";

const PEER = "f".repeat(16);
const STRANGER = "e".repeat(16);
const STALE_MS = 61_000;
const ASK_MS = 5_000;
const IGNORED_MS = 1_000;
const SOON_MS_MAX = 30_000;
const OTHER_SECRET = "another secret, of a stranger who has the password";

/** The message of each kind: from a peer to all nodes, or a question to one. */
function kindsFor(
  node: string,
): Readonly<Record<string, { subject: string; body: string; isAsked: boolean }>> {
  const heartbeat = {
    node: PEER,
    url: "http://peer.example",
    leaves: false,
    matches: 0,
    load: 0,
    loadMax: 1,
  };
  const game = dragonGame.id;
  const rooms = { node: PEER, games: { [game]: [["PEER", 1]] } };
  const ask = { subject: subjectOf(game, "ABCD"), owner: PEER };
  const asked = (subject: string, body: unknown) => ({
    subject,
    body: JSON.stringify(body),
    isAsked: true,
  });
  return {
    heartbeat: {
      subject: `beat.${PEER}`,
      body: JSON.stringify({ ...heartbeat, region: "default" }),
      isAsked: false,
    },
    rooms: { subject: roomsSubject(PEER), body: JSON.stringify(rooms), isAsked: false },
    take: asked(takeSubject(node), ask),
    seat: asked(seatSubject(node), { game }),
    open: asked(openSubject(node), { game }),
    list: asked(listSubject(node), {}),
  };
}

async function figuresOf(node: ClusterNode): Promise<Figures> {
  return new Figures(await (await fetch(`${node.url}/metrics`)).text());
}

async function droppedOf(node: ClusterNode): Promise<Readonly<Record<string, number>>> {
  const figures = await figuresOf(node);
  const causes = ["unsigned", "secret", "forged", "stale", "replayed"];
  return Object.fromEntries(
    causes.map((why) => [why, figures.of("wyvern_cluster_messages_dropped_total", `why="${why}"`)]),
  );
}

/** Waits for a condition that costs nothing to look at. @throws Error if it takes too long */
async function soon(condition: () => Promise<boolean>, what: string): Promise<void> {
  for (const endMs = performance.now() + SOON_MS_MAX; !await condition();) {
    if (performance.now() > endMs) throw new Error(`not after ${SOON_MS_MAX} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * The names of nodes in the regions of "Play now", and the policy of a page: what a heartbeat leads
 * to.
 */
async function placesAt({ url }: ClusterNode): Promise<string> {
  const regions = await (await fetch(`${url}/api/play`)).text();
  const page = await fetch(url);
  await page.body?.cancel();
  return regions + page.headers.get("Content-Security-Policy");
}

natsTest(
  "cluster: of each kind of message a node believes the valid one, and none that is unsigned, forged, stale, replayed or " +
    "another's (SPEC 17.185, 17.186)",
  async () => {
    await using servers = await NatsServers.start({ count: 1 });
    const [{ url, port }] = servers.all as [typeof servers.all[number]];
    await using node = await ClusterNode.start([port], { flags: PATIENT });
    const client = await NatsClient.open([url]);
    const kinds = kindsFor(node.name);

    try {
      const friend = new Peer(client, { name: PEER, secret: SECRET });
      const subjects = Object.values(kinds);
      for (const [at, { subject, body }] of subjects.entries()) {
        const other = subjects[(at + 1) % subjects.length]!;
        for (const [why, words, headers] of faultyProofs({ subject, body, other: other.subject })) {
          const before = await droppedOf(node);
          client.publish(subject, body, headers);
          const isDropped = async () => (await droppedOf(node))[why]! === before[why]! + 1;
          await soon(isDropped, `a message of ${subject}, ${words}, is dropped`);
        }
      }
      assertEquals((await figuresOf(node)).of("wyvern_cluster_nodes"), 1);
      assert(!(await placesAt(node)).includes("peer.example"));
      for (const { subject, body, isAsked } of Object.values(kinds)) {
        if (isAsked) {
          assertEquals(await client.request(subject, body, IGNORED_MS), undefined, subject);
        }
      }

      // One line of the log for all of them: they came within a few seconds.
      const lines = node.stdout.match(/ node_message_dropped .*/g) ?? [];
      assert(lines.length >= 1 && lines.length <= 12, `${lines.length} lines`);
      assertStringIncludes(lines[0]!, "why=unsigned");

      // Now the same texts with a proof of their own.
      for (const { subject, body, isAsked } of Object.values(kinds)) {
        if (isAsked) assert(await friend.bus.request(subject, body, ASK_MS) !== undefined, subject);
        else friend.bus.publish(subject, body);
      }
      await until(
        async () => (await figuresOf(node)).of("wyvern_cluster_nodes") === 2,
        "the peer is heard",
      );
      friend.bus.publish(kinds["heartbeat"]!.subject, kinds["heartbeat"]!.body);
      await until(
        async () => (await placesAt(node)).includes(" http://peer.example "),
        "the policy names the peer",
      );

      // And once more, as somebody has recorded them.
      const sent = friend.sent.slice();
      const before = await droppedOf(node);
      for (const { subject, body, headers } of sent) client.publish(subject, body, headers);
      const isAllDropped = async () =>
        (await droppedOf(node))["replayed"]! >= before["replayed"]! + sent.length;
      await until(isAllDropped, "what was heard before is dropped");
    } finally {
      await client.close();
    }
  },
);

/**
 * The faults that a proof may have: why the message is dropped, the fault in words, and the
 * headers.
 */
function* faultyProofs(
  { subject, body, other }: { subject: string; body: string; other: string },
): Generator<[string, string, Record<string, string>]> {
  const proofOf = ({ context = subject, text = body, secret = SECRET, aheadMs = 0 }) => {
    const wallClock = { now: () => Date.now() + aheadMs };
    const proofs = new MessageProofs({
      node: STRANGER,
      secret: ServerSecret.ofText(secret),
      wallClock,
    });
    return proofs.prove({ context, text: new TextEncoder().encode(text) }).headers;
  };
  const withProof = (
    headers: Readonly<Record<string, string>>,
    change = (proof: string) => proof,
  ) => ({
    [PROOF_HEADER]: change(headers[PROOF_HEADER]!),
  });
  yield ["unsigned", "without a proof", {}];
  yield ["secret", "of another secret", proofOf({ secret: OTHER_SECRET })];
  yield [
    "forged",
    "of another secret in a version that does not say so",
    withProof(proofOf({ secret: OTHER_SECRET })),
  ];
  yield ["forged", "of another text", withProof(proofOf({ text: `${body} ` }))];
  yield ["forged", "of another kind", withProof(proofOf({ context: other }))];
  yield [
    "forged",
    "of another version",
    withProof(proofOf({}), (proof) => proof.replace("1 ", "2 ")),
  ];
  yield [
    "forged",
    "of another node",
    withProof(proofOf({}), (proof) => proof.replace(STRANGER, PEER)),
  ];
  yield ["forged", "that is none", withProof(proofOf({}), () => "1")];
  yield ["stale", "old", withProof(proofOf({ aheadMs: -STALE_MS }))];
  yield ["stale", "early", withProof(proofOf({ aheadMs: STALE_MS }))];
}

natsTest(
  "cluster: an answer counts if it has the proof for its question, and others do not end the wait (SPEC 17.187)",
  async () => {
    await using servers = await NatsServers.start({ count: 1 });
    const [{ url, port }] = servers.all as [typeof servers.all[number]];
    await using node = await ClusterNode.start([port], { flags: PATIENT });
    const client = await NatsClient.open([url]);
    const kinds = kindsFor(node.name);

    try {
      // A peer with an open room: "Play now" at the node asks it for a seat.
      const friend = new Peer(client, { name: PEER, secret: SECRET });
      const seat = seatSubject(PEER);
      const say = () => {
        for (const { subject, body, isAsked } of Object.values(kinds)) {
          if (!isAsked) friend.bus.publish(subject, body);
        }
      };
      const saying = setInterval(say, 100);
      using _stop = { [Symbol.dispose]: () => clearInterval(saying) };
      let isAnswering = false;
      let asked = 0;
      const answerOf = (code: string) => JSON.stringify({ seat: { code, players: 2 } });
      // The stranger is first: it answers without a proof, and with that of an answer to another
      // question.
      let stolen = "";
      const strange = (message: NatsMessage) => {
        asked++;
        message.respond(answerOf("EVIL"), {});
        if (stolen !== "") message.respond(answerOf("EVIL"), { [PROOF_HEADER]: stolen });
      };
      client.subscribe(seat, strange);
      friend.bus.subscribe(seat, async () => {
        // A node that answers no question leaves it open.
        if (!isAnswering) await new Promise(() => {});
        return answerOf("PEER");
      });

      await until(
        async () => (await placesAt(node)).includes("http://peer.example"),
        "the peer is heard",
      );
      const play = async () => (await playNow(node, { game: dragonGame.id })).room;
      const found: (string | undefined)[] = [];
      await until(async () => found.push(await play()) > 1 && asked > 1, "the peer was asked");
      assert(!found.includes("EVIL"), `${found}`);

      stolen = new MessageProofs({
        node: PEER,
        secret: ServerSecret.ofText(SECRET),
        wallClock: { now: Date.now },
      })
        .prove({
          context: answerContext("A".repeat(43)),
          text: new TextEncoder().encode(answerOf("EVIL")),
        }).headers[PROOF_HEADER]!;
      isAnswering = true;
      await until(async () => await play() === "PEER", "the peer's own answer counts");
    } finally {
      await client.close();
    }
  },
);

natsTest(
  "cluster: --cluster-unsigned believes messages without a proof, and none with a bad one (SPEC 17.189)",
  async () => {
    await using servers = await NatsServers.start({ count: 1 });
    const [{ url, port }] = servers.all as [typeof servers.all[number]];
    await using node = await ClusterNode.start([port], {
      flags: [...PATIENT, "--cluster-unsigned"],
    });
    const client = await NatsClient.open([url]);
    const kinds = kindsFor(node.name);

    try {
      for (const { subject, body, isAsked } of Object.values(kinds)) {
        if (isAsked) {
          assertEquals((await client.request(subject, body, ASK_MS))?.status, 0, subject);
        } else client.publish(subject, body);
      }
      await until(async () => {
        client.publish(kinds["heartbeat"]!.subject, kinds["heartbeat"]!.body);
        return (await placesAt(node)).includes(" http://peer.example ");
      }, "the peer is heard");
      const stranger = new Peer(client, { name: PEER, secret: OTHER_SECRET });
      for (const { subject, body, isAsked } of Object.values(kinds)) {
        if (isAsked) {
          assertEquals(await stranger.bus.request(subject, body, IGNORED_MS), undefined, subject);
        }
      }
      assertStringIncludes(node.stdout, "takesUnsigned=true");
    } finally {
      await client.close();
    }
  },
);

natsTest(
  "cluster: nodes with two secrets say so, take no match of each other and no player, and are well again with one (SPEC 17.188)",
  async () => {
    await using servers = await NatsServers.start({ count: 1 });
    const [{ port }] = servers.all as [typeof servers.all[number]];
    await using first = await ClusterNode.start([port], { flags: PATIENT });
    const join = ({ url }: ClusterNode) =>
      fetch(`${url}/api/rooms/ABCD/join`, {
        method: "POST",
        body: JSON.stringify({ game: dragonGame.id, protocol: PROTOCOL_VERSION }),
      });
    const readiness = async ({ url }: ClusterNode) => await (await fetch(`${url}/readyz`)).text();
    assertEquals((await join(first)).status, 200);

    await using second = await ClusterNode.start([port], { flags: PATIENT, secret: OTHER_SECRET });

    for (const node of [first, second]) {
      await until(
        async () => (await readiness(node)).includes("no other node can be believed"),
        "a node is in doubt",
      );
      const answer = await join(node);
      assertEquals([answer.status, (await answer.json()).error.includes("cannot prove itself")], [
        503,
        true,
      ]);
      assertStringIncludes(node.stdout, "node_message_dropped why=secret");
      assertStringIncludes(await readiness(node), "its secret is not that of the other nodes");
    }

    await second.stop("SIGTERM");
    await using third = await ClusterNode.start([port], { flags: PATIENT });
    for (const node of [first, third]) {
      await until(async () => (await readiness(node)).includes('"ready":true'), "a node is ready");
      assertEquals((await join(node)).status, 200);
    }
    assertEquals([...first.brokenLines, ...second.brokenLines, ...third.brokenLines], []);
  },
);
