/**
 * The smallest complete view: the counter game on a page. Each seat is a dot on a line, with its
 * presses above.
 */
import type { ActionSet } from "../../../client/input/actions.ts";
import { ButtonCounters } from "../../../client/input/button_counters.ts";
import { Thumbs } from "../../../client/input/thumbs.ts";
import { displayName } from "../../../client/presentation/match_presenter.ts";
import type { View } from "../../../client/presentation/view.ts";
import { PLAYER_SEATS, SEATS } from "../../../shared/netcode/game.ts";
import type { CounterCommand, CounterSimulation } from "../../tools/lab/counter_game.ts";

interface Dot {
  readonly seat: number;
  readonly x: number;
  readonly presses: number;
  readonly own: boolean;
}

export interface CounterFrame {
  readonly dots: readonly Dot[];
}

/** Metres that the canvas shows in its width. */
const WIDTH_METRES = 40;
const COLOURS = { blue: "#4db5f5", white: "#ffffff" } as const;
let ownColour: string = COLOURS.blue;

const colourOf = ({ own, npc }: { own: boolean; npc: boolean }) =>
  own ? ownColour : npc ? "#808996" : "#e0532a";

const ACTIONS: ActionSet = {
  axes: [{
    id: "dir",
    less: { id: "left", label: "Drift left", keys: ["ArrowLeft"], gamepadButtons: [] },
    more: { id: "right", label: "Drift right", keys: ["ArrowRight"], gamepadButtons: [] },
  }],
  buttons: [{
    id: "press",
    label: "Press",
    touchLabel: "Press",
    keys: ["Space"],
    gamepadButtons: [0],
  }],
};

export const counterView: View<CounterCommand, CounterSimulation, CounterFrame> = {
  storedAs: "counter",
  actions: ACTIONS,
  devices: (root) => [
    new Thumbs(root, { ...ACTIONS, left: { horizontal: ACTIONS.axes[0] }, right: undefined }),
  ],
  controls(device) {
    const buttons = new ButtonCounters(device, ["press"]);
    return {
      next: (_tick, acknowledged) => (
        {
          dir: buttons.currentDevice().readAxis("dir", true),
          presses: buttons.next("press", acknowledged?.presses),
        }
      ),
      peek: (acknowledged) => (
        {
          dir: buttons.currentDevice().readAxis("dir", false),
          presses: buttons.peek("press", acknowledged?.presses),
        }
      ),
      resume: (own) => buttons.resume(() => own?.presses),
    };
  },
  helpText: () => "← → drift · Space presses",
  isConfirmedOnly: () => false,
  composer: () => ({
    compose({ simulation, poses, smoother, fraction, ownSeat }) {
      const dots: Dot[] = [];
      const out = { x: 0, y: 0, angle: 0 };
      for (let i = 0; i < poses.head.count; i++) {
        const pose = poses.head.at(i);
        const { seat } = pose;
        smoother.place(poses, pose, { fraction, out });
        dots.push({ seat, x: out.x, presses: simulation.pressesOf(seat), own: seat === ownSeat });
      }
      return { dots };
    },
  }),
  titleFrame: () => ({ dots: [] }),
  renderer(canvas) {
    const context = canvas.getContext("2d")!;
    const xPx = (x: number) => canvas.width / 2 + x * canvas.width / WIDTH_METRES;
    const yPx = (y: number) => canvas.height / 2 - y * canvas.width / WIDTH_METRES;
    const camera = { scale: canvas.clientWidth / WIDTH_METRES, xPx, yPx };
    return {
      camera,
      draw({ dots }) {
        canvas.width = canvas.clientWidth; // which also clears it
        canvas.height = canvas.clientHeight;
        context.textAlign = "center";
        context.font = "20px sans-serif";
        for (const { seat, x, presses, own } of dots) {
          context.fillStyle = colourOf({ own, npc: seat >= PLAYER_SEATS });
          context.fillRect(xPx(x) - 8, yPx(0) + seat * 20 - 8, 16, 16);
          context.fillText(String(presses), xPx(x), yPx(0) + seat * 20 - 12);
        }
      },
    };
  },
  status: (simulation, { names }) => ({
    scores: Array.from({ length: SEATS }, (_, seat) => seat).filter((seat) =>
      simulation.isPresent(seat)
    ).map((
      seat,
    ) => ({
      seat,
      score: simulation.pressesOf(seat),
      name: displayName(seat, names, { npc: () => `Bot ${seat}`, player: "Player" }),
      npc: seat >= PLAYER_SEATS,
    })),
    round: undefined,
    ready: false,
  }),
  colours: {
    names: Object.keys(COLOURS),
    fill: (name) => COLOURS[name as keyof typeof COLOURS],
    select: (name) => ownColour = COLOURS[name as keyof typeof COLOURS],
  },
  chip: (score) => ({ fill: colourOf(score), mark: "#000000", pattern: "plain" }),
  words: {
    players: "counters",
    arriving: "Your dot comes…",
    takenOver: "Your dot drifts on",
    readyHint: "press",
  },
};

export { counterView as view };
