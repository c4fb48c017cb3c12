/**
 * The outcomes that a scene shows while the prediction and the definitive tick differ. A rig plays
 * both: the definitive state is one of its earlier states, and the planted misprediction is what it
 * did since.
 */
import { ARENA_WORDS } from "../../../../shared/games/dragons/arenas/arenas.ts";
import type { DragonSimulation } from "../../../../shared/games/dragons/declaration.ts";
import { NEUTRAL } from "../../../support/dragons.ts";
import { assert, assertAlmostEquals, assertEquals, assertGreater } from "@std/assert";
import { lanceMarksOf } from "../../../../client/games/dragons/presenters/dragon/marks.ts";
import { defineRenderedView } from "../../../../client/game_kit/client_kit.ts";
import { APPEARANCES, type dragonView } from "../../../../client/games/dragons/view.ts";
import { type DragonScene, sceneOf } from "../../../support/dragon_scene.ts";
import { ErrorSmoother } from "../../../../client/presentation/error_smoother.ts";
import {
  DRAGON_RADIUS,
  EGG_FRESH_TICKS,
  JOUST_SCORE,
  LANCE_LEAD,
} from "../../../../shared/games/dragons/tuning.ts";
import { PoseList } from "../../../../shared/netcode/pose_list.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { bareArena, FLOOR_TOP, Rig, STANDING } from "../../../shared/games/dragons/rig.ts";

/** Metres: a dragon that falls from here lands when nobody is invulnerable any more. */
const SKY = 36;
const FALLING = 0;
const STRUCK = 1;

/** Draws a rig's match. The present of the rig is the prediction. */
class Screen {
  readonly rig: Rig;
  readonly smoother = new ErrorSmoother();
  readonly #ownSeat: number;
  readonly #definitive: DragonSimulation;
  readonly #composer: ReturnType<typeof dragonView.composer>;
  /** By seat: ticks without a known command. */
  readonly guessed: number[] = [];

  constructor(rig: Rig, ownSeat: number) {
    this.rig = rig;
    this.#ownSeat = ownSeat;
    const { game } = rig;
    this.#definitive = game.start({ npcs: 0 }, 1);
    const view = defineRenderedView(game, {
      view: [32, 18],
      appear: APPEARANCES,
      solid: ARENA_WORDS,
      renderer: () => ({ draw() {} }),
    });
    this.#composer = view.composer(rig.simulation);
    this.confirm();
  }

  /** The present of the rig becomes definitive. */
  confirm(): void {
    const state = new Snapshot();
    this.rig.simulation.save(state);
    this.#definitive.load(state);
  }

  get poses(): { readonly previous: PoseList; readonly head: PoseList } {
    const head = new PoseList();
    this.rig.simulation.poses(head);
    return { previous: head, head };
  }

  /** @returns the dragons by seat, as the tests name them */
  draw(): DragonScene {
    const scene = sceneOf(this.#composer.compose({
      atMs: 0,
      simulation: this.rig.simulation,
      definitive: this.#definitive,
      poses: this.poses,
      fraction: 1,
      smoother: this.smoother,
      names: new Map(),
      ownSeat: this.#ownSeat,
      extrapolated: undefined,
      events: { begun: [], retracted: [], settled: [] },
      guessedTicks: (seat) => this.guessed[seat] ?? 0,
    }));
    scene.dragons.sort((a, b) => a.seat - b.seat);
    return scene;
  }

  dragon(seat: number) {
    return this.draw().dragons.find((dragon) => dragon.seat === seat);
  }
}

/** Seat 0 falls on seat 1. The joust is predicted, and the tick before it is definitive. */
function predictJoust(ownSeat: number): Screen {
  const rig = new Rig(bareArena({ spawnPoints: [{ x: 16, y: SKY }, { x: 16.2, y: STANDING }] }), 2);
  rig.runUntil(() => rig.simulation.tick > 0 && rig.dragon(FALLING).y < STANDING + 2);
  const screen = new Screen(rig, ownSeat);
  rig.runUntil(() => {
    if (rig.countEvents("joust") === 0) screen.confirm();
    return rig.countEvents("joust") > 0;
  });
  assertGreater(rig.dragon(STRUCK).fields.dead, 0, "the misprediction is planted");
  return screen;
}

