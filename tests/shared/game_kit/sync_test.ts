/**
 * A game of the kit rolled back in each tick runs as one that never was: state, events and what
 * rules see.
 */
import { assertEquals, assertGreater } from "@std/assert";
import { Snapshot } from "../../../shared/snapshot.ts";
import { Random } from "../../../shared/random.ts";
import { RandomMatch } from "./random_asks.ts";
import { yardGame } from "./yard_game.ts";

type Yard = ReturnType<typeof yardGame.start>;

const TICKS = 800;
const WRONG_TICKS_MAX = 6;

/** The values that rules and views see, beyond the words of the state. */
function seen({ world, npcSeats, events }: Yard): unknown {
  return {
    npcSeats,
    events,
    goals: [...world.match.goals],
    last: world.match.last?.id,
    isOpen: world.match.isOpen,
    things: (["car", "ball", "goal", "shot"] as const).map((name) =>
      world.all(name).map(({ id, seat }) => [id, seat])
    ),
    cars: world.all("car").map((
      { fields: { hook, laps, team, charge } },
    ) => [hook?.id, [...laps], team, charge]),
    chains: world.joints.all("chain").map((
      { id, a, b, length, fields },
    ) => [id, a.id, b.id, length, fields.age]),
  };
}

Deno.test("Kit: rolled back in each tick, a match has the same states, events and things (SPEC 13.6) [seed 241]", () => {
  const straight = yardGame.start({ npcs: 3 }, 241);
  const rolled = yardGame.start({ npcs: 0 }, 1);
  const match = new RandomMatch(241, 6);
  const wrong = new RandomMatch(242, 8);
  const random = new Random(243);
  const before = new Snapshot();
  const a = new Snapshot();
  const b = new Snapshot();
  const met: Record<string, number> = {};
  const count = (name: string, is: boolean) => met[name] = (met[name] ?? 0) + Number(is);
  straight.save(before);

  for (let tick = 0; tick < TICKS; tick++) {
    const commands = match.next(straight);
    rolled.load(before);
    for (let i = random.below(WRONG_TICKS_MAX); i >= 0; i--) rolled.step(wrong.next(rolled));
    rolled.load(before);
    straight.step(commands);
    rolled.step(commands);
    straight.save(a);
    rolled.save(b);
    assertEquals(b.words.subarray(0, b.length), a.words.subarray(0, a.length), `tick ${tick}`);
    assertEquals(seen(rolled), seen(straight), `tick ${tick}`);
    const { world, events } = straight;
    const cars = world.all("car");
    count("hooks", cars.some(({ fields }) => fields.hook !== undefined));
    count("chains", world.joints.all("chain").length > 0);
    count("clocks", cars.some(({ fields }) => fields.charge > 0));
    for (const { kind } of events) count(kind, true);
    before.copyFrom(a);
  }

  for (const [name, times] of Object.entries(met)) assertGreater(times, 0, name);
  assertEquals(["goal", "hit", "shot"].filter((kind) => met[kind] === undefined), []);
});
