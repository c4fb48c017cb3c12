/** What nodes say to each other of matches that hang, and what the log's messages say of them. */
import { assert, assertEquals } from "@std/assert";
import { faultSubject, KnownFaults } from "../../../server/nodes/known_faults.ts";
import {
  decodeLogMessage,
  encodeLogMessage,
  type LogMessage,
} from "../../../server/match_log/nats/log_message.ts";
import type { LostMatch } from "../../../server/rooms/resume_matches.ts";

const HZ = 20;
const ID = "20261127T000000-TRAP-0000000a";
const MATCH: LostMatch = { id: ID, gameId: "trap-1", room: "TRAP" };

/** Nodes that hear each other. */
function nodesOf(names: readonly string[]): { faults: KnownFaults; setAside: LostMatch[] }[] {
  const nodes: { faults: KnownFaults; setAside: LostMatch[] }[] = [];
  for (const name of names) {
    const node = name.repeat(16);
    const setAside: LostMatch[] = [];
    const publish = (subject: string, text: string) => {
      assertEquals(subject, faultSubject(node));
      for (const { faults } of nodes) faults.hear(new TextEncoder().encode(text));
    };
    nodes.push({
      faults: new KnownFaults({
        node,
        bus: { publish },
        onSetAside: (match) => setAside.push(match),
      }),
      setAside,
    });
  }

  return nodes;
}

Deno.test("KnownFaults: every node counts what each has met, once, within 60 s of play (SPEC 17.196)", () => {
  const nodes = nodesOf(["a", "b", "c"]);
  const counts = () => nodes.map(({ faults }) => faults.failuresOf(ID, HZ));
  nodes[0]!.faults.failed({ matchId: ID, tick: 100 });
  assertEquals(counts(), [1, 1, 1]);
  nodes[1]!.faults.failed({ matchId: ID, tick: 90 });
  assertEquals(counts(), [2, 2, 2]);
  assertEquals(nodes[0]!.faults.failuresOf("another", HZ), 0);
  nodes[2]!.faults.failed({ matchId: ID, tick: 100 + 60 * HZ + 1 });
  assertEquals(counts(), [1, 1, 1], "the match was played for a minute since");
});

Deno.test("KnownFaults: what a gateway tells of its process counts once, also for the process that follows (SPEC 17.20)", () => {
  const [gateway, other, next] = nodesOf(["a", "b", "c"]).map(({ faults }) => faults) as [
    KnownFaults,
    KnownFaults,
    KnownFaults,
  ];
  gateway.failed({ matchId: ID, tick: 100 });
  const later = new KnownFaults({
    node: "d",
    bus: { publish: () => assert(false) },
    onSetAside() {},
  });
  later.note({ matchId: ID, tick: 100 });
  assertEquals([other, next, later].map((each) => each.failuresOf(ID, HZ)), [1, 1, 1]);
});

Deno.test("KnownFaults: a match that one node sets aside is over at all others (SPEC 17.196)", () => {
  const nodes = nodesOf(["a", "b"]);
  nodes[0]!.faults.failed({ matchId: ID, tick: 1 });
  nodes[0]!.faults.setAside(MATCH);
  assertEquals(nodes.map(({ faults }) => faults.failuresOf(ID, HZ)), [0, 0]);
  assertEquals(nodes.map(({ setAside }) => setAside.map(({ id, room }) => [id, room])), [[], [[
    ID,
    "TRAP",
  ]]]);
});

Deno.test("KnownFaults: messages of another form count for nothing, and as many matches as invented are bounded (SPEC 17.196)", () => {
  const { faults } = nodesOf(["a"])[0]!;
  const hear = (value: unknown) => faults.hear(new TextEncoder().encode(JSON.stringify(value)));
  const good = { kind: "failed", node: "b".repeat(16), id: ID, tick: 5 };
  for (
    const bad of [{}, { ...good, tick: -1 }, { ...good, node: "b" }, { ...good, id: "" }, {
      ...good,
      kind: "x",
    }, 7]
  ) hear(bad);
  faults.hear(new Uint8Array(20_000));
  assertEquals(faults.failuresOf(ID, HZ), 0);
  hear(good);
  assertEquals(faults.failuresOf(ID, HZ), 1);
  for (let i = 0; i < 1_000; i++) hear({ ...good, id: `invented ${i}` });
  assertEquals([faults.failuresOf(ID, HZ), faults.failuresOf("invented 999", HZ)], [0, 1]);
});

const TAKE: LogMessage = {
  kind: "take",
  epoch: 3,
  node: "a".repeat(16),
  nonce: 5n,
  stateAt: 17,
  previous: 19,
  begin: undefined,
  records: new Uint8Array(),
};

Deno.test("a take-over has its attempts, and is for an earlier version what it was without them (SPEC 17.195, 17.197)", () => {
  const bytes = encodeLogMessage({ ...TAKE, attempts: { failures: 1, begun: 4 } });
  assertEquals(decodeLogMessage(bytes), { ...TAKE, attempts: { failures: 1, begun: 4 } });
  // An earlier version writes 0 there, and reads the place only in a message with a state.
  const before = encodeLogMessage(TAKE);
  assertEquals(decodeLogMessage(before).attempts, { failures: 0, begun: 0 });
  assertEquals([bytes.length, bytes.subarray(0, 40)], [before.length, before.subarray(0, 40)]);
  assertEquals(before.subarray(40), new Uint8Array(4));
  assertEquals(
    decodeLogMessage(encodeLogMessage({ ...TAKE, kind: "records" })).attempts,
    undefined,
  );
});
