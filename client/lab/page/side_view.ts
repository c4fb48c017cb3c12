/** One side of the page: its technique, a canvas and a strip for each shown player, and figures. */
import { PLAYER_SEATS } from "../../../shared/netcode/game.ts";
import { make, setText } from "../../ui/dom.ts";
import { TickStrip } from "../draw/tick_strip.ts";
import { WorldPicture } from "../draw/world_picture.ts";
import type { RecordedFrame } from "../engine/history.ts";
import type { LabRun, SideFigures } from "../engine/lab_run.ts";
import { TECHNIQUE_NAMES, type TechniqueName, TECHNIQUES } from "../engine/techniques.ts";

interface Figure {
  readonly name: string;
  readonly label: string;
  /** What the number means, for a pointer that rests on it. */
  readonly title: string;
  text(figures: SideFigures): string;
}

const FIGURES: readonly Figure[] = [
  {
    name: "pops",
    label: "pop-meter",
    title: "All visible errors of players' bodies as one number; 0 is perfect",
    text: ({ pops }) => pops.toFixed(1),
  },
  {
    name: "error",
    label: "rivals off by (p95)",
    title: "How far rivals are from where they really are when your key counts",
    text: ({ rivalErrorP95 }) => `${rivalErrorP95.toFixed(1)} m`,
  },
  {
    name: "key",
    label: "key to picture",
    title: "From your key to its effect on your screen",
    text: ({ keyMs }) => `${Math.max(0, Math.round(keyMs / 10) * 10)} ms`,
  },
  {
    name: "bytes",
    label: "with headers",
    title: "What one player's connection carries in both directions, with IP, TCP or UDP",
    text: ({ bytesPerSecond }) => `${(bytesPerSecond / 1000).toFixed(1)} kB/s`,
  },
  {
    name: "rollbacks",
    label: "rollbacks",
    title: "How often the client goes back in time and steps again",
    text: ({ rollbacksPerSecond }) => `${rollbacksPerSecond.toFixed(0)}/s`,
  },
];

export class SideView {
  readonly #side: 0 | 1;
  readonly #section: HTMLElement;
  readonly #select: HTMLSelectElement;
  readonly #about: HTMLElement;
  readonly #players: HTMLElement;
  readonly #values = new Map<string, HTMLElement>();
  #worlds: WorldPicture[] = [];
  #strips: TickStrip[] = [];
  #run: LabRun | undefined;

  /** @param section the empty element for this side */
  constructor(
    section: HTMLElement,
    { side, onTechnique }: { side: 0 | 1; onTechnique: (technique: TechniqueName) => void },
  ) {
    this.#side = side;
    this.#section = section;
    const name = side === 0 ? "Left technique" : "Right technique";
    this.#select = make("select", { ariaLabel: name });
    for (const value of TECHNIQUE_NAMES) {
      this.#select.append(make("option", { value, textContent: TECHNIQUES[value].title }));
    }
    this.#select.addEventListener(
      "change",
      () => onTechnique(this.#select.value as TechniqueName),
    );
    this.#about = make("p", { className: "about" });
    this.#players = make("div", { className: "player" });
    const figures = make("ul", { className: "figures" });
    for (const { name, label, title } of FIGURES) {
      const value = make("b", { textContent: "…" });
      const item = make("li", { className: name, title });
      item.append(value, make("span", { textContent: label }));
      figures.append(item);
      this.#values.set(name, value);
    }
    section.append(this.#select, this.#about, this.#players, figures);
  }

  /** Shows another run from now on. */
  begin(run: LabRun): void {
    this.#run = run;
    const { sides, shown } = run.settings;
    this.#select.value = sides[this.#side];
    setText(this.#about, TECHNIQUES[sides[this.#side]].about);
    this.#section.classList.toggle("shown-2", shown > 1);
    this.#players.replaceChildren();
    this.#worlds = [];
    this.#strips = [];
    for (let i = 0; i < shown; i++) {
      const world = make("canvas", { className: "world" });
      const strip = make("canvas", { className: "strip" });
      world.setAttribute("role", "img");
      world.setAttribute("aria-label", `The match as player ${i + 1} sees it`);
      strip.setAttribute("aria-hidden", "true");
      this.#players.append(world, strip);
      this.#worlds.push(new WorldPicture(world, run.scene));
      this.#strips.push(new TickStrip(strip));
    }
  }

  /** Draws one moment. */
  paint(frame: RecordedFrame, atMs: number): void {
    const run = this.#run!;
    const { history, server: { truth }, scene: { npcs } } = run;
    const { how } = TECHNIQUES[run.settings.sides[this.#side]];
    const isExact = how.kind === "session";
    const seats = [
      ...run.players.map(({ seat }) => seat).filter((seat) => seat >= 0).sort((a, b) => a - b),
      ...Array.from({ length: npcs }, (_, i) => PLAYER_SEATS + i),
    ];
    frame.views[this.#side]!.forEach((view, player) => {
      if (view === undefined) return;
      const { seat: ownSeat, isVisitors } = run.players[player]!;
      const name = isVisitors ? "your screen" : `player ${player + 1}'s screen`;
      this.#worlds[player]!.paint({ view, truth, ownSeat, name, atMs });
      this.#strips[player]!.paint({
        side: this.#side,
        player,
        ownSeat,
        view,
        history,
        truth,
        seats,
        isExact,
        getsEarly: isExact && how.early,
        atMs,
      });
    });
  }

  showFigures(): void {
    const figures = this.#run!.figuresOf(this.#side);
    for (const { name, text } of FIGURES) {
      setText(this.#values.get(name)!, figures === undefined ? "…" : text(figures));
    }
  }
}
