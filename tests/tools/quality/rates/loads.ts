/** Loads: what stands under its own weight and under that of others. */
import { archetype, type Shape } from "../../../../shared/physics/core/types.ts";
import { type RateScene, run, stageAt } from "./rate_scene.ts";

const FLOOR = [{ shape: { box: [50, 1] as const, y: -1 } }];

/**
 * The arch of Box2D's sample "Stacking/Arch" at a quarter of its size: the corners of its stones on
 * the right, from the inner and from the outer side.
 */
const INNER = [
  [16, 0],
  [14.938, 5.1336],
  [13.7987, 10.2493],
  [12.5625, 15.3411],
  [11.2004, 20.3986],
  [9.6652, 25.4037],
  [7.8718, 30.3179],
  [5.6352, 35.0382],
  [2.4059, 39.0955],
].map(([x, y]) => [x! / 4, y! / 4] as const);
const OUTER = [
  [24, 0],
  [22.3362, 6.023],
  [20.5494, 12.0096],
  [18.6085, 17.947],
  [16.4677, 23.8137],
  [14.0533, 29.5708],
  [11.2355, 35.1378],
  [7.7526, 40.3045],
  [3.0169, 44.2889],
].map(([x, y]) => [x! / 4, y! / 4] as const);

type Corners = readonly (readonly [number, number])[];
const mirrored = (corners: Corners): Corners => corners.map(([x, y]) => [-x, y] as const);

/** Metres that the topmost of four slabs on the arch has come down after 10 s. */
const arch: RateScene = {
  id: "D9",
  what: "arch of 17 stones that carries four slabs",
  figure: "the top has come down after 10 s, m",
  most: 0.5,
  measure(rate) {
    const right = INNER.slice(1).map((_, i): Corners => [
      INNER[i]!,
      OUTER[i]!,
      OUTER[i + 1]!,
      INNER[i + 1]!,
    ]);
    const keystone: Corners = [INNER[8]!, OUTER[8]!, ...mirrored([OUTER[8]!, INNER[8]!])];
    const stones = [...right, ...right.map(mirrored), keystone].map((polygon, i) =>
      archetype({ name: `stone${i}`, fields: {}, body: { fixtures: [{ shape: { polygon } }] } })
    );
    const slab = archetype({
      name: "slab",
      fields: {},
      body: { fixtures: [{ shape: { box: [2, 0.5] } }] },
    });
    const stage = stageAt(rate, {
      ground: [{ shape: { edge: [-100, 0, 100, 0] } }],
      archetypes: [...stones, slab],
    });
    for (const stone of stones) stage.spawn(stone, { x: 0, y: 0 });
    const slabs = [0, 1, 2, 3].map((i) => stage.spawn(slab, { x: 0, y: OUTER[8]![1] + 0.5 + i }));
    const top = slabs.at(-1)!;
    const from = top.y;
    run(stage, rate, 10);
    return from - top.y;
  },
};

/** Metres below the height of a pyramid of 5 cm squares, whose rows begin without a gap. */
const tinyPyramid: RateScene = {
  id: "D13",
  what: "pyramid of 15 rows of 5 cm squares",
  figure: "the top has come down after 5 s, m",
  most: 0.05,
  measure(rate) {
    const half = 0.025;
    const rows = 15;
    const square = archetype({
      name: "square",
      fields: {},
      body: { fixtures: [{ shape: { box: [half, half] } }] },
    });
    const stage = stageAt(rate, { ground: FLOOR, archetypes: [square] });
    let top = stage.ground;
    for (let row = 0; row < rows; row++) {
      for (let i = row; i < rows; i++) {
        top = stage.spawn(square, {
          x: (2 * i - row - rows + 1) * half,
          y: (2 * row + 1) * half,
        });
      }
    }
    const from = top.y;
    run(stage, rate, 5);
    return Math.max(0, from - top.y);
  },
};

