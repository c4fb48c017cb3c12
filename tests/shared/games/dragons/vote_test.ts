/** The vote on a podium for what the next set begins with. */
import { assert, assertEquals } from "@std/assert";
import { ARENA_WORDS } from "../../../../shared/games/dragons/arenas/arenas.ts";
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { MODE_WORDS } from "../../../../shared/games/dragons/modes/mode.ts";
import { nextTurn, settingOf, TURNS } from "../../../../shared/games/dragons/setting.ts";
import { DELIBERATE_TICKS, PODIUM_TICKS } from "../../../../shared/games/dragons/tuning.ts";
import { isVoteOpen, turnOf, VOTES } from "../../../../shared/games/dragons/vote.ts";
import { dragonView } from "../../../../client/games/dragons/view.ts";

const { neutral } = dragonGame.command;
const LEFT: DragonCommand = { ...neutral, dir: -1 };
const RIGHT: DragonCommand = { ...neutral, dir: 1 };
const FIRE: DragonCommand = { ...neutral, fires: 1 };
const ONE_ROUND = 1;

/** A set of one round, whose podium has been there for the first second. */
function podium(
  { players, seed = 1, arena = 0, mode = 0 }: {
    readonly players: number;
    readonly seed?: number;
    readonly arena?: number;
    readonly mode?: number;
  },
): DragonSimulation {
  const simulation = dragonGame.start({ npcs: 1, choices: [arena, mode, ONE_ROUND] }, seed);
  const commands = new Array(32).fill(undefined).fill(neutral, 0, players);
  commands[16] = neutral;
  while (simulation.world.match.phase === "playing") simulation.step(commands);
  for (let tick = 0; tick < DELIBERATE_TICKS; tick++) simulation.step(commands);
  return simulation;
}

/** Plays on into the next set with these commands, and says which turn it has. */
function turnAfter(simulation: DragonSimulation, ...commands: DragonCommand[]): number {
  const { match } = simulation.world;
  const bySeat: (DragonCommand | undefined)[] = new Array(32).fill(undefined);
  commands.forEach((command, seat) => bySeat[seat] = command);
  bySeat[16] = neutral;
  while (match.phase === "result") simulation.step(bySeat);
  return match.turn;
}

Deno.test("vote: ← and → vote for two settings that the seed drew, fire for the next one in turn (SPEC 26.40)", () => {
  for (const seed of [1, 2, 3]) {
    const { world } = podium({ players: 1, seed });
    assertEquals(world.match.setOver, true);
    const turns = VOTES.map((vote) => turnOf(world, vote));
    assertEquals([turns[1], new Set(turns).size], [2, 3]);
    for (const [i, command] of [LEFT, FIRE, RIGHT].entries()) {
      const simulation = podium({ players: 1, seed });
      assertEquals(turnAfter(simulation, command), turns[i]);
      const { match } = simulation.world;
      const { arena, mode } = settingOf(simulation.world, turns[i]!);
      assertEquals([match.arena, match.mode], [arena, mode]);
      assertEquals([match.left, match.right, simulation.world.player(0)!.fields.vote], [
        0,
        0,
        "none",
      ]);
    }
  }
});

Deno.test("vote: the newest press counts, those of the first second do not, and NPCs have no vote (SPEC 26.40)", () => {
  const simulation = podium({ players: 1 });
  const { world } = simulation;
  const turns = VOTES.map((vote) => turnOf(world, vote));
  const commands: (DragonCommand | undefined)[] = new Array(32).fill(undefined);
  commands[0] = LEFT;
  commands[16] = RIGHT;
  simulation.step(commands);
  assertEquals([world.player(0)!.fields.vote, world.player(16)!.fields.vote], ["left", "none"]);
  assertEquals(turnAfter(simulation, RIGHT), turns[2]);

  const early = dragonGame.start({ npcs: 0, choices: [0, 0, ONE_ROUND] }, 1);
  while (early.world.match.phase === "playing") early.step([LEFT]);
  for (let tick = 1; tick < DELIBERATE_TICKS; tick++) early.step([LEFT]);
  assertEquals(early.world.player(0)!.fields.vote, "none");
});

