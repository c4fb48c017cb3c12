/** An author's declaration of a game's page. Only `view` is necessary: all else has a default. */
import type { GameTypes, Name, ReadonlyThing, WorldView } from "../../shared/game_kit/game_kit.ts";
import type { Joint } from "../../shared/physics/joints/joints.ts";
import type { SeatId } from "../../shared/netcode/game.ts";
import type { Voice } from "../presentation/audio/voices.ts";
import type { Burst } from "../presentation/picture/bursts.ts";
import type { Round } from "../presentation/view.ts";
import type { Brush } from "./picture/brush.ts";

/**
 * A thing as a frame shows it: placed between two ticks, eased, and turned. Metres, radians, m/s.
 */
export interface Shown<G extends GameTypes, ThingName extends Name<G>> {
  /** As in the world. */
  readonly id: number;
  /** The name in `things`. */
  readonly name: ThingName;
  /** Metres; the brush is there already. */
  readonly x: number;
  readonly y: number;
  /** Radians, counter-clockwise; the brush is turned already. */
  readonly angle: number;
  /** m/s. */
  readonly vx: number;
  readonly vy: number;
  /** rad/s, counter-clockwise. */
  readonly spin: number;
  /** m/s. */
  readonly speed: number;
  /** The declared fields by name. */
  readonly fields: ReadonlyThing<G, ThingName>["fields"];
  /** The seat that drives it; -1 for none. */
  readonly seat: SeatId;
  /** Whether this page's player drives it. */
  readonly own: boolean;
  /** Whether an NPC drives it. */
  readonly npc: boolean;
  /** The player's name, or the NPC's; empty for other things. */
  readonly label: string;
  /** CSS: the colour of its team; without one, of its seat or its name. */
  readonly colour: string;
  /** The same. It reads better where things have teams. */
  readonly teamColour: string;
}

/** A player's thing. */
export type ShownPlayer<G extends GameTypes> = Shown<G, G["player"] & Name<G>>;

/** The ends of a joint, placed as the two bodies are drawn. Metres. */
export interface ShownJoint {
  /** The stage's handle, with the joint's name and fields. */
  readonly joint: Joint;
  /** Metres. */
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
}

/** The middle of the picture. Metres. */
export interface CameraPlace {
  /** Metres. */
  readonly x: number;
  readonly y: number;
  /**
   * The width that is visible at least; by default that of `view`. The height follows in the same
   * ratio.
   */
  readonly width?: number;
}

/** The scores and words around the picture. */
export interface KitStatus<G extends GameTypes> {
  /** Default: the players without numbers. */
  readonly scores?: readonly { readonly seat: SeatId; readonly score: number }[];
  /** In the order of the board. */
  readonly teams?: readonly { readonly team: keyof G["teams"] & string; readonly score: number }[];
  /** Seconds, for a game without rounds. */
  readonly clock?: number;
  /** Number, phase and seconds left of a game in rounds. */
  readonly round?: Round;
  /** Whether this player has asked for the next round. */
  readonly ready?: (seat: SeatId) => boolean;
  /** Large words in the picture's middle, such as "GOAL!". Screen readers read them. */
  readonly banner?: string | undefined;
}

/** The looks and the sound of one event. */
export interface EventLook {
  /** One of `SOUNDS`, or voices of your own. Default none. */
  readonly sound?: readonly Voice[];
  /**
   * Particles; a colour "seat" is that of the event's seat or thing. A short burst has a colour and
   * a count.
   */
  readonly burst?: ShortBurst | readonly Burst[];
  /**
   * 0 … 1: strength of the camera's shake if it happens to the own thing or near it; gamepads shake
   * as much.
   */
  readonly shake?: number;
  /** 0 … 1, for gamepads alone; default: as `shake`. */
  readonly rumble?: number;
  /** It concerns everybody: it is equally loud everywhere, and all cameras shake. */
  readonly everywhere?: boolean;
  /**
   * A verb in the past tense for a line beside the picture: "Ash scored". For `emit(event, thing,
   * other)`, the other one did it, to the thing if that has a seat: "Ash bumped Wren". Without an
   * other one, the thing did it.
   */
  readonly caption?: string;
}

/** A burst of sparks around an event. */
export interface ShortBurst {
  /** CSS, or "seat". */
  readonly colour: string;
  /** 1 … 64 sparks, and a ring. */
  readonly count: number;
}

/** Page texts that name the game. */
export interface KitWords {
  /** A noun for all players, as in "3 cars have 7 points"; default "players". */
  readonly players?: string;
  /** One line that says how to play, in place of the one that follows from the command. */
  readonly help?: string;
  /** A noun for NPCs; the page adds a number. Default "Bot". */
  readonly npc?: string;
  /** A clause after "Next round in 5 s — ": the way to be ready. Default none. */
  readonly readyHint?: string;
}

/** The drawing of each thing, by its name. */
export type ThingDrawings<G extends GameTypes> = {
  readonly [ThingName in Name<G>]?: (
    brush: Brush,
    shown: Shown<G, ThingName>,
    world: WorldView<G>,
  ) => void;
};

/** A view's author assigns nothing to the world: it is read only. */
export interface ViewDefinition<G extends GameTypes> {
  /** Metres that are visible at least, width and height. A window of another shape shows more. */
  readonly view: readonly [width: number, height: number];
  /** The middle of what is seen, metres; default 0, 0. A camera replaces it. */
  readonly centre?: readonly [x: number, y: number];
  /**
   * Moves the picture, with a little delay. Undefined, as for a spectator of an empty world: it
   * stays.
   */
  camera?(world: WorldView<G>, own: ShownPlayer<G> | undefined): CameraPlace | undefined;
  /**
   * CSS colours behind everything, from the top to the bottom; default a night with a grid of
   * metres.
   */
  readonly sky?: readonly string[];
  /** Draws below the ground. */
  background?(brush: Brush, world: WorldView<G>): void;
  /**
   * CSS: the colour of the ground's fixtures; false if the background draws them. Default stone.
   */
  readonly ground?: string | false;
  /**
   * A thing without a drawing shows its fixtures. Things are drawn in the order of their
   * declaration, static ones first.
   */
  readonly things?: ThingDrawings<G>;
  /**
   * A joint without a drawing is a line, a rope, a spring or a pin. The brush is in the frame of
   * the world.
   */
  readonly joints?: {
    readonly [Joint in keyof G["joints"]]?: (
      brush: Brush,
      shown: ShownJoint,
      world: WorldView<G>,
    ) => void;
  };
  /** Draws above things and particles. */
  foreground?(brush: Brush, world: WorldView<G>): void;
  /** Whether names stand above players; default true. */
  readonly labels?: boolean;
  /** It is asked about the newest definitive tick, so that no score is taken back. */
  status?(world: WorldView<G>): KitStatus<G>;
  /** Looks and sounds by event. An event without an entry is neither seen nor heard. */
  readonly events?: { readonly [Event in keyof G["events"]]?: EventLook };
  /** Page texts that name the game. */
  readonly words?: KitWords;
  /**
   * The colours that a player may choose for their own screen, by name; default five. The first is
   * the default.
   */
  readonly colours?: Readonly<Record<string, string>>;
}
