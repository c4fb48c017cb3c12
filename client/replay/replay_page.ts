/**
 * The replay page: it plays a log with the game's own view, and lets a player play on from any
 * tick. It sets no timers; call `draw` with every frame.
 *
 *     sheet with logs → replay ⇄ fork
 */
import type { Game, SeatId, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import { LogError } from "../../shared/netcode/match_log/records.ts";
import { hashOfSnapshot } from "../../shared/netcode/wire/range_coder.ts";
import { flightLooks } from "../debug/flight_looks.ts";
import { isLagFile } from "../debug/lag/lag_file.ts";
import { optionalSound } from "../presentation/audio/optional_sound.ts";
import type { Renderer, Sound, View } from "../presentation/view.ts";
import { findElement, setHidden } from "../ui/dom.ts";
import { Hud } from "../ui/match/hud.ts";
import { type Settings, SettingsStore } from "../ui/settings.ts";
import { COMMAND_LOOKS, CommandLaneView } from "./command_lane_view.ts";
import type { Fork } from "./fork.ts";
import { ForkView } from "./fork_view.ts";
import { asksForHandedLag, handedLag } from "./lag/handed_lag.ts";
import { LagPlayer } from "./lag/lag_player.ts";
import { LagView } from "./lag/lag_view.ts";
import { LogPlayer } from "./log_player.ts";
import { ReplayTrial, type TrialPort } from "./trial/replay_trial.ts";
import { Playback } from "./playback.ts";
import { type BarRequests, ReplayBar } from "./replay_bar.ts";
import { MatchObserver } from "./match_observer.ts";
import { ReplayPresenter } from "../presentation/replay_presenter.ts";
import { fetchLog, type OpenedLog } from "./fetch_log.ts";
import { readFile, ReplaySources } from "./replay_sources.ts";
import { formatReplayUrl, parseReplayUrl } from "./replay_url.ts";

/** How much of a frame's time goes into checking the log, ms, so that frames stay fluent. */
const CHECK_MS = 8;
/** The same while the picture waits for a tick that is not checked yet. */
const CHECK_MS_MAX = 40;
const TICKS_AT_ONCE = 8;
/**
 * How often the address follows the tick, ms, because browsers refuse more than some changes per
 * second.
 */
const ADDRESS_MS = 500;
/** What an address says that names no match in the form of `formatReplayUrl`. */
const NO_REPLAY = "This address names no replay. The list has those of this server.";
const LAG_LOOKS = flightLooks("corrections", "this half minute");

/** An open log. */
interface Opened<Command, Sim extends Simulation<Command>, Frame> {
  /** Empty for a file. */
  readonly id: string;
  readonly player: LogPlayer<Command, Sim> | LagPlayer<Command, Sim>;
  /** Returns the last player's or NPC's name on a seat. */
  readonly nameOf: (seat: SeatId) => string;
  readonly presenter: ReplayPresenter<Command, Sim, Frame>;
  readonly playback: Playback;
  readonly trial: ReplayTrial;
}

export interface ReplayPageOptions {
  readonly clock: Clock;
  /** Starts the worker that plays a file before the page does. */
  readonly openTrial: () => TrialPort;
}

export class ReplayPage<Command, Sim extends Simulation<Command>, Frame> {
  readonly #game: Game<Command, Sim>;
  readonly #view: View<Command, Sim, Frame>;
  readonly #clock: Clock;
  readonly #openTrial: () => TrialPort;
  readonly #renderer: Renderer<Frame>;
  readonly #sound: Sound<Frame> | undefined;
  readonly #hud: Hud;
  readonly #settings: Settings;
  readonly #sources: ReplaySources;
  readonly #bar: ReplayBar;
  #laneView: CommandLaneView;
  readonly #lagView: LagView;
  readonly #lanesElement = findElement(document, "#command-lanes");
  readonly #forkView: ForkView<Command, Sim, Frame>;
  #opened: Opened<Command, Sim, Frame> | undefined;
  /** How often a log was requested; each request replaces those before it. */
  #requests = 0;
  /** The trial for a file before its first state is known to load. */
  #beginning: ReplayTrial | undefined;
  #drawnMs: number;
  #frame: Frame | undefined;
  /** When the seek was requested that no frame shows yet. */
  #seekFromMs: number | undefined;
  /** How long the newest seek took until it was drawn, ms. */
  seekMs = 0;
  #address = "";
  #addressDueMs = 0;

  constructor(
    game: Game<Command, Sim>,
    view: View<Command, Sim, Frame>,
    { clock, openTrial }: ReplayPageOptions,
  ) {
    const { actions, colours, storedAs } = view;
    this.#game = game;
    this.#view = view;
    this.#clock = clock;
    this.#openTrial = openTrial;

    this.#drawnMs = clock.now();

    // The picture, what is said around it, and the player's settings
    this.#renderer = view.renderer(findElement<HTMLCanvasElement>(document, "#arena"));
    this.#hud = new Hud(document, view);
    this.#settings = new SettingsStore({ actions, colours: colours.names, storedAs }).current;
    colours.select(this.#settings.colour);

    this.#sound = optionalSound(() => view.sound?.(() => new AudioContext()));
    this.#sound?.setVolume(this.#settings.muted ? 0 : this.#settings.volume);

    // Sources, the bar and the two views of a recording
    this.#sources = new ReplaySources(document, (file) => void this.#open("", readFile(file)));
    const requests = this.#barRequests();
    this.#bar = new ReplayBar(document, requests);
    this.#laneView = new CommandLaneView(this.#lanesElement, COMMAND_LOOKS, requests.seek);
    this.#lagView = new LagView(this.#renderer.camera, requests.seek);

    const options = {
      game,
      view,
      hud: this.#hud,
      settings: this.#settings,
      onEnd: () => this.#endFork(),
    };
    this.#forkView = new ForkView(options);

    this.#listen(requests);
    if (asksForHandedLag(location)) void this.#open("", handedLag());
    else this.#applyAddress();
  }

  /** The shown tick; −1 without a log. */
  get tick(): Tick {
    return this.#opened?.presenter.tick ?? -1;
  }

  /** The shown state's hash, 32 bits. */
  get hash(): number {
    const shown = this.#opened?.player.shown;
    return shown === undefined ? 0 : hashOfSnapshot(shown.snapshot);
  }

  get player(): Opened<Command, Sim, Frame>["player"] | undefined {
    return this.#opened?.player;
  }

  get fork(): Fork<Command, Sim, Frame> | undefined {
    return this.#forkView.fork;
  }

  /** Does everything that is due, and draws one frame. */
  draw(): void {
    const nowMs = this.#clock.now();
    const elapsedMs = nowMs - this.#drawnMs;
    const opened = this.#opened;
    this.#drawnMs = nowMs;
    this.#beginning?.advance();
    opened?.trial.advance();
    if (this.fork !== undefined) return this.#drawFork(nowMs);
    if (opened === undefined) return this.#renderer.draw(this.#view.titleFrame(nowMs), nowMs);
    const { player, playback } = opened;
    this.#check(opened, nowMs);

    // A far tick in a long match is not checked yet, so the frame stays, and the bar shows how far
    // the check is.
    const isThere = playback.position <= player.checkedTick;
    if (isThere) this.#drawReplay(opened, elapsedMs);
    this.#showAround(opened, nowMs);
    if (!isThere) return;
    if (this.#seekFromMs !== undefined) this.seekMs = this.#clock.now() - this.#seekFromMs;
    this.#seekFromMs = undefined;
  }

  #listen(requests: BarRequests): void {
    for (const touch of ["keydown", "pointerdown"]) {
      addEventListener(touch, () => this.#sound?.unlock());
    }
    addEventListener("hashchange", () => this.#applyAddress());
    addEventListener("keydown", (event) => {
      if (this.fork !== undefined) return void (event.code === "Escape" && this.#endFork());
      if (this.#opened !== undefined && ReplayBar.onKey(event, requests)) event.preventDefault();
    });
  }

  #barRequests(): BarRequests {
    return {
      toggle: () => this.#toggle(),
      step: (ticks) => this.#seek(this.tick + ticks),
      seek: (tick) => this.#seek(tick),
      setSpeed: (speed) => this.#opened && (this.#opened.playback.speed = speed),
      follow: (seat) => this.#follow(seat),
      fork: () => this.#beginFork(),
      showLanes: (isShown) => setHidden(this.#lanesElement, !isShown),
      close: () => this.#close(""),
    };
  }

  /** Opens what the address names, unless this page wrote the address itself. */
  #applyAddress(): void {
    if (location.hash === this.#address && this.#address !== "") return;
    const { id, tick } = parseReplayUrl(location);
    if (id === "") return this.#close(location.hash.length > 1 ? NO_REPLAY : "");
    if (id === this.#opened?.id) return this.#seek(tick ?? 0);
    void this.#open(id, fetchLog(id), tick);
  }

  async #open(id: string, opening: Promise<OpenedLog>, tick?: Tick): Promise<void> {
    const request = ++this.#requests;
    const log = await opening;
    if (request !== this.#requests) return;
    if ("refusal" in log) return this.#close(log.refusal);
    const { bytes } = log;
    const trial = new ReplayTrial(bytes, { port: this.#openTrial(), clock: this.#clock });
    this.#beginning = trial;
    await trial.begun;
    if (request !== this.#requests) return trial.close();
    this.#beginning = undefined;
    if (trial.fault !== "" && trial.played === 0) {
      return this.#close(`This file cannot be played: ${trial.fault}.`);
    }

    try {
      this.#show(id, bytes, { tick, trial });
    } catch (error) {
      trial.close();
      this.fail(error);
    }
  }

  /** Shows the sheet with a sentence about an error that a file caused. */
  fail(error: unknown): void {
    const { name, message } = error as Error;
    this.#close(
      error instanceof LogError
        ? `This is ${message}.`
        : `This file cannot be shown (${name}: ${message}).`,
    );
  }

  #show(
    id: string,
    bytes: Uint8Array,
    { tick, trial }: { tick: Tick | undefined; trial: ReplayTrial },
  ): void {
    const isLag = isLagFile(bytes);
    const { player, nameOf } = isLag ? this.#lagOf(bytes, trial) : this.#logOf(bytes, trial);

    // Close what was open
    this.#endFork();
    this.#opened?.trial.close();

    const { tickHz } = this.#game;
    const playback = new Playback(tickHz, player.firstTick);
    const presenter = new ReplayPresenter(this.#view, player, tickHz);
    this.#opened = { id, player, playback, nameOf, presenter, trial };

    // Set up the bar and the views for it
    this.#laneView = new CommandLaneView(
      this.#lanesElement,
      isLag ? LAG_LOOKS : COMMAND_LOOKS,
      (tick) => this.#seek(tick),
    );
    this.#bar.setForkable(!isLag);
    if (player instanceof LagPlayer) {
      presenter.followed = player.report.ownSeat;
      this.#lagView.open();
    } else this.#lagView.close();

    this.#sources.hide();
    setHidden(this.#bar.element, false);

    // Where it begins
    this.#seek(tick ?? player.firstTick);
    playback.isPlaying = tick === undefined;
    this.#writeAddress(-Infinity);
  }

  #logOf(
    bytes: Uint8Array,
    trial: ReplayTrial,
  ): Pick<Opened<Command, Sim, Frame>, "player" | "nameOf"> {
    const observer = new MatchObserver(this.#view);
    const player = new LogPlayer(this.#game, bytes, {
      onChecked: (match) => observer.observe(match),
      trial,
    });
    return { player, nameOf: (seat) => observer.nameOf(seat) };
  }

  #lagOf(
    bytes: Uint8Array,
    trial: ReplayTrial,
  ): Pick<Opened<Command, Sim, Frame>, "player" | "nameOf"> {
    const player = new LagPlayer(this.#game, bytes, trial);
    return { player, nameOf: (seat) => player.names.get(seat) || `seat ${seat}` };
  }

  /**
   * Shows the sheet with the logs.
   * @param notice one sentence about why no log is shown, or empty
   */
  #close(notice: string): void {
    this.#requests++;
    this.#beginning?.close();
    this.#beginning = undefined;
    this.#opened?.trial.close();
    this.#endFork();
    this.#opened = undefined;
    this.#sound?.silence();
    this.#renderer.reset?.();
    this.#hud.hide();
    this.#lagView.close();
    setHidden(this.#bar.element, true);
    document.body.style.setProperty("--player", "0px");
    this.#sources.show(notice);
    this.#replaceAddress("");
  }

  #toggle(): void {
    const { playback, player } = this.#opened!;
    if (playback.position >= player.lastTick) this.#seek(player.firstTick);
    playback.isPlaying = !playback.isPlaying;
    if (!playback.isPlaying) this.#sound?.silence();
  }

  #seek(tick: Tick): void {
    if (this.#opened === undefined) return;
    const { playback, player, presenter } = this.#opened;
    playback.isPlaying = false;
    presenter.restart();
    playback.position = Math.max(player.firstTick, Math.min(player.lastTick, tick));
    this.#seekFromMs ??= this.#clock.now();
    this.#sound?.silence();
  }

  #follow(seat: SeatId): void {
    if (this.#opened !== undefined) this.#opened.presenter.followed = seat;
  }

  #check({ player, playback }: Opened<Command, Sim, Frame>, nowMs: number): void {
    if (player.status.isComplete) return;
    const untilMs = nowMs + (playback.position > player.checkedTick ? CHECK_MS_MAX : CHECK_MS);
    while (this.#clock.now() < untilMs && !player.isWaiting && !player.check(TICKS_AT_ONCE));
    playback.position = Math.min(playback.position, player.lastTick);
  }

  #drawReplay(
    { player, playback, presenter }: Opened<Command, Sim, Frame>,
    elapsedMs: number,
  ): void {
    playback.advance(elapsedMs, { ready: player.checkedTick, last: player.lastTick });
    if (presenter.isFar(playback.position)) {
      this.#renderer.reset?.();
      this.#hud.rewind();
      presenter.jump(
        Math.ceil(playback.position),
        (frame, atMs) => this.#renderer.draw(frame, atMs),
      );
    }
    const frame = this.#frame = presenter.frame(playback.position);
    this.#renderer.draw(frame, presenter.momentOf(playback.position));
    if (playback.isPlaying) this.#sound?.play(frame);
  }

  /** Shows the words and numbers around the picture. */
  #showAround(
    { player, playback, presenter, nameOf }: Opened<Command, Sim, Frame>,
    nowMs: number,
  ): void {
    const values = presenter.hud(player.room);
    const { scores } = values;
    const { firstTick, lastTick } = player;

    // What the presenter shows now
    this.#hud.show(values, nowMs);
    for (const event of presenter.definitiveEvents) {
      const caption = this.#view.caption?.(event);
      if (caption !== undefined) this.#hud.report(caption);
    }

    // The bar, and the lanes if they are open
    const { tickHz } = this.#game;
    const { isPlaying } = playback;
    const tick = playback.tick;
    this.#bar.show({ tick, firstTick, lastTick, tickHz, isPlaying, status: player.status });
    this.#bar.offerSeats(scores.toSorted((a, b) => a.seat - b.seat), presenter.followed);
    if (!this.#lanesElement.hidden) {
      this.#laneView.show({
        lanes: player.lanes,
        tick,
        firstTick,
        lastTick,
        followed: presenter.followed,
        nameOf,
      });
    }
    if (player instanceof LagPlayer) this.#lagView.show(player, { tick: presenter.tick, tickHz });
    this.#writeAddress(nowMs);
  }

  #beginFork(): void {
    const { player, playback, presenter } = this.#opened!;
    if (player instanceof LagPlayer) return;
    playback.isPlaying = false;
    // Take the state at the frame's newest tick.
    playback.position = presenter.tick;
    this.#hud.hide();
    setHidden(this.#bar.element, true);
    this.#renderer.reset?.();
    const from = { header: player.header, state: player.shown.state, seat: presenter.followed };
    this.#forkView.begin(from, this.#clock);
    // Give the keys back to the game.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }

  #drawFork(nowMs: number): void {
    const frame = this.#forkView.advance(nowMs);
    if (frame !== undefined) this.#sound?.play(frame);
    this.#frame = frame ?? this.#frame;
    if (this.#frame !== undefined) this.#renderer.draw(this.#frame, nowMs);
  }

  #endFork(): void {
    if (this.fork === undefined) return;
    const { fromTick } = this.fork;
    this.#forkView.end();
    this.#hud.hide();
    setHidden(this.#bar.element, false);
    this.#seek(fromTick);
  }

  /** @param nowMs −Infinity to write at once */
  #writeAddress(nowMs: number): void {
    const { id, playback } = this.#opened!;
    if (nowMs > -Infinity && nowMs < this.#addressDueMs) return;
    this.#addressDueMs = this.#clock.now() + ADDRESS_MS;
    this.#replaceAddress(formatReplayUrl({ id, tick: playback.tick }));
  }

  #replaceAddress(hash: string): void {
    if (hash === this.#address && (hash !== "" || location.hash === "")) return;
    this.#address = hash;
    history.replaceState(null, "", hash === "" ? location.pathname + location.search : hash);
  }
}
