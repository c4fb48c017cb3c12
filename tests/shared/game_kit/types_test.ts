/**
 * The types of the kit: a wrong name does not compile, and values have their types (the compiler
 * runs this test).
 */
import { assertEquals } from "@std/assert";
import {
  axis,
  choice,
  clock,
  declareGame,
  defineGame,
  hold,
  type InputOf,
  list,
  press,
  reference,
  type ThingOf,
  type WorldOf,
  type WorldViewOf,
} from "../../../shared/game_kit/game_kit.ts";
import { yardGame } from "./yard_game.ts";

/** Compiles if both types are equal. */
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;
function expectEqual<A, B>(_equal: Equal<A, B>): void {}

const DISC = { shape: { circle: 1 } } as const;
const BODY = { fixtures: [DISC] } as const;
const BASE = { id: "types-1", title: "Types", gravity: 0, ground: [] } as const;
const RULES = { enter: () => ({ x: 0, y: 0 }) };

function worldsAreTyped(
  world: WorldOf<typeof yardGame>,
  car: ThingOf<typeof yardGame, "car">,
): void {
  expectEqual<typeof car.fields.team, "blue" | "orange">(true);
  expectEqual<typeof car.fields.charge, number>(true);
  expectEqual<typeof car.fields.isReady, boolean>(true);
  expectEqual<typeof car.fields.hook, ThingOf<typeof yardGame, "ball"> | undefined>(true);
  expectEqual<NonNullable<ReturnType<typeof world.player>>["name"], "car">(true);
  expectEqual<typeof world.options.size, "small" | "large">(true);
  const { team } = world.one("car")!.fields;
  const thing = world.get(1);
  expectEqual<typeof team, "blue" | "orange">(true);
  if (thing?.name === "shot") expectEqual<typeof thing.fields.by, number>(true);

  // Rules and `think` share their helpers.
  const reads = (view: WorldViewOf<typeof yardGame>) => view.all("car").length;
  reads(world);

  // Several names give any of their things, which the name narrows.
  for (const each of world.all("car", "shot")) {
    if (each.name === "shot") expectEqual<typeof each.fields.by, number>(true);
    else expectEqual<typeof each.fields.team, "blue" | "orange">(true);
  }
  expectEqual<
    ReturnType<typeof world.supportOf>,
    ReturnType<typeof world.get> | typeof world.ground
  >(
    true,
  );

  // @ts-expect-error: a misspelt thing
  world.all("cars");

  // @ts-expect-error: a misspelt thing among others
  world.all("car", "shots");

  // @ts-expect-error: a misspelt field
  car.fields.teams;

  // @ts-expect-error: a word that is none of the choice
  car.fields.team = "green";

  // @ts-expect-error: another thing than the reference's
  car.fields.hook = car;

  // @ts-expect-error: a field that balls do not have
  world.one("ball")?.fields.team;

  // @ts-expect-error: a misspelt event
  world.emit("gaol", car);

  // @ts-expect-error: a misspelt joint
  world.joints.add("chian", car, world.ground, { x: 0, y: 0 });

  // @ts-expect-error: a field that the joint does not have
  world.joints.all("chain")[0]!.fields.length;

  // @ts-expect-error: a misspelt place
  world.spawn("ball", { x: 0, z: 0 });

  // @ts-expect-error: a misspelt first field
  world.spawn("shot", { x: 0, y: 0, fields: { from: 1 } });

  // @ts-expect-error: an option that the game does not have
  world.options.map;

  // @ts-expect-error: places change by verbs only
  car.x = 3;

  // @ts-expect-error: a list is assigned by its elements
  car.fields.laps = [1, 2, 3];
}

function viewsOnlyRead({ world }: ReturnType<typeof yardGame.start>): void {
  expectEqual<
    NonNullable<ReturnType<typeof world.one<"car">>>["fields"]["team"],
    "blue" | "orange"
  >(true);
  // @ts-expect-error: only rules change the world
  world.spawn("ball");
  // @ts-expect-error: nor its fields
  world.one("car")!.fields.fuel = 3;
  // @ts-expect-error: nor the elements of a list
  world.match.goals[0] = 3;
  // @ts-expect-error: nor the match
  world.match.rest = 1;
  // @ts-expect-error: a match draws a number in rules only
  world.random(3);
}

function commandsAreTyped(input: InputOf<typeof yardGame>): void {
  expectEqual<typeof input.dx, number>(true);
  expectEqual<typeof input.brake, boolean>(true);
  expectEqual<typeof input.team, "auto" | "blue" | "orange">(true);
  const { neutral } = yardGame.command;
  yardGame.commandOf({ dx: 0.5, fire: 1, team: "auto" }, neutral);
  // @ts-expect-error: a misspelt part
  ask.dir;
  // @ts-expect-error: a part that is none
  yardGame.commandOf({ jump: 1 }, neutral);
  // @ts-expect-error: a hold is down or up
  yardGame.commandOf({ brake: 1 }, neutral);
}

