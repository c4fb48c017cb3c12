/** Small games for tests of one thing each. */
import { axis, choice, clock, defineGame, press } from "../../../shared/game_kit/game_kit.ts";
import { SEATS } from "../../../shared/netcode/game.ts";

/** A body and a floor. */
export const BALL = { body: { fixtures: [{ shape: { circle: 0.5 } }] } } as const;
export const FLOOR = { shape: { box: [20, 0.5], y: -0.5 } } as const;
export const BASE = { id: "small-1", title: "Small", gravity: 0, ground: [FLOOR] } as const;

/** The commands of one tick, by seat. */
export function commandsOf<Command>(
  bySeat: Readonly<Record<number, Command>>,
): (Command | undefined)[] {
  return Array.from({ length: SEATS }, (_, seat) => bySeat[seat]);
}

/** A game that only counts what it is asked for. */
export const countingGame = defineGame({
  ...BASE,
  command: { dx: axis(), go: press() },
  join: { team: choice("auto", "blue") },
  options: { map: choice("oval", "cross"), laps: choice("1", "3", "5") },
  match: { ticks: "u32", left: "u32" },
  things: {
    car: {
      ...BALL,
      fields: { right: "u32", gone: "u32", team: choice("none", "auto", "blue"), rest: clock() },
    },
  },
  player: "car",
}, {
  enter: (_world, seat) => ({ x: seat, y: 2 }),
  drive(_world, { fields }, ask) {
    fields.right += Number(ask.dx > 0);
    fields.gone += ask.go;
    fields.team = ask.team;
  },
  leave: (world) => world.match.left++,
  tick: (world) => world.match.ticks++,
  think: (_world, _me, aheadTicks) => ({ dx: 1, go: aheadTicks % 2 }),
  reactionTicks: 3,
});
