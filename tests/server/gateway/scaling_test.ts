/** Nodes on demand: when a program is asked to start or to drain a machine, and by whom. */
import { assertEquals } from "@std/assert";
import { type ScaleRequest, Scaling } from "../../../server/gateway/scaling.ts";
import { freeSeatsByRegion, freeSeatsIn } from "../../../server/nodes/free_seats.ts";
import type { NodeHeartbeat } from "../../../server/nodes/nodes.ts";
import { candidatesFor } from "../../../server/nodes/rendezvous.ts";

const MACHINES = ["http://m1", "http://m2", "http://m3"];
/** Two of the three that are not asked, and the one that asks for all. */
const ASKER = candidatesFor("scale eu", MACHINES)[0]!;

/** A process of a machine: `clients` players at a load of a hundredth for eight. */
function nodeOf(
  machine: string,
  clients: number,
  more: Partial<NodeHeartbeat> = {},
): NodeHeartbeat {
  return {
    node: `${MACHINES.indexOf(machine)}`.repeat(16),
    url: `${machine}0`,
    gateway: machine,
    leaves: false,
    matches: 1,
    load: clients / 800,
    loadMax: 0.5,
    region: "eu",
    health: {
      ok: true,
      reason: "",
      tickShare: 1,
      accepts: true,
      rooms: 1,
      clients,
      ticks: 1,
      sockets: clients,
      setAside: 0,
    },
    ...more,
  };
}

/** A gateway that asks nobody but a list. */
function newScaling({ url = ASKER, low = 100, high = 400, code = 0 } = {}) {
  const time = { nowMs: 0, now: () => time.nowMs };
  const asked: ScaleRequest[] = [];
  const logged: string[] = [];
  const world: { nodes: NodeHeartbeat[] | undefined } = { nodes: [] };
  const scaling = new Scaling({
    region: "eu",
    url,
    seats: { low, high },
    living: () => world.nodes,
    ask: (request) => {
      asked.push(request);
      return code < 0 ? Promise.reject(new Error("no such program")) : Promise.resolve(code);
    },
    clock: time,
    log: (event) => void logged.push(event),
  });
  const run = async (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      time.nowMs += 1_000;
      await scaling.advance();
    }
    return asked.splice(0);
  };
  return { world, run, logged };
}

Deno.test("freeSeatsIn: the spare load of nodes that take players, in players as they are there (SPEC 17.25)", () => {
  // 0.9 · 0.5 − 0.2 for one, at 800 players for a load of 1.
  assertEquals(freeSeatsIn([nodeOf(ASKER, 160)]), (0.45 - 0.2) * 800);
  // Players cost twice as much here.
  assertEquals(Math.round(freeSeatsIn([nodeOf(ASKER, 160, { load: 0.4 })])), 20);
  assertEquals(freeSeatsIn([nodeOf(ASKER, 0)]), 0.45 * 800, "none are measured");
  assertEquals(
    freeSeatsIn([nodeOf(ASKER, 0, { leaves: true }), nodeOf(ASKER, 0, { cordoned: true })]),
    0,
  );
  assertEquals(freeSeatsIn([nodeOf(ASKER, 480)]), 0, "beyond its limit");
  const byRegion = freeSeatsByRegion([
    nodeOf(ASKER, 160),
    nodeOf(ASKER, 160, { region: "us", leaves: true }),
  ]);
  assertEquals([...byRegion], [["eu", 200], ["us", 0]]);
});

Deno.test("Scaling: a machine is asked for when seats are scarce for ten seconds, once a minute, by one gateway (SPEC 17.25)", async () => {
  const { world, run, logged } = newScaling();
  world.nodes = undefined;
  assertEquals(await run(60), [], "it does not know all nodes yet");
  world.nodes = MACHINES.map((machine) => nodeOf(machine, 340));
  const start = { what: "start", region: "eu", freeSeats: 60 } as const;
  assertEquals(await run(10), []);
  assertEquals(await run(1), [start]);
  assertEquals(await run(60), [], "the machine is starting");
  assertEquals(await run(15), [start], "it has not come");

  // A moment with enough seats begins the ten seconds anew.
  assertEquals(await run(55), []);
  world.nodes = MACHINES.map((machine) => nodeOf(machine, 300));
  assertEquals(await run(2), []);
  world.nodes = MACHINES.map((machine) => nodeOf(machine, 340));
  assertEquals([await run(10), await run(1)], [[], [start]]);
  assertEquals(logged, ["scale_asked", "scale_asked", "scale_asked"]);

  const other = newScaling({ url: MACHINES.find((each) => each !== ASKER)! });
  other.world.nodes = world.nodes;
  assertEquals(await other.run(120), [], "another gateway asks");
  const broken = newScaling({ code: -1 });
  broken.world.nodes = world.nodes;
  await broken.run(11);
  assertEquals(broken.logged, ["scale_hook_failed"]);
});

Deno.test("Scaling: the emptiest other machine is drained, if enough seats are left for its players and more (SPEC 17.25)", async () => {
  const [one, two] = MACHINES.filter((each) => each !== ASKER) as [string, string];
  const { world, run } = newScaling();
  world.nodes = [nodeOf(ASKER, 0), nodeOf(one, 40), nodeOf(two, 80)];
  const [request] = await run(11);
  assertEquals(request, { what: "drain", region: "eu", freeSeats: 960, machine: one });

  // The rest would be too small for the drained one's players, or there is no other machine.
  const tight = newScaling();
  tight.world.nodes = [nodeOf(ASKER, 100), nodeOf(one, 250), nodeOf(two, 300)];
  assertEquals(await tight.run(60), []);
  const alone = newScaling({ high: 300 });
  alone.world.nodes = [nodeOf(ASKER, 0)];
  const lone = newScaling({ high: 300, url: ASKER });
  lone.world.nodes = [nodeOf(ASKER, 0, { gateway: ASKER })];
  assertEquals([await alone.run(60), await lone.run(60)], [[], []]);
});
