/**
 * The page: lobby → match → frames. It sets no timers: call `advance` often, even while the tab is
 * hidden, and `draw` with every frame. It works for every game; the view names one.
 */
import type { Simulation } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import type { ResumeToken } from "../../shared/netcode/wire/messages.ts";
import { Gamepads, readGamepads } from "../input/gamepads.ts";
import { CombinedInput, type InputDevice } from "../input/input_device.ts";
import { Keyboard } from "../input/keyboard.ts";
import { Touch } from "../input/touch.ts";
import type { ConditionedLink } from "../net/network_conditions.ts";
import { optionalSound } from "../presentation/audio/optional_sound.ts";
import type { HudValues, MatchPresenter, PlayableGame } from "../presentation/match_presenter.ts";
import { QualityLadder } from "../presentation/quality_ladder.ts";
import type { Telemetry } from "../presentation/telemetry.ts";
import type { FrameParts, Renderer, Sound, View } from "../presentation/view.ts";
import { connectionMessageOf } from "./connection_messages.ts";
import type { DebugHost } from "./debug_host.ts";
import { DebugLoader } from "./debug_loader.ts";
import { findElement, setText } from "./dom.ts";
import { pageHome } from "./home.ts";
import { Hud } from "./match/hud.ts";
import { Lagometer } from "./lagometer.ts";
import { type Entry, Lobby, type Remedy } from "./lobby.ts";
import { basePathOf, formatPageUrl, formatUrlElsewhere, parsePageUrl } from "./page_url.ts";
import { type ConnectionRequest, Reconnector } from "./reconnector.ts";
import { BestList } from "./lobby/best_list.ts";
import { RoomList } from "./lobby/room_list.ts";
import { loadSeatToken, saveSeatToken } from "./seat_token_store.ts";
import { forgetReload, mayReload, reloadWhenThere } from "./reload.ts";
import { QUALITY_RUNGS, type Settings, SettingsStore } from "./settings.ts";
import { askedPart, loadSettingsPanel } from "./script_loader.ts";
import type { SettingsPanel } from "./settings_panel.ts";
import { WakeLock } from "./wake_lock.ts";
import { MatchMenu } from "./match/match_menu.ts";

/** The notice while even the simplest picture is not fluent. */
const SLOW_DEVICE =
  "This device is slow: the picture is at its simplest, and what you do shows late.";

/** The notice until the server offers its new page. */
const NEW_VERSION = "The server has a new version. The page reloads as soon as it comes.";

export interface PageOptions {
  readonly clock: Clock;
  readonly openLink: (joinRequest: ConnectionRequest) => ConditionedLink;
  readonly telemetry: Telemetry;
  readonly debug: Pick<DebugHost, "conditions">;
}

export class Page<Command, Sim extends Simulation<Command>, Frame> {
  readonly #view: View<Command, Sim, Frame>;
  readonly #clock: Clock;
  readonly #renderer: Renderer<Frame>;
  readonly #sound: Sound<Frame> | undefined;
  readonly #hud: Hud;
  readonly #lagometer = new Lagometer(document);
  readonly #telemetry: Telemetry;
  readonly #settings: SettingsStore;
  readonly #lobby: Lobby;
  /** Undefined before it is first opened. */
  #settingsPanel: SettingsPanel | undefined;
  readonly #menu: MatchMenu;
  readonly #wakeLock = new WakeLock();
  readonly #keyboard: Keyboard;
  readonly #gamepads: Gamepads;
  readonly #combinedInput: InputDevice;
  /** Undefined if the game cannot be played with one button. */
  readonly #oneButton: InputDevice | undefined;
  readonly #reconnector: Reconnector<Command, Sim, Frame>;
  readonly #debugLoader: DebugLoader;
  readonly #ladder = new QualityLadder();
  #confirmPresses = 0;
  /** The newest token that this page saved. */
  #resume: ResumeToken | undefined;
  /** The last frame and the numbers around it; they stay while the server is away. */
  #frame: Frame | undefined;
  #values: HudValues | undefined;

  constructor(
    playable: PlayableGame<Command, Sim, Frame>,
    { clock, openLink, telemetry, debug }: PageOptions,
  ) {
    const view = this.#view = playable.view;
    const { actions, colours, storedAs } = view;
    this.#clock = clock;
    this.#telemetry = telemetry;

    // Picture and sound.
    this.#renderer = view.renderer(findElement<HTMLCanvasElement>(document, "#arena"));
    this.#sound = optionalSound(() => view.sound?.(() => new AudioContext()));
    this.#hud = new Hud(document, view);

    // Settings, and the devices that players use.
    this.#settings = new SettingsStore({ actions, colours: colours.names, storedAs });
    this.#keyboard = new Keyboard(globalThis, actions, this.#settings.current.keys);
    this.#gamepads = new Gamepads(readGamepads, actions);
    this.#combinedInput = new CombinedInput(
      this.#keyboard,
      ...(view.devices?.(document) ?? [new Touch(document, actions)]),
      this.#gamepads,
    );
    this.#oneButton = view.oneButton?.(this.#combinedInput);

