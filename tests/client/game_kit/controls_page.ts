/**
 * The controls of kit games on a real page, without a match. A test calls for a tick's command
 * whenever it likes.
 */
import { type ControlledGame, KitInput } from "../../../client/game_kit/kit_controls.ts";
import { Gamepads } from "../../../client/input/gamepads.ts";
import { CombinedInput } from "../../../client/input/input_device.ts";
import { Keyboard } from "../../../client/input/keyboard.ts";
import { SettingsPanel } from "../../../client/ui/settings_panel.ts";
import { SettingsStore } from "../../../client/ui/settings.ts";
import { controlsGame, truckGame, turretGame, twinGame } from "./controls_game.ts";

const GAMES = {
  controls: controlsGame,
  truck: truckGame,
  twin: twinGame,
  turret: turretGame,
} as const;

type Command = Readonly<Record<string, number>>;

/** The functions that a test calls. */
export class ControlsPage {
  /** The command of the next tick; the server acknowledges it at once. */
  readonly tick: () => Command;
  /** The command that a frame shows. */
  readonly peek: () => Command;
  /** Places the own body, in pixels of the window. */
  readonly placeOwn: (x: number, y: number) => void;
  readonly openSettings: () => void;

  constructor(name: keyof typeof GAMES, join: Readonly<Record<string, string>>) {
    const game = GAMES[name] as ControlledGame;
    const input = new KitInput(game);
    const { actions } = input;
    const settings = new SettingsStore({ actions, colours: ["blue"], storedAs: name });
    const keyboard = new Keyboard(globalThis, actions, settings.current.keys);
    const gamepads = new Gamepads(() => navigator.getGamepads(), actions);
    const device = new CombinedInput(keyboard, ...input.devices(document), gamepads);
    const controls = input.controls(() => device, join);
    const panel = new SettingsPanel(document, settings);
    settings.onChange(({ keys }) => {
      keyboard.bind(keys);
      document.querySelector("#help")!.textContent = input.helpText(keys);
    });
    let acknowledged: Command = game.command.neutral;
    this.tick = () => {
      gamepads.poll();
      return acknowledged = controls.next(0, acknowledged);
    };
    this.peek = () => {
      gamepads.poll();
      return controls.peek(acknowledged);
    };
    this.placeOwn = (x, y) => {
      const canvas = document.querySelector<HTMLCanvasElement>("#arena")!;
      const { left, top } = canvas.getBoundingClientRect();
      // As on a display with two pixels in each direction per CSS pixel.
      canvas.width = 2 * canvas.clientWidth;
      canvas.height = 2 * canvas.clientHeight;
      input.aimFrom({ x: 2 * (x - left), y: 2 * (y - top) });
    };
    this.openSettings = () => panel.open();
  }
}

document.querySelector<HTMLElement>("#lobby")!.hidden = true;
document.querySelector<HTMLElement>("#hud")!.hidden = false;
Object.assign(globalThis, { ControlsPage });