Deno.test("spritesOf: a rival whom only the prediction unseats is drawn alive, without an egg and without points (SPEC 8.23)", () => {
  const screen = predictJoust(FALLING);
  const scene = screen.draw();
  assertEquals(scene.dragons.map(({ dead, score }) => [dead, score]), [[false, 0], [false, 0]]);
  assertEquals(screen.rig.simulation.world.all("egg").length, 1);
  assertEquals(scene.eggs, []);
  assertEquals(
    lanceMarksOf(scene.dragons),
    [],
    "nobody can joust a dragon that has no rider in the prediction",
  );
  screen.confirm();
  const confirmed = screen.draw();
  assertEquals(confirmed.dragons.map(({ dead, score }) => [dead, score]), [[false, JOUST_SCORE], [
    true,
    0,
  ]]);
  assertEquals(confirmed.eggs.length, 1);
});

Deno.test("spritesOf: a rival with a predicted death reels when it has lasted, the own dragon at once", () => {
  const rival = predictJoust(FALLING);
  const own = predictJoust(STRUCK);
  assertEquals(rival.dragon(STRUCK)!.stunnedTicks, 0);
  assertGreater(own.dragon(STRUCK)!.stunnedTicks, 0);
  assertEquals(own.dragon(STRUCK)!.dead, false);
  rival.rig.run(3);
  assertGreater(rival.dragon(STRUCK)!.stunnedTicks, 0);
  rival.confirm();
  assertEquals(rival.dragon(STRUCK)!.stunnedTicks, 0, "a dead dragon does not reel");
});

Deno.test("spritesOf: the own dragon is back at once, a rival when their respawn is definitive (SPEC 8.23)", () => {
  for (const ownSeat of [FALLING, STRUCK]) {
    const screen = predictJoust(ownSeat);
    const { rig } = screen;
    screen.confirm();
    assertEquals(screen.dragon(STRUCK)!.dead, true);
    rig.runUntil(() => rig.dragon(STRUCK).fields.dead === 0);
    assertEquals(screen.dragon(STRUCK)?.dead, ownSeat === STRUCK ? false : undefined);
    screen.confirm();
    assertEquals(screen.dragon(STRUCK)?.dead, false);
  }
});

Deno.test("spritesOf: a rival who enters is drawn when that is definitive, the own dragon at once", () => {
  for (const ownSeat of [0, 1]) {
    const rig = new Rig(
      bareArena({ spawnPoints: [{ x: 5, y: STANDING }, { x: 25, y: STANDING }] }),
      1,
    );
    rig.run(5);
    const screen = new Screen(rig, ownSeat);
    rig.commands[1] = NEUTRAL;
    rig.run(1);
    assertEquals(screen.draw().dragons.length, ownSeat === 1 ? 2 : 1);
    screen.confirm();
    assertEquals(screen.draw().dragons.length, 2);
  }
});

Deno.test("spritesOf: an egg that only the prediction takes stays where it was drawn, and is marked", () => {
  const screen = predictJoust(FALLING);
  const { rig } = screen;
  rig.run(EGG_FRESH_TICKS);
  screen.confirm();
  const before = screen.draw().eggs[0]!;
  const place = { x: before.x, y: before.y };
  assertEquals(before.isTaken, false);
  displace(screen, 0.2, 0);
  rig.setControls(FALLING, { dir: rig.dragon(FALLING).x < before.x ? 1 : -1 });
  rig.runUntil(() => {
    if (rig.simulation.world.all("egg").length > 0) {
      Object.assign(place, { x: screen.draw().eggs[0]!.x });
    }
    return rig.countEvents("take") > 0;
  });
  const taken = screen.draw().eggs[0]!;
  assertEquals([taken.isTaken, taken.x], [true, place.x]);
  const points = rig.dragon(FALLING).fields.score;
  assertGreater(points, JOUST_SCORE);
  assertEquals(screen.dragon(FALLING)!.score, JOUST_SCORE);
  screen.confirm();
  assertEquals([screen.draw().eggs.length, screen.dragon(FALLING)!.score], [0, points]);
});

