/**
 * The view that the kit makes of a declaration, on a real canvas: the yard has every shape, joints,
 * teams and events.
 */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertNotEquals,
} from "@std/assert";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { bundle } from "../../../client/build/build.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";
import type { YardPage } from "./view_page.ts";

declare const yard: YardPage;
declare const brokenYard: () => YardPage;

let script: Promise<string> | undefined;

/** A page with the yard after its first tick. */
async function openYard(
  browser: Browser,
  viewport = { width: 1280, height: 720 },
  scale = 1,
): Promise<Page> {
  const page = await browser.newPage({ viewport, deviceScaleFactor: scale });
  await page.setContent("<body style='margin:0'></body>");
  script ??= bundle(fileURLToPath(new URL("view_page.ts", import.meta.url)));
  await page.addScriptTag({ content: await script, type: "module" });
  await page.waitForFunction(() => "yard" in globalThis);
  await page.evaluate(() => yard.step({}));
  return page;
}

/** The colours that are drawn at these places of the world, after some ticks. */
function coloursAt(page: Page, places: Readonly<Record<string, readonly [x: number, y: number]>>) {
  return page.evaluate((places) => {
    yard.draw();
    return Object.fromEntries(
      Object.entries(places).map(([name, [x, y]]) => [name, yard.colourAt(x, y)]),
    );
  }, places);
}

/** Bare floor of the background. */
const FLOOR = "29 37 71";

const SIZES: readonly (readonly [width: number, height: number, scale: number])[] = [
  [1280, 720, 1],
  [640, 360, 2],
  [900, 900, 1],
  [390, 844, 2],
];

browserTest(
  "kit view: every kind of shape is drawn where the simulation has it, in any window (SPEC 13.40)",
  async (browser) => {
    for (const [width, height, scale] of SIZES) {
      const page = await openYard(browser, { width, height }, scale);
      const own = await page.evaluate(() => {
        const { x, y } = yard.simulation.world.player(0)!;
        return [x, y] as const;
      });
      const seen = await coloursAt(page, {
        floor: [-6, -6.5],
        crate: [-3.3, 2.1],
        crateCorner: [-3.45, 2.35],
        besideCrate: [-3.8, 1.2],
        ball: [-0.3, -0.2],
        besideBall: [0.5, 0.5],
        player: [own[0] - 0.3, own[1] - 0.2],
      });
      const name = `${width}×${height}`;
      for (const floor of ["floor", "besideCrate", "besideBall"]) {
        assertEquals(seen[floor], FLOOR, `${name} ${floor}`);
      }
      assertEquals([seen.crate, seen.ball], ["230 234 244", "79 195 181"], name);
      assertEquals(seen.player, "68 170 255", `${name}: the colour of the blue team`);
      assertNotEquals(seen.crateCorner, FLOOR, `${name}: turned by 0.3 rad`);
      // The upright window shows what is around the own thing.
      if (width >= height) {
        const far = await coloursAt(page, {
          gem: [2.7, -3],
          gemTip: [3.6, -3],
          besideGem: [3.6, -2.6],
          wall: [14, 5],
          edge: [-9.5, -6],
          box: [9, 0.5],
          besideBox: [10.05, 1],
          disc: [5.85, 2.37],
          otherDisc: [4.2, 1.52],
          post: [5.2, -4.1],
          gate: [-13.5, 1],
          sensor: [-9, 5],
          rope: [-4.55, 3.35],
          spring: [5, 3.2],
        });
        assertEquals([far.post, far.besideBox], ["61 69 102", FLOOR], name);
        assertEquals(
          [far.gem, far.disc, far.besideGem],
          ["176 125 79", "239 127 166", FLOOR],
          name,
        );
        assertNotEquals(far.gemTip, FLOOR, name);
        assertEquals(far.otherDisc, "239 127 166", "all fixtures of one body");
        for (const thing of ["box", "wall", "edge", "gate", "sensor"]) {
          assertNotEquals(far[thing], FLOOR, `${name} ${thing}`);
        }
      }
      await shoot(page, `kit_${width}x${height}.png`);
      await page.close();
    }
  },
);

