import { assertAlmostEquals, assertEquals, assertGreater, assertThrows } from "@std/assert";
import { LEDGES } from "../../../../shared/games/dragons/arenas/ledges.ts";
import { Columns } from "./columns.ts";
import { figuresOf } from "./figures.ts";
import {
  type DrawnRow,
  HOLLOW_MARK,
  NO_MARK,
  Recording,
  SOLID_MARK,
  solidsOf,
} from "./recording.ts";

const TICK_HZ = 20;
const FRAMES_PER_SECOND = 60;
const SECONDS = 20;
const FRAMES = SECONDS * FRAMES_PER_SECOND;
const OWN = 0;
const RIVAL = 3;
const NPC = 17;

/** Metres; at this height there is no platform. */
const HEIGHT = 3;

/** The rival runs to and fro at 3 m/s, two metres right of the own dragon and as high. */
const ownX = (ticks: number) => 10 + Math.abs(ticks * 0.15 % 12 - 6);
const rivalX = (ticks: number) => ownX(ticks) + 2;

interface Fault {
  /** Changes what one frame draws of the rival, the NPC or the own dragon. */
  readonly draw?: (row: DrawnRow, frame: number) => Partial<DrawnRow>;
  /** Whether the rival has no rider at this tick. */
  readonly isDead?: (tick: number) => boolean;
  readonly effectsTakenBack?: (frame: number) => number;
  /** Whether the frame shows the end of a tick, because the next one is missing. */
  readonly isStalled?: (frame: number) => boolean;
}

/** A scene that is drawn right except for a planted fault. */
function figuresWith(
  { draw = () => ({}), isDead = () => false, effectsTakenBack = () => 0, isStalled = () => false }:
    Fault = {},
) {
  const recording = new Recording(solidsOf(LEDGES));
  const xAt = (seat: number, ticks: number) =>
    seat === OWN ? ownX(ticks) : rivalX(ticks) + (seat === NPC ? 5 : 0);

  for (let tick = 0; tick <= SECONDS * TICK_HZ; tick++) {
    for (const seat of [OWN, RIVAL, NPC]) {
      const dead = Number(seat === RIVAL && isDead(tick));
      recording.definitive.append({
        tick,
        seat,
        x: xAt(seat, tick),
        y: HEIGHT,
        teleports: 0,
        dead,
      });
    }
  }

  for (let frame = 0; frame < FRAMES; frame++) {
    const ticks = frame * TICK_HZ / FRAMES_PER_SECOND;
    const tick = Math.floor(ticks);
    const fraction = isStalled(frame) ? 1 : ticks - tick;
    const atMs = 1000 * frame / FRAMES_PER_SECOND;
    recording.frames.append({ atMs, tick, fraction, effectsTakenBack: effectsTakenBack(frame) });
    for (const seat of [OWN, RIVAL, NPC]) {
      const x = xAt(seat, tick) + (xAt(seat, tick + 1) - xAt(seat, tick)) * fraction;
      const dead = Number(isDead(tick));
      const row = {
        frame,
        seat,
        own: Number(seat === OWN),
        x,
        y: HEIGHT,
        simulatedX: x,
        simulatedY: HEIGHT,
        headX: xAt(seat, tick),
        headY: HEIGHT,
        speed: 3,
        teleports: 0,
        dead: seat === RIVAL ? dead : 0,
        opacity: 1,
        mark: seat === RIVAL && dead === 0 ? SOLID_MARK : NO_MARK,
        winner: 0,
      };
      recording.drawn.append({ ...row, ...draw(row, frame) });
    }
  }

  return figuresOf(recording);
}

/** Only of the rival. */
const rivals = (draw: NonNullable<Fault["draw"]>): Fault => ({
  draw: (row, frame) => row.seat === RIVAL ? draw(row, frame) : {},
});

