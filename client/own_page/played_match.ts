/**
 * A match on a page of one's own: what our page does between a device and a picture, without either.
 *
 *     setInput → commands → session ⇄ server → rollback → smoothing → frame
 *
 * A timer keeps it going, also while nothing is drawn. It needs no document, and listens to one that
 * is there: a hidden page lets an NPC play, and one that comes back looks for its server at once.
 */
import { ServerMessageDecoder } from "../../shared/netcode/wire/server_messages.ts";
import { playersOf, type SeatId } from "../../shared/netcode/game.ts";
import { defaultWords, kitPresentation } from "../game_kit/kit_presentation.ts";
import type { ComposerOptions, KitFrame } from "../game_kit/kit_frame.ts";
import { KitPalette } from "../game_kit/kit_palette.ts";
import { KitStatusReader } from "../game_kit/kit_status.ts";
import type { LooseCommand, LooseGame, LooseSimulation } from "../game_kit/loose_types.ts";
import type { ShownThing } from "../game_kit/shown_thing.ts";
import { Watcher } from "../game_kit/watcher.ts";
import { linkOpener } from "../net/link_opener.ts";
import {
  ConditionedLink,
  JITTER_MS_MAX,
  LOSS_PERCENT_MAX,
  type NetworkConditions,
  RTT_MS_MAX,
} from "../net/network_conditions.ts";
import { Servers } from "../net/servers.ts";
import type { PresentedEvent } from "../presentation/event_reconciler.ts";
import type { ClientLink, Clock } from "../../shared/netcode/link.ts";
import type { MatchPresenter } from "../presentation/match_presenter.ts";
import { Telemetry } from "../presentation/telemetry.ts";
import { bodyStreamSupport } from "../session/body_stream_client.ts";
import type { InputDelayChoice } from "../session/input_delay.ts";
import { addSessionStats, newSessionStats, type SessionStats } from "../session/session_stats.ts";
import type { DatagramSupport } from "../session/session_options.ts";
import { Solo } from "../solo/solo.ts";
import { BusyClock } from "../ui/busy_clock.ts";
import { connectionMessageOf, lossOf } from "../ui/connection_messages.ts";
import type { Entry } from "../ui/lobby.ts";
import { Reconnector } from "../ui/reconnector.ts";
import type { AddedDelay, MatchPlayer, MatchStats, MatchStatus } from "./match_types.ts";
import { type LooseMatchInput, SetCommands, SetInput } from "./set_input.ts";

/** How often the match advances at least, ms, as a page of 60 frames a second would. */
const FRAME_MS = 16;
/**
 * How many attempts in a row may fail before the match ends. With the waits of `Attempts` that is
 * about two minutes, and the server keeps a seat for half a one. Time alone would not do, because a
 * machine that slept for an hour comes back with its first attempt.
 */
const ATTEMPTS_MAX = 30;

/** What a match needs from its surroundings. */
export interface PlayedMatchOptions {
  readonly game: LooseGame;
  /** http://… or https://…, without a path. */
  readonly server: string;
  readonly entry: Entry;
  readonly seatToken: string | undefined;
  readonly firstInput: LooseMatchInput;
  readonly appear: ComposerOptions["appear"];
  readonly inputDelay: InputDelayChoice;
  readonly credentials: string | undefined;
  readonly takesDatagrams: boolean;
  readonly network: Partial<AddedDelay>;
  /** Opens a socket; by default the browser's. */
  readonly newSocket: ((url: string) => WebSocket) | undefined;
  /** The worker for a practice match; undefined for a match at a server. */
  readonly practice: { readonly worker: Worker; readonly npcs: number } | undefined;
  /** The room that this page or another one hosts; undefined for a match at a server. */
  readonly pageRoom?: PageRoomSide | undefined;
  readonly onStatus: ((status: MatchStatus) => void) | undefined;
}

/** What a match does with the room that a page hosts. */
export interface PageRoomSide {
  openLink(): ClientLink;
  /** Does what is due. */
  advance(): void;
  /** When `advance` must be called at the latest, ms on the page's clock. */
  readonly nextDueMs: number;
  leave(): void;
}

/** What the debug overlay reads of a match, and the conditions that it may worsen. */
export interface MatchInside {
  readonly game: LooseGame;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly conditions: NetworkConditions;
  /** The newest connection's; undefined before the first one. */
  readonly presenter: () => Presenter | undefined;
}

