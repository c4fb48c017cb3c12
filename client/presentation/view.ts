/**
 * The contract between the page and one game's graphics, sound, controls and words. The page owns
 * everything else: connection, lobby, settings, error smoothing, and when events show.
 *
 *     session → poses, events → FrameParts → composer → Frame → renderer, sound
 *
 * The kit makes one for each of its games (`client/game_kit/loose_view.ts`). The counter game's view
 * in the tests is the smallest one.
 */
import type { RoundScore, RoundSet, SeatId, Simulation } from "../../shared/netcode/game.ts";
import type { ActionSet } from "../input/actions.ts";
import type { InputDevice } from "../input/input_device.ts";
import type { KeyBindings } from "../input/key_bindings.ts";
import type { CommandSource } from "../session/session.ts";
import type { PosePair } from "../session/session_poses.ts";
import type { ErrorSmoother } from "./error_smoother.ts";
import type { EventChanges, PresentedEvent } from "./event_reconciler.ts";
import type { Reach } from "../../shared/reach.ts";

/**
 * One game as a page shows it.
 * @typeParam Frame the values that one drawn image shows
 */
export interface View<Command, Sim extends Simulation<Command>, Frame> {
  readonly actions: ActionSet;
  /**
   * The name under which settings store the game's own keys and colour.
   */
  readonly storedAs: string;
  /**
   * Creates the devices besides keyboard and gamepads, such as `Thumbs`.
   * @param root holds the markup of index.html
   */
  devices(root: ParentNode): readonly InputDevice[];
  /** Creates a match's command source, which reads the device that plays now. */
  controls(device: () => InputDevice): CommandSource<Command>;
  /** Reduces the whole game to the main button; undefined if it cannot be played so. */
  oneButton?(device: InputDevice): InputDevice;
  /** Says in one line how to play, with the player's own keys. */
  helpText(keys: KeyBindings, options: { readonly oneButton: boolean }): string;
  /**
   * Whether events of this kind that happen to this seat, -1 for none, wait until they are settled.
   * Others show as soon as they are certain enough (`event_certainty.ts`).
   */
  isConfirmedOnly(kind: string, seat: SeatId): boolean;
  /**
   * Whether a seat's own key causes its events of this kind, so that they show at once; true for
   * all if undefined.
   */
  answersKey?(kind: string): boolean;
  /**
   * How far a seat's command can reach, so that events beyond it are settled before that command is
   * known. Undefined, also as a value, if it may have consequences anywhere.
   */
  reach?(simulation: Sim): Reach | undefined;
  /**
   * Words a line about a definitive event: "Ash unseated Wren".
   * @returns undefined for an event that is not worth a line
   */
  caption?(event: PresentedEvent): Caption | undefined;
  /** Whether events of this kind decide rounds, so that the last one is shown again, slowly. */
  decides?(kind: string): boolean;
  /** How strongly a gamepad shakes for an event that involves the own seat, 0 … 1. */
  rumble?(event: PresentedEvent, ownSeat: SeatId): number;
  /** Creates a composer, one per match. */
  composer(simulation: Sim): FrameComposer<Sim, Frame>;
  /** Composes the frame behind the lobby. @param nowMs the page's clock */
  titleFrame(nowMs: number): Frame;
  /** @throws Error if the browser cannot draw on the canvas */
  renderer(canvas: HTMLCanvasElement): Renderer<Frame>;
  /** Undefined for a silent game. @param createContext is called after the first key or touch */
  sound?(createContext: () => AudioContext): Sound<Frame>;
  status(
    simulation: Sim,
    options: { readonly names: ReadonlyMap<SeatId, string>; readonly ownSeat: SeatId },
  ): GameStatus;
  /** Lists the entities that touch this one now, for the debug overlay, without the ground. */
  touchingIds?(simulation: Sim, entity: number): readonly number[];
  /** The files to load before play; undefined for a view without files. */
  readonly preload?: Preload | undefined;
  readonly colours: OwnColours;
  /** A seat's mark in lists. */
  chip(score: Score): Chip;
  /** Adds to the HUD, such as teams. @param root holds the markup of index.html */
  hudPart?(root: ParentNode): HudPart;
  /** Words a round's result; undefined for the page's own sentence. */
  verdict?(status: GameStatus): string | undefined;
  /** Adds to the lobby, such as a choice of teams. @param root holds the markup of index.html */
  lobbyPart?(root: ParentNode): LobbyPart;
  readonly words: ViewWords;
}

/** What the HUD uses from a view. */
export type HudView = Pick<View<never, never, never>, "chip" | "words" | "hudPart" | "verdict">;

/** A part of the HUD that only some games show. */
export interface HudPart {
  /** May be called for each frame. */
  show(status: GameStatus): void;
  /** Called when the player leaves the match. */
  hide(): void;
}

/** A part of the lobby that only some games show. */
export interface LobbyPart {
  /**
   * The options for a new room that this page's player opens, as `GameOptions.choices`; they do not
   * affect an open room.
   */
  roomChoices(): readonly number[];
}

/** One seat did something, mostly to another. */
export interface Caption {
  readonly doer: SeatId;
  /** In the past tense: "unseated". */
  readonly verb: string;
  /** Undefined if it did not happen to a player. */
  readonly victim?: SeatId | undefined;
}

