/** The client's messages that all connections of the vectors vary. */
import { PROTOCOL_VERSION } from "../../../../shared/netcode/wire/messages.ts";
import type { VectorGame } from "../games/vector_game.ts";
import type { CommandMeaning, HelloMeaning } from "../meanings/client_message.ts";

/** The newest tick, and the greatest lead. */
export const TICK_MAX = 2 ** 31 - 1;
export const LEAD_MAX = 2 ** 14 - 1;

export const HELLO: HelloMeaning = {
  type: "hello",
  version: PROTOCOL_VERSION,
  game: "dragons-10",
  room: "ABCD",
  name: "Ægir 🐉",
  spectator: false,
  bodyStream: "requested",
  token: null,
  choices: [],
};

/** A command of the dragon game. */
export const COMMAND: CommandMeaning = {
  type: "command",
  tick: 101,
  received: 95,
  lead: 348,
  status: "in sync",
  command: [0, 0, 0, 0, 0, 0],
  ping: null,
};

export function helloFor({ schema }: VectorGame): HelloMeaning {
  return { ...HELLO, game: schema.id };
}
