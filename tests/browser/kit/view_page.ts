/**
 * The yard's view on a real canvas, for a browser's console: the page's clock and all commands are
 * arguments.
 */
import type { FrameParts } from "../../../client/presentation/view.ts";
import type { KitRenderer } from "../../../client/game_kit/picture/kit_renderer.ts";
import type { InputOf, KitGame } from "../../../shared/game_kit/game_kit.ts";
import { EventReconciler } from "../../../client/presentation/event_reconciler.ts";
import { type EventKinds, isCertain } from "../../../client/presentation/event_certainty.ts";
import { ErrorSmoother } from "../../../client/presentation/error_smoother.ts";
import { SEATS } from "../../../shared/netcode/game.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { defineRenderedView, defineView, type Layer } from "../../../client/game_kit/client_kit.ts";
import type { LooseGame } from "../../../client/game_kit/loose_types.ts";
import { view as blank } from "../../../client/game_kit/templates/blank/view.ts";
import { view as duel } from "../../../client/game_kit/templates/duel/view.ts";
import { view as side } from "../../../client/game_kit/templates/side/view.ts";
import { view as top } from "../../../client/game_kit/templates/top/view.ts";
import type { TitlePort } from "../../../client/game_kit/title_match.ts";
import { TitlePlay } from "../../../client/game_kit/title_play.ts";
import type { TitleAnswer } from "../../../client/game_kit/title_worker.ts";
import { game as blankGame } from "../../../shared/game_kit/templates/blank/game.ts";
import { game as duelGame } from "../../../shared/game_kit/templates/duel/game.ts";
import { game as sideGame } from "../../../shared/game_kit/templates/side/game.ts";
import { game as topGame } from "../../../shared/game_kit/templates/top/game.ts";
import { game } from "./game.ts";
import { view } from "./view.ts";

type Asks = Partial<InputOf<typeof game>>;
type Command = typeof game.command.neutral;
type Simulation = ReturnType<typeof game.start>;

/** Milliseconds of a frame. */
const FRAME_MS = 16;

export class YardPage {
  readonly simulation: Simulation = game.start({ npcs: 1 }, 3);
  readonly #poses = { previous: new PoseList(), head: new PoseList() };
  readonly #smoother = new ErrorSmoother(game.tickHz);
  readonly #canvas = document.createElement("canvas");
  readonly #composer = view.composer(this.simulation);
  readonly #events: EventReconciler;
  readonly #saved = new Map<
    number,
    { state: Snapshot; commands: readonly (Command | undefined)[] }
  >();
  /** The newest commands by seat: a press counts from the one before. */
  #commands: readonly (Command | undefined)[] = [];
  readonly renderer: KitRenderer;
  ownSeat = 0;
  /** The newest definitive tick. */
  definitive = 0;
  nowMs = 1000;
  fraction = 1;
  /** How often frames had an event of each kind, and how often one was retracted. */
  readonly shown: Record<string, number> = {};
  retracted = 0;
  /** Names in the order of drawing. */
  labels: readonly string[] = [];