browserTest(
  "kit view: joints lead from body to body as they are drawn, and projectiles are seen (SPEC 13.40)",
  async (browser) => {
    const page = await openYard(browser);
    const seen = await page.evaluate(() => {
      const isOther = (x: number, y: number, others: readonly string[]) =>
        !others.includes(yard.colourAt(x, y));
      yard.draw();
      const floor = yard.colourAt(-6, -6.5);
      const along = (from: readonly number[], to: readonly number[]) => {
        let count = 0;
        for (let i = 0; i <= 40; i++) {
          const x = from[0]! + (to[0]! - from[0]!) * i / 40;
          const y = from[1]! + (to[1]! - from[1]!) * i / 40;
          for (let side = -12; side <= 12; side++) {
            if (isOther(x + side * 0.06, y, [floor])) count++;
          }
        }
        return count;
      };
      const rope = along([-4.5, 3.4], [-3.9, 2.6]);
      const spring = along([5, 3.4], [5, 2.8]);
      const nothing = along([-6, -6], [-5, -6.5]);
      yard.step({ 0: { kick: 1 } });
      for (let i = 0; i < 3; i++) yard.step({ 0: { kick: 1 } });
      yard.draw(60);
      const spark = yard.simulation.world.one("spark")!;
      return { rope, spring, nothing, spark: yard.colourAt(spark.x, spark.y) !== floor };
    });
    assertEquals([seen.nothing, seen.spark], [0, true]);
    assertGreater(seen.rope, 30);
    assertGreater(seen.spring, 30);
  },
);

browserTest(
  "kit view: things are placed between ticks, and a correction is eased (SPEC 13.40)",
  async (browser) => {
    const page = await openYard(browser);
    const path = await page.evaluate(() => {
      const right = { 0: { dx: 1 } };
      const left = { 0: { dx: -1 } };
      for (let i = 0; i < 10; i++) yard.step(right);
      const { id } = yard.simulation.world.player(0)!;
      const at = (fraction: number) => {
        yard.fraction = fraction;
        return yard.draw()[id]!.x;
      };
      const between = [0, 0.5, 1].map(at);
      const before = at(1);
      const poses = yard.poses();

      // The server used other commands for the last six ticks.
      yard.rollBack(yard.simulation.tick - 6);
      for (let i = 0; i < 6; i++) yard.step(left);
      yard.absorb(poses);
      const simulated = yard.simulation.world.player(0)!.x;
      const eased = [...Array(60)].map(() => at(1));
      return { between, before, simulated, eased };
    });
    const [from, middle, to] = path.between as [number, number, number];
    assertAlmostEquals(middle, (from + to) / 2, 1e-9);
    assertLess(from, to);
    assertGreater(path.before - path.simulated, 0.2);
    assertLess(
      Math.abs(path.eased[0]! - path.before),
      0.35 * (path.before - path.simulated),
      "it does not jump",
    );
    assertAlmostEquals(path.eased.at(-1)!, path.simulated, 0.01);
  },
);

browserTest(
  "kit view: players have names, NPCs a numbered word; the own thing is above the others",
  async (browser) => {
    const page = await openYard(browser);
    const { labels, above, withoutNames } = await page.evaluate(() => {
      const places = Object.values(yard.draw());
      const me = places.find(({ own }) => own)!;
      const inked = () => {
        let count = 0;
        for (let x = -0.6; x <= 0.6; x += 0.03) {
          for (let y = 0.75; y <= 1.2; y += 0.03) {
            if (yard.colourAt(me.x + x, me.y + y) !== "29 37 71") count++;
          }
        }
        return count;
      };
      const labels = yard.labels;
      const above = inked();
      yard.ownSeat = -1;
      yard.step({ 0: { dy: -1 } }, [1, 2, 16]);
      yard.draw(4);
      return {
        labels,
        own: places.indexOf(me) > places.findIndex(({ label }) => label === "Wren"),
        above,
        withoutNames: inked(),
      };
    });
    assertEquals(labels, ["Wren", "Player", "Bot 1", "Ash"], "in the order of drawing");
    assertGreater(above, 40);
    assertEquals(withoutNames, 0, "who has left has no name");
  },
);

