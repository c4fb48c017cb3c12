/** Runs lobby and HUD on a real page. Tests call them with values of their own. */
import { dragonView } from "../../../client/games/dragons/view.ts";
import { Hud } from "../../../client/ui/match/hud.ts";
import { Lobby } from "../../../client/ui/lobby.ts";
import { RoomList } from "../../../client/ui/room_list.ts";
import { SettingsStore } from "../../../client/ui/settings.ts";

const { actions, colours } = dragonView;
const settings = new SettingsStore({ actions, colours: colours.names });
const roomList = new RoomList(document, { now: () => 0 });
Object.assign(globalThis, {
  hud: new Hud(document, dragonView),
  lobby: new Lobby(document, { roomList, settings, colours }),
});
