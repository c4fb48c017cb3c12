/**
 * The page: lobby → match → frames. It sets no timers: call `advance` often, even while the tab is
 * hidden, and `draw` with every frame. It works for every game; the view names one.
 */
import type { IntroductionsOffer } from "../../shared/introductions.ts";
import type { Game, Simulation } from "../../shared/netcode/game.ts";
import type { ClientLink, Clock } from "../../shared/netcode/link.ts";
import type { ResumeToken } from "../../shared/netcode/wire/messages.ts";
import { Gamepads, readGamepads } from "../input/gamepads.ts";
import { CombinedInput, type InputDevice } from "../input/input_device.ts";
import { Keyboard } from "../input/keyboard.ts";
import { introductionsOf } from "../net/introductions.ts";
import { QUICK_ATTEMPTS } from "../net/retry_delay.ts";
import type { ConnectionRequest } from "../net/link_opener.ts";
import type { ConditionedLink } from "../net/network_conditions.ts";
import { optionalSound } from "../presentation/audio/optional_sound.ts";
import type { HudValues, MatchPresenter, PlayableGame } from "../presentation/match_presenter.ts";
import { QualityLadder } from "../presentation/quality_ladder.ts";
import type { Telemetry } from "../presentation/telemetry.ts";
import type { FrameParts, Renderer, Sound, View } from "../presentation/view.ts";
import { connectionMessageOf, silenceOf } from "./connection_messages.ts";
import type { DebugHost } from "./debug_host.ts";
import { DebugLoader } from "./debug_loader.ts";
import { findElement, offerFile, setHidden, setText } from "./dom.ts";
import { hasFlown, rememberFlight } from "./first_visit.ts";
import { hostedGame, pageHome } from "./home.ts";
import { Hud } from "./match/hud.ts";
import { Lagometer } from "./lagometer.ts";
import { EndlessLoop } from "./loop_turn.ts";
import { type Entry, Lobby, type Remedy } from "./lobby.ts";
import { basePathOf, formatPageUrl, formatUrlElsewhere, parsePageUrl } from "./page_url.ts";
import { rememberPlayed } from "./played_matches.ts";
import { ask, withdrawQuestion } from "./question.ts";
import { Reconnector } from "./reconnector.ts";
import { BestList } from "./lobby/best_list.ts";
import { RoomList } from "./lobby/room_list.ts";
import { loadSeatToken, saveSeatToken } from "./seat_token_store.ts";
import { forgetReload, mayReload, reloadWhenThere } from "./reload.ts";
import { QUALITY_RUNGS, type Settings, SettingsStore } from "./settings.ts";
import {
  askedPart,
  loadAfterRound,
  loadByHand,
  loadFirstFlight,
  loadHowItWorks,
  loadInviteDialog,
  loadPadFocus,
  loadPageRooms,
  loadRewind,
  loadSettingsPanel,
} from "./script_loader.ts";
import type { PageRooms } from "../page_rooms/page_rooms.ts";
import type { Session } from "../session/session.ts";
import type { HowItWorks } from "./asked/how_it_works.ts";
import type { ByHandDialog } from "./asked/by_hand.ts";
import type { Invitation, InviteDialog } from "./asked/invite_dialog.ts";
import type { SettingsPanel } from "./settings_panel.ts";
import type { Solo } from "../solo/solo.ts";
import { WakeLock } from "./wake_lock.ts";
import { MatchMenu } from "./match/match_menu.ts";
import { RoundMoments } from "./match/round_moments.ts";
import type { WorkerMatch } from "../solo/worker_match.ts";
import type { Rewind } from "../replay/rewind/rewind.ts";
import type { AfterRound } from "./match/after_round.ts";
import { SlowNotice } from "./match/slow_notice.ts";
import { WayBack } from "./match/way_back.ts";

/** The notice until the server offers its new page. */
const NEW_VERSION = "The server has a new version. The page reloads as soon as it comes.";

/** How pages connect without a server that says it: within one network. */
const NO_SERVERS: IntroductionsOffer = { iceServers: [], relayOnly: false };

/** The notice after a match that an author's endless loop ended on this page. */
const ENDLESS = "This match is over: a rule of the game does not end.";

