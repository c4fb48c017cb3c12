import { assertEquals } from "@std/assert";
import { defineView } from "../../../client/game_kit/client_kit.ts";
import { axis, defineGame } from "../../../shared/game_kit/game_kit.ts";
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

  const denView = defineView(den, { view: [10, 10], words: { npc: "Robot" } });
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
