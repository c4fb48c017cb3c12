/** The words around the arena on a real page, for tests: what they show is what they were told. */
import { Hud } from "../../client/hud.ts";
import { Lobby } from "../../client/lobby.ts";
import { RoomBoard } from "../../client/room_board.ts";
import { SettingsStore } from "../../client/settings.ts";

const board = new RoomBoard(document, { now: () => 0 });
Object.assign(globalThis, {
  hud: new Hud(document),
  lobby: new Lobby(document, { board, settings: new SettingsStore() }),
});