Deno.test("vote: most votes win, the seed decides between equals, and without votes the rotation goes on (SPEC 26.41)", () => {
  const { world } = podium({ players: 3 });
  const [left, middle, right] = VOTES.map((vote) => turnOf(world, vote));
  assertEquals(turnAfter(podium({ players: 3 }), LEFT, RIGHT, RIGHT), right);
  assertEquals(turnAfter(podium({ players: 3 }), LEFT, LEFT, FIRE), left);
  assertEquals(turnAfter(podium({ players: 3 }), neutral, neutral, neutral), middle);

  const winners = new Set<string>();
  for (let seed = 1; seed <= 6; seed++) {
    const tie = podium({ players: 2, seed });
    const turns = VOTES.map((vote) => turnOf(tie.world, vote));
    const won = turnAfter(tie, LEFT, RIGHT);
    assert(won === turns[0] || won === turns[2]);
    assertEquals(
      turnAfter(podium({ players: 2, seed }), LEFT, RIGHT),
      won,
      "equal seeds, equal bits",
    );
    winners.add(won === turns[0] ? "left" : "right");
  }
  assertEquals(winners.size, 2);
});

Deno.test("vote: the rotation goes on from what won, and all sixteen pairs come (SPEC 26.11, 26.41)", () => {
  const simulation = podium({ players: 1 });
  const won = turnAfter(simulation, RIGHT);
  const { match } = simulation.world;
  while (match.phase === "playing") simulation.step([neutral]);
  assertEquals(turnAfter(simulation, neutral), nextTurn(won));
  const pairs = Array.from({ length: TURNS }, (_, i) => {
    const { arena, mode } = settingOf(simulation.world, i + 1);
    return `${arena} ${mode}`;
  });
  assertEquals(new Set(pairs).size, ARENA_WORDS.length * MODE_WORDS.length);
});

Deno.test("vote: a room that fixed one of the two votes for the other, and one that fixed both for nothing (SPEC 26.40)", () => {
  const { world } = podium({ players: 1, arena: 3 });
  const settings = VOTES.map((vote) => settingOf(world, turnOf(world, vote)));
  assertEquals(settings.map(({ arena }) => arena), ["sky_wells", "sky_wells", "sky_wells"]);
  assertEquals(new Set(settings.map(({ mode }) => mode)).size, 3);
  const fixed = podium({ players: 1, arena: 3, mode: 2 });
  assertEquals(isVoteOpen(fixed.world), false);
  turnAfter(fixed, LEFT);
  assertEquals([fixed.world.match.arena, fixed.world.match.mode], ["sky_wells", "egg_rush"]);
});

Deno.test("vote: the page lists the choices with their keys and votes, and marks the own one (SPEC 26.42)", () => {
  const simulation = podium({ players: 3 });
  const { world } = simulation;
  const commands: (DragonCommand | undefined)[] = new Array(32).fill(undefined);
  commands[0] = commands[1] = LEFT;
  commands[2] = FIRE;
  simulation.step(commands);
  const { vote } = dragonView.status(simulation, { names: new Map(), ownSeat: 1 });
  const keys = vote!.map(({ label }) => label.split(" ")[0]);
  assertEquals(keys, ["←", "Fire:", "→"]);
  assertEquals(vote!.map(({ votes, own }) => [votes, own]), [[2, true], [1, false], [0, false]]);
  assertEquals(vote![1]!.label, "Fire: Foundry · Egg Rush");
  while (world.match.phase === "result") simulation.step([neutral]);
  assertEquals(dragonView.status(simulation, { names: new Map(), ownSeat: 1 }).vote, undefined);
  assert(PODIUM_TICKS > 2 * DELIBERATE_TICKS);
});
