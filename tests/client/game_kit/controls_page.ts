/** The controls of a kit game on a real page, without a match. A test calls for a tick's command whenever it likes. */
import { KitInput } from "../../../client/game_kit/kit_controls.ts";
import { Gamepads } from "../../../client/input/gamepads.ts";
import { CombinedInput } from "../../../client/input/input_device.ts";
import { Keyboard } from "../../../client/input/keyboard.ts";
import { SettingsPanel } from "../../../client/ui/settings_panel.ts";
import { SettingsStore } from "../../../client/ui/settings.ts";
import { controlsGame } from "./controls_game.ts";

const input = new KitInput(controlsGame), { actions } = input;
const settings = new SettingsStore({ game: "controls-1", actions, colours: ["blue"] });
const keyboard = new Keyboard(globalThis, actions, settings.current.keys);
const gamepads = new Gamepads(() => navigator.getGamepads(), actions);
const device = new CombinedInput(keyboard, ...input.devices(document), gamepads);
const controls = input.controls(() => device, { team: "orange" });
settings.onChange(({ keys }) => {
  keyboard.bind(keys);
  document.querySelector("#help")!.textContent = input.helpText(keys);
});
const panel = new SettingsPanel(document, settings);
document.querySelector<HTMLElement>("#lobby")!.hidden = true;
document.querySelector<HTMLElement>("#hud")!.hidden = false;

type Command = typeof controlsGame.command.neutral;
let acknowledged: Command = controlsGame.command.neutral;

/** What a test calls. */
const page = {
  /** The command of the next tick; the server acknowledges it at once. */
  tick(): Command {
    gamepads.poll();
    return acknowledged = controls.next(0, acknowledged);
  },
  /** The command that a frame shows. */
  peek(): Command {
    gamepads.poll();
    return controls.peek(acknowledged);
  },
  /** Places the own body, in pixels of the window. */
  placeOwn(x: number, y: number): void {
    const canvas = document.querySelector<HTMLCanvasElement>("#arena")!, { left, top } = canvas.getBoundingClientRect();
    // As on a display with two pixels in each direction per CSS pixel.
    canvas.width = 2 * canvas.clientWidth;
    canvas.height = 2 * canvas.clientHeight;
    input.aimFrom({ x: 2 * (x - left), y: 2 * (y - top) });
  },
  openSettings: () => panel.open(),
};

export type ControlsPage = typeof page;

Object.assign(globalThis, { controls: page });
