/**
 * The contract between the page and one game's graphics, sound, controls and words. The page owns
 * everything else: connection, lobby, settings, error smoothing, and when events show.
 *
 *     session → poses, events → FrameParts → composer → Frame → renderer, sound
 *
 * `client/games/dragons/view.ts` is a full view. The counter game's view in the tests is the
 * smallest one.
 */
import type { SeatId, Simulation } from "../../shared/netcode/game.ts";
import type { ActionSet } from "../input/actions.ts";
import type { InputDevice } from "../input/input_device.ts";
import type { KeyBindings } from "../input/key_bindings.ts";
import type { CommandSource } from "../session/session.ts";
import type { PosePair } from "../session/session_poses.ts";
import type { ErrorSmoother } from "./error_smoother.ts";
import type { EventChanges, PresentedEvent } from "./event_reconciler.ts";

/**
 * One game as a page shows it.
 * @typeParam Frame the values that one drawn image shows
 */
export interface View<Command, Sim extends Simulation<Command>, Frame> {
  readonly actions: ActionSet;
  /**
   * Names the game's own keys and colour in the stored settings; undefined for a game that is
   * alone.
   */
  readonly storedAs?: string;
  /**
   * The devices beside keyboard and gamepads; `Touch` alone by default.
   * @param root holds the markup of index.html
   */
  devices?(root: ParentNode): readonly InputDevice[];
  /** Reads the device that plays now; one source per match. */
  controls(device: () => InputDevice): CommandSource<Command>;
  /** The whole game on the main button alone; undefined if the game cannot be played so. */
  oneButton?(device: InputDevice): InputDevice;
  /** One line that says how to play, with the player's own keys. */
  helpText(keys: KeyBindings, options: { readonly oneButton: boolean }): string;
  /**
   * Whether events of this kind that happen to this seat, -1 for none, wait until their tick is
   * definitive. Others show as soon as the commands that they follow from are known.
   */
  isConfirmedOnly(kind: string, seat: SeatId): boolean;
  /**
   * Whether a seat's own key causes its events of this kind, so that they show at once; true for
   * all if undefined.
   */
  answersKey?(kind: string): boolean;
  /**
   * A line about a definitive event: "Ash unseated Wren".
   * @returns undefined for an event that is no news
   */
  caption?(event: PresentedEvent): Caption | undefined;
  /** How strongly a gamepad shakes for an event in which the own seat takes part, 0 … 1. */
  rumble?(event: PresentedEvent, ownSeat: SeatId): number;
  /** One composer per match. */
  composer(simulation: Sim): FrameComposer<Sim, Frame>;
  /** The frame behind the lobby. @param nowMs the page's clock */
  titleFrame(nowMs: number): Frame;
  /** @throws Error if the browser cannot draw on the canvas */
  renderer(canvas: HTMLCanvasElement): Renderer<Frame>;
  /** Undefined for a silent game. @param createContext is called after the first key or touch */
  sound?(createContext: () => AudioContext): Sound<Frame>;
  status(
    simulation: Sim,
    options: { readonly names: ReadonlyMap<SeatId, string>; readonly ownSeat: SeatId },
  ): GameStatus;
  /** Entities that touch this one now, for the debug overlay; the ground has no pose. */
  touchingIds?(simulation: Sim, entity: number): readonly number[];
  readonly colours: OwnColours;
  /** The mark of a seat in lists. */
  chip(score: Score): Chip;
  /** More of the HUD, such as teams. @param root holds the markup of index.html */
  hudPart?(root: ParentNode): HudPart;
  /** The result of a round as a sentence; undefined for the page's own. */
  verdict?(status: GameStatus): string | undefined;
  /** More of the lobby, such as a choice of teams. @param root holds the markup of index.html */
  lobbyPart?(root: ParentNode): LobbyPart;
  readonly words: ViewWords;
}

/** The part of a view that the HUD shows. */
export type HudView = Pick<View<never, never, never>, "chip" | "words" | "hudPart" | "verdict">;

