import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { LogOwners } from "../../../server/nodes/log_owners.ts";
import { NodeEntrance } from "../../../server/nodes/node_entrance.ts";
import { OwnRooms } from "../../../server/nodes/own_rooms.ts";
import type { ClusterLogs } from "../../../server/nodes/cluster_logs.ts";
import type { NodeHeartbeat, Nodes } from "../../../server/nodes/nodes.ts";
import type { LogMessage } from "../../../server/match_log/nats/log_message.ts";
import type { LastOutcome, RecordStore } from "../../../server/match_log/nats/record_store.ts";
import type { Rooms } from "../../../server/rooms/rooms.ts";
import { ServerSecret } from "../../../server/ground/server_secret.ts";
import { VirtualTime } from "../../support/virtual_time.ts";

const [OWN, DEAD, OTHER] = ["000000000000000a", "000000000000000d", "000000000000000f"];

/** The entrance of a node, while the owner of a match is dead and other nodes live. */
function newEntrance() {
  const time = new VirtualTime();
  const own = new Set<string>();
  const secret = new ServerSecret(new Uint8Array(32));
  const heartbeatOf = (node: string) =>
    ({ node, url: `http://${node}.test`, leaves: false }) as NodeHeartbeat;
  const nodes = {
    silentMs: (node: string) => node === DEAD ? 600 : 0,
    get: heartbeatOf,
    living: [OWN, OTHER].map((node) => heartbeatOf(node!)),
    rankedFor: () => [],
  } as unknown as Nodes;
  let owner = DEAD!;
  let looks = 0;
  const lastOnce = async (subject: string): Promise<LastOutcome> => {
    looks++;
    await time.wait(2);
    const message = { kind: "records", node: owner, stateAt: 1, begin: undefined } as LogMessage;
    return { subject, sequence: 1, message };
  };
  const store = { lastOnce } as unknown as RecordStore;
  const home = new OwnRooms({
    node: OWN!,
    nodes,
    store,
    logs: {
      plays: (_: string, room: string) => own.has(room),
      // It may still have a claim from before others got the room.
      mayEnter: () => true,
    } as unknown as ClusterLogs,
    rooms: { isStopping: false } as Rooms<unknown>,
    url: heartbeatOf(OWN!).url,
    datagrams: () => undefined,
  });
  const owners = new LogOwners({ store, nodes, clock: time, wait: time.wait });
  const entrance = new NodeEntrance({
    home,
    others: { owners, nodes, url: heartbeatOf(OWN!).url },
    secret,
    wallClock: time,
    clock: time,
  });

  /** Players come in. @returns the hosts and the close codes that they got so far */
  const come = (room: string, players: number): string[] => {
    const got: string[] = [];
    for (let i = 0; i < players; i++) {
      const request = {
        gameId: "jousts-1",
        room,
        protocolVersion: 1,
        spectate: false,
        resume: undefined,
      };
      void entrance.placementOf(request, "").then((placement) =>
        got.push("server" in placement ? new URL(placement.server!).host : `${placement.code}`)
      );
    }
    return got;
  };
  return { time, own, come, setOwner: (node: string) => owner = node, looks: () => looks };
}

Deno.test("NodeEntrance: all players of a match that is taken over get its new owner, and the servers are asked for all at once (SPEC 17.109)", async () => {
  const { time, come, setOwner, looks } = newEntrance();
  const got = come("CROW", 200);
  await time.pass(500);
  assertEquals(got, []);
  const before = looks();
  assertLessOrEqual(before, 200 + 500 / 20);
  setOwner(OTHER!);
  await time.pass(30);
  assertEquals([new Set(got), got.length], [new Set([`${OTHER}.test`]), 200]);
  await time.pass(1_000);
  assertLessOrEqual(looks(), before + 2);
});

Deno.test("NodeEntrance: a claim of this node leads nobody here while the log names another owner (SPEC 17.109)", async () => {
  const { time, come, setOwner } = newEntrance();
  setOwner(OTHER!);
  const got = come("CROW", 2);
  await time.pass(100);
  assertEquals(got, Array(2).fill(`${OTHER}.test`));
});

Deno.test("NodeEntrance: a match that this node takes is open to those who wait within a look, and others wait on (SPEC 17.109)", async () => {
  const { time, own, come, looks } = newEntrance();
  const crow = come("CROW", 3);
  const wren = come("WREN", 3);
  await time.pass(500);
  own.add("CROW");
  await time.pass(30);
  assertEquals([crow, wren], [Array(3).fill(`${OWN}.test`), []]);
  // Nobody takes the other one: after 4 s its players are sent away, and nothing looks any more.
  await time.pass(4_000);
  assertEquals(wren, Array(3).fill("1001"));
  const ended = looks();
  await time.pass(1_000);
  assert(looks() === ended && ended > 2 * 20);
});
