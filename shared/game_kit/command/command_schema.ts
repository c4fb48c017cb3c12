/** Derives a command's fields on the wire from its parts and from the choices in `join`. */
import type { CommandFieldSchema } from "../../netcode/game.ts";
import type { Choices } from "../fields/kinds.ts";
import { AIM_STEPS, type CommandPart, type CommandParts } from "./parts.ts";

/** The chance, of 4096, that a field is unchanged when its command differs from the one before. */
const UNCHANGED = {
  axis: 2000,
  analog: 1200,
  aim: 1200,
  dial: 3900,
  press: 3000,
  hold: 3600,
  join: 4095,
} as const;
/** The chance, of 4096, that new presses are a single press. */
const ONE_PRESS = 3900;

/** Lists the fields in wire order: the parts, then the choices. */
export function commandSchemaOf(parts: CommandParts, join: Choices): readonly CommandFieldSchema[] {
  return [
    ...Object.entries(parts).map(([name, part]) => fieldOf(name, part)),
    ...Object.entries(join).map(([name, { words }]): CommandFieldSchema => ({
      name,
      type: "number",
      least: 0,
      greatest: words.length - 1,
      wraps: false,
      neutral: 0,
      held: false,
      unchanged: UNCHANGED.join,
      names: words,
      constant: true,
    })),
  ];
}

function fieldOf(name: string, part: CommandPart): CommandFieldSchema {
  switch (part.kind) {
    case "axis": {
      const { steps = 1 } = part;
      if (steps === 1) {
        return {
          name,
          type: "direction",
          values: [-1, 0, 1],
          neutral: 0,
          held: true,
          unchanged: UNCHANGED.axis,
        };
      }

      const range = { least: -steps, greatest: steps, wraps: false, perOne: steps };
      return {
        name,
        type: "number",
        ...range,
        neutral: 0,
        held: true,
        unchanged: UNCHANGED.analog,
      };
    }
    case "aim": {
      const { steps = AIM_STEPS } = part;
      const range = { least: 0, greatest: steps - 1, wraps: true, perTurn: steps };
      return { name, type: "number", ...range, neutral: 0, held: false, unchanged: UNCHANGED.aim };
    }
    case "dial": {
      const range = { least: 0, greatest: part.values - 1, wraps: false };
      return {
        name,
        type: "number",
        ...range,
        neutral: part.start ?? 0,
        held: false,
        unchanged: UNCHANGED.dial,
      };
    }
    case "press": {
      const values = [0, 1, 2, 3];
      const unchanged = UNCHANGED.press;
      return {
        name,
        type: "presses",
        values,
        neutral: 0,
        held: false,
        unchanged,
        onePress: ONE_PRESS,
      };
    }
    case "hold":
      return {
        name,
        type: "button",
        values: [0, 1],
        neutral: 0,
        held: true,
        unchanged: UNCHANGED.hold,
      };
  }
}