  /** @param drawn the view that draws it */
  constructor(drawn: Pick<typeof view, "renderer"> = view) {
    this.#canvas.style.cssText = "position:fixed;left:0;top:0;width:100vw;height:100vh";
    document.body.append(this.#canvas);
    this.renderer = drawn.renderer(this.#canvas) as unknown as KitRenderer;
    const kinds: EventKinds = {
      isConfirmedOnly: (kind, seat) => view.isConfirmedOnly(kind, seat),
      answersKey: (kind) => view.answersKey?.(kind) ?? true,
    };
    this.#events = new EventReconciler((event, moment) => isCertain(event, moment, kinds));
  }

  /** Steps with these asks by seat; a seat without one asks for nothing. */
  step(asks: Readonly<Record<number, Asks>>, seats = [0, 1, 2, 16]): void {
    const { simulation } = this;
    const commands: (Command | undefined)[] = new Array(SEATS).fill(undefined);
    const { neutral } = game.command;
    for (const seat of seats) {
      commands[seat] = game.commandOf(asks[seat] ?? {}, this.#commands[seat] ?? neutral);
    }
    const state = new Snapshot(0);
    simulation.save(state);
    this.#saved.set(simulation.tick, { state, commands: this.#commands });
    this.#commands = commands;
    this.#poses.previous.copyFrom(this.#poses.head);
    simulation.step(commands);
    this.#readPoses();
    this.#events.record(simulation.events, { tick: simulation.tick, poses: this.#poses.head });
  }

  /** Goes back to the state after a tick. */
  rollBack(tick: number): void {
    const { state, commands } = this.#saved.get(tick)!;
    this.simulation.load(state);
    this.#commands = commands;
    this.#readPoses();
  }

  #readPoses(): void {
    this.#poses.head.reset();
    this.simulation.poses(this.#poses.head);
  }

  /** The places from which the next frame's are eased. */
  poses(): { previous: PoseList; head: PoseList } {
    const { previous, head } = this.#poses;
    const copy = { previous: new PoseList(), head: new PoseList() };
    copy.previous.copyFrom(previous);
    copy.head.copyFrom(head);
    return copy;
  }

  absorb(before: { previous: PoseList; head: PoseList }): void {
    this.#smoother.absorb(before, this.#poses, 1);
  }

  /** Draws a frame, and returns where things are drawn: metres by id. */
  draw(
    frames = 1,
  ): Record<number, { x: number; y: number; angle: number; label: string; own: boolean }> {
    let places: ReturnType<YardPage["draw"]> = {};
    for (let i = 0; i < frames; i++) {
      this.nowMs += FRAME_MS;
      this.#smoother.decay(FRAME_MS);
      const frame = this.#composer.compose(this.#parts());
      for (const { kind } of frame.events) this.shown[kind] = (this.shown[kind] ?? 0) + 1;
      this.retracted += frame.retractedEvents.length;
      this.labels = frame.things.map(({ label }) => label).filter((label) => label !== "");
      this.renderer.draw(frame, this.nowMs);
      places = Object.fromEntries(
        frame.things.map(({ id, x, y, angle, label, own }) => [id, { x, y, angle, label, own }]),
      );
    }
    return places;
  }

  #parts(): FrameParts<Simulation> {
    const { simulation, ownSeat, fraction, definitive, nowMs } = this;
    const head = simulation.tick;
    const events = this.#events.collectChanges({
      head,
      definitive,
      ownSeat,
      guessedTicks: () => 0,
    });
    const names = new Map([[0, "Ash"], [1, "Wren"]]);
    return {
      atMs: nowMs,
      simulation,
      definitive: simulation,
      extrapolated: undefined,
      poses: this.#poses,
      smoother: this.#smoother,
      names,
      ownSeat,
      fraction,
      events,
      guessedTicks: () => 0,
    };
  }

  /** The colour at a place in the world, as "r g b". @param x metres */
  colourAt(x: number, y: number): string {
    const { camera } = this.renderer;
    return [
      ...this.#canvas.getContext("2d")!.getImageData(camera.xPx(x), camera.yPx(y), 1, 1).data.slice(
        0,
        3,
      ),
    ].join(
      " ",
    );
  }

  /** All pixels. */
  pixels(): Uint8ClampedArray {
    return this.#canvas.getContext("2d")!.getImageData(
      0,
      0,
      this.#canvas.width,
      this.#canvas.height,
    ).data;
  }

  /** The status that the HUD shows. */
  status() {
    return view.status(this.simulation, { names: new Map([[0, "Ash"]]), ownSeat: this.ownSeat });
  }
}

/** The yard, and the templates of new games. */
const GAMES = { yard: game, blank: blankGame, side: sideGame, top: topGame, duel: duelGame };
const VIEWS = { yard: view, blank, side, top, duel };