export interface PageOptions {
  readonly clock: Clock;
  /** Practice matches, and the clock of every match. */
  readonly solo: Solo;
  /** @param inner the link within which the match is; by default one to the server, or to a practice match */
  readonly openLink: (joinRequest: ConnectionRequest, inner?: ClientLink) => ConditionedLink;
  /** Whether the server logs its matches, which then outlive it. */
  readonly keepsMatches: () => boolean;
  /** Makes the worker of a match that this page hosts. */
  readonly newMatchWorker: () => Worker;
  readonly telemetry: Telemetry;
  readonly debug: Pick<DebugHost, "conditions">;
}

export class Page<Command, Sim extends Simulation<Command>, Frame> {
  readonly #view: View<Command, Sim, Frame>;
  readonly #clock: Clock;
  readonly #solo: Solo;
  readonly #renderer: Renderer<Frame>;
  readonly #sound: Sound<Frame> | undefined;
  readonly #hud: Hud;
  readonly #lagometer = new Lagometer(document);
  readonly #telemetry: Telemetry;
  readonly #settings: SettingsStore;
  readonly #lobby: Lobby;
  /** Each of these is undefined before it is first opened. */
  #settingsPanel: SettingsPanel | undefined;
  #howItWorks: HowItWorks | undefined;
  #inviteDialog: InviteDialog | undefined;
  #byHandDialog: ByHandDialog | undefined;
  readonly #menu: MatchMenu;
  readonly #wayBack: WayBack;
  /** Whether the page has asked what to do while the server does not come back. */
  #hasAsked = false;
  readonly #wakeLock = new WakeLock();
  readonly #keyboard: Keyboard;
  readonly #gamepads: Gamepads;
  readonly #combinedInput: InputDevice;
  /** Undefined if the game cannot be played with one button. */
  readonly #oneButton: InputDevice | undefined;
  readonly #reconnector: Reconnector<Command, Sim, Frame>;
  readonly #game: Game<Command, Sim>;
  readonly #newMatchWorker: () => Worker;
  /** How pages connect in rooms that they host; undefined before the server offers it. */
  #introductions: IntroductionsOffer | undefined;
  /** Undefined before this page is first in a room that a page hosts. */
  #pageRooms: PageRooms | undefined;
  readonly #debugLoader: DebugLoader;
  readonly #ladder = new QualityLadder();
  readonly #slowNotice = new SlowNotice(findElement(document, "#slow"));
  #confirmPresses = 0;
  /** Undefined before there is a gamepad. */
  #focusByGamepad: Promise<boolean> | undefined;
  #wasInDialog = false;
  /** Ends the first flight, if there is one. */
  #endFirstFlight = () => {};
  /** Until then the gamepad only confirms. */
  #hasPadFocus = false;
  /** The newest token that this page saved. */
  #resume: ResumeToken | undefined;
  /** The last frame and the numbers around it; they stay while the server is away. */
  #frame: Frame | undefined;
  #values: HudValues | undefined;
  readonly #moments = new RoundMoments();
  /** Whether a round's result shows. */
  #hasResult = false;
  /** Undefined without a result, and until its script is there. */
  #afterRound: AfterRound<Command, Sim, Frame> | undefined;
  /** Undefined for players, and until its script is there. */
  #rewind: Rewind<Command, Sim, Frame> | undefined;

  constructor(
    playable: PlayableGame<Command, Sim, Frame, View<Command, Sim, Frame>>,
    { clock, solo, openLink, keepsMatches, newMatchWorker, telemetry, debug }: PageOptions,
  ) {
    const view = this.#view = playable.view;
    const { actions, colours, storedAs } = view;
    this.#clock = clock;
    this.#solo = solo;
    this.#telemetry = telemetry;
    this.#newMatchWorker = newMatchWorker;
    this.#game = playable.game;

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
      ...view.devices(document),
      this.#gamepads,
    );
    this.#oneButton = view.oneButton?.(this.#combinedInput);
    findElement(document, "label:has(#one-button)").hidden = this.#oneButton === undefined;

    // The connection to a match.
    const newCommandSource = () => view.controls(() => this.#inputDevice);
    const inputDelay = () => this.#settings.current.inputDelay;
    this.#reconnector = new Reconnector(playable, {
      clock: solo.clock,
      openLink: (request) =>
        openLink(request, request.isPageRoom ? this.#pageRooms?.openLink() : undefined),
      newCommandSource,
      telemetry,
      inputDelay,
      isOffline: () => !navigator.onLine,
      keepsMatches,
    });