/** A column of boxes; the figure is how far the one farthest from its place is away after 10 s. */
function column(
  id: string,
  what: string,
  rows: number,
  densityOf: (row: number) => number,
): RateScene {
  return {
    id,
    what,
    figure: "farthest from its place after 20 s, m",
    most: 0.3,
    measure(rate) {
      const boxes = Array.from({ length: rows }, (_, row) =>
        archetype({
          name: `box${row}`,
          fields: {},
          body: { fixtures: [{ shape: { box: [0.4, 0.4] }, density: densityOf(row) }] },
        }));
      const stage = stageAt(rate, { ground: FLOOR, archetypes: boxes });
      const placed = boxes.map((box, row) => {
        const y = 0.41 + 0.81 * row;
        return { y, entity: stage.spawn(box, { x: 0, y }) };
      });
      run(stage, rate, 20);
      return Math.max(...placed.map(({ y, entity }) => Math.hypot(entity.x, entity.y - y)));
    },
  };
}

/** A heavy crate on two light marbles: how deep they are pressed into the floor at any time. */
const marbles: RateScene = {
  id: "marbles",
  what: "crate on two marbles of 15 cm, 1:815",
  figure: "deepest in the floor, m",
  most: 0.01,
  measure(rate) {
    const marble = archetype({
      name: "marble",
      fields: {},
      body: { fixtures: [{ shape: { circle: 0.15 } }] },
    });
    const crate = archetype({
      name: "crate",
      fields: {},
      body: { fixtures: [{ shape: { box: [1.2, 1.2] }, density: 10 }] },
    });
    const stage = stageAt(rate, { ground: FLOOR, archetypes: [marble, crate] });
    const balls = [-0.8, 0.7].map((x) => stage.spawn(marble, { x, y: 0.15 }));
    stage.spawn(crate, { x: 0, y: 1.51 });
    let depth = 0;
    run(stage, rate, 10, {
      look: () => {
        for (const { y } of balls) depth = Math.max(depth, 0.15 - y);
      },
    });
    return depth;
  },
};

/** A box of 10 m on two boxes of 1 m: how far it has sunk below their tops. */
const heavyBox: RateScene = {
  id: "D14",
  what: "box of 400 kg on two of 4 kg",
  figure: "has sunk after 10 s, m",
  most: 0.1,
  measure(rate) {
    const box = (name: string, shape: Shape) =>
      archetype({ name, fields: {}, body: { fixtures: [{ shape }] } });
    const small = box("small", { box: [1, 1] });
    const large = box("large", { box: [10, 10] });
    const stage = stageAt(rate, { ground: FLOOR, archetypes: [small, large] });
    for (const x of [-9, 9]) stage.spawn(small, { x, y: 1 });
    const heavy = stage.spawn(large, { x: 0, y: 12 });
    run(stage, rate, 10);
    return Math.max(0, 12 - heavy.y);
  },
};

/** A house of cards 2 mm thick, Box2D's sample "Stacking/Card House". */
const cards: RateScene = {
  id: "D11",
  what: "house of five storeys of cards 2 mm thick",
  figure: "the highest card has come down after 5 s, m",
  most: 0.1,
  measure(rate) {
    const card = archetype({
      name: "card",
      fields: {},
      body: { fixtures: [{ shape: { box: [0.001, 0.2] }, friction: 0.7 }] },
    });
    const stage = stageAt(rate, {
      ground: [{ shape: { box: [40, 2], y: -2 }, friction: 0.7 }],
      archetypes: [card],
    });
    const lean = 25 * Math.PI / 180;
    let height = 0;
    for (let storey = 0; storey < 5; storey++) {
      const y = 0.18 + 0.37 * storey;
      for (let i = 0; i < 5 - storey; i++) {
        const x = 0.175 * storey + 0.35 * i;
        if (i < 4 - storey) stage.spawn(card, { x: x + 0.25, y: y + 0.185, angle: Math.PI / 2 });
        stage.spawn(card, { x, y, angle: -lean });
        stage.spawn(card, { x: x + 0.175, y, angle: lean });
      }
      height = y;
    }
    run(stage, rate, 5);
    return height - Math.max(...stage.entities().map(({ y }) => y));
  },
};

export const LOADS: readonly RateScene[] = [
  column("stack8", "stack of 8 equal boxes", 8, () => 1),
  column("heavy top", "stack of 12, its top 10 times heavier", 12, (row) => row === 11 ? 10 : 1),
  column(
    "growing",
    "stack of 12, each 1.5 times as heavy as the one below",
    12,
    (row) => 1.5 ** row,
  ),
  arch,
  tinyPyramid,
  heavyBox,
  marbles,
  cards,
];
