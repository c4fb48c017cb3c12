/** The words around the arena on a real page, for tests: what they show is what they were told. */
import { Hud } from "../../../client/ui/hud.ts";
import { Lobby } from "../../../client/ui/lobby.ts";
import { RoomList } from "../../../client/ui/room_list.ts";
import { SettingsStore } from "../../../client/ui/settings.ts";

const roomList = new RoomList(document, { now: () => 0 });
Object.assign(globalThis, {
  hud: new Hud(document),
  lobby: new Lobby(document, { roomList, settings: new SettingsStore() }),
});