Deno.test("figuresOf: a scene without a fault has none", () => {
  const { framesPerSecond, frames, markFrames, solidMarkShare, keyToFrames, ...faults } =
    figuresWith();
  assertEquals(Object.values(faults), Object.values(faults).map(() => 0));
  assertAlmostEquals(framesPerSecond, FRAMES_PER_SECOND, 0.01);
  assertEquals([frames, solidMarkShare, keyToFrames], [FRAMES, 1, NaN]);
  // The last tick has no definitive successor.
  assertGreater(markFrames, FRAMES - 5);
});

Deno.test("figuresOf: a rival who is drawn 1 m beside their simulated place in a tenth of the frames", () => {
  const figures = figuresWith(rivals(({ y }, frame) => frame % 100 < 10 ? { y: y + 1 } : {}));
  assertEquals(figures.drawnMinusSimulatedP50M, 0);
  assertEquals(figures.drawnMinusSimulatedP95M, 1);
  assertEquals(figures.drawnMinusSimulatedMaxM, 1);
  assertEquals(figures.drawnMinusDefinitiveP95M, 1);
  assertEquals(figures.remoteErrorM, 0);
  assertGreater(figures.popMeter, 0.4);
});

Deno.test("figuresOf: a rival who is simulated 1 m beside their definitive place", () => {
  const figures = figuresWith(rivals(({ y }) => ({ y: y + 1, simulatedY: y + 1, headY: y + 1 })));
  assertEquals(figures.drawnMinusSimulatedMaxM, 0);
  assertAlmostEquals(figures.drawnMinusDefinitiveP95M, 1, 1e-9);
  assertAlmostEquals(figures.remoteErrorM, 1, 1e-9);
  assertAlmostEquals(figures.popMeter, 4, 0.01);
});

Deno.test("figuresOf: NPCs and the own dragon are no rivals, and neither is a dead one", () => {
  const beside = (row: DrawnRow) => ({ y: row.y + 1, headY: row.y + 1 });
  for (const seat of [OWN, NPC]) {
    const figures = figuresWith({ draw: (row) => row.seat === seat ? beside(row) : {} });
    assertEquals([
      figures.drawnMinusSimulatedMaxM,
      figures.drawnMinusDefinitiveP95M,
      figures.popMeter,
    ], [0, 0, 0]);
    assertEquals(figures.remoteErrorM, 0);
  }
  const dead = figuresWith({ ...rivals(beside), isDead: () => true });
  assertEquals([dead.remoteErrorM, dead.drawnMinusSimulatedP95M, dead.popMeter], [0, NaN, 0]);
});

Deno.test("figuresOf: each false death counts once, however long, and a true death is none", () => {
  const twice = (frame: number) => frame % 600 >= 300 && frame % 600 < 320;
  const dead = ({ seat }: DrawnRow, frame: number, of: number) =>
    seat === of && twice(frame) ? { dead: 1 } : {};
  const rival = figuresWith({ draw: (row, frame) => dead(row, frame, RIVAL) });
  assertAlmostEquals(rival.falseDeathsPerMinute, 2 / SECONDS * 60, 0.01);
  assertEquals([rival.ownFalseDeaths, rival.deaths], [0, 0]);
  const own = figuresWith({ draw: (row, frame) => dead(row, frame, OWN) });
  assertEquals([own.falseDeathsPerMinute, own.ownFalseDeaths], [0, 2]);
  const truth = figuresWith({ isDead: (tick) => tick % 100 > 70 });
  assertEquals([truth.falseDeathsPerMinute, truth.deaths], [0, 4]);
});

Deno.test("figuresOf: a solid mark with another winner is wrong, and a hollow one is not", () => {
  const every = (nth: number, fault: Partial<DrawnRow>) =>
    figuresWith(rivals((_, frame) => frame % nth === 0 ? fault : {}));
  assertAlmostEquals(every(10, { winner: 1 }).markWrongShare, 0.1, 0.001);
  assertAlmostEquals(every(10, { winner: -1 }).markWrongShare, 0.1, 0.001);
  const hollow = every(4, { mark: HOLLOW_MARK, winner: 1 });
  assertEquals(hollow.markWrongShare, 0);
  assertAlmostEquals(hollow.solidMarkShare, 0.75, 0.001);
  assertAlmostEquals(hollow.markFrames, 0.75 * FRAMES, 5);
});

