/**
 * Plays a match behind the lobby: the game itself, without a server. The rules' `think` drives a
 * few players, as it drives NPCs. The visitor takes the first seat, so that the colour they choose
 * shows.
 */
import type { Commands, GameEvent, SeatId } from "../../shared/netcode/game.ts";
import { playersOf, SEATS } from "../../shared/netcode/game.ts";
import { PoseList } from "../../shared/netcode/pose_list.ts";
import { mediaQuery } from "../input/optional.ts";
import type { PresentedEvent } from "../presentation/event_reconciler.ts";
import { ErrorSmoother } from "../presentation/error_smoother.ts";
import { type ComposerOptions, KitComposer, type KitFrame } from "./kit_frame.ts";
import type { LooseCommand, LooseGame, LooseSimulation } from "./loose_types.ts";

/** How many players show behind the lobby, if a room has as many seats: more would be a crowd. */
const TITLE_PLAYERS_MAX = 4;
const SEED = 7;
/** How many ticks to simulate at once, so that the first frame shows a match under way. */
const FIRST_TICKS = 40;
/** After a longer gap, such as a hidden tab, the match goes on from where it was. */
const TICKS_PER_FRAME_MAX = 4;
const NO_NAMES: ReadonlyMap<SeatId, string> = new Map();

export class TitleMatch {
  readonly #game: LooseGame;
  readonly #simulation: LooseSimulation;
  readonly #composer: KitComposer;
  readonly #poses = { previous: new PoseList(), head: new PoseList() };
  readonly #smoother: ErrorSmoother;
  readonly #reducedMotion = mediaQuery("(prefers-reduced-motion: reduce)");
  readonly #commands: (LooseCommand | undefined)[] = new Array(SEATS).fill(undefined);
  readonly #begun: PresentedEvent[] = [];
  #nextTickMs: number | undefined;
  /** Whether the author's rules threw. That ends the animation, which the lobby can do without. */
  #isBroken = false;

  constructor(game: LooseGame, options: ComposerOptions) {
    this.#game = game;
    this.#simulation = game.start({ npcs: 0 }, SEED);
    this.#composer = new KitComposer(this.#simulation, options);
    this.#smoother = new ErrorSmoother(game.tickHz);
    for (let i = 0; i < FIRST_TICKS; i++) this.#step();
  }

  /** @param nowMs the page's clock */
  frame(nowMs: number): KitFrame {
    const tickMs = 1000 / this.#game.tickHz;
    this.#begun.length = 0;

    // Step what is due; after a long gap begin anew
    if (this.#nextTickMs === undefined || nowMs - this.#nextTickMs > TICKS_PER_FRAME_MAX * tickMs) {
      this.#nextTickMs = nowMs;
    }
    while (nowMs >= this.#nextTickMs && !this.#isBroken && !this.#reducedMotion.matches) {
      this.#step();
      this.#nextTickMs += tickMs;
    }

    const fraction = Math.max(0, Math.min(1, 1 - (this.#nextTickMs - nowMs) / tickMs));
    const frame = this.#composer.compose({
      atMs: nowMs,
      simulation: this.#simulation,
      definitive: this.#simulation,
      extrapolated: undefined,
      poses: this.#poses,
      smoother: this.#smoother,
      names: NO_NAMES,
      ownSeat: 0,
      fraction: this.#isBroken ? 1 : fraction,
      guessedTicks: () => 0,
      events: { begun: this.#begun, retracted: [], definitive: [] },
    });

    frame.isTitle = true;
    return frame;
  }

  #step(): void {
    const simulation = this.#simulation;
    const poses = this.#poses;
    const commands = this.#commands;
    if (this.#isBroken) return;
    try {
      const players = Math.min(TITLE_PLAYERS_MAX, playersOf(this.#game).max);
      for (let seat = 0; seat < players; seat++) {
        const isPresent = simulation.world.player(seat) !== undefined;
        commands[seat] = isPresent ? simulation.npcCommand(seat, []) : this.#game.command.neutral;
      }
      poses.previous.copyFrom(poses.head);
      simulation.step(commands as Commands<LooseCommand>);
      poses.head.reset();
      simulation.poses(poses.head);
      for (const event of simulation.events) this.#begun.push(this.#presented(event));
    } catch {
      this.#isBroken = true;
    }
  }

  #presented({ tick, kind, entity, x, y, other = -1, amount }: GameEvent): PresentedEvent {
    const seatOf = (id: number) => this.#poses.head.find(id)?.seat ?? -1;
    return {
      key: `${tick} ${kind} ${entity}`,
      kind,
      x,
      y,
      seat: seatOf(entity),
      otherSeat: seatOf(other),
      amount,
    };
  }
}