    // What opens over the picture: overlay, lobby and menu.
    this.#debugLoader = new DebugLoader({
      ...debug,
      // The overlay codes any game's commands.
      game: playable.game as unknown as DebugHost["game"],
      clock: solo.clock,
      telemetry,
      match: () => this.match,
      camera: this.#renderer.camera,
      qualityRung: () => this.#ladder.rung,
    });

    const hosted = hostedGame();
    this.#lobby = new Lobby(document, {
      roomList: new RoomList(document, { clock, game: hosted, forgetsTimings: true }),
      bestList: new BestList(document, { clock, game: hosted }),
      settings: this.#settings,
      colours,
      part: view.lobbyPart?.(document),
      preload: view.preload,
      canPractise: true,
      invitation: () => parsePageUrl(location),
      reload: () => void reloadWhenThere(),
    });
    this.#lobby.focus();
    setHidden(findElement(document, "#all-games"), hosted.name === "");

    this.#menu = new MatchMenu(document, {
      invitation: () => ({ ...this.#reconnector.entry!, spectate: false }),
      showInvitation: (invitation) => void this.#showInvitation(invitation),
      letIn: () => void this.#openByHand((dialog) => dialog.letIn()),
      openSettings: () => void this.#openSettings(),
      explain: () => void this.#explain(),
      leave: () => this.#leave(),
      saveLag: () => void this.#debugLoader.saveLag(),
      saveMatch: () => {
        const match = this.#solo.match ?? this.#pageRooms?.match;
        return match && (() => void this.#saveMatch(match));
      },
      mute: () => this.#settings.change({ muted: !this.#settings.current.muted }),
      opensOrCloses: () => this.#updatePace(),
    });

    this.#wayBack = new WayBack({
      isInMatch: () => this.#reconnector.entry !== undefined && !this.#lobby.isShown,
      leave: () => this.#leave(),
      enter: () => this.#enterByAddress(),
      practise: () => this.#lobby.practise(),
      onLobbyAddress: () => this.#lobby.showInvitation(),
    });

    this.#listen();
    this.#applyPageUrl();
    void this.#findIntroductions();
  }

  /** Asks whether the server introduces pages to each other, which is why they can host rooms. */
  async #findIntroductions(): Promise<void> {
    if (!("RTCPeerConnection" in globalThis)) return;
    this.#lobby.offerByHand(() => void this.#openByHand((dialog) => dialog.choose()));
    this.#introductions = await introductionsOf(pageHome().origin);
    if (this.#introductions === undefined) return;
    this.#lobby.offerHosting({ tellsAddresses: !this.#introductions.relayOnly });
  }

  async #openSettings(): Promise<void> {
    const part = await askedPart(loadSettingsPanel, "settingsScript");
    if (part !== undefined) {
      (this.#settingsPanel ??= new part.SettingsPanel(document, this.#settings)).open();
    }
  }

  async #explain(): Promise<void> {
    const part = await askedPart(loadHowItWorks, "howScript");
    if (part === undefined) return;
    this.#howItWorks ??= new part.HowItWorks({
      proof: () => this.match?.proof,
      openOverlay: () => this.#debugLoader.open(),
    });
    this.#howItWorks.open();
  }

  async #showInvitation(invitation: Invitation): Promise<void> {
    const part = await askedPart(loadInviteDialog, "inviteScript");
    if (part !== undefined) (this.#inviteDialog ??= new part.InviteDialog()).open(invitation);
  }

  /** Offers the log of a match that runs on this page as a file. */
  async #saveMatch(match: WorkerMatch): Promise<void> {
    const { room } = this.#reconnector.entry!;
    const log = await match.log();
    if (log === undefined) return ask("This match gives no log any more.", { OK() {} });
    offerFile(log, `wyvern-${room || "practice"}.log`);
  }

  async #openByHand(show: (dialog: ByHandDialog) => void): Promise<void> {
    const part = await askedPart(loadByHand, "byHandScript");
    if (part === undefined) return;
    const rooms = this.#pageRooms ??= await this.#newPageRooms();
    this.#byHandDialog ??= new part.ByHandDialog({
      host: () => this.#lobby.enterByHand(undefined),
      introduce: () => rooms.introduceByHand({ offer: this.#introductions ?? NO_SERVERS }),
      takeAnswer: async (line) => this.#lobby.enterByHand(await rooms.takeAnswer(line)),
      letIn: (line) => rooms.letIn(line),
      giveUp: () => rooms.leave(),
    });
    show(this.#byHandDialog);
  }

  #listen(): void {
    this.#lobby.onEnter((entry) => this.#enter(entry));
    this.#settings.onChange((settings) => this.#applySettings(settings));
    findElement(document, "#lobby-controls").addEventListener(
      "click",
      () => void this.#openSettings(),
    );
    findElement(document, "#lobby-how").addEventListener("click", () => void this.#explain());
    for (const touch of ["keydown", "pointerdown"]) {
      addEventListener(touch, () => this.#sound?.unlock());
    }
    document.addEventListener("visibilitychange", () => this.#onVisibility());
    if (document.hidden) this.#reconnector.setHidden(true);
    addEventListener("hashchange", () => this.#lobby.showInvitation());
    addEventListener("online", () => this.#reconnector.hurry());

    // A browser freezes a page to keep it for the way back, and would not keep one with an open
    // socket. Also, not every browser closes the socket of a page that it ends; the seat stays
    // reserved for one that is only loaded again.
    addEventListener("pagehide", () => {
      this.#pageRooms?.leave();
      if (!this.#solo.isPlayed) this.#reconnector.freeze();
    });
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

  /** When `advance` must be called at the latest, ms on the page's clock. */
  get nextDueMs(): number {
    const roomDueMs = this.#pageRooms?.nextDueMs ?? Infinity;
    return this.#solo.clock.realMs(Math.min(this.#reconnector.nextDueMs, roomDueMs));
  }

  /**
   * Does everything but drawing.
   * @throws Error of the game or its view; an endless loop ends the match here
   */
  advance(): void {
    this.#endOnEndlessLoop(() => this.#advance());
  }

  /**
   * Draws one frame, or none if the browser offers more than a slow device should draw.
   * @throws Error as `advance` does
   */
  draw(): void {
    this.#endOnEndlessLoop(() => this.#draw());
  }

  /** The loop would hold up every later step, too, and so would the match of another attempt. */
  #endOnEndlessLoop(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (error instanceof EndlessLoop && this.#reconnector.entry !== undefined) {
        this.#leave(ENDLESS);
      }
      throw error;
    }
  }

  #advance(): void {
    // Until the poll after the one that a dialog saw, because the press that closes it is not for
    // the game.
    const isInDialog = document.querySelector("dialog[open]") !== null;
    const hasGamepad = this.#gamepads.poll(isInDialog || this.#wasInDialog);
    this.#wasInDialog = isInDialog;
    if (hasGamepad) this.#focusByGamepad ??= this.#loadPadFocus();
    this.#lobby.advanceLoading(this.#clock.now());
    const { entry } = this.#reconnector;
    this.#pageRooms?.advance();
    this.#reconnector.advance();
    this.#offerWaysOut();
    const refusal = this.#reconnector.consumeRefusal();
    if (refusal === undefined) return;
    if (refusal.isOutdated && mayReload()) {
      void reloadWhenThere();
      return this.#showLobby(NEW_VERSION, refusal.remedy);
    }
    if (refusal.endsMatch && entry !== undefined) this.#forgetSeat(entry);
    this.#showLobby(refusal.text, refusal.remedy);
  }

  /** From then on a gamepad reaches everything that a keyboard does. */
  async #loadPadFocus(): Promise<boolean> {
    try {
      const { runPadFocus } = await loadPadFocus();
      const click = (...selectors: string[]) =>
        selectors.map((each) => document.querySelector<HTMLElement>(each)).find(Boolean)!.click();
      runPadFocus({
        inMatch: { start: () => click("#open-menu"), view: () => click("#skip-flight", "#invite") },
      });
      return this.#hasPadFocus = true;
    } catch {
      return false; // Play and the match work without it.
    }
  }

  /** Asks the player what to do when the server does not come back, once for each time. */
  #offerWaysOut(): void {
    const { state } = this.#reconnector;
    if (state === undefined || state.unanswered < QUICK_ATTEMPTS) {
      if (this.#hasAsked) withdrawQuestion();
      this.#hasAsked = false;
    } else if (!this.#hasAsked && state.wasJoined) {
      this.#hasAsked = true;
      this.#menu.close();
      ask(silenceOf(state), {
        "Go on waiting"() {},
        "Practise alone": () => {
          this.#toLobby("");
          this.#lobby.practise();
        },
        "Leave the match": () => this.#leave(),
      });
    }
  }

  #draw(): void {
    const nowMs = this.#clock.now();
    const ladder = this.#ladder;
    if (!ladder.offerFrame(nowMs)) return;
    this.#renderer.setQuality?.(ladder.rung);
    this.#lobby.advance();
    this.#confirm();
    const match = this.match;
    if (match !== undefined) this.#keepSeat(match.session.resume);
    const isBack = this.#rewind?.isShown === true || match?.session.phase === "closed";
    const frame = isBack ? undefined : match?.composeFrame();
    if (frame !== undefined) {
      if (this.#lobby.isShown) this.#onJoined();
      this.#frame = frame;
      this.#sound?.play(frame);
    }

    const matchMs = this.#solo.clock.now();
    if (!this.#rewind?.draw(nowMs)) {
      this.#renderer.draw(
        this.#afterRound?.frame(matchMs) ?? this.#frame ?? this.#view.titleFrame(matchMs),
        matchMs,
      );
    }
    this.#showNotice(match, nowMs);
    this.#followRound(match);
    this.#lagometer.show(this.#telemetry.rows);
    if (frame !== undefined) this.#menu.advance(matchMs);
    if (frame !== undefined) this.#reportEvents(match!.frameParts!);
    this.#debugLoader.draw();
  }

  get #inputDevice(): InputDevice {
    return this.#playsOneButton ? this.#oneButton! : this.#combinedInput;
  }

  /** Settings are those of all games, and some cannot be played so. */
  get #playsOneButton(): boolean {
    return this.#oneButton !== undefined && this.#settings.current.oneButton;
  }

  #showNotice(match: MatchPresenter<Command, Sim, Frame> | undefined, nowMs: number): void {
    const state = this.#reconnector.state;
    if (state === undefined || match === undefined) return;
    const notice = connectionMessageOf(state, this.#view.words) ||
      this.#slowNotice.update(this.#ladder.isTooSlow, nowMs);
    if (match.session.simulation !== undefined) this.#values = match.hud(notice);
    if (this.#frame !== undefined && this.#values !== undefined) {
      const values = { ...this.#values, notice };
      this.#hud.show(this.#rewind?.values(values) ?? values, nowMs);
    } else if (state.phase === "away") this.#lobby.show(notice);
    else this.#lobby.setNotice(notice);
  }

  /** Reports definitive events, and lets gamepads shake with what happens to the own body. */
  #reportEvents({ events, ownSeat }: FrameParts<Sim>): void {
    for (const event of events.settled) {
      const caption = this.#view.caption?.(event);
      if (caption === undefined) continue;
      this.#hud.report(caption);
      if (!this.#view.decides?.(event.kind)) continue;
      this.#moments.note({ tick: event.tick, caption });
    }
    if (!this.#settings.current.rumble || ownSeat < 0) return;
    const strengths = events.begun.filter(({ seat, otherSeat }) =>
      seat === ownSeat || otherSeat === ownSeat
    )
      .map((event) => this.#view.rumble?.(event, ownSeat) ?? 0);
    this.#gamepads.rumble(Math.max(0, ...strengths));
  }

  /** When a round is over, shows the moment that decided it again, and links its replay. */
  #followRound(match: MatchPresenter<Command, Sim, Frame> | undefined): void {
    const round = this.#values?.round;
    if (round?.phase !== "result") {
      // What another round decides is to come.
      if (this.#hasResult) this.#moments.clear();
      this.#hasResult = false;
      return this.#endAfterRound();
    }
    if (match === undefined || this.#hasResult) return;
    this.#hasResult = true;
    this.#hud.linkReplay(undefined);
    void this.#endRound(match, round.number);
  }

  async #endRound(match: MatchPresenter<Command, Sim, Frame>, round: number): Promise<void> {
    // If the server is away, as the page then says, the result is there without what it loads.
    const part = await loadAfterRound().catch(() => undefined);
    const { entry } = this.#reconnector;
    if (part === undefined || !this.#hasResult || this.match !== match) return;
    this.#afterRound = new part.AfterRound({
      view: this.#view,
      session: match.session,
      tickHz: this.#game.tickHz,
      scores: this.#values!.scores,
      moments: this.#moments,
      round,
      room: entry && isAtServer(entry) ? match.room : undefined,
      recorded: () => this.#telemetry.flight.entries,
      onMoment: (caption) => {
        this.#renderer.reset?.();
        this.#hud.showMoment(caption);
      },
      onReplay: (url) => this.#hud.linkReplay(url),
    });
  }

  #endAfterRound(): void {
    this.#afterRound?.end();
    this.#afterRound = undefined;
  }

  #applySettings({ colour, keys, quality, volume, muted }: Settings): void {
    this.#ladder.fixedRung = QUALITY_RUNGS[quality];
    this.#view.colours.select(colour);
    this.#sound?.setVolume(muted ? 0 : volume);
    this.#menu.setMuted(muted);
    this.#updateWakeLock();
    this.#keyboard.bind(keys);
    const oneButton = this.#playsOneButton;
    document.body.classList.toggle("one-button", oneButton);
    const help = this.#view.helpText(keys, { oneButton });
    for (const id of ["#lobby-help", "#help"]) setText(findElement(document, id), help);
  }

  /** Leads straight in with a link for spectators, and on a reload while the seat is reserved. */
  #applyPageUrl(): void {
    const { room, spectate } = parsePageUrl(location);
    if (spectate || loadSeatToken(room) !== undefined) this.#enterByAddress();
  }

  #enterByAddress(): void {
    const { room, spectate } = parsePageUrl(location);
    if (room !== "") this.#lobby.enter(room, { spectate });
  }

  #enter(entry: Entry): void {
    if (entry.isPageRoom) return void this.#enterPageRoom(entry);
    this.#reconnector.enter(entry, entry.isSolo ? undefined : loadSeatToken(entry.room));
  }

  /** Opens a room that this page hosts, or joins one that another page hosts. */
  async #enterPageRoom(entry: Entry): Promise<void> {
    const { room, choices, isNew, isByHand, isAny } = entry;
    this.#lobby.setNotice(pageRoomNotice(entry));
    try {
      const rooms = this.#pageRooms ??= await this.#newPageRooms();
      if (isByHand) {
        const offer = this.#introductions ?? NO_SERVERS;
        if (isNew) rooms.hostByHand(room, { choices, offer });
      } else {
        const offer = this.#introductions ??= await introductionsOf(pageHome().origin);
        if (offer === undefined) return this.#showLobby("This server introduces no pages.");
        if (isAny) {
          const led = await rooms.playNow(room, { choices, offer });
          return this.#reconnector.enter({ ...entry, room: led, isNew: led === room }, undefined);
        }
        if (isNew) await rooms.host(room, { choices, offer });
        else await rooms.join(room, { offer });
      }
      this.#reconnector.enter(entry, undefined);
    } catch (error) {
      this.#showLobby(error instanceof Error ? error.message : String(error));
    }
  }

  async #newPageRooms(): Promise<PageRooms> {
    const { PageRooms } = await loadPageRooms();
    return new PageRooms({
      // Its worker and its messages carry any game's commands.
      game: this.#game as unknown as Game<unknown>,
      clock: this.#solo.clock,
      origin: pageHome().origin,
      newWorker: this.#newMatchWorker,
      session: () => this.match?.session as unknown as Session<unknown> | undefined,
      onHost: () => this.#reconnector.hurry(),
    });
  }

  #onJoined(): void {
    forgetReload();
    this.#lobby.hide();
    const entry = this.#reconnector.entry!;
    this.#menu.reset({ isSolo: entry.isSolo === true });
    this.#updateWakeLock();
    // Only now, because a code is useless before its room is open.
    const format = pageHome().isElsewhere ? formatUrlElsewhere : formatPageUrl;
    const address = entry.isByHand ? location.href : format(entry, location);
    this.#wayBack.enterMatch(entry.isSolo ? undefined : address);
    if (isAtServer(entry)) rememberPlayed(entry.room);
    if (this.match!.session.seat >= 0) void this.#offerFirstFlight();
    else if (isAtServer(entry)) void this.#offerRewind();
  }

  /** Says on a first visit what the controls do, while the match goes on. */
  async #offerFirstFlight(): Promise<void> {
    const { actions, storedAs } = this.#view;
    if (this.#playsOneButton || hasFlown(storedAs)) return;
    // Without the script there are still the line of help and the settings.
    const part = await loadFirstFlight().catch(() => undefined);
    if (part === undefined || this.#lobby.isShown) return;
    this.#endFirstFlight();
    this.#endFirstFlight = part.beginFirstFlight({
      actions,
      keys: this.#settings.current.keys,
      device: this.#combinedInput,
      onDone: () => rememberFlight(storedAs),
    });
  }

  /** Lets a spectator look back. Without the script one can still watch. */
  async #offerRewind(): Promise<void> {
    const part = await loadRewind().catch(() => undefined);
    const { entry } = this.#reconnector;
    if (part === undefined || entry === undefined) return;
    this.#rewind?.close();
    this.#rewind = new part.Rewind(document, {
      game: this.#game,
      view: this.#view,
      clock: this.#clock,
      renderer: this.#renderer,
      sound: this.#sound,
      hud: this.#hud,
      room: entry.room,
      liveTick: () => this.match?.session.head ?? -1,
    });
  }

  /** Saves a seat's new token, including one after a lost connection. */
  #keepSeat(resume: ResumeToken | undefined): void {
    if (resume === undefined || resume === this.#resume) return;
    const entry = this.#reconnector.entry!;
    if (isAtServer(entry)) saveSeatToken(entry.room, this.#resume = resume);
  }

  #forgetSeat(entry: Entry): void {
    if (isAtServer(entry)) saveSeatToken(entry.room, this.#resume = "");
  }

  #leave(notice = ""): void {
    this.#forgetSeat(this.#reconnector.entry!);
    this.#toLobby(notice);
  }

  /** Leaves the match; the seat stays reserved if the server does not hear of it. */
  #toLobby(notice: string): void {
    this.#reconnector.leave();
    this.#wayBack.leaveMatch(
      pageHome().isElsewhere
        ? formatUrlElsewhere({ room: "", spectate: false }, location)
        : basePathOf(location) + location.search,
    );
    this.#showLobby(notice);
  }

  #showLobby(notice: string, remedy?: Remedy): void {
    this.#pageRooms?.leave();
    this.#frame = this.#values = undefined;
    this.#endAfterRound();
    this.#rewind?.close();
    this.#rewind = undefined;
    this.#sound?.silence();
    this.#hud.hide();
    this.#endFirstFlight();
    this.#menu.close();
    withdrawQuestion();
    this.#lobby.show(notice, remedy);
    this.#updateWakeLock();
  }

  #onVisibility(): void {
    this.#reconnector.setHidden(document.hidden);
    // A hidden page draws no frames, so its music would go on without its match.
    if (document.hidden) this.#sound?.silence();
    else this.#reconnector.hurry();
    this.#updatePace();
    this.#updateWakeLock();
  }

  /** A practice match waits while the menu is open, and while nobody sees the page. */
  #updatePace(): void {
    if (this.#solo.isPlayed) this.#solo.setPace(document.hidden ? 0 : this.#menu.pace);
  }

  /** Keeps the screen on in a match. Browsers end a hidden page's lock. */
  #updateWakeLock(): void {
    this.#wakeLock.hold(
      this.#settings.current.keepAwake && !document.hidden && !this.#lobby.isShown,
    );
  }

  #confirm(): void {
    const { confirmPresses } = this.#gamepads;
    const isConfirmed = confirmPresses !== this.#confirmPresses && !this.#hasPadFocus;
    if (isConfirmed && this.#lobby.isShown) this.#lobby.confirm();
    this.#confirmPresses = confirmPresses;
  }
}

/** What a player reads until the page is in a room that a page hosts. */
function pageRoomNotice({ isAny, isNew }: Entry): string {
  if (isAny) return "Looking for players…";
  return isNew ? "Opening the room…" : "Connecting to the page that hosts…";
}

/** Whether the server keeps the player's seat in the match, and not this or another page. */
function isAtServer({ isSolo, isPageRoom }: Entry): boolean {
  return !isSolo && !isPageRoom;
}
