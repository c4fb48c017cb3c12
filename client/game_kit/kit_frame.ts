/**
 * Composes a kit game's frame: places every thing between two ticks, eased and turned, and every
 * joint between its bodies as they are drawn. Things are kept from frame to frame.
 */
import type { EventTiming } from "../../shared/game_kit/game_kit.ts";
import type { SeatId } from "../../shared/netcode/game.ts";
import type { Joint } from "../../shared/physics/joints/joints.ts";
import type { PresentedEvent } from "../presentation/event_reconciler.ts";
import { displayName } from "../presentation/match_presenter.ts";
import type { Hue } from "../presentation/picture/hues.ts";
import type { FrameComposer, FrameParts } from "../presentation/view.ts";
import type { KitPalette } from "./kit_palette.ts";
import type { LooseDeclaration, LooseSimulation, LooseThing, LooseWorld } from "./loose_types.ts";
import { ShownThing } from "./shown_thing.ts";
import { SolidGround } from "./solid_ground.ts";
import type { Watcher } from "./watcher.ts";

/** A joint, with its ends where the bodies are drawn; metres. */
export interface PlacedJoint {
  readonly name: string;
  readonly joint: Joint;
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
}

export interface KitFrame {
  /** The moment that the frame shows, ms on the page's clock. */
  atMs: number;
  world: LooseWorld;
  /** The world at the newest definitive tick. */
  definitive: LooseWorld;
  /** 0 … 1, from the tick of `world` to the next one. */
  fraction: number;
  /** In drawing order, with the own thing above others with its name. */
  readonly things: ShownThing[];
  readonly joints: PlacedJoint[];
  own: ShownThing | undefined;
  /** As in `FrameParts`. */
  ownScore: number | undefined;
  /** The own thing, or the one that a page without a seat follows. */
  followed: ShownThing | undefined;
  /** Events that no earlier frame showed. */
  events: readonly PresentedEvent[];
  /** Keys of events that earlier frames showed and that a resimulation retracted. */
  retractedEvents: readonly string[];
  /** Ticks with their fraction, in seconds: looks that move by themselves follow it. */
  seconds: number;
  /** Whether this is the title match behind the lobby, where things carry no labels. */
  isTitle: boolean;
  /** The colours of a seat's things, also while it has none. */
  hueOfSeat(seat: number): Hue;
}

export interface ComposerOptions {
  readonly declaration: LooseDeclaration;
  readonly tickHz: number;
  readonly palette: KitPalette;
  /** When things show, by their name; "likely" without an entry. */
  readonly appear: Readonly<Record<string, EventTiming>>;
  /** Static things that count as ground, by their names. */
  readonly solid: readonly string[];
  /** Returns the name of the NPC on a seat. */
  readonly npcName: (world: LooseWorld, seat: number) => string;
  /** Chooses whom a page without a seat follows. */
  readonly watcher: Watcher;
}

export class KitComposer implements FrameComposer<LooseSimulation, KitFrame> {
  readonly #options: ComposerOptions;
  /** Static things first. */
  readonly #names: readonly string[];
  readonly #jointNames: readonly string[];
  readonly #ground: SolidGround;
  /** By entity; only those in the last frame. */
  readonly #shown = new Map<number, ShownThing>();
  readonly #frame: KitFrame;
  #count = 0;
  #ownSeat: SeatId = -1;

