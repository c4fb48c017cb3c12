import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { game } from "../../../../shared/games/puck/game.ts";
import { networkModelOf } from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import { Lab } from "../../lab/lab.ts";
import { DriverControls } from "../../../../client/lab/people/puck/driver_controls.ts";
import { FITTED_DRIVERS, JUDGING_DRIVERS } from "../../../../client/lab/people/puck/styles.ts";

type PuckCommand = typeof game.command.neutral;

const DRIVERS = [...FITTED_DRIVERS, ...JUDGING_DRIVERS];

/** Plays one driver of each style. @returns each one's commands, and how often things happened */
function playDrivers(seed: number, seconds: number) {
  const events: Record<string, number> = {};
  const lab = new Lab({
    game,
    seed,
    npcs: 0,
    onDefinitive({ events: happened }) {
      for (const { kind } of happened) events[kind] = (events[kind] ?? 0) + 1;
    },
  });
  const people = DRIVERS.map((style) => {
    const controls = new DriverControls(style, lab.random.bits());
    const commands: PuckCommand[] = [];
    const { session } = lab.join(style.name, {
      network: networkModelOf("cable"),
      commandSource: {
        next(tick, acknowledged) {
          const command = controls.next(tick, acknowledged);
          commands.push(command);
          return command;
        },
      },
    });
    controls.attach(session);
    return { style, session, commands };
  });
  lab.run(seconds);
  return { events, people };
}

/** How many commands differ from the one before in this part. */
function changes(commands: readonly PuckCommand[], part: keyof PuckCommand): number {
  return commands.filter((command, i) => i > 0 && command[part] !== commands[i - 1]![part]).length;
}

Deno.test("Lab: six people score, boost and hit in Puck, with the hands of people [seed 1]", () => {
  const seconds = 45;
  const { events, people } = playDrivers(1, seconds);
  assertGreater(events["goal"] ?? 0, 1);
  assertGreater(events["boost"] ?? 0, 10);
  assertGreater(events["hit"] ?? 0, 20);

  for (const { style, session, commands } of people) {
    assertEquals(session.stats.desyncs, 0);
    assertGreater(session.stats.rollbacks, 50);
    const values = new Set(commands.map(({ dx }) => dx));
    const changesPerSecond = changes(commands, "dx") / seconds;
    if (style.device === "keys") {
      // Two keys: all to one side, or none. A key moves no sooner than `turning`.
      assertEquals([...values].sort((a, b) => a - b), [-8, 0, 8]);
      assertGreater(changesPerSecond, 0.4);
      assertLess(changesPerSecond, 1000 / style.hands.turning.medianMs);
    } else {
      assertGreater(values.size, 8);
      assertGreater(changesPerSecond, 1);
    }
  }
});

Deno.test("Lab: the same seed gives the same match of Puck with people, another does not [seeds 2, 3]", () => {
  const text = (seed: number) =>
    JSON.stringify(playDrivers(seed, 5).people.map(({ commands }) => commands));
  assertEquals(text(2), text(2));
  assertEquals(text(2) === text(3), false);
});
