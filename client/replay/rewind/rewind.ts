/**
 * Lets a spectator look back in a match that goes on. The server gives the log up to now, the page
 * plays it as a replay does, and the match itself goes on behind it:
 *
 *     live → back → log up to now → checked → the past, which plays on → its end is near → a longer log …
 *                                                                   → live is near → live
 */
import type { Game, Simulation, Tick } from "../../../shared/netcode/game.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import { LogError } from "../../../shared/netcode/match_log/records.ts";
import { fetchRooms } from "../../net/rooms.ts";
import type { HudValues } from "../../presentation/match_presenter.ts";
import { ReplayPresenter } from "../../presentation/replay_presenter.ts";
import type { Renderer, Sound, View } from "../../presentation/view.ts";
import { hostedGame } from "../../ui/home.ts";
import type { Hud } from "../../ui/match/hud.ts";
import { fetchLog } from "../fetch_log.ts";
import { LogPlayer } from "../log_player.ts";
import { Playback } from "../playback.ts";
import { RewindBar } from "./rewind_bar.ts";

/** How much of a frame's time goes into checking the log, ms: more while the picture waits for it. */
const CHECK_MS = 8;
const CHECK_MS_MAX = 40;
const TICKS_AT_ONCE = 8;
/** Nearer to the newest tick than this, s, the past is over. */
const LIVE_SECONDS = 1.5;
/** So is it at the end of a log that ends this near to it, s: the server writes logs in pieces. */
const LOG_END_SECONDS = 5;
/** A longer log is fetched when the past plays this near to the end of the one that is there, s. */
const FETCH_SECONDS = 3;
/** After an answer the server is asked for the log again after this time at the earliest, ms. */
const FETCH_EVERY_MS = 3_000;

const NO_LOG = "This server keeps no log of the match, so the past cannot be shown.";

export interface RewindOptions<Command, Sim extends Simulation<Command>, Frame> {
  readonly game: Game<Command, Sim>;
  readonly view: View<Command, Sim, Frame>;
  /** The page's. */
  readonly clock: Clock;
  readonly renderer: Renderer<Frame>;
  readonly sound: Sound<Frame> | undefined;
  readonly hud: Hud;
  readonly room: string;
  /** The newest tick of the match on this page. */
  readonly liveTick: () => Tick;
}

/** The past that is shown. */
interface Past<Command, Sim extends Simulation<Command>, Frame> {
  readonly id: string;
  readonly player: LogPlayer<Command, Sim>;
  readonly presenter: ReplayPresenter<Command, Sim, Frame>;
  readonly playback: Playback;
  /** The newest tick that was asked for, which only a longer log may have. */
  wanted: Tick;
}

export class Rewind<Command, Sim extends Simulation<Command>, Frame> {
  readonly #options: RewindOptions<Command, Sim, Frame>;
  readonly #bar: RewindBar;
  #past: Past<Command, Sim, Frame> | undefined;
  /** Whether the picture shows the past: not before its tick is checked. */
  #isShown = false;
  #isFetching = false;
  #fetchDueMs = 0;
  #drawnMs = 0;
  #speed = 1;
  #isClosed = false;

