import { assert, assertEquals } from "@std/assert";
import { takersFor } from "../../../server/nodes/hand_over.ts";
import { MISSED_MS, type NodeHeartbeat, Nodes } from "../../../server/nodes/nodes.ts";
import { candidatesFor } from "../../../server/nodes/rendezvous.ts";

const OWN = "0".repeat(16);
const OTHER = "1".repeat(16);
const THIRD = "2".repeat(16);

/**
 * Nodes as one of them hears them, on a clock of the test. Heartbeats go nowhere while its
 * connection is cut.
 */
class TestNodes {
  nowMs = 0;
  isCut = false;
  /** Heartbeats that have left this node. */
  beats = 0;
  #hear: (bytes: Uint8Array) => void = () => {};
  #hearEnd: (bytes: Uint8Array) => void = () => {};
  readonly nodes: Nodes;

  constructor({ isGateway = false } = {}) {
    const isLineUp = () => !this.isCut;
    const bus = {
      get isConnected() {
        return isLineUp();
      },
      isInDoubt: false,
      publish: (_subject: string, text: string) => {
        if (this.isCut) return;
        this.beats++;
        this.#hear(new TextEncoder().encode(text));
      },
      subscribe: (subject: string, onMessage: (bytes: Uint8Array) => void) => {
        if (subject === "beat.*") this.#hear = onMessage;
        else this.#hearEnd = onMessage;
      },
    };
    this.nodes = new Nodes({
      self: isGateway ? undefined : () => heartbeatOf(OWN),
      bus,
      clock: { now: () => this.nowMs },
    });
  }

  hear(heartbeat: NodeHeartbeat): void {
    if (!this.isCut) this.#hear(new TextEncoder().encode(JSON.stringify(heartbeat)));
  }

  /** Hears a gateway say that one of its processes has ended. */
  hearEnd(node: unknown): void {
    this.#hearEnd(new TextEncoder().encode(JSON.stringify({ node })));
  }

  /** Lets time go by while this node and others say that they live. */
  run(ms: number, others: readonly string[]): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; this.nowMs += 200) {
      this.nodes.sendHeartbeat();
      for (const node of others) this.hear(heartbeatOf(node));
    }
  }
}

function heartbeatOf(node: string, own: Partial<NodeHeartbeat> = {}): NodeHeartbeat {
  return {
    node,
    url: "http://127.0.0.1:1",
    leaves: false,
    matches: 10,
    load: 0.2,
    loadMax: 0.6,
    region: "default",
    ...own,
  };
}

Deno.test("Nodes: a node that was cut off takes nobody for gone when it hears again, but one that is silent then", () => {
  const test = new TestNodes();
  const { nodes } = test;
  test.run(2000, [OTHER, THIRD]);
  assertEquals([nodes.hears, nodes.gone(), nodes.living.length], [true, [], 3]);
  test.isCut = true;
  test.run(4000, [OTHER, THIRD]);
  assertEquals([nodes.hears, nodes.gone()], [false, []]);
  test.isCut = false;
  nodes.sendHeartbeat();
  // Its own heartbeat is the first that comes back.
  assertEquals([nodes.hears, nodes.gone()], [true, []]);
  test.run(800, [OTHER]);
  assertEquals(nodes.gone(), []);
  test.run(400, [OTHER]);
  assertEquals(nodes.gone(), [THIRD]);
});

Deno.test("Nodes: a node says five times a second that it lives, and at once after a stall or a cut (SPEC 17.107)", () => {
  const test = new TestNodes();
  const { nodes } = test;
  const heartbeatsIn = (ms: number) => {
    const before = test.beats;
    for (const endMs = test.nowMs + ms; test.nowMs < endMs; test.nowMs += 20) nodes.advance();
    return test.beats - before;
  };
  assertEquals(heartbeatsIn(2000), 10);

  // It stands still for 0.9 s, and runs for 40 ms.
  test.nowMs += 900;
  assertEquals(heartbeatsIn(40), 1);
  assertEquals(heartbeatsIn(2000), 10);

  // The connection is back between two heartbeats: the next one is due 0.2 s after that, too.
  assertEquals(heartbeatsIn(100), 0);
  test.isCut = true;
  nodes.advance();
  test.isCut = false;
  assertEquals(heartbeatsIn(220), 2);
});

