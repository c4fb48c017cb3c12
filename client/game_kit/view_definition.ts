/** Declares a game's page. Only `view` is required: everything else has a default. */
import type {
  AxisPart,
  CommandPart,
  EventTiming,
  GameTypes,
  Name,
  NpcKind,
  PressPart,
  ReadonlyThing,
  WorldView,
} from "../../shared/game_kit/game_kit.ts";
import type { Joint } from "../../shared/physics/joints/joints.ts";
import type { SeatId } from "../../shared/netcode/game.ts";
import type { Voice } from "../presentation/audio/voices.ts";
import type { Burst } from "../presentation/picture/bursts.ts";
import type { Hue, Pattern } from "../presentation/picture/hues.ts";
import type { Camera, Round } from "../presentation/view.ts";
import type { OneButton } from "./controls/one_button.ts";
import type { SoundFile } from "./files/game_files.ts";
import type { Hum } from "./hum.ts";
import type { Area, Brush } from "./picture/brush.ts";
import type { HudBrush } from "./picture/hud_brush.ts";
import type { Trail } from "./picture/trail.ts";

/**
 * A thing as a frame shows it: placed between two ticks, eased and turned. Metres, radians, m/s.
 */
export interface Shown<G extends GameTypes, ThingName extends Name<G>> {
  /** As in the world. */
  readonly id: number;
  /** Its name in `things`. */
  readonly name: ThingName;
  /** Metres; the brush is already there. */
  readonly x: number;
  readonly y: number;
  /** Radians, counter-clockwise; the brush is already turned. */
  readonly angle: number;
  /** m/s. */
  readonly vx: number;
  readonly vy: number;
  /** rad/s, counter-clockwise. */
  readonly spin: number;
  /** m/s. */
  readonly speed: number;
  /** The declared fields, by name. */
  readonly fields: ReadonlyThing<G, ThingName>["fields"];
  /** The seat that drives it; -1 for none. */
  readonly seat: SeatId;
  /** Whether this page's player drives it. */
  readonly own: boolean;
  /** Whether an NPC drives it. */
  readonly npc: boolean;
  /** The player's name, or the NPC's; empty for other things. */
  readonly label: string;
  /** CSS: its team's colour; without a team, the colour for its seat or its name. */
  readonly colour: string;
  /** The same colour, under a name that reads better where things have teams. */
  readonly teamColour: string;
  /** Its team's pattern; without a team, that of its seat, and "plain" for other things. */
  readonly pattern: Pattern;
  /** The same colour with a darker and a lighter one. */
  readonly hue: Hue;
  /**
   * The same thing at the newest definitive tick: what it says is never taken back. Undefined if
   * the thing was not there yet, or is there no more.
   */
  readonly definitive: ReadonlyThing<G, ThingName> | undefined;
  /**
   * For how many of the newest ticks the page guesses the command of its seat, because it has not
   * arrived: what the thing did in them may change. 0 for the own thing, and for one without a seat.
   */
  readonly guessedTicks: number;
  /**
   * Where the simulation has it between the two ticks, without the easing that `x`, `y` and `angle`
   * have: rules that compare places compare these.
   */
  readonly simulated: { readonly x: number; readonly y: number; readonly angle: number };
  /**
   * Whether only the prediction lost it: it stays where it was drawn last until that is definitive.
   * Never for a thing that `appear` does not list as "certain".
   */
  readonly leaving: boolean;
  /**
   * While a large correction fades it over: where its old picture is, and how much of the new one
   * shows, 0 … 1.
   */
  readonly fade?: { readonly x: number; readonly y: number; readonly opacity: number } | undefined;
}

/** A player's thing. */
export type ShownPlayer<G extends GameTypes> = Shown<G, G["player"] & Name<G>>;

/** A joint's ends, placed where its two bodies are drawn. Metres. */
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
   * The least width to show; by default the one from `view`. The height follows in the same ratio.
   */
  readonly width?: number;
}

