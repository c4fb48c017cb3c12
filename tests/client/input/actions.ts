/** Actions as a game declares them, for the tests of devices. */
import type { ActionSet } from "../../../client/input/actions.ts";

export const ACTIONS: ActionSet = {
  axes: [{
    id: "dir",
    less: { id: "left", label: "Left", keys: ["ArrowLeft", "KeyA"], gamepadButtons: [14] },
    more: { id: "right", label: "Right", keys: ["ArrowRight", "KeyD"], gamepadButtons: [15] },
    gamepadAxis: 0,
  }],
  buttons: [
    {
      id: "flap",
      label: "Flap",
      touchLabel: "Flap",
      keys: ["ArrowUp", "KeyW", "Space"],
      gamepadButtons: [0],
    },
    {
      id: "fire",
      label: "Fire",
      touchLabel: "Fire",
      keys: ["KeyF", "KeyX", "KeyJ"],
      gamepadButtons: [2],
    },
  ],
};
