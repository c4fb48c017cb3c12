/** Shows a fork with the page's own parts: the game's controls, its picture, and a match's HUD. */
import type { Game, Simulation } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import { Gamepads, readGamepads } from "../input/gamepads.ts";
import { CombinedInput, type InputDevice } from "../input/input_device.ts";
import { Keyboard } from "../input/keyboard.ts";
import type { FrameParts, View } from "../presentation/view.ts";
import { findElement, setHidden, setText } from "../ui/dom.ts";
import type { Hud } from "../ui/match/hud.ts";
import type { Settings } from "../ui/settings.ts";
import { Fork, type ForkOptions } from "./fork.ts";

export interface ForkViewOptions<Command, Sim extends Simulation<Command>, Frame> {
  readonly game: Game<Command, Sim>;
  readonly view: View<Command, Sim, Frame>;
  readonly hud: Hud;
  readonly settings: Settings;
  /** Called when the player goes back to the replay. */
  readonly onEnd: () => void;
}

export class ForkView<Command, Sim extends Simulation<Command>, Frame> {
  readonly #options: ForkViewOptions<Command, Sim, Frame>;
  readonly #gamepads: Gamepads;
  readonly #device: InputDevice;
  readonly #section = findElement(document, "#forked");
  readonly #words = findElement(document, "#forked-from");
  /** Undefined while the replay is shown. */
  fork: Fork<Command, Sim, Frame> | undefined;

  constructor(options: ForkViewOptions<Command, Sim, Frame>) {
    const { view, settings, onEnd } = this.#options = options;
    const { actions } = view;
    this.#gamepads = new Gamepads(readGamepads, actions);
    const keyboard = new Keyboard(globalThis, actions, settings.keys);
    const device = new CombinedInput(keyboard, ...view.devices(document), this.#gamepads);
    const oneButton = settings.oneButton ? view.oneButton?.(device) : undefined;
    this.#device = oneButton ?? device;
    document.body.classList.toggle("one-button", oneButton !== undefined);
    setText(
      findElement(document, "#help"),
      view.helpText(settings.keys, { oneButton: oneButton !== undefined }),
    );
    findElement(document, "#end-fork").addEventListener("click", onEnd);
  }

  begin(from: Pick<ForkOptions<Command>, "header" | "state" | "seat">, clock: Clock): void {
    const { game, view, settings: { name } } = this.#options;
    this.fork = new Fork(game, view, {
      ...from,
      name,
      clock,
      commandSource: view.controls(() => this.#device),
    });
    setText(this.#words, `You play on from tick ${from.state.tick}, against the computer.`);
    this.#show(true);
  }

  end(): void {
    this.fork?.close();
    this.fork = undefined;
    this.#show(false);
  }

  /** Runs what is due. @returns this moment's frame; undefined before the session plays */
  advance(nowMs: number): Frame | undefined {
    this.#gamepads.poll();
    const { presenter } = this.fork!;
    this.fork!.advance();
    // A match closes the link when the player does nothing for minutes.
    if (presenter.session.phase === "closed") return void this.#options.onEnd();
    const frame = presenter.composeFrame();
    if (frame === undefined) return undefined;
    this.#options.hud.show(presenter.hud(""), nowMs);
    this.#report(presenter.frameParts!);
    return frame;
  }

  #report({ events }: FrameParts<Sim>): void {
    for (const event of events.settled) {
      const caption = this.#options.view.caption?.(event);
      if (caption !== undefined) this.#options.hud.report(caption);
    }
  }

  #show(isShown: boolean): void {
    setHidden(this.#section, !isShown);
    document.body.classList.toggle("forked", isShown);
  }
}