/** The scores and words around the picture. */
export interface KitStatus<G extends GameTypes> {
  /**
   * The list in play. Default: the scores of the rule `round`, or without it the players without
   * numbers. The result of a round always has the scores of that rule, as the server stores them.
   */
  readonly scores?: readonly { readonly seat: SeatId; readonly score: number }[];
  /** In the order that the board shows. */
  readonly teams?: readonly { readonly team: keyof G["teams"] & string; readonly score: number }[];
  /** Seconds, for a game without rounds. */
  readonly clock?: number;
  /** Number, phase and seconds left, for a game in rounds. */
  readonly round?: Omit<Round, "set">;
  /** Whether this player asked for the next round. Lists mark those who did. */
  readonly ready?: (seat: SeatId) => boolean;
  /** What players vote for while a result shows. */
  readonly vote?: KitVote | undefined;
  /** Large words in the middle of the picture, such as "GOAL!". Screen readers read them. */
  readonly banner?: string | undefined;
  /** A line about a player alone, such as what they hold. It shows to them. */
  readonly note?: (seat: SeatId) => string | undefined;
}

/** A vote among players. */
export interface KitVote {
  /** The choices, each with its key: "← Foundry". */
  readonly choices: readonly string[];
  /** The number of a seat's choice, from 0; undefined if it has not voted. */
  readonly of: (seat: SeatId) => number | undefined;
}

/** How one event looks and sounds. */
export interface EventLook {
  /** One of `SOUNDS`, your own voices, or a file that the view imports. Default none. */
  readonly sound?: readonly Voice[] | SoundFile;
  /**
   * Particles. The colour "seat" stands for the colour of the event's seat or thing. For a short
   * burst, give a colour and a count.
   */
  readonly burst?: ShortBurst | readonly Burst[];
  /**
   * 0 … 1: how strongly the camera and gamepads shake if it happens to the own thing or near it.
   */
  readonly shake?: number;
  /** 0 … 1, for gamepads alone; default: as `shake`. */
  readonly rumble?: number;
  /**
   * How strong an event is, 0 … 1, by the amount that the rules emitted: it scales particles,
   * loudness, shake and rumble. An event without an amount is as strong as it looks here.
   */
  readonly strength?: (amount: number) => number;
  /** Whether it concerns everybody: then it is equally loud everywhere, and all cameras shake. */
  readonly everywhere?: boolean;
  /**
   * A verb in the past tense for a line beside the picture: "Ash scored". After `emit(event, thing,
   * other)`, the line says that `other` did it, to `thing` if a seat drives that: "Ash bumped
   * Wren". Without `other`, it says that `thing` did it. A function gets the event's amount, which
   * is 0 if the rules emitted none.
   */
  readonly caption?: string | ((amount: number) => string);
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
  /** One line that says how to play, instead of the one that follows from the command. */
  readonly help?: string;
  /** A clause after "Next round in 5 s — " that says how to be ready. Default none. */
  readonly readyHint?: string;
}

/** How to draw each thing, by its name. */
export type ThingDrawings<G extends GameTypes> = {
  readonly [ThingName in Name<G>]?: (
    brush: Brush,
    shown: Shown<G, ThingName>,
    world: WorldView<G>,
  ) => void;
};

/** What a renderer of your own draws: valid until the next frame. */
export interface LayerFrame<G extends GameTypes> {
  /** The world to read from: the prediction at the newest tick. */
  readonly world: WorldView<G>;
  /**
   * The world at the newest definitive tick, which is never taken back: read scores, deaths and
   * other outcomes from it. For a spectator it is `world` itself.
   */
  readonly definitive: WorldView<G>;
  /** 0 … 1: how far the frame is from the tick of `world` to the next one. */
  readonly fraction: number;
  /** In drawing order. A thing's `name` says which fields it has. */
  readonly things: readonly { [ThingName in Name<G>]: Shown<G, ThingName> }[Name<G>][];
  /** With the ends where the bodies are drawn. */
  readonly joints: readonly ShownJoint[];
  /** The own thing; undefined for a spectator, and before it enters. */
  readonly own: ShownPlayer<G> | undefined;
  /**
   * The own player's points in `status` that are certain, which may be ahead of `definitive`;
   * undefined for a spectator.
   */
  readonly ownScore: number | undefined;
  /** The own thing, or the one that a spectator follows. */
  readonly followed: ShownPlayer<G> | undefined;
  /** Events that no earlier frame showed. */
  readonly events: readonly LayerEvent<G>[];
  /** Keys of events that earlier frames showed, and that did not happen. */
  readonly retractedEvents: readonly string[];
  /** The time in the match, s: looks that move by themselves follow it. */
  readonly seconds: number;
  /** Whether this is the match behind the lobby. */
  readonly isTitle: boolean;
  /** The colours of a seat's things, also while it has none, such as for an egg that it laid. */
  hueOfSeat(seat: SeatId): Hue;
}

