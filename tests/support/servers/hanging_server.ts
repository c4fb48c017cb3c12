/**
 * The real server with dragons whose rules have a planted mistake. It shows when a player fires
 * twice in each of three ticks, which nobody else does. The first argument names the mistake; flags
 * follow.
 */
import type { DragonCommand } from "../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { runServer } from "../../../server/run_server.ts";
import type { Commands, Game } from "../../../shared/netcode/game.ts";

/**
 * "loop": a loop that does not end. "death": the system ends the process in the tick, as for want
 * of memory.
 */
export type Mistake = "loop" | "death";

/** Ticks with two shots of one seat after which the mistake shows. */
const TICKS_NEEDED = 3;

/** A heap that grows until it is too large takes about so long, ms. */
const DYING_MS = 800;

const MISTAKES: Readonly<Record<Mistake, () => void>> = {
  loop() {
    for (;;);
  },
  death() {
    const endMs = performance.now() + DYING_MS;
    while (performance.now() < endMs);
    Deno.kill(Deno.pid, "SIGKILL");
    for (;;);
  },
};

function withMistake(mistake: Mistake): Game<DragonCommand> {
  return {
    ...dragonGame,
    start(options, seed) {
      const simulation = dragonGame.start(options, seed);
      const step = simulation.step.bind(simulation);
      const fires = new Map<number, number>();
      const doubles = new Map<number, number>();

      simulation.step = (commands: Commands<DragonCommand>) => {
        for (const [seat, command] of commands.entries()) {
          if (command === undefined) continue;
          const isDouble = ((command.fires - (fires.get(seat) ?? command.fires)) & 3) === 2;
          fires.set(seat, command.fires);
          doubles.set(seat, isDouble ? (doubles.get(seat) ?? 0) + 1 : 0);
          if (doubles.get(seat) === TICKS_NEEDED) MISTAKES[mistake]();
        }
        step(commands);
      };
      return simulation;
    },
  };
}

if (import.meta.main) {
  const [mistake, ...flags] = Deno.args;
  Deno.exit(
    await runServer(
      { dragons: () => Promise.resolve({ game: withMistake(mistake as Mistake) }) },
      flags,
    ),
  );
}
