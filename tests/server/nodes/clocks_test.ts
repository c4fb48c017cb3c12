/** Real nodes whose clocks or secrets differ: tickets hold, and operators see it. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "../../../client/net/join.ts";
import { Figures } from "../../tools/attack/figures.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { natsTest } from "../../support/nats/with_nats.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { RawSocket } from "../../support/sockets/raw_socket.ts";
import { ClusterNode } from "../../support/cluster/cluster_node.ts";
import { PATIENT, until } from "../../support/cluster/play_now.ts";

const OFF_MS = 10_000;
const OTHER_SECRET = "a secret that the other nodes do not have";

/**
 * Waits until a node is ready, or not ready for a reason. On a busy machine a node may also lack
 * ticks for a moment.
 * @param reason empty for ready
 */
async function untilReadiness({ url }: ClusterNode, reason: string): Promise<void> {
  const isSo = async () => (await (await fetch(`${url}/readyz`)).json()).reason === reason;
  await until(isSo, `readiness is "${reason}"`);
}

async function figuresOf({ url }: ClusterNode): Promise<Figures> {
  return new Figures(await (await fetch(`${url}/metrics`)).text());
}

/** Nodes of one cluster, which have heard each other. */
async function startNodes(all: readonly Parameters<typeof ClusterNode.start>[1][]) {
  await using started = new AsyncDisposableStack();
  const servers = started.use(await NatsServers.start());
  const ports = servers.all.map(({ port }) => port);
  const nodes: ClusterNode[] = [];
  for (const options of all) {
    nodes.push(started.use(await ClusterNode.start(ports, { flags: PATIENT, ...options })));
  }
  const kept = started.move();
  return { nodes, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/**
 * Asks each node for a ticket into a room that one of them has.
 * @returns what the sockets with them are answered
 */
async function enterFromAll(nodes: readonly ClusterNode[], room: string): Promise<string[]> {
  return await Promise.all(nodes.map(async ({ url }) => {
    const request = { gameId: dragonGame.id, room, name: "Wren", spectate: true };
    const { server, ticket } = await join(url, request);
    const { raw, status } = await RawSocket.upgrade(Number(new URL(server).port), {
      path: `/socket?ticket=${ticket}`,
    });
    raw[Symbol.dispose]();
    return status.split(" ")[1]!;
  }));
}

/** Opens a room at each node, and enters it with tickets of all. */
async function assertTicketsHold(nodes: readonly ClusterNode[]): Promise<void> {
  for (const [at, { url }] of nodes.entries()) {
    const room = `ROO${"ABCD"[at]}`;
    const bot = new ReturningBot(url, { name: room, seed: at, room });
    try {
      await bot.until(() => bot.isPlaying);
      assertEquals([room, await enterFromAll(nodes, room)], [room, nodes.map(() => "101")]);
    } finally {
      bot.stop();
    }
  }
}

natsTest(
  "cluster: a process that began before its machine's clock was set takes the others' tickets, and they take its own (SPEC 17.204)",
  async () => {
    await using cluster = await startNodes([{}, { clock: { atBeginMs: -OFF_MS } }, {
      clock: { atBeginMs: OFF_MS },
    }]);
    const { nodes } = cluster;
    for (const node of nodes) {
      await until(
        async () => (await figuresOf(node)).of("wyvern_cluster_nodes") === 3,
        "all are heard",
      );
    }
    await assertTicketsHold(nodes);
    for (const node of nodes) await untilReadiness(node, "");
  },
);

natsTest(
  "cluster: a clock that is wrong is seen, before the process began or after, and its tickets hold (SPEC 17.204, 17.205)",
  async () => {
    await using cluster = await startNodes([
      {},
      {},
      { clock: { atBeginMs: -OFF_MS, laterMs: -OFF_MS } },
      { clock: { laterMs: OFF_MS, setAfterMs: 12_000 } },
    ]);
    const [first, second, behind, ahead] = cluster.nodes as [
      ClusterNode,
      ClusterNode,
      ClusterNode,
      ClusterNode,
    ];
    await untilReadiness(behind, "its clock is 10 s behind those of the other nodes");
    await untilReadiness(ahead, "");
    await untilReadiness(ahead, "its clock is 10 s ahead of those of the other nodes");

    for (const node of [first, second]) {
      await untilReadiness(node, "");
      await until(
        async () => (await figuresOf(node)).of("wyvern_cluster_clocks_apart") === 2,
        "both are seen",
      );
      assertMatch(node.stdout, / warn node_clocks_differ apart=1 others=\d ownAheadSeconds=/);
    }

    assertEquals(
      Math.round((await figuresOf(behind)).of("wyvern_cluster_clock_ahead_seconds")),
      -10,
    );
    await assertTicketsHold(cluster.nodes);
  },
);

natsTest(
  "cluster: a node with another secret says so and is not ready, and the others name it (SPEC 17.188, 17.206)",
  async () => {
    await using cluster = await startNodes([{}, {}, { secret: OTHER_SECRET }]);
    const [first, second, other] = cluster.nodes as [ClusterNode, ClusterNode, ClusterNode];
    await untilReadiness(
      other,
      "no other node can be believed: its secret is not that of the other nodes",
    );
    for (const node of [first, second]) {
      await untilReadiness(node, "");
      assertStringIncludes(
        node.stdout,
        ` warn node_message_dropped why=secret subject=beat.${other.name} from=${other.name} `,
      );
    }
  },
);
