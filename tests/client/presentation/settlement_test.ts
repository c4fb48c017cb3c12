import { assertEquals } from "@std/assert";
import { type KnownMatch, Settlement } from "../../../client/presentation/settlement.ts";
import { SEATS } from "../../../shared/netcode/game.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";

const OWN = 0;
const RIVAL = 3;
const NPC = 16;
const TICK_HZ = 20;
/** A deed reaches 2 m at once, and a metre more with each tick. */
const REACH = { metres: 2, metresPerSecond: TICK_HZ };
const DEFINITIVE = 100;
const HEAD = 108;
/** The newest tick for which the rival's command is known. */
const RIVAL_KNOWN_TO = 102;

interface Scene {
  readonly seats?: readonly number[];
  readonly match?: Partial<KnownMatch>;
  /** Where the rival is after a tick, metres; undefined for no body. */
  readonly rivalX?: (tick: number) => number | undefined;
}

/** A page at tick 108 that knows all ticks to 100, its own commands, and those of the NPC. */
function settlementOf({ seats = [OWN, RIVAL, NPC], match, rivalX = () => 30 }: Scene): Settlement {
  const commands = Array.from(
    { length: SEATS },
    (_, seat) => seats.includes(seat) ? {} : undefined,
  );
  const settlement = new Settlement({
    seat: OWN,
    head: HEAD,
    definitiveTick: DEFINITIVE,
    isInSync: true,
    isOnBodyStream: false,
    ownCommandsHoldTo: HEAD,
    isKnown: (tick, seat) => seat !== RIVAL || tick <= RIVAL_KNOWN_TO,
    commandsOf: () => commands,
    ...match,
  }, TICK_HZ);
  for (let tick = DEFINITIVE - 8; tick <= HEAD; tick++) {
    const poses = new PoseList();
    const x = rivalX(tick);
    if (x !== undefined) Object.assign(poses.add(), { entity: 1, seat: RIVAL, x, y: 0 });
    settlement.record(tick, poses);
  }
  return settlement;
}

/** Whether something at x = 0 in this tick is settled. */
function isSettled(settlement: Settlement, tick: number): boolean {
  return settlement.isSettled({ tick, x: 0, y: 0 }, REACH);
}

Deno.test("Settlement: a tick is settled when the commands of all seats are known (SPEC 8.170)", () => {
  assertEquals(settlementOf({ seats: [OWN, NPC] }).tick, HEAD);
  assertEquals(settlementOf({}).tick, RIVAL_KNOWN_TO);
  assertEquals(settlementOf({ seats: [OWN, NPC], match: { ownCommandsHoldTo: 101 } }).tick, 101);
});

Deno.test("Settlement: nothing but what the server said is settled on the body stream, after a desync, and for a spectator (SPEC 8.170)", () => {
  for (const match of [{ isOnBodyStream: true }, { isInSync: false }, { seat: -1 }]) {
    const settlement = settlementOf({ seats: [OWN, NPC], match });
    assertEquals(settlement.tick, DEFINITIVE);
    assertEquals(isSettled(settlement, DEFINITIVE), true);
    assertEquals(isSettled(settlement, DEFINITIVE + 1), false);
  }
});

Deno.test("Settlement: an event is settled while nobody unknown could have reached it (SPEC 8.171)", () => {
  // Known at 102, the rival reaches 2 m at once and 5 m more until tick 107.
  assertEquals(isSettled(settlementOf({ rivalX: () => 7.1 }), 107), true);
  assertEquals(isSettled(settlementOf({ rivalX: () => 6.9 }), 107), false);
  assertEquals(isSettled(settlementOf({ rivalX: () => 6.9 }), 106), true);
  assertEquals(isSettled(settlementOf({ rivalX: () => 1 }), RIVAL_KNOWN_TO), true, "all is known");
});

Deno.test("Settlement: a body that is moved to another place acts from there, and one that is nowhere may enter anywhere (SPEC 8.171)", () => {
  const returning = settlementOf({ rivalX: (tick) => tick < 106 ? 30 : 3.5 });
  assertEquals(isSettled(returning, 105), true);
  assertEquals(isSettled(returning, 108), false);
  assertEquals(isSettled(settlementOf({ rivalX: () => undefined }), 107), false);
});

Deno.test("Settlement: without a reach a deed may have consequences anywhere (SPEC 8.171)", () => {
  const settlement = settlementOf({});
  assertEquals(settlement.isSettled({ tick: 105, x: 0, y: 0 }, undefined), false);
  assertEquals(settlement.isSettled({ tick: RIVAL_KNOWN_TO, x: 0, y: 0 }, undefined), true);
});