/** An event that a frame begins to show. */
export interface LayerEvent<G extends GameTypes> {
  /** Tells it from all others, to take it back. */
  readonly key: string;
  /** Its name in `events`. */
  readonly kind: keyof G["events"] & string;
  /** Metres. */
  readonly x: number;
  readonly y: number;
  /** The seat of its thing; -1 for none. */
  readonly seat: SeatId;
  /** The seat of the other thing; -1 for none. */
  readonly otherSeat: SeatId;
  /** As the rules emitted it. */
  readonly amount?: number | undefined;
}

/** When and where a renderer of your own draws. */
export interface LayerMoment {
  /** Converts metres to pixels of your canvas, y downwards. */
  readonly camera: Camera;
  /** Pixels of your canvas per CSS pixel. */
  readonly pixelRatio: number;
  /** How high the page's letters are, CSS pixels: words in the picture grow with them. */
  readonly letter: number;
  /** The page's clock, ms. */
  readonly nowMs: number;
  /** The time since the frame before, ms: 0 … 50, after a hidden tab, too. */
  readonly elapsedMs: number;
  /** Whether the player asked their system for less motion. */
  readonly isCalm: boolean;
  /** Whether the device falls behind, so that it is better to draw less. */
  readonly isSlow: boolean;
  /** How far a shake displaces the picture now, metres. */
  readonly shake: { readonly x: number; readonly y: number };
  /** Makes a 2D context of your canvas measure metres, y upwards, displaced by the shake. */
  useMetres(context: CanvasRenderingContext2D): void;
  /** Draws the particles of `events` and `trails` into a context that measures metres. */
  drawParticles(context: CanvasRenderingContext2D): void;
}

/** A renderer of your own, on a canvas of its own. */
export interface Layer<G extends GameTypes> {
  /** Draws one frame. The canvas has its size already. */
  draw(frame: LayerFrame<G>, moment: LayerMoment): void;
  /** Removes what moves by itself, because the next frame may show any moment. */
  reset?(): void;
}

/** Renderers of your own. Each gets a canvas without a context, and its pixels with every frame. */
export interface Layers<G extends GameTypes> {
  /** Below what the kit draws, in place of its sky. */
  readonly below?: (canvas: HTMLCanvasElement) => Layer<G>;
  /** In place of sky, ground, things and particles. Names, marks and HUD stay. */
  readonly instead?: (canvas: HTMLCanvasElement) => Layer<G>;
  /** Above all that the kit draws. */
  readonly above?: (canvas: HTMLCanvasElement) => Layer<G>;
}

/** What a view with a renderer of its own leaves out, because the renderer draws it. */
type DrawnMembers =
  | "sky"
  | "background"
  | "ground"
  | "things"
  | "joints"
  | "foreground"
  | "layers"
  | "hud"
  | "marks"
  | "labels";

/** A view whose whole picture is yours: names, marks and HUD as well. */
export interface RenderedViewDefinition<G extends GameTypes>
  extends Omit<ViewDefinition<G>, DrawnMembers> {
  /**
   * Makes the renderer, once a page. The canvas is the page's own, without a context, and has its
   * size with every frame.
   */
  readonly renderer: (canvas: HTMLCanvasElement) => Layer<G>;
}

/** Which things outside the picture have a mark at its edge, by their name. */
export type EdgeMarks<G extends GameTypes> = {
  readonly [ThingName in Name<G>]?:
    | boolean
    | string
    | ((shown: Shown<G, ThingName>, world: WorldView<G>) => string | undefined);
};

/**
 * When things show, by their name:
 *
 *     "certain"   from the definitive tick that has it to the one that has it no more, so that none
 *                 is taken back; the own player's thing shows at once
 *     "likely"    as long as the prediction has it: the default
 *     "at once"   also one that the next tick will add, with the keys as they are now: a shot leaves
 *                 the barrel in the frame after the key
 */
export type Appearances<G extends GameTypes> = { readonly [ThingName in Name<G>]?: EventTiming };

type PartNames<G extends GameTypes, Part extends CommandPart> = {
  [PartName in keyof G["command"]]: G["command"][PartName] extends Part ? PartName : never;
}[keyof G["command"]];

