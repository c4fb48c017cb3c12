/** Runs lobby, HUD and dialogs on a real page. Tests call them with values of their own. */
import { dragonView } from "../../../client/games/dragons/view.ts";
import { Touch } from "../../../client/input/touch.ts";
import { Hud } from "../../../client/ui/match/hud.ts";
import { Lobby } from "../../../client/ui/lobby.ts";
import { MatchMenu } from "../../../client/ui/match/match_menu.ts";
import { SettingsPanel } from "../../../client/ui/settings_panel.ts";
import { RoomList } from "../../../client/ui/room_list.ts";
import { SettingsStore } from "../../../client/ui/settings.ts";

const { actions, colours } = dragonView;
const settings = new SettingsStore({ game: "dragons-5", actions, colours: colours.names });
const settingsPanel = new SettingsPanel(document, settings);
new Touch(document, actions.buttons);
const roomList = new RoomList(document, { now: () => 0 });
Object.assign(globalThis, {
  hud: new Hud(document, dragonView),
  lobby: new Lobby(document, { roomList, settings, colours }),
  settingsPanel,
  menu: new MatchMenu(document, {
    room: () => "LOOK",
    openSettings: () => settingsPanel.open(),
    leave: () => {},
    mute: () => {},
  }),
});