    // The connection to a match.
    const newCommandSource = () => view.controls(() => this.#inputDevice);
    const inputDelay = () => this.#settings.current.inputDelay;
    this.#reconnector = new Reconnector(playable, {
      clock,
      openLink,
      newCommandSource,
      telemetry,
      inputDelay,
    });

    // What opens over the picture: overlay, lobby and menu.
    this.#debugLoader = new DebugLoader({
      ...debug,
      // The overlay codes any game's commands.
      game: playable.game as unknown as DebugHost["game"],
      clock,
      telemetry,
      match: () => this.match,
      camera: this.#renderer.camera,
      qualityRung: () => this.#ladder.rung,
    });

    this.#lobby = new Lobby(document, {
      roomList: new RoomList(document, clock),
      bestList: new BestList(document, clock),
      settings: this.#settings,
      colours,
      part: view.lobbyPart?.(document),
      preload: view.preload,
    });

    this.#menu = new MatchMenu(document, {
      invitation: () => ({ ...this.#reconnector.entry!, spectate: false }),
      openSettings: () => void this.#openSettings(),
      leave: () => this.#leave(),
      saveLag: () => void this.#debugLoader.saveLag(),
      mute: () => this.#settings.change({ muted: !this.#settings.current.muted }),
    });

    this.#listen();
    this.#applyPageUrl();
  }

  async #openSettings(): Promise<void> {
    const part = await askedPart(loadSettingsPanel, "settingsScript");
    if (part !== undefined) {
      (this.#settingsPanel ??= new part.SettingsPanel(document, this.#settings)).open();
    }
  }

  #listen(): void {
    this.#lobby.onEnter((entry) => this.#enter(entry));
    this.#settings.onChange((settings) => this.#applySettings(settings));
    findElement(document, "#lobby-controls").addEventListener(
      "click",
      () => void this.#openSettings(),
    );
    for (const touch of ["keydown", "pointerdown"]) {
      addEventListener(touch, () => this.#sound?.unlock());
    }
    document.addEventListener("visibilitychange", () => this.#onVisibility());
    if (document.hidden) this.#reconnector.setHidden(true);
    addEventListener("online", () => this.#reconnector.hurry());

    // A browser freezes a page to keep it for the way back, and would not keep one with an open
    // socket. Also, not every browser closes the socket of a page that it ends; the seat stays
    // reserved for one that is only loaded again.
    addEventListener("pagehide", () => this.#reconnector.freeze());
    addEventListener("pageshow", ({ persisted }) => persisted && this.#reconnector.hurry());
    addEventListener("keydown", (event) => {
      if (event.code === "Escape" && !this.#lobby.isShown) this.#menu.open(event);
    });
  }

  get match(): MatchPresenter<Command, Sim, Frame> | undefined {
    return this.#reconnector.match;
  }

  /** The frame that was drawn last. */
  get frame(): Frame | undefined {
    return this.#frame;
  }

  get nextDueMs(): number {
    return this.#reconnector.nextDueMs;
  }

  /** Does everything but drawing. */
  advance(): void {
    this.#gamepads.poll();
    this.#lobby.advanceLoading(this.#clock.now());
    const { entry } = this.#reconnector;
    this.#reconnector.advance();
    const refusal = this.#reconnector.consumeRefusal();
    if (refusal === undefined) return;
    if (refusal.isOutdated && mayReload()) {
      void reloadWhenThere();
      return this.#showLobby(NEW_VERSION, refusal.remedy);
    }
    if (refusal.endsMatch && entry !== undefined) saveSeatToken(entry.room, this.#resume = "");
    this.#showLobby(refusal.text, refusal.remedy);
  }

  /** Draws one frame, or none if the browser offers more than a slow device should draw. */
  draw(): void {
    const nowMs = this.#clock.now();
    const ladder = this.#ladder;
    if (!ladder.offerFrame(nowMs)) return;
    this.#renderer.setQuality?.(ladder.rung);
    this.#lobby.advance();
    this.#confirm();
    const match = this.match;
    if (match !== undefined) this.#keepSeat(match.session.resume);
    const frame = match?.session.phase === "closed" ? undefined : match?.composeFrame();
    if (frame !== undefined) {
      if (this.#lobby.isShown) this.#onJoined();
      this.#frame = frame;
      this.#sound?.play(frame);
    }

    this.#renderer.draw(this.#frame ?? this.#view.titleFrame(nowMs), nowMs);
    this.#showNotice(match, nowMs);
    this.#lagometer.show(this.#telemetry.rows);
    if (frame !== undefined) this.#reportEvents(match!.frameParts!);
    this.#debugLoader.draw();
  }

  get #inputDevice(): InputDevice {
    return (this.#settings.current.oneButton ? this.#oneButton : undefined) ?? this.#combinedInput;
  }

  #showNotice(match: MatchPresenter<Command, Sim, Frame> | undefined, nowMs: number): void {
    const state = this.#reconnector.state;
    if (state === undefined || match === undefined) return;
    const notice = connectionMessageOf(state, this.#view.words) ||
      (this.#ladder.isTooSlow ? SLOW_DEVICE : "");
    if (match.session.simulation !== undefined) this.#values = match.hud(notice);
    if (this.#frame !== undefined && this.#values !== undefined) {
      this.#hud.show({ ...this.#values, notice }, nowMs);
    } else if (state.phase === "away") this.#lobby.show(notice);
    else this.#lobby.setNotice(notice);
  }

  /** Reports definitive events, and lets gamepads shake with what happens to the own body. */
  #reportEvents({ events, ownSeat }: FrameParts<Sim>): void {
    for (const event of events.definitive) {
      const caption = this.#view.caption?.(event);
      if (caption !== undefined) this.#hud.report(caption);
    }
    if (!this.#settings.current.rumble || ownSeat < 0) return;
    const strengths = events.begun.filter(({ seat, otherSeat }) =>
      seat === ownSeat || otherSeat === ownSeat
    )
      .map((event) => this.#view.rumble?.(event, ownSeat) ?? 0);
    this.#gamepads.rumble(Math.max(0, ...strengths));
  }

  #applySettings({ colour, keys, oneButton, quality, volume, muted }: Settings): void {
    this.#ladder.fixedRung = QUALITY_RUNGS[quality];
    this.#view.colours.select(colour);
    this.#sound?.setVolume(muted ? 0 : volume);
    this.#menu.setMuted(muted);
    this.#updateWakeLock();
    this.#keyboard.bind(keys);
    document.body.classList.toggle("one-button", oneButton);
    const help = this.#view.helpText(keys, { oneButton });
    for (const id of ["#lobby-help", "#help"]) setText(findElement(document, id), help);
  }

  /** Leads straight in with a link for spectators, and on a reload while the seat is reserved. */
  #applyPageUrl(): void {
    const { room, spectate } = parsePageUrl(location);
    if (room !== "" && (spectate || loadSeatToken(room) !== undefined)) {
      this.#lobby.enter(room, { spectate });
    }
  }

  #enter(entry: Entry): void {
    this.#reconnector.enter(entry, loadSeatToken(entry.room));
  }

  #onJoined(): void {
    forgetReload();
    this.#lobby.hide();
    this.#menu.reset();
    this.#updateWakeLock();
    // Only now, because a code is useless before its room is open. Replaced instead of pushed, so
    // that "back" leaves the page instead of going through earlier rooms.
    const format = pageHome().isElsewhere ? formatUrlElsewhere : formatPageUrl;
    history.replaceState(null, "", format(this.#reconnector.entry!, location));
  }

  /** Saves a seat's new token, including one after a lost connection. */
  #keepSeat(resume: ResumeToken | undefined): void {
    if (resume === undefined || resume === this.#resume) return;
    saveSeatToken(this.#reconnector.entry!.room, this.#resume = resume);
  }

  #leave(): void {
    saveSeatToken(this.#reconnector.entry!.room, this.#resume = "");
    this.#reconnector.leave();
    history.replaceState(
      null,
      "",
      pageHome().isElsewhere
        ? formatUrlElsewhere({ room: "", spectate: false }, location)
        : basePathOf(location) + location.search,
    );
    this.#showLobby("");
  }

  #showLobby(notice: string, remedy?: Remedy): void {
    this.#frame = this.#values = undefined;
    this.#sound?.silence();
    this.#hud.hide();
    this.#menu.close();
    this.#lobby.show(notice, remedy);
    this.#updateWakeLock();
  }

  #onVisibility(): void {
    this.#reconnector.setHidden(document.hidden);
    // A hidden page draws no frames, so its music would go on without its match.
    if (document.hidden) this.#sound?.silence();
    else this.#reconnector.hurry();
    this.#updateWakeLock();
  }

  /** Keeps the screen on in a match. Browsers end a hidden page's lock. */
  #updateWakeLock(): void {
    this.#wakeLock.hold(
      this.#settings.current.keepAwake && !document.hidden && !this.#lobby.isShown,
    );
  }

  #confirm(): void {
    const { confirmPresses } = this.#gamepads;
    if (confirmPresses !== this.#confirmPresses && this.#lobby.isShown) this.#lobby.confirm();
    this.#confirmPresses = confirmPresses;
  }
}