/** Adds an error offset to all bodies of a screen. */
function displace({ smoother, poses }: Screen, dx: number, dy: number): void {
  const before = { previous: new PoseList(), head: new PoseList() };
  for (const list of [before.previous, before.head]) {
    list.copyFrom(poses.head);
    for (let i = 0; i < list.count; i++) {
      Object.assign(list.at(i), { x: list.at(i).x + dx, y: list.at(i).y + dy });
    }
  }
  smoother.absorb(before, poses, 1);
}

Deno.test("spritesOf: a correction draws no dragon inside the floor, a ledge or a wall (SPEC 8.24)", () => {
  const ledges = [{ x: 16, y: 6, width: 8, height: 0.5 }];
  const spawnPoints = [{ x: 16, y: STANDING }, { x: 16, y: 6.25 + DRAGON_RADIUS }, {
    x: 0.6,
    y: 12,
  }];
  const rig = new Rig(bareArena({ spawnPoints, ledges }), 3);
  rig.run(40);
  const screen = new Screen(rig, 0);
  displace(screen, -0.4, -0.5);
  const drawn = screen.draw().dragons;
  const simulated = rig.simulation.world.all("dragon");

  for (const { x, y } of drawn) {
    assert(
      x >= DRAGON_RADIUS - 1e-9 && y >= FLOOR_TOP + DRAGON_RADIUS - 1e-9,
      `drawn at ${x}, ${y}`,
    );
    assert(
      Math.abs(x - 16) > 4 || Math.abs(y - 6) >= 0.25 + DRAGON_RADIUS - 1e-9,
      `drawn at ${x}, ${y}`,
    );
  }

  assert(
    drawn.some(({ x }, i) => Math.abs(x - simulated[i]!.x + 0.4) < 1e-9),
    "the rest of the offset stays",
  );
});

Deno.test("spritesOf: a dragon that must move far is drawn at its simulated place and fades in", () => {
  const rig = new Rig(bareArena({ spawnPoints: [{ x: 16, y: STANDING }] }), 1);
  rig.run(5);
  const screen = new Screen(rig, 0);
  const { x, y } = rig.dragon(0);
  displace(screen, 5, 0);
  const sprite = screen.dragon(0)!;
  assertEquals([sprite.x, sprite.fade?.opacity], [x, 0]);
  assertAlmostEquals(sprite.fade!.x, x + 5);
  assertAlmostEquals(sprite.fade!.y, y);
  screen.smoother.decay(1000);
  assertEquals(screen.dragon(0)!.fade, undefined);
});

Deno.test("spritesOf: a lance mark compares simulated heights, also while dragons are drawn elsewhere (SPEC 8.25)", () => {
  const spawnPoints = [{ x: 16, y: STANDING }, { x: 18, y: STANDING }];
  const rig = new Rig(bareArena({ spawnPoints }), 2);
  rig.run(5);
  rig.lift(1, 18, STANDING + 0.6);
  const screen = new Screen(rig, 0);
  const mark = () => lanceMarksOf(screen.draw().dragons)[0]!;
  assertEquals([mark().winner, mark().isSolid], [-1, true]);
  displace(screen, 0, -0.55);
  const { y } = screen.dragon(1)!;
  assert(y < STANDING + LANCE_LEAD, `drawn at ${y}, as if the two would only clash`);
  assertEquals([mark().winner, mark().isSolid], [-1, true]);
});

Deno.test("spritesOf: a lance mark is solid as far as guessed commands can change no winner (SPEC 8.25)", () => {
  const rig = new Rig(
    bareArena({ spawnPoints: [{ x: 16, y: STANDING }, { x: 18, y: STANDING }] }),
    2,
  );
  rig.run(5);
  const screen = new Screen(rig, 0);
  const isSolid = (guessed: number) => {
    screen.guessed[1] = guessed;
    return lanceMarksOf(screen.draw().dragons)[0]!.isSolid;
  };
  rig.lift(1, 18, STANDING + 0.6);
  const { flapAge } = rig.dragon(1).fields;
  assertEquals([isSolid(0), isSolid(flapAge)], [true, true], "a rival above can only rise");
  assertEquals(isSolid(flapAge + 1), false, "their flap may be a guess that is wrong");
  rig.lift(0, 16, STANDING + 2);
  assertEquals([isSolid(0), isSolid(2)], [true, true]);
  assertEquals(isSolid(30), false, "a rival below may have flapped");
});
