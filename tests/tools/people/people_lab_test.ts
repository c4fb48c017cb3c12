import type { DragonCommand } from "../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { networkModelOf } from "../../../shared/netcode/simulated_network/network_profiles.ts";
import { Lab } from "../lab/lab.ts";
import { RiderControls } from "../../../client/lab/people/dragons/rider_controls.ts";
import { FITTED, JUDGING, styleAt } from "../../../client/lab/people/dragons/styles.ts";

const PLAYERS = 8;

/** Plays eight people in one room of the lab. */
function playPeople(seed: number, seconds: number) {
  const events: Record<string, number> = {};
  const deaths = new Map<number, number>();
  const commands: DragonCommand[] = [];
  const lab = new Lab({
    game: dragonGame,
    seed,
    npcs: 0,
    onDefinitive: (simulation) => {
      for (const { kind } of simulation.events) events[kind] = (events[kind] ?? 0) + 1;
      for (const { entity, kind } of simulation.events) {
        if (kind === "respawn") deaths.set(entity, (deaths.get(entity) ?? 0) + 1);
      }
    },
  });
  const people = Array.from({ length: PLAYERS }, (_, i) => {
    const controls = new RiderControls(styleAt([...FITTED, ...JUDGING], i), lab.random.bits());
    const { session } = lab.join(`person ${i}`, {
      network: networkModelOf("cable"),
      commandSource: {
        next: (tick, acknowledged) => {
          const command = controls.next(tick, acknowledged);
          commands.push(command);
          return command;
        },
      },
    });
    controls.attach(session);
    return { rider: controls.rider, session };
  });
  lab.run(seconds);
  return { events, deaths, commands, people };
}

Deno.test("Lab: eight people joust, fire, take eggs and die, with the hands of people [seed 1]", () => {
  const seconds = 30;
  const { events, deaths, people } = playPeople(1, seconds);
  assertGreater(events["joust"]!, 7);
  assertGreater(events["fire"]!, 10);
  assertGreater(events["take"]!, 7);
  assertGreater(deaths.size, PLAYERS - 3);
  for (const { rider, session } of people) {
    const pressesPerSecond = rider.presses / seconds;
    assert(
      pressesPerSecond > 1.3 && pressesPerSecond < 5,
      `${rider.style.name}: ${pressesPerSecond} presses a second`,
    );
    assertEquals(session.stats.desyncs, 0);
    // Each person flies: a dragon that only runs would cost nobody a rollback.
    assertGreater(session.stats.rollbacks, 50);
  }
});

Deno.test("Lab: the same seed gives the same match of people, another does not [seeds 2, 3]", () => {
  const text = (seed: number) => JSON.stringify(playPeople(seed, 8).commands);
  assertEquals(text(2), text(2));
  assertLess(1000, text(2).length);
  assertEquals(text(2) === text(3), false);
});
