/**
 * The options of a room: who chooses them, and that every simulation of a match starts with them.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import { gameSchemaOf } from "../../../shared/netcode/game_schema.ts";
import type { Game } from "../../../shared/netcode/game.ts";
import { CloseCode } from "../../../shared/netcode/wire/messages.ts";
import { counterView } from "../../browser/counter/view.ts";
import {
  type CounterCommand,
  counterGame,
  CounterSimulation,
} from "../../tools/lab/counter_game.ts";
import { Lab } from "../../tools/lab/lab.ts";
import { PresentedPage } from "../../tools/lab/predictions/presented_page.ts";
import { RandomCounterControls } from "../../tools/lab/random_controls.ts";

const NETWORK = { oneWayMs: 40, jitterMs: 3 };

/** The counter game with two room options. It lists how its simulations were started. */
function newOptionsGame() {
  const starts: string[] = [];
  const game: Game<CounterCommand, CounterSimulation> = {
    ...counterGame,
    choices: [3, 256],
    start(options, seed) {
      starts.push(`${options.npcs} NPCs, choices ${options.choices}, seed ${seed}`);
      return counterGame.start(options, seed);
    },
  };
  return { game, starts };
}

function join(
  lab: Lab<CounterCommand, CounterSimulation>,
  name: string,
  choices?: readonly number[],
) {
  return lab.join(name, { commandSource: new RandomCounterControls(1), network: NETWORK, choices })
    .session;
}

Deno.test("Match: look-ahead, definitive tick, replay and new simulations start with seed, NPCs and options of the room (SPEC 7.15) [seed 8]", () => {
  const { game, starts } = newOptionsGame();
  const lab = new Lab({ game, seed: 8, npcs: 2 });
  const opener = join(lab, "opener", [2, 200]);
  lab.run(1);
  const page = new PresentedPage(lab, {
    playable: { game, view: counterView, bodyStream: undefined },
    name: "page",
    controls: new RandomCounterControls(2),
    network: NETWORK,
    ordered: false,
  });
  const poses = new PoseList();
  lab.run(4, () => {
    page.draw();
    page.match.definitivePoses(poses);
    page.replayRecording();
  });
  opener.newSimulation();
  assert(poses.count > 2, "the definitive tick has poses");
  assertEquals([opener, page.session].map(({ stats }) => stats.desyncs), [0, 0]);
  const seed = lab.match!.seed;
  assert(seed !== 0);

  // Server, two sessions, look-ahead, definitive tick, replay, and the opener's new one.
  assertEquals(new Set(starts), new Set([`2 NPCs, choices 2,200, seed ${seed}`]));
  assertGreater(starts.length, 6);
});

Deno.test("Rooms: the opener's choices are the room's, later ones are ignored, and none stand for the first values (SPEC 7.13)", () => {
  const { game, starts } = newOptionsGame();
  const lab = new Lab({ game, seed: 9, npcs: 0 });
  join(lab, "opener", []);
  lab.run(1);
  join(lab, "later", [2, 9]);
  lab.run(1);
  assertEquals(lab.match!.choices, [0, 0]);
  assertEquals(starts.filter((start) => !start.includes("choices 0,0,")), []);
  assertEquals(starts.length, 3);
});

Deno.test("Rooms: choices that the game does not have are refused with a reason (SPEC 7.14)", () => {
  const { game } = newOptionsGame();
  const refusalOf = (choices: readonly number[], hosted: typeof game = game) => {
    const lab = new Lab({ game: hosted, seed: 9, npcs: 0 });
    const session = join(lab, "opener", choices);
    lab.run(1);
    return [session.closeCode, session.closeReason];
  };
  assertEquals(refusalOf([1]), [CloseCode.game, "counter-1 has 2 room options, not 1"]);
  assertEquals(refusalOf([1, 0, 0]), [CloseCode.game, "counter-1 has 2 room options, not 3"]);
  assertEquals(refusalOf([3, 0]), [
    CloseCode.game,
    "room option 1 of counter-1 has the values 0 to 2, not 3",
  ]);
  assertEquals(refusalOf([2, 255]), [0, ""]);
  assertEquals(refusalOf([0], counterGame), [
    CloseCode.game,
    "counter-1 has 0 room options, not 1",
  ]);

  // Also for a room that exists.
  const lab = new Lab({ game, seed: 9, npcs: 0 });
  join(lab, "opener", [1, 1]);
  lab.run(1);
  const late = join(lab, "late", [7, 7]);
  lab.run(1);
  assertEquals(late.closeCode, CloseCode.game);
});

Deno.test("gameSchemaOf: the options of a room, with their words if the game describes them", () => {
  const { game } = newOptionsGame();
  assertEquals(gameSchemaOf(game).choices, [{ values: 3 }, { values: 256 }]);
  const description = {
    command: [],
    assume: { heldTicks: 0 },
    choices: [{ name: "map", names: ["oval", "cross", "ring"] }],
  };
  assertEquals(gameSchemaOf({ ...game, description }).choices, [
    { name: "map", names: ["oval", "cross", "ring"], values: 3 },
    { values: 256 },
  ]);
  assertEquals(gameSchemaOf(counterGame).choices, undefined);
});
