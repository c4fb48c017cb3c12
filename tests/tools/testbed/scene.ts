/**
 * The contract between a scene of the testbed and the page that plays it. A scene uses the public
 * API of the physics alone, as a game's rules do.
 */
import type { FieldSpec, StageDef } from "../../../shared/physics/core/types.ts";
import type { Entity, Stage } from "../../../shared/physics/stage/stage.ts";

/** Bits of `SceneInput.keys`: the arrow keys or WASD, and Space. */
export const LEFT = 1;
export const RIGHT = 2;
export const UP = 4;
export const DOWN = 8;
export const ACTION = 16;

/**
 * The acts of the person in one tick. With the stage it is all that the rules may depend on: a
 * rollback repeats the tick from both.
 */
export interface SceneInput {
  readonly keys: number;
  /** Metres, in the frame of the stage. Pressed: the button of the mouse or a finger is down. */
  readonly pointer: { readonly x: number; readonly y: number; readonly pressed: boolean };
}

/** Nothing is pressed. */
export const NO_INPUT: SceneInput = { keys: 0, pointer: { x: 0, y: 0, pressed: false } };

/** The colours of the testbed, from the palette of the page. */
export type Colour =
  | "sky"
  | "gold"
  | "ember"
  | "mint"
  | "snow"
  | "slate"
  | "violet"
  | "rose"
  | "wood";

/**
 * Draws beside the bodies. Places are metres in the frame of the stage. Colours default to `gold`.
 */
export interface Marks {
  line(x1: number, y1: number, x2: number, y2: number, colour?: Colour): void;
  /** A faint wide line: light. */
  glow(x1: number, y1: number, x2: number, y2: number, colour?: Colour): void;
  arrow(x1: number, y1: number, x2: number, y2: number, colour?: Colour): void;
  /** A dot of the same size on every screen. */
  dot(x: number, y: number, colour?: Colour): void;
  /** An outline. @param radius metres */
  circle(x: number, y: number, radius: number, colour?: Colour): void;
  /** An outline. @param angle radians */
  box(
    x: number,
    y: number,
    halfWidth: number,
    halfHeight: number,
    angle?: number,
    colour?: Colour,
  ): void;
  /** One line of text in the middle of a place. */
  text(x: number, y: number, text: string, colour?: Colour): void;
}

/**
 * The claim of a scene, which it proves in a run with fixed keys, without grabs and with rollbacks.
 */
export interface SceneProof {
  /** The claim, for the title of its test: "the car drives 10 m up and down hills". */
  readonly claim: string;
  /** Length of the run, ticks. Default 300. */
  readonly ticks?: number;
  /** The keys of a tick. Default none. */
  keys?(tick: number): number;
  /** After the run. @returns the figures that show it, or throws an Error with them */
  check(stage: Stage): string;
}

/** One scene of the testbed. */
export interface Scene<Spec extends FieldSpec = FieldSpec> {
  /** In the page's address: lower-case letters. */
  readonly name: string;
  readonly title: string;
  /** One line: the interesting acts, and their keys. */
  readonly hint: string;
  /** Bits of the keys that the scene uses: a touch screen has buttons for them. Default: none. */
  readonly keys?: number;
  /**
   * The part of the stage that is seen: its centre and its height, metres. Its width is 16/9 of
   * that. With `follow` the centre counts from the entity.
   */
  readonly view: { readonly x: number; readonly y: number; readonly height: number };
  /**
   * Colours by archetype's name; "ground" is the ground. The others have colours by their order.
   */
  readonly colours?: Readonly<Record<string, Colour>>;
  readonly stage: StageDef<Spec>;
  /** Spawns the first entities. */
  start(stage: Stage<Spec>): void;
  /** The rules of one tick before the physics. All state is on the stage. */
  tick?(stage: Stage<Spec>, input: SceneInput): void;
  /** The rules of one tick after the physics: reads contacts, touches, hits. */
  afterStep?(stage: Stage<Spec>, input: SceneInput): void;
  /** Draws marks of the present state. It changes nothing. */
  marks?(stage: Stage<Spec>, draw: Marks, input: SceneInput): void;
  /** The entity that the view follows. */
  follow?(stage: Stage<Spec>): Entity | undefined;
  /** Whether the pointer may grab the body. Default: every dynamic body. */
  mayGrab?(entity: Entity): boolean;
  /** The tick of the proof whose picture shows the scene best. Default 120. */
  readonly shotTicks?: number;
  readonly proof: SceneProof;
}

/** Declares a scene; gives `stage.fields` their exact type. */
export function scene<const Spec extends FieldSpec>(definition: Scene<Spec>): Scene {
  // The page hands each scene the stage of its own declaration.
  return definition as unknown as Scene;
}