/** A frame without the game's exact types. */
interface OwnFrame extends KitFrame {
  gone: readonly number[];
  definitiveEvents: readonly PresentedEvent[];
}

type Presenter = MatchPresenter<LooseCommand, LooseSimulation, KitFrame>;

const NOTHING: readonly never[] = [];

/** Its public functions are values, so `const { frame, setInput } = match` works. */
export class PlayedMatch {
  readonly #clock = new BusyClock(() => performance.now(), FRAME_MS);
  /** Undefined for a match at a server. */
  readonly #solo: Solo | undefined;
  readonly #words: ReturnType<typeof defaultWords>;
  readonly #input: SetInput;
  readonly #reconnector: Reconnector<LooseCommand, LooseSimulation, KitFrame>;
  readonly #telemetry: Telemetry;
  readonly #inside: MatchInside;
  readonly #listeners = new Set<(status: MatchStatus) => void>();
  readonly #unlisten: () => void;
  #status: MatchStatus = { phase: "joining", text: "", code: 0 };
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #pageRoom: PageRoomSide | undefined;

  /** The newest connection's match; it stays after the end, for its figures. */
  #presenter: Presenter | undefined;
  /** The counts of earlier connections. */
  readonly #past = newSessionStats();
  /** Connections since the match last played. */
  #attempts = 0;
  #reconnects = -1;
  #isPlaying = false;
  #seat: SeatId = -1;
  #seatToken: string | undefined;
  #room: string;

  #frame: OwnFrame | undefined;
  /** The things of the last frame. */
  readonly #shown = new Map<number, ShownThing>();

