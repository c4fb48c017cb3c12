/**
 * Snapshots and lists of bodies from a hostile server: a game of the kit refuses them, or has a
 * state that it can run.
 */
import { assert, assertEquals, assertGreater, assertThrows } from "@std/assert";
import { BodyList } from "../../../shared/body_list.ts";
import { snapshotLabels } from "../../../shared/physics/snapshot/labels.ts";
import { Random } from "../../../shared/random.ts";
import { Snapshot, SnapshotError } from "../../../shared/snapshot.ts";
import { RandomMatch } from "./random_asks.ts";
import { yardGame } from "./yard_game.ts";

/** A match with everything in it, and its state. */
function busyMatch(seed: number) {
  const simulation = yardGame.start({ npcs: 3 }, seed);
  const match = new RandomMatch(seed, 5);
  const state = new Snapshot();
  const isBusy = () => {
    const cars = simulation.world.all("car");
    return simulation.tick > 100 && cars.length > 5 &&
      cars.some(({ fields }) => fields.hook !== undefined) &&
      simulation.world.all("shot").length > 0;
  };
  while (!isBusy()) simulation.step(match.next(simulation));
  simulation.save(state);
  return { simulation, match, state };
}

Deno.test("Kit: a snapshot with a word, seat, flag or counter that no match has is refused by name (SPEC 13.18) [seed 271]", () => {
  const { simulation, state } = busyMatch(271);
  const labels = snapshotLabels(simulation.stage, state);
  const lastSeat = simulation.world.all("car").at(-1)!.seat;
  const refusals: readonly [label: RegExp, value: number, message: string][] = [
    [/^stage field kit npcs$/, 17, "match.kit npcs is 17 of 17 values"],
    [/^stage field option size$/, 2, "match.option size is 2 of 2 values"],
    [/^stage field isOpen$/, 2, "match.isOpen is 2 of 2 values"],
    [/car.team$/, 2, "car.team is 2 of 2 values"],
    [/car.isReady$/, 3, "car.isReady is 3 of 2 values"],
    [/goal.team$/, 9, "goal.team is 9 of 2 values"],
    [/car.seat$/, 32, "car.seat is 32 of 32 values"],
    [/car.seat$/, lastSeat, `two of car on seat ${lastSeat}`],
    [/car.seen fire$/, 4, "car.seen fire is 4 of 4 values"],
    [/car.seen gear$/, 4, "car.seen gear is 4 of 4 values"],
    [/car.join team$/, 3, "car.join team is 3 of 3 values"],
  ];

  for (const [label, value, message] of refusals) {
    const at = labels.findIndex((each) => label.test(each));
    const spoilt = new Snapshot();
    assert(at >= 0, `${label} of ${labels.filter((each) => each.startsWith("stage"))}`);
    spoilt.copyFrom(state);
    spoilt.words[at] = value;
    assertThrows(() => yardGame.start({ npcs: 0 }, 0).load(spoilt), SnapshotError, message);
  }
});

Deno.test("Kit: a reference to what is no such thing is nothing (SPEC 13.8, 13.18) [seed 272]", () => {
  const { simulation, match, state } = busyMatch(272);
  const { world } = simulation;
  const at = snapshotLabels(simulation.stage, state).findIndex((label) => /car.hook$/.test(label));
  for (const id of [4_000_000_000, world.one("car")!.id, world.one("goal")!.id, 0]) {
    state.words[at] = id;
    simulation.load(state);
    const car = world.one("car")!;
    assertEquals([car.entity.fields["hook"], car.fields.hook], [id, undefined]);
    simulation.step(match.next(simulation));
  }
});

Deno.test("Kit: a spoilt snapshot is refused, or the match goes on from it (SPEC 13.18) [seed 273]", () => {
  const { simulation, match, state } = busyMatch(273);
  const random = new Random(273);
  const spoilt = new Snapshot();
  let refused = 0;
  let loaded = 0;

  for (let i = 0; i < 2_000; i++) {
    spoilt.copyFrom(state);
    const at = random.below(state.length);
    spoilt.words[at] = random.chance(0.5) ? random.bits() : random.below(300);
    try {
      simulation.load(spoilt);
    } catch (error) {
      assert(error instanceof SnapshotError, `${error}`);
      refused++;
      continue;
    }
    loaded++;
    const again = new Snapshot();
    simulation.save(again);
    assertEquals(again.equals(spoilt), true);
    if (loaded % 20 !== 0) continue;
    simulation.step(match.next(simulation));
  }

  assertGreater(refused, 200);
  assertGreater(loaded, 200);
});

Deno.test("Kit: a list of bodies makes an equal match; one with a value that no match has is refused (SPEC 13.18) [seed 274]", () => {
  const { simulation, state } = busyMatch(274);
  const { bodies } = yardGame;
  const list = new BodyList();
  bodies!.fill(simulation, list);
  const copy = yardGame.start({ npcs: 0 }, 0);
  const a = new BodyList();
  bodies!.adopt(copy, list);
  bodies!.fill(copy, a);
  assertEquals(copy.npcSeats, [16, 17, 18]);
  assertEquals({ ...copy.world.options }, { ...simulation.world.options });
  const fieldsOf = ({ world }: typeof copy) =>
    world.all("car").map((
      { id, seat, fields: { team, hook, laps, fuel } },
    ) => [id, seat, team, hook?.id, [...laps], fuel]);
  assertEquals(fieldsOf(copy), fieldsOf(simulation));
  const kind = bodies!.schemas.findIndex(({ name }) => name === "car");
  const { fields } = bodies!.schemas[kind]!;

  // Clients of the stream count clocks down by themselves.
  assertEquals(fields.filter(({ drift }) => drift === -1).map(({ name }) => name), ["charge"]);
  const team = fields.findIndex(({ name }) => name === "team");
  for (let i = 0; i < list.count; i++) {
    if (list.at(i).schemaIndex === kind) list.at(i).fieldBits[team] = 7;
  }
  assertThrows(() => bodies!.adopt(copy, list), SnapshotError, "car.team is 7 of 2 values");
  copy.load(state);
});
