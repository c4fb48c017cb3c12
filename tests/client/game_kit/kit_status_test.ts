import { assertEquals } from "@std/assert";
import { defineView } from "../../../client/game_kit/client_kit.ts";
import { axis, defineGame, flag } from "../../../shared/game_kit/game_kit.ts";
import { SEATS } from "../../../shared/netcode/game.ts";

const game = defineGame({
  id: "trio-1",
  title: "Trio",
  gravity: 0,
  ground: [],
  players: { min: 3, max: 4 },
  command: { dx: axis() },
  things: { car: { body: { fixtures: [{ shape: { circle: 0.5 } }] } } },
  player: "car",
}, { enter: (_world, seat) => ({ x: 2 * seat, y: 0 }) });

const view = defineView(game, { view: [10, 10], status: () => ({ banner: "Race!" }) });

Deno.test("status: an NPC is named by the word for its kind (SPEC 13.92)", () => {
  const den = defineGame({
    id: "den-1",
    title: "Den",
    gravity: 0,
    ground: [],
    command: { dx: axis() },
    things: { car: { body: { fixtures: [{ shape: { circle: 0.5 } }] } } },
    player: "car",
    npcs: { drifter: "Drifter", hunter: "Hunter" },
  }, {
    enter: (_world, seat) => ({ x: 2 * seat, y: 0 }),
    start: (world) => void world.addNpc("hunter"),
  });
  const simulation = den.start({ npcs: 1 }, 1);
  const commands = new Array(SEATS).fill(undefined);
  commands[16] = commands[17] = den.command.neutral;
  for (let tick = 0; tick < 2; tick++) simulation.step(commands);

  const denView = defineView(den, { view: [10, 10] });
  const { scores } = denView.status(simulation, { names: new Map(), ownSeat: -1 });
  assertEquals(scores.map(({ name }) => name), ["Drifter 1", "Hunter 2"]);
});

Deno.test("status: a match with fewer than `min` players and NPCs says that it waits for more (SPEC 7.25)", () => {
  const simulation = game.start({ npcs: 1 }, 1);
  const banner = () => view.status(simulation, { names: new Map(), ownSeat: -1 }).banner;
  const step = (...seats: number[]) => {
    const commands = new Array(SEATS).fill(undefined);
    for (const seat of [...seats, 16]) commands[seat] = game.command.neutral;
    simulation.step(commands);
  };

  step();
  assertEquals(banner(), "Waiting for 2 more players");
  step(0);
  assertEquals(banner(), "Waiting for another player");
  step(0, 1);
  assertEquals(banner(), "Race!");
});

Deno.test("status: the list and the result have the scores of the rule `round`, which the server stores (SPEC 25.10, 25.12, 25.13)", () => {
  const cup = defineGame({
    id: "cup-1",
    title: "Cup",
    gravity: 0,
    ground: [],
    command: { dx: axis() },
    match: { isOver: flag() },
    things: {
      car: {
        body: { fixtures: [{ shape: { circle: 0.5 } }] },
        fields: { points: "u8", earlier: "u8", ready: flag() },
      },
    },
    player: "car",
    npcs: { hunter: "Hunter" },
  }, {
    enter: (_world, seat) => ({ x: 2 * seat, y: 0, fields: { points: seat, earlier: 10 } }),
    drive: (world, me, { dx }) => {
      if (dx > 0) me.fields.ready = true;
      if (dx > 0) world.match.isOver = true;
    },
    round: ({ match }) => ({
      number: 4,
      isOver: match.isOver,
      score: ({ fields }) => fields.points,
      total: ({ fields }) => fields.earlier + fields.points,
      set: { round: 1, of: 3, isOver: false, wins: ({ seat }) => seat === 16 ? 1 : 0 },
    }),
  });
  const cupView = defineView(cup, {
    view: [10, 10],
    status: ({ match, player }) => ({
      round: { number: 4, phase: match.isOver ? "result" : "playing", secondsLeft: 3 },
      ready: (seat) => player(seat)?.fields.ready ?? false,
    }),
  });
  const simulation = cup.start({ npcs: 1 }, 1);
  const commands = new Array(SEATS).fill(undefined);
  const options = { names: new Map([[0, "Ash"], [1, "Wren"]]), ownSeat: 0 };
  for (const seat of [0, 1, 16]) commands[seat] = cup.command.neutral;
  simulation.step(commands);
  const inPlay = cupView.status(simulation, options);
  assertEquals(inPlay.scores.map(({ ready }) => ready), [undefined, undefined, undefined]);

  commands[0] = cup.commandOf({ dx: 1 }, cup.command.neutral);
  simulation.step(commands);
  const { scores, round, hasScores } = cupView.status(simulation, options);
  assertEquals(
    scores.map((
      { name, score, total, wins, npc, ready },
    ) => [name, score, total, wins, npc, ready]),
    [
      ["Ash", 0, 10, 0, false, true],
      ["Wren", 1, 11, 0, false, false],
      ["Hunter 1", 16, 26, 1, true, undefined],
    ],
  );
  assertEquals([round?.set, hasScores], [{ round: 1, of: 3, isOver: false }, true]);
  assertEquals(
    cup.rounds!.result(simulation).scores.map(({ npcName, score }) => [npcName, score]),
    [[undefined, 0], [undefined, 1], ["Hunter 1", 16]],
  );
});
