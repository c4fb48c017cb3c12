/**
 * What a frame says beside the prediction: definitive ticks, ticks that are guessed, and things that
 * the next tick adds. Three real simulations of one match stand for the three moments.
 */
import { assert, assertAlmostEquals, assertEquals, assertNotEquals } from "@std/assert";
import { KitComposer, type KitFrame } from "../../../client/game_kit/kit_frame.ts";
import { KitPalette } from "../../../client/game_kit/kit_palette.ts";
import type {
  LooseCommand,
  LooseGame,
  LooseSimulation,
} from "../../../client/game_kit/loose_types.ts";
import type { ShownThing } from "../../../client/game_kit/shown_thing.ts";
import { Watcher } from "../../../client/game_kit/watcher.ts";
import { ErrorSmoother } from "../../../client/presentation/error_smoother.ts";
import type { EventTiming } from "../../../shared/game_kit/game_kit.ts";
import { SEATS } from "../../../shared/netcode/game.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { yardGame } from "../../shared/game_kit/yard_game.ts";

const game = yardGame as unknown as LooseGame;
const OWN = 0;
const RIVAL = 1;

type Inputs = Readonly<Record<number, object>>;

/** A match of two players at its head, a definitive tick before, and the tick beyond. */
class Moments {
  readonly head = game.start({ npcs: 0 }, 3);
  readonly definitive = game.start({ npcs: 0 }, 3);
  readonly ahead = game.start({ npcs: 0 }, 3);
  #commands: (LooseCommand | undefined)[] = new Array(SEATS).fill(undefined);
  readonly #composer: KitComposer;

  constructor(appear: Readonly<Record<string, EventTiming>>) {
    this.#composer = new KitComposer(this.head, {
      declaration: game.declaration,
      tickHz: game.tickHz,
      palette: new KitPalette(game.declaration),
      appear,
      npcName: () => "Bot 1",
      watcher: new Watcher({ hasCamera: false }),
    });
  }

  step(inputs: Inputs = {}, seats: readonly number[] = [OWN, RIVAL]): void {
    this.#commands = this.#next(inputs, seats);
    this.head.step(this.#commands as never);
  }

  /** The head's tick becomes definitive. */
  confirm(): void {
    copy(this.head, this.definitive);
  }

  frame(inputs: Inputs = {}, fraction = 0.5): KitFrame {
    copy(this.head, this.ahead);
    this.ahead.step(this.#next(inputs, [OWN, RIVAL]) as never);
    return this.#composer.compose({
      atMs: 0,
      simulation: this.head,
      definitive: this.definitive,
      extrapolated: this.ahead,
      poses: { previous: posesOf(this.head), head: posesOf(this.ahead) },
      smoother: new ErrorSmoother(game.tickHz),
      names: new Map(),
      ownSeat: OWN,
      fraction,
      guessedTicks: (seat) => seat === RIVAL ? 3 : 0,
      events: { begun: [], retracted: [], definitive: [] },
    });
  }

  #next(inputs: Inputs, seats: readonly number[]): (LooseCommand | undefined)[] {
    return this.#commands.map((before, seat) =>
      seats.includes(seat)
        ? game.commandOf(inputs[seat] ?? {}, before ?? game.command.neutral)
        : undefined
    );
  }
}

function copy(from: LooseSimulation, to: LooseSimulation): void {
  const state = new Snapshot();
  from.save(state);
  to.load(state);
}

function posesOf(simulation: LooseSimulation): PoseList {
  const poses = new PoseList();
  simulation.poses(poses);
  return poses;
}

const named = ({ things }: KitFrame, name: string): readonly ShownThing[] =>
  things.filter((thing) => thing.name === name);

Deno.test("KitComposer: a thing that appears as certain shows from its definitive tick on; the own one at once (SPEC 13.130)", () => {
  const match = new Moments({ car: "certain" });
  match.step();
  assertEquals(named(match.frame(), "car").map(({ seat }) => seat), [OWN]);
  match.confirm();
  assertEquals(named(match.frame(), "car").map(({ seat }) => seat), [RIVAL, OWN]);
});

Deno.test("KitComposer: what only the prediction lost stays where it was, and says that it is leaving (SPEC 13.130)", () => {
  const match = new Moments({ car: "certain" });
  match.step();
  match.confirm();
  const [before] = named(match.frame(), "car");
  const { x, y, leaving } = before!;
  assertEquals(leaving, false);

  // The rival leaves in the prediction.
  match.step({}, [OWN]);
  const [rival] = named(match.frame(), "car");
  assertEquals([rival!.seat, rival!.leaving, rival!.x, rival!.y], [RIVAL, true, x, y]);
  match.confirm();
  assertEquals(named(match.frame(), "car").map(({ seat }) => seat), [OWN]);
});

Deno.test("KitComposer: a thing that appears at once shows a tick early; others wait for the head (SPEC 13.130)", () => {
  for (const [timing, shown] of [["at once", 1], ["likely", 0]] as const) {
    const match = new Moments({ shot: timing });
    match.step();
    match.confirm();
    const fire = { [OWN]: { fire: 1, aim: Math.PI } };
    assertEquals(named(match.frame(fire), "shot").length, shown, timing);
    match.step(fire);
    assertEquals(named(match.frame(), "shot").length, 1);
  }
});

Deno.test("KitComposer: each thing has its definitive self, its guessed ticks, and its simulated place (SPEC 13.133)", () => {
  const match = new Moments({});
  match.step();
  match.confirm();
  for (let tick = 0; tick < 4; tick++) match.step({ [OWN]: { dx: 1 }, [RIVAL]: { dx: 1 } });
  const frame = match.frame({ [OWN]: { dx: 1 }, [RIVAL]: { dx: 1 } });
  const [rival, own] = named(frame, "car");

  assertEquals([rival!.guessedTicks, own!.guessedTicks], [3, 0]);
  assertEquals([frame.world.tick, frame.definitive.tick, frame.fraction], [5, 1, 0.5]);
  assertNotEquals(own!.definitive?.x, match.head.world.player(OWN)!.x);
  assertEquals(own!.definitive?.x, match.definitive.world.player(OWN)!.x);

  const between = (match.head.world.player(RIVAL)!.x + match.ahead.world.player(RIVAL)!.x) / 2;
  assertAlmostEquals(rival!.simulated.x, between, 1e-3);
});

Deno.test("LayerFrame.hueOfSeat: is the colour of the seat's thing, and of a seat without one (SPEC 13.43)", () => {
  const match = new Moments({});
  match.step();
  const frame = match.frame();
  const [rival, own] = named(frame, "car");
  assertEquals([frame.hueOfSeat(RIVAL), frame.hueOfSeat(OWN)], [rival!.hue, own!.hue]);
  assert(frame.hueOfSeat(9).fill.startsWith("#"));
});