browserTest(
  "kit view: teams, scores and a banner come from the view's status (SPEC 13.44)",
  async (browser) => {
    const page = await openYard(browser);
    const [before, after] = await page.evaluate(() => {
      const before = yard.status();
      const { world } = yard.simulation;
      // Seat 1 pushes the ball into the blue gate, from the right.
      for (let i = 0; i < 400 && yard.status().banner === undefined; i++) {
        const ball = world.one("ball")!;
        const me = world.player(1)!;
        const isBehind = me.x > ball.x + 0.6 && Math.abs(me.y - ball.y) < 0.6;
        const dx = isBehind || me.x < ball.x + 0.6 ? (isBehind ? -1 : 1) : 0;
        yard.step({ 1: { dx, dy: Math.sign(ball.y - me.y) } });
      }
      yard.draw();
      return [before, yard.status()];
    });
    assertEquals(before!.teams, [
      { name: "Blue", colour: "#4af", pattern: "plain", score: 0, own: true },
      { name: "Orange", colour: "#f84", pattern: "stripes", score: 0, own: false },
    ]);
    assertEquals([before!.banner, after!.banner], [undefined, "GOAL!"]);
    assertEquals(after!.teams!.map(({ score }) => score), [0, 1]);
    assertEquals(after!.scores.map(({ name, npc }) => [name, npc]).slice(0, 1), [["Ash", false]]);
  },
);

browserTest(
  "kit view: an event shows once though it is rolled back; a certain one waits, a false one fades (SPEC 13.42)",
  async (browser) => {
    const page = await openYard(browser);
    const seen = await page.evaluate(() => {
      const kick = { 0: { kick: 1 } };
      yard.draw(10);
      const idle = yard.renderer.particleCount;
      yard.step(kick);
      yard.draw();
      const burst = yard.renderer.particleCount;
      const once = yard.shown.kick;

      // Another player's command arrives late: the same kick happens again.
      yard.rollBack(yard.simulation.tick - 1);
      yard.step({ 0: { kick: 1 }, 1: { dx: 1 } });
      yard.draw(2);
      const again = {
        shown: yard.shown.kick,
        particles: yard.renderer.particleCount,
        retracted: yard.retracted,
      };

      // The kick did not happen.
      yard.rollBack(yard.simulation.tick - 1);
      yard.step({});
      yard.draw(12);
      return {
        idle,
        burst,
        once,
        again,
        gone: yard.renderer.particleCount,
        retracted: yard.retracted,
      };
    });
    assertEquals([seen.idle, seen.once, seen.again.shown, seen.again.retracted], [0, 1, 1, 0]);
    assertGreater(seen.burst, 8);
    assertLess(seen.again.particles, seen.burst + 1);
    assertEquals([seen.retracted, seen.gone], [1, 0]);
    assertEquals(
      await page.evaluate(() =>
        ["goal", "kick"].map((kind) => [view.isConfirmedOnly(kind, 0), view.answersKey!(kind)])
      ),
      [[true, false], [false, true]],
    );
  },
);

declare function playTitle(
  of: "yard" | "blank" | "side" | "top" | "duel",
  frames: number,
): { x: number; y: number }[];

browserTest(
  "kit view: behind the lobby the game plays itself, and stands still with reduced motion (SPEC 13.46)",
  async (browser) => {
    const page = await openYard(browser);
    for (const scene of ["yard", "blank", "side", "top", "duel"] as const) {
      const path = await page.evaluate((scene) => playTitle(scene, 240), scene);
      const steps = path.slice(1).map(({ x, y }, i) => Math.hypot(x - path[i]!.x, y - path[i]!.y));
      assertGreater(
        steps.reduce((sum, step) => sum + step, 0),
        3,
        `${scene}: metres in four seconds`,
      );
      assertLess(Math.max(...steps), 0.5, `${scene}: it moves between ticks`);
      await shoot(page, `kit_title_${scene}.png`);
    }
    await page.emulateMedia({ reducedMotion: "reduce" });
    const still = await page.evaluate(() => playTitle("yard", 60));
    assertEquals(still.at(-1), still[0]);
  },
);