  /** @param root holds the markup of index.html. @throws Error if a part is missing */
  constructor(root: ParentNode, options: RewindOptions<Command, Sim, Frame>) {
    this.#options = options;
    this.#bar = new RewindBar(root, {
      jump: (seconds) => this.#jump(seconds),
      seek: (tick) => this.#seek(tick),
      toggle: () => this.#toggle(),
      setSpeed: (speed) => this.#setSpeed(speed),
      goLive: () => this.#goLive(""),
    });
  }

  /** Whether the picture, words and numbers are those of the past. */
  get isShown(): boolean {
    return this.#isShown;
  }

  /** The shown tick of the past; undefined while the match is shown live. */
  get tick(): Tick | undefined {
    return this.#isShown ? this.#past?.presenter.tick : undefined;
  }

  /**
   * Draws the past, if it is shown.
   * @param nowMs the page's clock
   * @returns whether it was drawn; if not, the page draws the match
   */
  draw(nowMs: number): boolean {
    const elapsedMs = nowMs - this.#drawnMs;
    this.#drawnMs = nowMs;
    const past = this.#past;
    if (past === undefined) return false;
    try {
      this.#check(past, nowMs);
      if (past.player.status.error !== undefined) throw past.player.status.error;
      if (past.player.status.difference !== undefined) throw past.player.status.difference;
      this.#play(past, { nowMs, elapsedMs });
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      this.#goLive(`The log ends here: ${error.message}.`);
    }
    return this.#isShown;
  }

  /** The words and numbers of the past, or those of the match. */
  values(live: HudValues): HudValues {
    if (!this.#isShown) return live;
    const { room, pingMs, isSpectating, notice } = live;
    return { ...this.#past!.presenter.hud(room), pingMs, isSpectating, notice };
  }

  /** Removes the bar, because the match is left. */
  close(): void {
    this.#isClosed = true;
    this.#past = undefined;
    this.#isShown = false;
    this.#bar.close();
  }

  #check({ player, playback }: Past<Command, Sim, Frame>, nowMs: number): void {
    if (player.status.isComplete) return;
    const isWaiting = playback.position > player.checkedTick;
    const untilMs = nowMs + (isWaiting ? CHECK_MS_MAX : CHECK_MS);
    while (this.#options.clock.now() < untilMs && !player.check(TICKS_AT_ONCE));
    if (!isWaiting || this.#isShown) return;
    const share = (player.checkedTick - player.firstTick) / (playback.position - player.firstTick);
    this.#bar.say(`Loading… ${Math.min(99, Math.floor(100 * share))} %`);
  }

  #play(
    past: Past<Command, Sim, Frame>,
    { nowMs, elapsedMs }: { readonly nowMs: number; readonly elapsedMs: number },
  ): void {
    const { renderer, sound, hud, view, game: { tickHz }, liveTick } = this.#options;
    const { player, presenter, playback } = past;
    if (this.#isShown) {
      // It waits at the end of what is there, and goes on with a longer log.
      playback.advance(elapsedMs, { ready: player.checkedTick, last: Infinity });
    }
    if (this.#isOver(past)) return this.#goLive("");
    const left = player.lastTick - playback.position;
    if (player.status.isComplete && left < FETCH_SECONDS * tickHz && nowMs >= this.#fetchDueMs) {
      void this.#extend(past);
    }
    if (playback.position > player.checkedTick) return;

    if (!this.#isShown) {
      this.#isShown = true;
      this.#bar.say("");
      sound?.silence();
    }
    if (presenter.isFar(playback.position)) {
      renderer.reset?.();
      hud.rewind();
      presenter.jump(Math.ceil(playback.position), (frame, atMs) => renderer.draw(frame, atMs));
    }
    const frame = presenter.frame(playback.position);
    renderer.draw(frame, presenter.momentOf(playback.position));
    if (playback.isPlaying) sound?.play(frame);
    for (const event of presenter.definitiveEvents) {
      const caption = view.caption?.(event);
      if (caption !== undefined) hud.report(caption);
    }
    this.#bar.show({
      tick: playback.tick,
      firstTick: player.firstTick,
      liveTick: liveTick(),
      tickHz,
      isPlaying: playback.isPlaying,
    });
  }

  #isOver({ player, playback }: Past<Command, Sim, Frame>): boolean {
    const { game: { tickHz }, liveTick } = this.#options;
    const live = liveTick();
    if (live - playback.position < LIVE_SECONDS * tickHz) return true;
    const isAtEnd = player.status.isComplete && playback.position >= player.lastTick;
    return playback.isPlaying && isAtEnd && live - player.lastTick < LOG_END_SECONDS * tickHz;
  }

  #jump(seconds: number): void {
    const { game: { tickHz }, liveTick } = this.#options;
    if (this.#past === undefined && seconds > 0) return;
    this.#seek((this.#past?.playback.position ?? liveTick()) + seconds * tickHz);
  }

  #seek(wanted: Tick): void {
    const past = this.#past;
    if (past === undefined) return void this.#open(wanted);
    const { player, presenter, playback } = past;
    const { game: { tickHz }, liveTick, sound } = this.#options;
    if (liveTick() - wanted < LIVE_SECONDS * tickHz) return this.#goLive("");
    presenter.restart();
    sound?.silence();
    playback.position = Math.max(player.firstTick, Math.min(player.lastTick, wanted));
    past.wanted = wanted;
  }

  #toggle(): void {
    const { playback } = this.#past ?? {};
    if (playback === undefined) return;
    playback.isPlaying = !playback.isPlaying;
    if (!playback.isPlaying) this.#options.sound?.silence();
  }

  #setSpeed(speed: number): void {
    this.#speed = speed;
    if (this.#past !== undefined) this.#past.playback.speed = speed;
  }

  /** @param notice a sentence about why, or empty */
  #goLive(notice: string): void {
    this.#past = undefined;
    this.#bar.say(notice);
    this.#bar.show(undefined);
    if (!this.#isShown) return;
    this.#isShown = false;
    const { renderer, sound, hud } = this.#options;
    sound?.silence();
    renderer.reset?.();
    hud.rewind();
  }

  /** Fetches the log and begins to show the past from this tick on. */
  async #open(wanted: Tick): Promise<void> {
    if (this.#isFetching) return;
    const { game, view } = this.#options;
    this.#bar.say("Loading…");
    this.#isFetching = true;
    const log = await this.#fetch(await this.#matchId());
    if (this.#isClosed) return;
    if ("refusal" in log) return this.#bar.say(log.refusal);
    try {
      const player = new LogPlayer(game, log.bytes);
      const playback = new Playback(
        game.tickHz,
        Math.max(player.firstTick, Math.min(player.lastTick, wanted)),
      );
      playback.isPlaying = true;
      playback.speed = this.#speed;
      const presenter = new ReplayPresenter(view, player, game.tickHz);
      this.#past = { id: log.id, player, presenter, playback, wanted };
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      this.#bar.say(`The past cannot be shown: ${error.message}.`);
    }
  }

  /** Fetches what has happened meanwhile. */
  async #extend(past: Past<Command, Sim, Frame>): Promise<void> {
    const { id, player, playback } = past;
    if (this.#isFetching) return;
    const log = await this.#fetch(id);
    if (this.#past?.player !== player) return;
    if ("refusal" in log) return this.#goLive(log.refusal);
    try {
      player.extend(log.bytes);
      // Somebody who asked for more than there was gets it now.
      if (past.wanted > playback.position) this.#seek(past.wanted);
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      this.#goLive(`The log ends here: ${error.message}.`);
    }
  }

  async #fetch(
    id: string | undefined,
  ): Promise<{ readonly id: string; readonly bytes: Uint8Array } | { readonly refusal: string }> {
    this.#isFetching = true;
    const log = id === undefined ? { refusal: NO_LOG } : await fetchLog(id);
    this.#isFetching = false;
    this.#fetchDueMs = this.#options.clock.now() + FETCH_EVERY_MS;
    return "refusal" in log ? log : { id: id!, bytes: log.bytes };
  }

  /** Finds the match in the list of rooms, where private ones are not. */
  async #matchId(): Promise<string | undefined> {
    try {
      const { rooms } = await fetchRooms(hostedGame());
      return rooms.find(({ code }) => code === this.#options.room)?.match;
    } catch {
      return undefined;
    }
  }
}