/** One frame's inputs. Poses are in metres and radians, predicted and placed one tick apart. */
export interface FrameParts<Sim> {
  /** The moment that the frame shows, ms on the page's clock. */
  readonly atMs: number;
  readonly simulation: Sim;
  /**
   * The newest tick before the head whose commands are all known (`settlement.ts`), so that it is not
   * taken back. For a spectator, `simulation` itself.
   */
  readonly definitive: Sim;
  readonly poses: PosePair;
  readonly smoother: ErrorSmoother;
  readonly names: ReadonlyMap<SeatId, string>;
  /** The seat of this page's player; -1 for a spectator. */
  readonly ownSeat: SeatId;
  /**
   * The own points that are certain, which may be ahead of `definitive` (`own_score.ts`); undefined
   * where there are none.
   */
  readonly ownScore?: number | undefined;
  /** 0 … 1 between the two lists of poses. */
  readonly fraction: number;
  readonly events: EventChanges;
  /** One tick beyond the head with the keys as they are now; undefined for a spectator. */
  readonly extrapolated: Sim | undefined;
  /** Counts the ticks up to the head in which this seat's command is unknown. */
  guessedTicks(seat: SeatId): number;
}

export interface FrameComposer<Sim, Frame> {
  compose(parts: FrameParts<Sim>): Frame;
}

export interface Renderer<Frame> {
  readonly camera: Camera;
  /** @param nowMs the page's clock; only differences count */
  draw(frame: Frame, nowMs: number): void;
  /** Draws less, for slow devices. @param rung 0 (everything) … 4, as in `QualityLadder` */
  setQuality?(rung: number): void;
  /**
   * Begins anew: removes what moves by itself, such as smoke, because the next frame may show any
   * moment.
   */
  reset?(): void;
}

/** Files that are being loaded. */
export interface Preload {
  /** 0 … 1, by bytes; a file that failed counts as loaded. */
  readonly progress: number;
}

/** Converts metres to canvas pixels. */
export interface Camera {
  /** Pixels per metre. */
  readonly scale: number;
  /** How far a place is from the canvas's left edge, pixels. @param x metres */
  xPx(x: number): number;
  /** How far a place is from the canvas's upper edge, pixels. @param y metres, upwards */
  yPx(y: number): number;
}

export interface Sound<Frame> {
  /**
   * Call it on each key or touch, because browsers do not let a page play sound before the first
   * one.
   */
  unlock(): void;
  /** @param level 0 … 1 */
  setVolume(level: number): void;
  /** Plays each new frame once. */
  play(frame: Frame): void;
  /** Ends all sounds, when the player leaves the match. */
  silence(): void;
}

/** One row of the scoreboard. */
export interface Score extends Pick<RoundScore, "seat" | "score" | "team" | "total" | "wins"> {
  readonly name: string;
  readonly own: boolean;
  readonly npc: boolean;
  /** Whether its player wants to go on after a result; undefined for NPCs, and in play. */
  readonly ready?: boolean | undefined;
}

/** One round's numbers. */
export interface Round {
  /** From 1. */
  readonly number: number;
  /** "result": the round is over, and the scores are final. */
  readonly phase: "playing" | "result";
  /** How long until the round, or the display of its result, ends. */
  readonly secondsLeft: number;
  /** Words below the clock in place of the round's number, such as "Sudden death". */
  readonly note?: string | undefined;
  /** Undefined for rounds that form no sets. */
  readonly set?: RoundSet | undefined;
}

/** The HUD's numbers, from the simulation alone. */
export interface GameStatus {
  /** In any order; the page adds `own`. */
  readonly scores: readonly Omit<Score, "own">[];
  /** Undefined for a game without rounds. */
  readonly round: Round | undefined;
  /** Whether the own player asked for the next round. */
  readonly ready: boolean;
  /** In board order; undefined for a game without teams. */
  readonly teams?: readonly TeamScore[] | undefined;
  /** The seconds that a game without rounds shows on its clock. */
  readonly clock?: number | undefined;
  /** Large words in the picture's middle. */
  readonly banner?: string | undefined;
  /** What players vote for while a result shows. */
  readonly vote?: readonly VoteChoice[] | undefined;
  /** A line about the own player. */
  readonly note?: string | undefined;
  /** Whether rows show numbers; true if undefined. */
  readonly hasScores?: boolean;
}

export interface VoteChoice {
  readonly label: string;
  readonly votes: number;
  /** Whether the own player votes for it. */
  readonly own: boolean;
}

export interface TeamScore {
  readonly name: string;
  /** As CSS. */
  readonly colour: string;
  /** As `Chip.pattern`. */
  readonly pattern: string;
  readonly score: number;
  /** Whether the own player is in it. */
  readonly own: boolean;
}

/** The colours that a player may choose for their own screen. The choice is not sent. */
export interface OwnColours {
  /** At least one; the first is the default. */
  readonly names: readonly string[];
  /** As CSS. */
  fill(name: string): string;
  /** Gives the own body this colour from now on. */
  select(name: string): void;
}

export interface Chip {
  /** As CSS. */
  readonly fill: string;
  readonly mark: string;
  /** A pattern that the style sheets draw: plain, stripes, dots or chevrons. */
  readonly pattern: string;
}

/** Page texts that name the game. */
export interface ViewWords {
  /** A noun for all players, as in "3 dragons have 7 points". */
  readonly players: string;
  /** Shown while the own body is not in the arena yet. */
  readonly arriving: string;
  /** Says as a clause that an NPC plays the own body while the connection is lost. */
  readonly takenOver: string;
  /** Says as a clause how to ask for the next round. */
  readonly readyHint: string;
}