type LayerPlace = "below" | "instead" | "above";

declare function drawRendered(throws: boolean): {
  own: number[];
  floor: number[];
  burst: number[];
  elapsed: number[];
};
declare function drawLayered(place: LayerPlace, throwsIn?: "open" | "draw"): {
  floor: number;
  own: number;
  isLayer: boolean;
  isSeen: boolean;
  isAsLarge: boolean;
  names: string[];
  teams: number;
  drawn: number;
};

browserTest(
  "kit view: an author's renderer draws below, instead of or above the kit's picture (SPEC 13.63)",
  async (browser) => {
    // Whether the kit's canvas covers bare floor, and the own thing.
    const covers = { below: [0, 255], instead: [0, 0], above: [255, 255] } as const;
    for (const place of ["below", "instead", "above"] as const) {
      const page = await openYard(browser);
      const seen = await page.evaluate((place) => drawLayered(place), place);
      assertEquals([seen.floor, seen.own], [...covers[place]], place);
      assertEquals(
        [seen.isLayer, seen.isSeen, seen.isAsLarge, seen.drawn],
        [true, true, true, 255],
        place,
      );
      for (const name of ["crate", "drone", "gate"]) assert(seen.names.includes(name), name);
      assertGreater(seen.teams, 3);
      await shoot(page, `kit_layer_${place}.png`);
      await page.close();
    }
  },
);

browserTest(
  "kit view: a renderer of the whole picture has the page's canvas, the camera and the particles; one that throws is named once (SPEC 13.134)",
  async (browser) => {
    for (const throws of [false, true]) {
      const page = await openYard(browser);
      const errors: string[] = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      const seen = await page.evaluate((throws) => drawRendered(throws), throws);
      assertEquals(seen.elapsed, [50, 16]);
      if (throws) {
        assertEquals(errors, ["renderer.draw of the view threw: no brush"]);
      } else {
        assertEquals([seen.own, seen.floor], [[0, 255, 0], [0, 0, 255]]);
        assertNotEquals(seen.burst, [0, 0, 255]);
      }
      await page.close();
    }
  },
);

browserTest(
  "kit view: an author's renderer that throws is named once and hidden, and the kit draws in its place (SPEC 13.110)",
  async (browser) => {
    for (const place of ["below", "instead", "above"] as const) {
      for (const throwsIn of ["open", "draw"] as const) {
        const page = await openYard(browser);
        const errors: string[] = [];
        page.on("pageerror", ({ message }) => errors.push(message));
        const seen = await page.evaluate(
          ([place, throwsIn]) => drawLayered(place, throwsIn),
          [place, throwsIn] as const,
        );
        const words = throwsIn === "open" ? "no glass" : "no paint";
        const name = `${place}, ${throwsIn}`;
        assertEquals([seen.floor, seen.own], [255, 255], `${name}: the kit's sky and thing`);
        assertEquals(seen.isLayer && seen.isSeen, false, name);
        assertEquals(errors, [`layers.${place} of the view threw: ${words}`]);
        await page.close();
      }
    }
  },
);

declare const view: import("../../../client/game_kit/client_kit.ts").KitView<never>;

browserTest(
  "kit view: a drawing that throws shows the thing's shapes, is named once, and all after it is drawn (SPEC 13.48)",
  async (browser) => {
    const page = await openYard(browser);
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    const seen = await page.evaluate(() => {
      const broken = brokenYard();
      broken.step({});
      broken.draw(5);
      const { x, y } = broken.simulation.world.player(0)!;
      return {
        car: broken.colourAt(x - 0.3, y - 0.2),
        crate: broken.colourAt(-3.3, 2.1),
        foreground: broken.colourAt(-6, -6.5),
        labels: broken.labels.length,
      };
    });
    assertEquals([seen.car, seen.foreground], ["68 170 255", "1 2 3"]);
    assertNotEquals(seen.crate, FLOOR);
    assertGreater(seen.labels, 0);
    assertEquals(errors, [
      "background of the view threw: no background",
      "things.drone of the view threw: no car",
    ]);
    await page.close();
  },
);
