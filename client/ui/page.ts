/**
 * The page's parts put together: lobby → match → picture. It holds no clock and no timer: `advance` is called often, also while the
 * tab is hidden, and `draw` with every picture.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { formatPageUrl, parsePageUrl } from "./page_url.ts";
import { Reconnector } from "./reconnector.ts";
import { connectionMessageOf } from "./connection_messages.ts";
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
import { Toolbar } from "./toolbar.ts";
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
  readonly #renderer = new Renderer(document.querySelector<HTMLCanvasElement>("#arena")!);
  readonly #hud = new Hud(document);
  readonly #settings = new SettingsStore();
  readonly #lobby: Lobby;
  readonly #settingsPanel = new SettingsPanel(document, this.#settings);
  readonly #toolbar: Toolbar;
  readonly #sound = new Sound(() => new AudioContext());
  readonly #keyboard = new Keyboard(globalThis);
  readonly #gamepads = new Gamepads(() => navigator.getGamepads());
  readonly #combinedInput = new CombinedInput(this.#keyboard, new Touch(document), this.#gamepads);
  readonly #oneButton = new OneButton(this.#combinedInput);
  readonly #reconnector: Reconnector;
  readonly #debugLoader: DebugLoader;
  #confirmPresses = 0;
  /** The last picture and the numbers beside it, shown on while the server is away. */
  #scene: RenderScene | undefined;
  #values: HudValues | undefined;

  constructor({ clock, openLink, telemetry, debug }: PageOptions) {
    this.#clock = clock;
    const newCommandSource = () => new DragonControls(() => this.#inputDevice);
    this.#reconnector = new Reconnector({ clock, openLink, newCommandSource, telemetry });
    this.#debugLoader = new DebugLoader({
      ...debug,
      clock,
      telemetry,
      match: () => this.match,
      camera: this.#renderer.camera,
    });
    this.#lobby = new Lobby(document, { roomList: new RoomList(document, clock), settings: this.#settings });
    this.#toolbar = new Toolbar(document, {
      room: () => this.#reconnector.entry!.room,
      openSettings: () => this.#settingsPanel.open(),
      leave: () => this.#leave(),
      mute: () => this.#settings.change({ muted: !this.#settings.current.muted }),
    });
    this.#lobby.onEnter((entry) => this.#enter(entry));
    this.#settings.onChange((settings) => this.#applySettings(settings));
    findElement(document, "#lobby-controls").addEventListener("click", () => this.#settingsPanel.open());
    for (const touch of ["keydown", "pointerdown"]) addEventListener(touch, () => this.#sound.unlock());
    document.addEventListener("visibilitychange", () => this.#reconnector.setHidden(document.hidden));
    this.#applyPageUrl();
  }

  get match(): MatchPresenter | undefined {
    return this.#reconnector.match;
  }

  /** What was drawn last. */
  get scene(): RenderScene | undefined {
    return this.#scene;
  }

  get nextDueMs(): number {
    return this.#reconnector.nextDueMs;
  }

  /** Everything but drawing. */
  advance(): void {
    this.#gamepads.poll();
    this.#reconnector.advance();
    const refusal = this.#reconnector.consumeRefusal();
    if (refusal !== undefined) this.#showLobby(refusal.text, refusal.remedy);
  }

  /** One picture. */
  draw(): void {
    const nowMs = this.#clock.now();
    this.#lobby.advance();
    this.#confirm();
    const match = this.match;
    const frame = match?.session.phase === "closed" ? undefined : match?.composeFrame();
    if (frame !== undefined) {
      if (this.#lobby.isShown) this.#onJoined(match!);
      this.#scene = frame;
      this.#sound.playScene(frame);
    }
    this.#renderer.draw(this.#scene ?? titleScene(nowMs), nowMs);
    this.#showNotice(match);
    this.#debugLoader.draw();
  }

  get #inputDevice(): InputDevice {
    return this.#settings.current.oneButton ? this.#oneButton : this.#combinedInput;
  }

  #showNotice(match: MatchPresenter | undefined): void {
    const state = this.#reconnector.state;
    if (state === undefined || match === undefined) return;
    const notice = connectionMessageOf(state);
    if (match.session.simulation !== undefined) this.#values = match.hud(notice);
    if (this.#scene !== undefined && this.#values !== undefined) this.#hud.show({ ...this.#values, notice });
    else if (state.phase === "away") this.#lobby.show(notice);
    else this.#lobby.setNotice(notice);
  }

  #applySettings({ colour, keys, oneButton, volume, muted }: Settings): void {
    setOwnColour(colour);
    this.#sound.setVolume(muted ? 0 : volume);
    this.#toolbar.setMuted(muted);
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
    this.#reconnector.enter(entry, loadSeatToken(entry.room));
  }

  #onJoined({ session }: MatchPresenter): void {
    this.#lobby.hide();
    this.#toolbar.reset();
    if (session.resume !== undefined) saveSeatToken(this.#reconnector.entry!.room, session.resume);
  }

  #leave(): void {
    saveSeatToken(this.#reconnector.entry!.room, "");
    this.#reconnector.leave();
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
    if (confirmPresses !== this.#confirmPresses && this.#lobby.isShown) this.#lobby.confirm();
    this.#confirmPresses = confirmPresses;
  }
}