/** A part of the HUD that only some games have. */
export interface HudPart {
  /** May be called for every frame. */
  show(status: GameStatus): void;
  /** The match is left. */
  hide(): void;
}

/** A part of the lobby that only some games have. */
export interface LobbyPart {
  /**
   * The options of a new room of this page's player, as `GameOptions.choices`; for an open room it
   * changes nothing.
   */
  roomChoices(): readonly number[];
}

/** One seat did something, mostly to another. */
export interface Caption {
  readonly doer: SeatId;
  /** In the past tense: "unseated". */
  readonly verb: string;
  /** Undefined if it happened to no player. */
  readonly victim?: SeatId | undefined;
}

/**
 * The inputs of one frame. Poses are in metres and radians, predicted and placed one tick apart.
 */
export interface FrameParts<Sim> {
  /** The moment that the frame shows, ms on the page's clock. */
  readonly atMs: number;
  readonly simulation: Sim;
  /**
   * The newest definitive tick: nothing in it is ever taken back. A spectator's is `simulation`.
   */
  readonly definitive: Sim;
  readonly poses: PosePair;
  readonly smoother: ErrorSmoother;
  readonly names: ReadonlyMap<SeatId, string>;
  /** The seat of this page's player; -1 for a spectator. */
  readonly ownSeat: SeatId;
  /** 0 … 1 between the two lists of poses. */
  readonly fraction: number;
  readonly events: EventChanges;
  /** One tick beyond the head with the keys as they are now; undefined for a spectator. */
  readonly extrapolated: Sim | undefined;
  /** The number of ticks up to the head in which this seat's command is not known. */
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
   * Begins anew: what moves by itself, such as smoke, is gone, and the next frame may be of any
   * moment.
   */
  reset?(): void;
}

/** From metres to pixels of the canvas. */
export interface Camera {
  /** Pixels per metre. */
  readonly scale: number;
  xPx(x: number): number;
  yPx(y: number): number;
}

export interface Sound<Frame> {
  /** Call it on each key or touch: before the first one, browsers let no page play sound. */
  unlock(): void;
  /** @param level 0 … 1 */
  setVolume(level: number): void;
  /** Plays each new frame once. */
  play(frame: Frame): void;
  /** Ends all sounds, when the player leaves the match. */
  silence(): void;
}

/** One row of the scoreboard. */
export interface Score {
  readonly seat: SeatId;
  readonly name: string;
  readonly score: number;
  readonly own: boolean;
  readonly npc: boolean;
}

/** The numbers of one round. */
export interface Round {
  /** From 1. */
  readonly number: number;
  /** "result": the round is over, and the scores are its standings. */
  readonly phase: "playing" | "result";
  /** Until the round ends, or until its result does. */
  readonly secondsLeft: number;
}

/** The numbers of the HUD, from the simulation alone. */
export interface GameStatus {
  /** In any order; the page adds `own`. */
  readonly scores: readonly Omit<Score, "own">[];
  /** Undefined for a game without rounds. */
  readonly round: Round | undefined;
  /** Whether the own player has asked for the next round. */
  readonly ready: boolean;
  /** In the order of the board; undefined for a game without teams. */
  readonly teams?: readonly TeamScore[] | undefined;
  /** Seconds on the clock of a game without rounds. */
  readonly clock?: number | undefined;
  /** Large words in the picture's middle. */
  readonly banner?: string | undefined;
  /** Whether rows have numbers; true if undefined. */
  readonly hasScores?: boolean;
}

export interface TeamScore {
  readonly name: string;
  /** As CSS. */
  readonly colour: string;
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
  /** From now on the own body has this colour. */
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
  /** The own body is not in the arena yet. */
  readonly arriving: string;
  /** An NPC plays the own body while the connection is lost, as a clause. */
  readonly takenOver: string;
  /** The way to ask for the next round, as a clause. */
  readonly readyHint: string;
}