  constructor({ world }: LooseSimulation, options: ComposerOptions) {
    const { things, joints = {} } = options.declaration;
    const names = Object.keys(things);
    const isStatic = (name: string) => things[name]!.body?.type === "static";
    this.#options = options;
    options.watcher.restart();
    this.#names = [...names.filter(isStatic), ...names.filter((name) => !isStatic(name))];
    this.#jointNames = Object.keys(joints);
    this.#ground = new SolidGround(options.declaration, options.solid);
    this.#frame = {
      atMs: 0,
      world,
      definitive: world,
      fraction: 0,
      things: [],
      joints: [],
      own: undefined,
      ownScore: undefined,
      followed: undefined,
      events: [],
      retractedEvents: [],
      seconds: 0,
      isTitle: false,
      hueOfSeat: (seat) => this.#hueOf(this.#seatThing(seat), seat === this.#ownSeat),
    };
  }

  /** What a seat drives; while it drives nothing, what its colour follows from then. */
  #seatThing(seat: SeatId): Pick<LooseThing, "name" | "seat" | "fields"> {
    const { declaration: { player } } = this.#options;
    return this.#frame.world.player(seat) ?? { name: player, seat, fields: {} };
  }

  #hueOf(thing: Pick<LooseThing, "name" | "seat" | "fields">, own: boolean): Hue {
    return this.#options.palette.hueOf(thing, own, this.#frame.world.npcKind(thing.seat));
  }

  /** @returns the same object every time */
  compose(parts: FrameParts<LooseSimulation>): KitFrame {
    const frame = this.#frame;
    const { simulation, events, fraction } = parts;
    frame.atMs = parts.atMs;
    frame.world = simulation.world;
    frame.definitive = parts.definitive.world;
    frame.fraction = fraction;
    this.#ownSeat = parts.ownSeat;
    frame.ownScore = parts.ownScore;
    frame.events = events.begun;
    frame.retractedEvents = events.retracted;
    frame.seconds = (simulation.tick + fraction) / this.#options.tickHz;
    this.#ground.follow(frame.world);
    frame.things.length = 0;
    frame.own = undefined;
    this.#count++;
    for (const name of this.#names) this.#addAll(name, parts);
    for (const [id, shown] of this.#shown) if (shown.frame !== this.#count) this.#shown.delete(id);
    this.#addJoints();
    frame.followed = frame.own ?? this.#watched(parts.ownSeat);
    return frame;
  }

  #watched(ownSeat: number): ShownThing | undefined {
    const { declaration: { player }, watcher } = this.#options;
    const { things, seconds, world } = this.#frame;
    if (ownSeat >= 0) {
      watcher.end();
      return undefined;
    }
    const players = things.filter(({ name, seat }) => name === player && seat >= 0);
    return watcher.choose(players, { seconds, world });
  }

  #addAll(name: string, parts: FrameParts<LooseSimulation>): void {
    const { things } = this.#frame;
    let own: ShownThing | undefined;
    for (const thing of this.#thingsOf(name, parts)) {
      const shown = this.#place(thing, parts);
      if (shown.own) own = shown;
      else things.push(shown);
    }
    if (own === undefined) return;
    things.push(own);
    this.#frame.own = own;
  }

  /** The things with one name that the frame shows. */
  #thingsOf(name: string, parts: FrameParts<LooseSimulation>): readonly LooseThing[] {
    const { simulation: { world }, definitive, extrapolated, ownSeat } = parts;
    switch (this.#options.appear[name]) {
      case "certain": {
        const certain = definitive.world.all(name);
        const own = ownSeat < 0 ? undefined : world.player(ownSeat);
        const isNew = own?.name === name && definitive.world.get(own.id)?.name !== name;
        return isNew ? [...certain, own] : certain;
      }
      case "at once": {
        const next = extrapolated?.world.all(name).filter(({ id }) => world.get(id) === undefined);
        return [...world.all(name), ...next ?? []];
      }
      default:
        return world.all(name);
    }
  }

  /** @param found at the head, or what `appear` adds to that from another tick */
  #place(found: LooseThing, parts: FrameParts<LooseSimulation>): ShownThing {
    const { poses, smoother, fraction, ownSeat, atMs, extrapolated, names } = parts;
    const { id, name, seat } = found;
    const atHead = parts.simulation.world.get(id);
    const isAtHead = atHead?.name === name;
    const thing = isAtHead ? atHead : found;
    const certain = parts.definitive.world.get(id);
    let shown = this.#shown.get(id);

    if (shown === undefined || shown.name !== name) {
      // What the first frame shows was there before, so it counts as no arrival.
      shown = new ShownThing(
        thing,
        this.#hueOf(thing, false),
        this.#count === 1 ? -Infinity : atMs,
      );
      this.#shown.set(id, shown);
      Object.assign(shown, { x: thing.x, y: thing.y, angle: thing.angle });
    }

    // A thing that is gone from the later of the two poses stays where it was drawn last.
    const pose = poses.head.find(id);
    if (pose !== undefined) {
      smoother.place(poses, pose, { fraction, out: shown, body: this.#ground.bodyOf(name) });
    }

    shown.pose = pose;
    shown.moment = parts;
    shown.definitive = certain?.name === name ? certain : undefined;
    shown.leaving = !isAtHead && found === certain;
    shown.headX = thing.x;
    shown.headY = thing.y;
    shown.headAngle = thing.angle;
    shown.seat = seat;
    shown.own = seat >= 0 && seat === ownSeat;

    // The own thing answers to keys at once, because its fields and motion come from the tick
    // beyond the head.
    const beyond = shown.own ? extrapolated?.world.get(id) : undefined;
    shown.source = beyond?.name === name ? beyond : thing;
    shown.hue = this.#hueOf(thing, shown.own);
    shown.pattern = this.#options.palette.patternOf(seat, thing.fields.team);
    shown.label = seat < 0
      ? ""
      : nameOf(seat, names, () => this.#options.npcName(parts.simulation.world, seat));
    shown.fade = smoother.fadeOf(id);
    shown.frame = this.#count;

    return shown;
  }

  #addJoints(): void {
    const { joints, world } = this.#frame;
    joints.length = 0;
    for (const name of this.#jointNames) {
      for (const joint of world.joints.all(name)) {
        // A mouse joint's `a` is a fixed point in the world.
        const a = this.#drawnPoint(
          joint.definition.type === "mouse" ? 0 : joint.a.id,
          joint.ax,
          joint.ay,
        );
        const b = this.#drawnPoint(joint.b.id, joint.bx, joint.by);
        joints.push({ name, joint, ax: a.x, ay: a.y, bx: b.x, by: b.y });
      }
    }
  }

  /**
   * Where a point fixed in a body is drawn.
   * @param x metres in the world, at the head
   */
  #drawnPoint(id: number, x: number, y: number): { x: number; y: number } {
    const shown = this.#shown.get(id);
    if (shown === undefined) return { x, y };
    const turn = shown.angle - shown.headAngle;
    const c = Math.cos(turn);
    const s = Math.sin(turn);
    const dx = x - shown.headX, dy = y - shown.headY;
    return { x: shown.x + c * dx - s * dy, y: shown.y + s * dx + c * dy };
  }
}

/** The player's own name, or the NPC's. */
export function nameOf(
  seat: number,
  names: ReadonlyMap<number, string>,
  npcName: () => string,
): string {
  return displayName(seat, names, { npc: npcName, player: "Player" });
}

/** The hue of an event: from its seat, or else from the nearest thing. */
export function hueAt({ things }: KitFrame, event: PresentedEvent): Hue | undefined {
  let nearest: ShownThing | undefined;
  let least = Infinity;
  for (const shown of things) {
    if (event.seat >= 0 && shown.seat === event.seat) return shown.hue;
    const distance = (shown.x - event.x) ** 2 + (shown.y - event.y) ** 2;
    if (distance < least) [nearest, least] = [shown, distance];
  }
  return nearest?.hue;
}