/** A view only reads the world, and assigns nothing to it. */
export interface ViewDefinition<G extends GameTypes> {
  /** The least width and height to show, metres. A window with another shape shows more. */
  readonly view: readonly [width: number, height: number];
  /** The picture's middle, metres; default 0, 0. A camera replaces it. */
  readonly centre?: readonly [x: number, y: number];
  /**
   * Moves the picture, with a little delay. For a spectator, `own` is the player whom they follow.
   * Return undefined to leave it where it is, as in an empty world.
   */
  camera?(world: WorldView<G>, own: ShownPlayer<G> | undefined): CameraPlace | undefined;
  /**
   * The part of the world that the picture does not leave, metres, such as a level. Where a window
   * shows more than that, its middle is the picture's.
   */
  readonly bounds?: Area;
  /**
   * How much there is to see at a player's thing, for the director, whom spectators follow until they
   * choose a player. It adds to what the director finds itself: up to 1 for the nearest rival, ½ for
   * a person, ¼ for the leader in `scores`. So a race returns how far a car is, in metres.
   */
  interest?(world: WorldView<G>, player: ShownPlayer<G>): number;
  /** CSS colours behind everything, from top to bottom; default a night with a grid of metres. */
  readonly sky?: readonly string[];
  /** Draws below the ground. */
  background?(brush: Brush, world: WorldView<G>): void;
  /**
   * CSS: a colour for the ground's fixtures; false if your background draws them. Default stone.
   */
  readonly ground?: string | false;
  /**
   * A thing without a drawing shows its fixtures. Things are drawn in declared order, static ones
   * first.
   */
  readonly things?: ThingDrawings<G>;
  /** When things show, by their name; default "likely". The words are those of `events`. */
  readonly appear?: Appearances<G>;
  /** Particles that things throw all the time: what `trail` makes, by the things' names. */
  readonly trails?: { readonly [ThingName in Name<G>]?: Trail<Shown<G, ThingName>> };
  /**
   * A joint without a drawing shows as a line, a rope, a spring or a pin. The brush draws in the
   * world's frame.
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
  /** Canvases of your own below, in place of, or above what the kit draws. */
  readonly layers?: Layers<G>;
  /**
   * Draws on the glass above everything, in CSS pixels, such as what is left of a hull. Corners of
   * the brush keep clear of the page's own parts. It does not draw while a result shows. For a
   * spectator, `own` is the player whom they follow.
   */
  hud?(brush: HudBrush, world: WorldView<G>, own: ShownPlayer<G> | undefined): void;
  /**
   * Arrows at the picture's edge to things outside it, by the thing's name: true for its own colour,
   * a CSS colour, or a function that returns one, or undefined for no mark. Default: players have
   * one, NPCs have none.
   */
  readonly marks?: EdgeMarks<G>;
  /** Whether to show names above players; default true. */
  readonly labels?: boolean;
  /** Called for the newest definitive tick, so that no score is taken back. */
  status?(world: WorldView<G>): KitStatus<G>;
  /**
   * The events that decide rounds, each with a caption. At the end of a round the last one of the
   * winner is shown again, slowly. Only for views that show all of the world. Default none.
   */
  readonly decides?: readonly (keyof G["events"] & string)[];
  /** Looks and sounds, by event. An event without an entry is neither seen nor heard. */
  readonly events?: { readonly [Event in keyof G["events"]]?: EventLook };
  /**
   * A recording that sounds again and again while a match shows: a file that the view imports, or a
   * function that chooses one, undefined for silence. One fades into the next.
   */
  readonly music?: SoundFile | ((world: WorldView<G>) => SoundFile | undefined);
  /** Sounds that things make all the time: what `hum` makes, by the things' names. */
  readonly hums?: { readonly [ThingName in Name<G>]?: Hum<Shown<G, ThingName>> };
  /** Page texts that name the game. */
  readonly words?: KitWords;
  /**
   * Lets players play with one button, if they choose so in "Rules and controls": what `oneButton`
   * makes. Without it they cannot choose it.
   */
  readonly oneButton?: OneButton<
    PartNames<G, PressPart> & string,
    PartNames<G, AxisPart> & string
  >;
  /**
   * The colours that players choose from for their own screen, by name; default five. The first is
   * the default.
   */
  readonly colours?: Readonly<Record<string, string>>;
  /**
   * Static things that count as ground: no eased body that collides with the whole ground is drawn
   * within their boxes. Write it if the ground of a round is a thing.
   */
  readonly solid?: readonly Name<G>[];
  /**
   * CSS colours of NPCs by their kinds, as "#rrggbb"; grey for those that you leave out. Keep them
   * dull, so that players stand out.
   */
  readonly npcColours?: { readonly [Kind in NpcKind<G>]?: string };
}