  constructor(options: PlayedMatchOptions) {
    const { game, server, entry, network, onStatus, inputDelay } = options;
    const { declaration } = game;
    this.#words = defaultWords(declaration.player);
    this.#input = new SetInput(game);
    this.#input.set(options.firstInput);
    this.#room = entry.room;
    this.#pageRoom = options.pageRoom;
    this.#seatToken = options.seatToken;
    if (onStatus !== undefined) this.#listeners.add(onStatus);

    // What frames and lists show of the game
    const palette = new KitPalette(declaration);
    const status = new KitStatusReader({}, {
      palette,
      playersMin: playersOf(game).min,
      npcs: declaration.npcs,
      npcNames: declaration.npcNames,
    });
    const view = kitPresentation(game, {
      status,
      composing: {
        declaration,
        tickHz: game.tickHz,
        palette,
        appear: options.appear,
        solid: [],
        npcName: status.npcName,
        watcher: new Watcher({ hasCamera: false }),
      },
    });

    // How time passes
    const { practice } = options;
    this.#solo = practice && new Solo(this.#clock, {
      newWorker: () => practice.worker,
      npcs: practice.npcs,
    });
    const clock = this.#solo?.clock ?? this.#clock;

    // How messages travel
    const bodyStream = bodyStreamSupport(game);
    const datagrams = options.takesDatagrams ? newDatagrams() : undefined;
    const conditions = conditionsOf(network);
    const open = linkOpener({
      gameId: game.id,
      home: server,
      servers: new Servers(server),
      credentials: () => options.credentials,
      newSocket: options.newSocket,
      datagrams,
    });
    this.#telemetry = new Telemetry(
      clock,
      () => new ServerMessageDecoder(game.command, bodyStream?.reader),
    );

    // The connection, which comes back when it is lost
    this.#reconnector = new Reconnector(
      { game, view, bodyStream, datagramSupport: datagrams?.support },
      {
        clock,
        openLink: (request) => {
          const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
          const link = this.#solo?.begin({ choices: entry.choices, seed }) ??
            this.#pageRoom?.openLink() ?? open(request);
          return new ConditionedLink(link, { conditions, clock, seed });
        },
        newCommandSource: () => new SetCommands(game, this.#input),
        inputDelay: () => inputDelay,
        telemetry: this.#telemetry,
      },
    );
    this.#inside = {
      game,
      clock,
      telemetry: this.#telemetry,
      conditions,
      presenter: () => this.#presenter,
    };
    this.#unlisten = listenToDocument(this.#reconnector, () => this.#pageRoom?.leave());
    this.#reconnector.enter(entry, options.seatToken);
    this.#keepAdvancing();
  }

  /** @throws TypeError for what `joinMatch` did not make */
  static insideOf(match: object): MatchInside {
    if (#inside in match) return match.#inside;
    throw new TypeError("mountOverlay: a match of joinMatch is needed");
  }

  get room(): string {
    return this.#room;
  }

  get seat(): SeatId {
    return this.#seat;
  }

  /** As `PracticeMatch.pace`; always 1 for a match at a server. */
  get pace(): number {
    return this.#solo?.clock.pace ?? 1;
  }

  set pace(pace: number) {
    this.#solo?.setPace(pace);
  }

  get seatToken(): string | undefined {
    return this.#seatToken;
  }

  get status(): MatchStatus {
    return this.#status;
  }

  get players(): readonly MatchPlayer[] {
    const session = this.#presenter?.session;
    if (session?.simulation === undefined) return NOTHING;
    return this.#presenter!.hud("").scores.map(({ seat, name, npc, own }) => ({
      seat,
      name,
      npc,
      own,
    }));
  }

  get stats(): MatchStats {
    const session = this.#presenter?.session;
    const sum: SessionStats = { ...this.#past };
    if (session !== undefined) addSessionStats(sum, session.stats);
    return {
      pingMs: session?.pingMs ?? 0,
      leadMs: session?.leadMs ?? 0,
      ticks: sum.ticks,
      rollbacks: sum.rollbacks,
      resimulatedTicks: sum.resimulatedTicks,
      lateCommands: sum.commandsLate,
      desyncs: sum.desyncs,
      isInSync: session?.isInSync ?? false,
      bytesDown: sum.bytesDown,
      bytesUp: sum.bytesUp,
      reconnects: Math.max(0, this.#reconnects),
    };
  }

  readonly onStatus = (listener: (status: MatchStatus) => void): () => void => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly setInput = (input: LooseMatchInput): void => {
    this.#input.set(input);
  };

  /** The session of the newest connection; undefined before the first one. */
  get session(): Presenter["session"] | undefined {
    return this.#presenter?.session;
  }

  /** Tries to connect at once. */
  hurry(): void {
    this.#reconnector.hurry();
  }

  /** Ends the attempts to connect, and says why there is no connection. */
  giveUp(): void {
    const { state } = this.#reconnector;
    if (state === undefined) return;
    this.#end({ phase: "ended", text: lossOf(state), code: state.closeCode });
  }

  readonly leave = (): void => {
    this.#end({ phase: "ended", text: "", code: 0 });
  };

  /** @throws Error before the match first plays */
  readonly frame = (): OwnFrame => {
    this.#advance();
    const composed = this.#compose();
    if (composed !== undefined) return this.#frame = composed;
    if (this.#frame === undefined) throw new Error("there is no frame before the match plays");
    this.#frame.events = this.#frame.definitiveEvents = NOTHING;
    this.#frame.gone = NOTHING;
    return this.#frame;
  };

  /** Composes a new frame; undefined while there is nothing new to show. */
  #compose(): OwnFrame | undefined {
    const presenter = this.#presenter;
    if (this.#status.phase === "ended" || presenter?.session.phase !== "playing") return undefined;
    let frame: KitFrame | undefined;
    this.#guard(() => frame = presenter.composeFrame());
    if (frame === undefined) return undefined;

    const { events } = presenter.frameParts!;
    return Object.assign(this.#frame ?? {}, frame, {
      gone: this.#goneSince(frame.things),
      definitiveEvents: events.settled,
    });
  }

  /** Compares with the last frame. A thing that became another one has another object. */
  #goneSince(things: readonly ShownThing[]): readonly number[] {
    const shown = this.#shown;
    const before = new Map(shown);
    shown.clear();
    for (const thing of things) {
      shown.set(thing.id, thing);
      if (before.get(thing.id) === thing) before.delete(thing.id);
    }
    return [...before.keys()];
  }

  #keepAdvancing(): void {
    if (this.#status.phase === "ended") return;
    this.#advance();
    const nextDueMs = Math.min(this.#reconnector.nextDueMs, this.#pageRoom?.nextDueMs ?? Infinity);
    const dueMs = this.#solo?.clock.realMs(nextDueMs) ?? nextDueMs;
    const waitMs = Math.min(FRAME_MS, Math.max(1, dueMs - this.#clock.now()));
    this.#clock.setTimer(this.#clock.now() + waitMs);
    this.#timer = setTimeout(() => this.#keepAdvancing(), waitMs);
    this.#tell(this.#newStatus());
  }

  #advance(): void {
    if (this.#status.phase === "ended") return;
    this.#guard(() => {
      this.#pageRoom?.advance();
      this.#reconnector.advance();
      this.#watchConnection();
    });
  }

  /** Runs a step of the netcode. What the game's rules throw in it ends the match. */
  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      this.#end({
        phase: "ended",
        text: `The game failed on this page: ${words}`,
        code: 0,
        error,
      });
    }
  }

  /** Follows the reconnector from one connection to the next, and to the end. */
  #watchConnection(): void {
    const refusal = this.#reconnector.consumeRefusal();
    if (refusal !== undefined) {
      const { closeCode } = this.#presenter!.session;
      return this.#end({ phase: "ended", text: refusal.text, code: closeCode });
    }

    const presenter = this.#reconnector.match;
    if (presenter === undefined) return;
    if (presenter !== this.#presenter) {
      if (this.#presenter !== undefined) {
        addSessionStats(this.#past, this.#presenter.session.stats);
      }
      this.#presenter = presenter;
      this.#room = presenter.room;
      this.#isPlaying = false;
      this.#attempts++;
    }

    const { session } = presenter;
    if (session.phase === "closed" && this.#attempts >= ATTEMPTS_MAX) return this.giveUp();
    if (session.phase !== "playing") return;
    this.#seat = session.seat;
    this.#seatToken = session.resume;
    this.#attempts = 0;
    if (!this.#isPlaying) this.#reconnects++;
    this.#isPlaying = true;
  }

  #newStatus(): MatchStatus {
    const state = this.#reconnector.state;
    if (this.#status.phase === "ended" || state === undefined) return this.#status;
    let phase: MatchStatus["phase"] = state.wasJoined ? "reconnecting" : "joining";
    if (state.phase === "playing") phase = "playing";
    return { phase, text: connectionMessageOf(state, this.#words), code: 0 };
  }

  #end(status: MatchStatus): void {
    if (this.#status.phase === "ended") return;
    clearTimeout(this.#timer);
    this.#unlisten();
    this.#reconnector.leave();
    this.#pageRoom?.leave();
    this.#tell(status);
  }

  #tell(status: MatchStatus): void {
    const { phase, text } = this.#status;
    if (status.phase === phase && status.text === text) return;
    this.#status = status;
    for (const listener of [...this.#listeners]) listener(status);
  }
}

/** Clamps added delays to what our page's own sliders allow. */
function conditionsOf(
  { rttMs = 0, jitterMs = 0, lossPercent = 0 }: Partial<AddedDelay>,
): NetworkConditions {
  const within = (value: number, most: number) => Math.min(most, Math.max(0, value || 0));
  return {
    rttMs: within(rttMs, RTT_MS_MAX),
    jitterMs: within(jitterMs, JITTER_MS_MAX),
    lossPercent: within(lossPercent, LOSS_PERCENT_MAX),
    more: {},
  };
}

/** Fetches the datagrams' code once. If it does not come, the match stays on its socket. */
function newDatagrams() {
  let loaded: typeof import("./datagrams.ts") | undefined;
  const support: DatagramSupport = (use) => {
    const fetched = loaded === undefined ? import("./datagrams.ts") : Promise.resolve(loaded);
    void fetched.then((module) => use((loaded = module).SessionDatagrams), () => {});
  };
  return { support, loaded: () => loaded, fetch: () => support(() => {}) };
}

/**
 * Listens to what a document says about its page. Without one, nothing happens.
 * @param onGone called when the page goes: a host tells the others
 * @returns a function that ends it
 */
function listenToDocument(
  reconnector: Pick<
    Reconnector<LooseCommand, LooseSimulation, KitFrame>,
    "setHidden" | "hurry" | "freeze"
  >,
  onGone: () => void,
): () => void {
  const { document, addEventListener } = globalThis;
  if (document === undefined || addEventListener === undefined) return () => {};

  const ended = new AbortController();
  const { signal } = ended;
  const onVisibility = () => {
    reconnector.setHidden(document.hidden);
    if (!document.hidden) reconnector.hurry();
  };
  if (document.hidden) reconnector.setHidden(true);
  document.addEventListener("visibilitychange", onVisibility, { signal });
  addEventListener("online", () => reconnector.hurry(), { signal });
  // A browser freezes a page to keep it for the way back, which an open socket would prevent.
  const onHide = () => {
    onGone();
    reconnector.freeze();
  };
  addEventListener("pagehide", onHide, { signal });
  addEventListener("pageshow", ({ persisted }) => persisted && reconnector.hurry(), { signal });
  return () => ended.abort();
}