Deno.test("figuresOf: the winner of a mark follows from the definitive heights, not from the drawn ones", () => {
  const raised = figuresWith(rivals(({ y }) => ({ y: y + 0.5, winner: -1 })));
  assertEquals(raised.markWrongShare, 1);
});

Deno.test("figuresOf: a living dragon drawn in the floor counts, one that stands on it or is dead does not", () => {
  const at = (y: number, more: Partial<DrawnRow> = {}) =>
    figuresWith(rivals((_, frame) => frame % 10 === 0 ? { y, ...more } : {})).belowGroundFrames;
  // The floor's top is at 1 m, and a dragon's radius is 0.55 m.
  assertEquals([at(1.55), at(1.35), at(1.2), at(-3)], [0, 0, FRAMES / 10, FRAMES / 10]);
  assertEquals([at(0.5), at(0.5, { dead: 1 }), at(0.5, { opacity: 0.1 })], [FRAMES / 10, 0, 0]);
});

Deno.test("figuresOf: a step over 1 m counts, unless it is a teleport, a fade or its own speed", () => {
  const jump = (more: (frame: number) => Partial<DrawnRow>) =>
    figuresWith(rivals(({ y }, frame) => ({ y: frame < 300 ? y : y + 1.2, ...more(frame) })))
      .stepsOver1M;
  assertEquals(jump(() => ({})), 1);
  assertEquals(jump((frame) => ({ teleports: frame < 300 ? 0 : 1 })), 0);
  assertEquals(jump((frame) => ({ opacity: frame === 299 ? 0.1 : 1 })), 0);
  assertEquals(jump(() => ({ speed: 40 })), 0);
  assertEquals(jump(() => ({ dead: 1 })), 0);
});

Deno.test("figuresOf: effects taken back are counted per minute", () => {
  const { effectsTakenBackPerMinute } = figuresWith({
    effectsTakenBack: (frame) => frame % 120 === 0 ? 2 : 0,
  });
  assertAlmostEquals(effectsTakenBackPerMinute, 60, 0.1);
});

Deno.test("figuresOf: frames that wait for the next tick are counted", () => {
  assertAlmostEquals(
    figuresWith({ isStalled: (frame) => frame % 10 === 0 }).stalledShare,
    0.1,
    0.001,
  );
});

Deno.test("Columns: rows come back as they were, beyond the first room, and no other row exists", () => {
  const columns = new Columns(["a", "b"]);
  for (let i = 0; i < 5000; i++) columns.append({ a: i, b: -i / 2 });
  assertEquals([columns.length, columns.at(0), columns.at(4999)], [5000, { a: 0, b: -0 }, {
    a: 4999,
    b: -2499.5,
  }]);
  assertEquals([...columns].length, 5000);
  assertThrows(() => columns.at(5000), RangeError);
});

Deno.test("figuresOf: the objective adds the own dragon's pops, own corrections and falsities to the rivals' pops", () => {
  const clean = figuresWith();
  assertEquals([clean.ownPopMeter, clean.objective], [0, 0]);
  const beside = figuresWith({ draw: (row) => row.seat === OWN ? { y: row.y + 1 } : {} });
  assertAlmostEquals(beside.ownPopMeter, 4, 0.01);
  assertAlmostEquals(beside.objective, beside.ownPopMeter, 1e-3);
  const wrong = figuresWith(rivals(() => ({ winner: 1 })));
  assertAlmostEquals(wrong.objective, wrong.markFrames / wrong.frames, 1e-3);
  const rivalDies = figuresWith(
    rivals((_, frame) => frame % 600 >= 300 && frame % 600 < 320 ? { dead: 1 } : {}),
  );
  assertAlmostEquals(
    rivalDies.objective,
    rivalDies.falseDeathsPerMinute / 60 + rivalDies.popMeter,
    1e-3,
  );
});