/** Answers at once, in place of the worker that plays the match behind the lobby. */
function playTitlesOf(shown: object): void {
  document.body.dataset.titleWorker = "https://example.org/main.js";
  class AnsweringWorker {
    readonly #play = new TitlePlay(shown as unknown as LooseGame);
    onmessage: TitlePort["onmessage"] = null;
    onerror = null;
    postMessage() {
      this.onmessage?.({ data: { tick: this.#play.next() } } as MessageEvent<TitleAnswer>);
    }
    terminate() {}
  }
  globalThis.Worker = AnsweringWorker as unknown as typeof Worker;
}

/**
 * Draws the match behind the lobby, frame by frame.
 * @returns where the first player is drawn in each frame, metres
 */
function playTitle(of: keyof typeof VIEWS, frames: number): { x: number; y: number }[] {
  playTitlesOf(GAMES[of]);
  const shown: { titleFrame: typeof view.titleFrame; renderer: typeof view.renderer } = VIEWS[of];
  const canvas = document.createElement("canvas");
  canvas.style.cssText = "position:fixed;left:0;top:0;width:100vw;height:100vh";
  document.body.append(canvas);
  const renderer = shown.renderer(canvas);
  return Array.from({ length: frames }, (_, i) => {
    const nowMs = 5000 + FRAME_MS * i;
    const frame = shown.titleFrame(nowMs);
    renderer.draw(frame, nowMs);
    const { x, y } = frame.own!;
    return { x, y };
  });
}

/**
 * Draws one frame with a renderer of an author's own in WebGL.
 * @param throwsIn where the renderer throws, if it does
 * @returns how opaque the kit's canvas is, 0 … 255, on bare floor and on the own thing; where the
 *   author's canvas lies; and what its renderer saw
 */
function drawLayered(place: "below" | "instead" | "above", throwsIn?: "open" | "draw") {
  const names = new Set<string>();
  let teams = 0, drawn = 0;
  const open = (
    canvas: HTMLCanvasElement,
  ): Layer<typeof game extends KitGame<infer Types> ? Types : never> => {
    if (throwsIn === "open") throw new RangeError("no glass");
    const gl = canvas.getContext("webgl")!;
    return {
      draw({ things, own }, { camera }) {
        for (const thing of things) {
          names.add(thing.name);
          // The name tells the fields: only drones and gates have teams.
          if (thing.name === "drone" && thing.fields.team !== undefined) teams++;
        }
        // A green square stands where the own thing is.
        const size = Math.round(camera.scale);
        const x = Math.round(camera.xPx(own!.x)), y = canvas.height - camera.yPx(own!.y);
        gl.enable(gl.SCISSOR_TEST);
        gl.scissor(x - size / 2, y - size / 2, size, size);
        gl.clearColor(0, 1, 0, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        const pixel = new Uint8Array(4);
        gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        drawn = pixel[1]!;
        if (throwsIn === "draw") throw new RangeError("no paint");
      },
    };
  };
  const layered = defineView(game, { view: [30, 18], layers: { [place]: open } });
  const canvas = document.createElement("canvas");
  canvas.style.cssText = "position:fixed;left:0;top:0;width:100vw;height:100vh";
  document.body.append(canvas);
  const renderer = layered.renderer(canvas);
  playTitlesOf(game);
  const frame = layered.titleFrame(5000);
  renderer.draw(frame, 5000);
  const opacityAt = (x: number, y: number) =>
    canvas.getContext("2d")!.getImageData(renderer.camera.xPx(x), renderer.camera.yPx(y), 1, 1)
      .data[3]!;
  const { x, y } = frame.own!;
  const other = place === "above" ? canvas.nextElementSibling : canvas.previousElementSibling;
  return {
    floor: opacityAt(-6, -6.5),
    own: opacityAt(x - 0.3, y - 0.2),
    isLayer: other?.className === "layer",
    isSeen: other !== null && getComputedStyle(other).visibility === "visible",
    isAsLarge: (other as HTMLCanvasElement | null)?.width === canvas.width,
    names: [...names],
    teams,
    drawn,
  };
}

/**
 * Draws two frames with a renderer of an author's own that draws the whole picture.
 * @returns the colours of its canvas on the own thing, on bare floor, and where a burst began
 */
function drawRendered(throws: boolean) {
  const elapsed: number[] = [];
  const rendered = defineRenderedView(game, {
    view: [30, 18],
    events: { goal: { burst: { colour: "#ffffff", count: 40 } } },
    renderer(canvas) {
      const context = canvas.getContext("2d", { alpha: false })!;
      return {
        draw({ own }, { useMetres, drawParticles, elapsedMs }) {
          elapsed.push(elapsedMs);
          if (throws) throw new RangeError("no brush");
          context.setTransform(1, 0, 0, 1, 0, 0);
          context.fillStyle = "#00f";
          context.fillRect(0, 0, canvas.width, canvas.height);
          useMetres(context);
          context.fillStyle = "#0f0";
          context.fillRect(own!.x - 0.5, own!.y - 0.5, 1, 1);
          drawParticles(context);
        },
      };
    },
  });
  const canvas = document.createElement("canvas");
  canvas.style.cssText = "position:fixed;left:0;top:0;width:100vw;height:100vh";
  document.body.append(canvas);
  const renderer = rendered.renderer(canvas);
  playTitlesOf(game);
  const frame = rendered.titleFrame(5000);
  renderer.draw(frame, 5000);
  const event = { kind: "goal", x: -6, y: -6, seat: -1, otherSeat: -1, key: "1 goal 1", tick: 1 };
  frame.events = [event];
  renderer.draw(frame, 5016);
  const colourAt = (x: number, y: number) => {
    const { camera } = renderer;
    const [xPx, yPx] = [camera.xPx(x), camera.yPx(y)];
    return [...canvas.getContext("2d")!.getImageData(xPx, yPx, 1, 1).data.slice(0, 3)];
  };
  const { x, y } = frame.own!;
  return { own: colourAt(x, y), floor: colourAt(-6, 6), burst: colourAt(-6, -6), elapsed };
}

/** A view whose drawings throw, in the middle of changed states. */
const broken = defineView(game, {
  view: [30, 18],
  background() {
    throw new RangeError("no background");
  },
  things: {
    drone(brush) {
      brush.context.save();
      brush.context.translate(7, 7);
      brush.context.globalAlpha = 0.1;
      brush.context.rect(0, 0, 0.1, 0.1);
      brush.context.clip();
      brush.context.save();
      throw new RangeError("no car");
    },
  },
  foreground: (brush) => brush.box(0.5, 0.5, "#010203", { x: -6, y: -6.5 }),
});
const brokenYard = () => new YardPage(broken);

Object.assign(globalThis, {
  yard: new YardPage(),
  view,
  playTitle,
  drawLayered,
  drawRendered,
  brokenYard,
});
