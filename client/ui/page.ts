/**
 * The page's parts put together: lobby → match → picture. It holds no clock and no timer: `advance` is called often, also while the
 * tab is hidden, and `draw` with every picture.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { formatPageUrl, parsePageUrl } from "./page_url.ts";
import { Connection } from "./reconnector.ts";
import { noticeOf } from "./connection_messages.ts";
import { DragonControls } from "../games/dragons/controls.ts";
import { SettingsPanel } from "./settings_panel.ts";
import { findElement } from "./dom.ts";
import { Gamepads } from "../input/gamepads.ts";
import { CombinedInput, type InputDevice, OneButton } from "../input/input_device.ts";
import { helpText } from "../games/dragons/help.ts";
import { Hud } from "./hud.ts";
import { Keyboard } from "../input/keyboard.ts";
import type { ConditionedLink } from "../net/network_conditions.ts";
import { type Entry, Lobby } from "./lobby.ts";
import { DebugLoader } from "./debug_loader.ts";
import type { DebugHost } from "./debug_host.ts";
import type { MatchPresenter } from "../presentation/match_presenter.ts";
import { RoomList } from "./room_list.ts";
import type { HudValues, RenderScene } from "../games/dragons/scene.ts";
import { loadSeatToken, saveSeatToken } from "./seat_token_store.ts";
import { type Settings, SettingsStore } from "./settings.ts";
import { setText } from "./showing.ts";
import { Sound } from "../games/dragons/audio/sound.ts";
import type { Telemetry } from "../presentation/telemetry.ts";
import { Tools } from "./toolbar.ts";
import { Touch } from "../input/touch.ts";
import { setOwnColour } from "../games/dragons/render/palette.ts";
import { titleScene } from "../games/dragons/render/title_scene.ts";
import { Renderer } from "../games/dragons/render/renderer.ts";

export interface PageOptions {
  readonly clock: Clock;
  readonly openLink: () => ConditionedLink;
  readonly telemetry: Telemetry;
  readonly debug: Pick<DebugHost, "conditions">;
}

export class Page {
  readonly #clock: Clock;
  readonly #view = new Renderer(document.querySelector<HTMLCanvasElement>("#arena")!);
  readonly #hud = new Hud(document);
  readonly #settings = new SettingsStore();
  readonly #lobby: Lobby;
  readonly #panel = new SettingsPanel(document, this.#settings);
  readonly #tools: Tools;
  readonly #sound = new Sound(() => new AudioContext());
  readonly #keyboard = new Keyboard(globalThis);
  readonly #gamepads = new Gamepads(() => navigator.getGamepads());
  readonly #combinedInput = new CombinedInput(this.#keyboard, new Touch(document), this.#gamepads);
  readonly #oneButton = new OneButton(this.#combinedInput);
  readonly #connection: Connection;
  readonly #debugLoader: DebugLoader;
  #confirms = 0;
  /** The last picture and the numbers beside it, shown on while the server is away. */
  #scene: RenderScene | undefined;
  #values: HudValues | undefined;

  constructor({ clock, openLink, telemetry, debug }: PageOptions) {
    this.#clock = clock;
    const newCommandSource = () => new DragonControls(() => this.#inputDevice);
    this.#connection = new Connection({ clock, openLink, newCommandSource, telemetry });
    this.#debugLoader = new DebugLoader({
      ...debug,
      clock,
      telemetry,
      match: () => this.match,
      camera: this.#view.camera,
    });
    this.#lobby = new Lobby(document, { roomList: new RoomList(document, clock), settings: this.#settings });
    this.#tools = new Tools(document, {
      room: () => this.#connection.entry!.room,
      controls: () => this.#panel.open(),
      leave: () => this.#leave(),
      mute: () => this.#settings.change({ muted: !this.#settings.current.muted }),
    });
    this.#lobby.onEnter((entry) => this.#enter(entry));
    this.#settings.onChange((settings) => this.#use(settings));
    findElement(document, "#lobby-controls").addEventListener("click", () => this.#panel.open());
    for (const touch of ["keydown", "pointerdown"]) addEventListener(touch, () => this.#sound.unlock());
    document.addEventListener("visibilitychange", () => this.#connection.setHidden(document.hidden));
    this.#applyPageUrl();
  }

  get match(): MatchPresenter | undefined {
    return this.#connection.match;
  }

  /** What was drawn last. */
  get scene(): RenderScene | undefined {
    return this.#scene;
  }

  get nextDueMs(): number {
    return this.#connection.nextDueMs;
  }

  /** Everything but drawing. */
  advance(): void {
    this.#gamepads.poll();
    this.#connection.advance();
    const refusal = this.#connection.takeRefusal();
    if (refusal !== undefined) this.#showLobby(refusal.words, refusal.remedy);
  }

  /** One picture. */
  draw(): void {
    const nowMs = this.#clock.now();
    this.#lobby.advance();
    this.#confirm();
    const match = this.match;
    const picture = match?.session.phase === "closed" ? undefined : match?.picture();
    if (picture !== undefined) {
      if (this.#lobby.isShown) this.#arrive(match!);
      this.#scene = picture;
      this.#sound.playScene(picture);
    }
    this.#view.draw(this.#scene ?? titleScene(nowMs), nowMs);
    this.#say(match);
    this.#debugLoader.draw();
  }

  get #inputDevice(): InputDevice {
    return this.#settings.current.oneButton ? this.#oneButton : this.#combinedInput;
  }

  #say(match: MatchPresenter | undefined): void {
    const state = this.#connection.state;
    if (state === undefined || match === undefined) return;
    const notice = noticeOf(state);
    if (match.session.simulation !== undefined) this.#values = match.hud(notice);
    if (this.#scene !== undefined && this.#values !== undefined) this.#hud.show({ ...this.#values, notice });
    else if (state.phase === "away") this.#lobby.show(notice);
    else this.#lobby.setNotice(notice);
  }

  #use({ colour, keys, oneButton, volume, muted }: Settings): void {
    setOwnColour(colour);
    this.#sound.setVolume(muted ? 0 : volume);
    this.#tools.setMuted(muted);
    this.#keyboard.bind(keys);
    document.body.classList.toggle("one-button", oneButton);
    for (const place of ["#lobby-help", "#help"]) setText(findElement(document, place), helpText(keys, { oneButton }));
  }

  /** A watcher's link leads straight in, and so does a page loaded anew whose seat is still kept. */
  #applyPageUrl(): void {
    const { room, spectate } = parsePageUrl(location);
    if (room !== "" && (spectate || loadSeatToken(room) !== undefined)) this.#lobby.enter(room, { spectate });
  }

  #enter(entry: Entry): void {
    // Replaced, not pushed: "back" leaves the page instead of leafing through rooms.
    history.replaceState(null, "", formatPageUrl(entry, location.search));
    this.#connection.enter(entry, loadSeatToken(entry.room));
  }

  #arrive({ session }: MatchPresenter): void {
    this.#lobby.hide();
    this.#tools.reset();
    if (session.resume !== undefined) saveSeatToken(this.#connection.entry!.room, session.resume);
  }

  #leave(): void {
    saveSeatToken(this.#connection.entry!.room, "");
    this.#connection.leave();
    history.replaceState(null, "", `/${location.search}`);
    this.#showLobby("");
  }

  #showLobby(notice: string, remedy?: "reload" | "watch"): void {
    this.#scene = this.#values = undefined;
    this.#sound.silence();
    this.#hud.hide();
    this.#lobby.show(notice, remedy);
  }

  #confirm(): void {
    const { confirmPresses } = this.#gamepads;
    if (confirmPresses !== this.#confirms && this.#lobby.isShown) this.#lobby.confirm();
    this.#confirms = confirmPresses;
  }
}
