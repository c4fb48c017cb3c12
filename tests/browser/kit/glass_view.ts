/**
 * A view of the yard that draws on the glass. It writes down what it took of each corner, for the
 * tests.
 */
import {
  bar,
  defineView,
  type HudBrush,
  type HudCorner,
  miniMap,
  timer,
} from "../../../client/game_kit/client_kit.ts";
import { PageParts } from "../../../client/game_kit/picture/page_parts.ts";
import { game, HALF } from "./game.ts";

export interface Taken {
  readonly corner: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What the newest frame took of the corners, CSS pixels. */
const taken: Taken[] = [];
Object.assign(globalThis, { glassTaken: taken, PageParts });

/** The brush, with a note of each place that it gives. */
function noted(brush: HudBrush): HudBrush {
  const place = (corner: HudCorner, width: number, height: number) => {
    const at = brush.place(corner, width, height);
    taken.push({ corner, ...at, width, height });
    return at;
  };
  return new Proxy(brush, {
    get: (target, name) => {
      if (name === "place") return place;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

export const view = defineView(game, {
  view: [30, 18],
  background(brush) {
    brush.box(HALF[0], HALF[1], "#1d2547");
  },
  hud(glass, world, own) {
    taken.length = 0;
    if (own === undefined) return;
    const brush = noted(glass);
    for (const corner of ["top left", "top right", "bottom left", "bottom right"] as const) {
      bar(brush, corner, 0.7, { label: corner, width: 6 });
    }
    bar(brush, "top left", own.fields.kicks / 10, { label: "Kicks", colour: "#f84", width: 6 });
    brush.place("top", 40, 10);
    timer(brush, "top", 100 - world.tick / game.tickHz, { label: "Left", bold: true });
    timer(brush, "bottom", 4.2, { label: "Rest" });
    miniMap(brush, "bottom right", {
      width: 6,
      area: { x: 0, y: 0, width: 2 * HALF[0], height: 2 * HALF[1] },
      lines: [[[0, -HALF[1]], [0, HALF[1]]]],
      marks: world.all("drone").map((drone) => ({
        x: drone.x,
        y: drone.y,
        colour: drone.fields.team === "blue" ? "#4af" : "#f84",
        own: drone.seat === own.seat,
      })),
    });
  },
  marks: {
    gate: ({ fields }) => fields.team === "blue" ? "#00ff00" : undefined,
    crate: "#ff0000",
    drone: false,
  },
  status: (world) => ({
    scores: world.all("drone").map(({ seat, fields }) => ({ seat, score: fields.kicks })),
    teams: [{ team: "blue", score: 0 }, { team: "orange", score: 0 }],
  }),
  events: { kick: { caption: "kicked" } },
});