Deno.test("Nodes: the origins of nodes that are gone stay for a day, because their pages are still open (SPEC 17.111)", () => {
  const test = new TestNodes();
  const { nodes } = test;
  const hours = 3_600_000;
  test.hear(heartbeatOf(OTHER, { url: "http://127.0.0.1:2" }));
  test.nowMs += 23 * hours;
  test.run(2000, []);
  assertEquals(nodes.living.length, 1);
  assertEquals(nodes.origins, ["http://127.0.0.1:2", "http://127.0.0.1:1"]);
  test.nowMs += 2 * hours;
  test.run(2000, []);
  assertEquals(nodes.origins, ["http://127.0.0.1:1"]);
  for (let port = 1_000; port < 2_000; port++) {
    test.hear(heartbeatOf(OTHER, { url: `http://127.0.0.1:${port}` }));
  }
  assertEquals([nodes.origins.length, nodes.origins.at(-1)], [512, "http://127.0.0.1:1999"]);
});

Deno.test("Nodes: a process whose gateway says that it has ended is gone at once, and does not come back (SPEC 17.20)", () => {
  const test = new TestNodes();
  const { nodes } = test;
  test.run(1_000, [OTHER, THIRD]);
  assertEquals(nodes.gone(), []);
  for (const node of [7, "b".repeat(16), OTHER]) test.hearEnd(node);
  assertEquals([nodes.gone(), nodes.silentMs(OTHER)], [[OTHER], Infinity]);
  assertEquals(nodes.living.map(({ node }) => node).sort(), [OWN, THIRD]);
  assert(!nodes.rankedFor("CROW").some(({ node }) => node === OTHER));

  // A heartbeat that was on its way makes no difference, and the name is forgotten in time.
  test.run(1_000, [OTHER, THIRD]);
  assertEquals(nodes.gone(), [OTHER]);
  test.run(62_000, [THIRD]);
  nodes.gone();
  assertEquals([nodes.gone(), nodes.get(OTHER)], [[], undefined]);
});

Deno.test("Nodes: a gateway sends no heartbeat, hears those of all, and its pages may play everywhere (SPEC 17.3, 17.111)", () => {
  const test = new TestNodes({ isGateway: true });
  const { nodes } = test;
  nodes.advance();
  assertEquals([test.beats, nodes.hears], [0, false]);
  const gateway = "http://gateway.test";
  test.hear(heartbeatOf(OTHER, { url: "http://process.test", gateway }));
  assertEquals([nodes.hears, nodes.origins], [true, ["http://process.test", gateway]]);
  test.nowMs += MISSED_MS;
  assertEquals(nodes.hears, false);
});

Deno.test("Nodes: every node has the same candidates for a match, without those that stop", () => {
  const test = new TestNodes();
  const { nodes } = test;
  const names = () => nodes.rankedFor("match.1.g.AAAA").map(({ node }) => node);
  test.run(1000, [THIRD, OTHER]);
  assertEquals(names(), candidatesFor("match.1.g.AAAA", [OWN, OTHER, THIRD]));
  test.hear(heartbeatOf(THIRD, { leaves: true }));
  assertEquals(names(), candidatesFor("match.1.g.AAAA", [OWN, OTHER]));
});

Deno.test("takersFor: the least busy node first, with what it was given, then the others; never this one", () => {
  const test = new TestNodes();
  const { nodes } = test;
  test.run(1000, [OTHER]);
  test.hear(heartbeatOf(THIRD, { load: 0.15 }));
  const given = new Map<string, number>();
  const takers = () => takersFor("match.1.g.AAAA", { nodes, node: OWN, given });
  assertEquals(takers(), [THIRD, OTHER]);
  // A match of this node is 0.02 of its load.
  given.set(THIRD, 2);
  assertEquals(takers(), [THIRD, OTHER]);
  given.set(THIRD, 3);
  assertEquals(takers(), [OTHER, THIRD]);
  test.run(1400, []);
  assertEquals(takers(), []);
});