function wrongGamesDoNotCompile(): void {
  const things = { car: { body: BODY, fields: { n: "u8" } }, ball: { body: BODY } } as const;
  const command = { dx: axis(), jump: press() };
  const game = { ...BASE, command, things };

  // @ts-expect-error: the player is no thing
  defineGame({ ...game, player: "cart" }, RULES);

  // @ts-expect-error: an option that no game has
  defineGame({ ...game, player: "car", gravitee: 3 }, RULES);

  // @ts-expect-error: a moment that no event has
  defineGame({ ...game, player: "car", events: { goal: "sure" } }, RULES);

  // @ts-expect-error: restitution of no thing
  defineGame({ ...game, player: "car", restitutions: [["car", "bal", 1]] }, RULES);
  defineGame(
    { ...BASE, command: { ...command, up: hold({ of: "jmp" }) }, things, player: "car" },
    // @ts-expect-error: a hold of no press
    RULES,
  );

  defineGame({
    ...game,
    player: "car",
    // @ts-expect-error: a limit, which no rope has
    joints: { chain: { type: "rope", limits: { lower: 0, upper: 1 } } },
  }, RULES);

  // @ts-expect-error: an option that no axis has
  axis({ step: 8 });
}

function wrongThingsDoNotCompile(): void {
  const game = { ...BASE, command: { dx: axis() } };
  defineGame(
    { ...game, things: { car: { body: BODY, fields: { n: "u8" } } }, player: "car" },
    RULES,
  );

  defineGame(
    // @ts-expect-error: a type that no field has
    { ...game, things: { car: { body: BODY, fields: { n: "u9" } } }, player: "car" },
    RULES,
  );

  // @ts-expect-error: an option that no thing has
  defineGame({ ...game, things: { car: { body: BODY, feilds: {} } }, player: "car" }, RULES);

  defineGame(
    // @ts-expect-error: an option that no body has
    { ...game, things: { car: { body: { fixtures: [], damping: 1 } } }, player: "car" },
    RULES,
  );

  defineGame({
    ...game,
    // @ts-expect-error: an option that no fixture has
    things: { car: { body: { fixtures: [{ ...DISC, bounce: 1 }] } } },
    player: "car",
  }, RULES);

  // @ts-expect-error: neither body nor projectile
  defineGame({ ...game, things: { car: { fields: {} } }, player: "car" }, RULES);
  const things = { car: { body: BODY, fields: { hook: reference("bal") } }, ball: { body: BODY } };

  // @ts-expect-error: a reference to no thing
  defineGame({ ...game, things, player: "car" }, RULES);
  defineGame({ ...game, things: { ...things, bal: { body: BODY } }, player: "car" }, RULES);
}

function wrongRulesDoNotCompile(): void {
  const declaration = declareGame({
    ...BASE,
    command: { dx: axis() },
    match: { rest: clock() },
    join: { team: choice("auto", "blue") },
    things: {
      car: { body: BODY, fields: { laps: list("u8", 2), team: choice("red", "blue") } },
      ball: { body: BODY },
    },
    player: "car",
  });
  const enter = () => ({});

  // @ts-expect-error: a misspelt rule
  defineGame(declaration, { enter, ticks() {} });

  // @ts-expect-error: a misspelt thing in touch
  defineGame(declaration, { enter, touch: { cart: { ball() {} } } });

  // @ts-expect-error: a misspelt other thing in touch
  defineGame(declaration, { enter, touch: { car: { bal() {} } } });

  // @ts-expect-error: a misspelt thing in touchEnd
  defineGame(declaration, { enter, touchEnd: { car: { bal() {} } } });

  // @ts-expect-error: joints that broke are no matter of views
  defineGame(declaration, { enter, think: (world) => ({ dx: world.joints.broken.length }) });

  // @ts-expect-error: a part that think does not have
  defineGame(declaration, { enter, think: () => ({ dy: 1 }) });

  // @ts-expect-error: a first value of the wrong type
  defineGame(declaration, { enter: () => ({ fields: { team: 1 } }) });
  defineGame(declaration, {
    enter: (_world, _seat, join) => ({
      fields: { team: join.team === "auto" ? "red" : join.team },
    }),
    touch: {
      car: {
        ball: (_world, car, ball) => {
          expectEqual<typeof car.fields.team, "red" | "blue">(true);
          expectEqual<typeof ball.name, "ball">(true);
        },
        ground: (_world, _car, ground) => expectEqual<typeof ground.name, "ground">(true),
      },
    },
    touchEnd: {
      car: {
        ball(_world, car, ball) {
          expectEqual<typeof ball.name, "ball">(true);
          // @ts-expect-error: a car that may be gone
          car.fields.team;
          if (car.isHere) expectEqual<typeof car.fields.team, "red" | "blue">(true);
        },
        ground: (_world, _car, ground) => expectEqual<typeof ground.name, "ground">(true),
      },
    },
  });
}

Deno.test("Kit: a game that is wrong in a name or a type does not compile (SPEC 13.1)", () => {
  const compiled = [
    worldsAreTyped,
    viewsOnlyRead,
    commandsAreTyped,
    wrongGamesDoNotCompile,
    wrongThingsDoNotCompile,
    wrongRulesDoNotCompile,
  ];
  assertEquals(compiled.every((check) => typeof check === "function"), true);
});
