/** Runs lobby, HUD and dialogs on a real page. Tests call them with values of their own. */
import { dragonView } from "../../../client/games/dragons/view.ts";
import { teamVerdict } from "../../../client/game_kit/kit_status.ts";
import { BestList } from "../../../client/ui/lobby/best_list.ts";
import { Hud } from "../../../client/ui/match/hud.ts";
import { HowItWorks } from "../../../client/ui/asked/how_it_works.ts";
import { InviteDialog } from "../../../client/ui/asked/invite_dialog.ts";
import { Lobby } from "../../../client/ui/lobby.ts";
import { LobbyChoices } from "../../../client/ui/lobby/lobby_choices.ts";
import { MatchBoard } from "../../../client/ui/match/match_board.ts";
import { MatchMenu } from "../../../client/ui/match/match_menu.ts";
import { parsePageUrl } from "../../../client/ui/page_url.ts";
import { SettingsPanel } from "../../../client/ui/settings_panel.ts";
import { RoomList } from "../../../client/ui/lobby/room_list.ts";
import { SettingsStore } from "../../../client/ui/settings.ts";

/** A view with the parts that only some games have, if a test asks for it. */
const view: typeof dragonView = globalThis.hasParts
  ? { ...dragonView, hudPart: (root) => new MatchBoard(root), verdict: teamVerdict }
  : dragonView;
const { actions, colours } = view;
const settings = new SettingsStore({ actions, colours: colours.names, storedAs: "words" });
const settingsPanel = new SettingsPanel(document, settings);
view.devices(document);
const part = globalThis.hasParts
  ? new LobbyChoices(document, {
    storedAs: "words",
    join: [{ name: "team", words: ["auto", "blue", "orange"] }],
    room: [{ name: "map", words: ["oval", "crossRoads"] }, { name: "goals", words: ["3", "5"] }],
    onJoinChoice: (chosen) => globalThis.joinChoice = chosen,
  })
  : undefined;
const clock = { now: () => 0 };
/** Files on their way, for tests of a lobby that waits for them. */
const files = { progress: 0 };
const game = { origin: location.origin, name: "" };
const roomList = new RoomList(document, { clock, game, forgetsTimings: true });
const bestList = new BestList(document, { clock, game });
const common = {
  roomList,
  bestList,
  settings,
  colours,
  invitation: () => parsePageUrl(location),
  reload: () => location.reload(),
  canPractise: true,
};
const lobby = new Lobby(document, { ...common, part });
lobby.focus();
addEventListener("hashchange", () => lobby.showInvitation());
Object.assign(globalThis, {
  bestList,
  hud: new Hud(document, view),
  lobby,
  files,
  /** A lobby over the same markup that waits for `files`. */
  newWaitingLobby: () => new Lobby(document, { ...common, preload: files }),
  settingsPanel,
  howItWorks: new HowItWorks({
    proof: () => ({ ticks: 123_456, differences: 12, rollbacks: 4321 }),
    openOverlay: () => {},
  }),
  inviteDialog: new InviteDialog(),
  menu: new MatchMenu(document, {
    invitation: () => ({ room: "LOOK", spectate: false }),
    showInvitation: () => {},
    letIn: () => {},
    openSettings: () => settingsPanel.open(),
    explain: () => {},
    leave: () => {},
    saveLag: () => {},
    saveMatch: () => undefined,
    mute: () => {},
    opensOrCloses: () => {},
  }),
});
