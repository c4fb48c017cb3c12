/**
 * One tick of a scene as plain numbers, which the page draws. Two of them are eased into the frames
 * between.
 */
import type { Archetype, JointDef } from "../../../../shared/physics/core/types.ts";
import type { Joint } from "../../../../shared/physics/stage/stage.ts";
import { GRAB } from "../grab.ts";
import type { Colour, Marks } from "../scene.ts";
import type { SceneRun, ShownTouch } from "../scene_run.ts";

export interface ShownBody {
  readonly archetype: Archetype;
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly awake: boolean;
  readonly teleports: number;
}

export interface ShownJoint {
  readonly definition: JointDef;
  readonly length: number;
  /** ax, ay, bx, by; of a pulley then the two points of its rope. Metres. */
  readonly points: readonly number[];
}

/** A mark, or a contact point. */
export interface ShownMark {
  readonly form: keyof Marks;
  /** The arguments of the mark. Metres and radians. */
  readonly numbers: readonly number[];
  readonly colour: Colour;
  readonly text?: string;
}

export interface Shown {
  readonly bodies: ReadonlyMap<number, ShownBody>;
  readonly joints: ReadonlyMap<number, ShownJoint>;
  readonly marks: readonly ShownMark[];
  readonly contacts: readonly ShownMark[];
  /** The middle of the view, metres. */
  readonly x: number;
  readonly y: number;
  readonly tick: number;
}

/** N·s: the length of a contact's arrow is the square root of its impulse, metres, times this. */
const ARROW = 0.12;
const ARROW_MAX = 2;

class MarkList implements Marks {
  readonly marks: ShownMark[] = [];

  line(x1: number, y1: number, x2: number, y2: number, colour: Colour = "gold"): void {
    this.marks.push({ form: "line", numbers: [x1, y1, x2, y2], colour });
  }

  glow(x1: number, y1: number, x2: number, y2: number, colour: Colour = "gold"): void {
    this.marks.push({ form: "glow", numbers: [x1, y1, x2, y2], colour });
  }

  arrow(x1: number, y1: number, x2: number, y2: number, colour: Colour = "gold"): void {
    this.marks.push({ form: "arrow", numbers: [x1, y1, x2, y2], colour });
  }

  dot(x: number, y: number, colour: Colour = "gold"): void {
    this.marks.push({ form: "dot", numbers: [x, y], colour });
  }

  circle(x: number, y: number, radius: number, colour: Colour = "gold"): void {
    this.marks.push({ form: "circle", numbers: [x, y, radius], colour });
  }

  box(
    x: number,
    y: number,
    halfWidth: number,
    halfHeight: number,
    angle = 0,
    colour: Colour = "gold",
  ): void {
    this.marks.push({ form: "box", numbers: [x, y, halfWidth, halfHeight, angle], colour });
  }

  text(x: number, y: number, text: string, colour: Colour = "gold"): void {
    this.marks.push({ form: "text", numbers: [x, y], colour, text });
  }
}

/** The present state of a run. @param withContacts whether the points of contact are read, too */
export function showRun(run: SceneRun, withContacts: boolean): Shown {
  const { stage, scene: { view }, followed } = run;
  const marks = new MarkList();
  run.scene.marks?.(stage, marks, run.input);
  const bodies = new Map(
    stage.entities().map((entity) => {
      const { archetype, x, y, angle, awake, teleports } = entity;
      return [entity.id, { archetype, x, y, angle, awake, teleports }];
    }),
  );
  return {
    bodies,
    joints: jointsOf(run),
    marks: marks.marks,
    tick: stage.tick,
    contacts: withContacts ? contactsOf(run.touches) : [],
    x: view.x + (followed?.centerX ?? 0),
    y: view.y + (followed?.centerY ?? 0),
  };
}

function jointsOf({ stage, scene }: SceneRun): Map<number, ShownJoint> {
  const joints = new Map<number, ShownJoint>();
  for (const definition of [...scene.stage.joints ?? [], GRAB]) {
    for (const joint of stage.joints.all(definition)) {
      joints.set(joint.id, { definition, length: joint.length, points: pointsOf(joint) });
    }
  }
  return joints;
}

function pointsOf({ definition, ax, ay, bx, by, groundA, groundB }: Joint): number[] {
  return definition.type === "pulley"
    ? [ax, ay, bx, by, groundA.x, groundA.y, groundB.x, groundB.y]
    : [ax, ay, bx, by];
}

function contactsOf(touches: readonly ShownTouch[]): ShownMark[] {
  const list = new MarkList();
  for (const { points, nx, ny, normalImpulse } of touches) {
    const length = Math.min(ARROW_MAX, ARROW * Math.sqrt(normalImpulse));
    const share = 1 / Math.max(1, points.length);
    for (const { x, y } of points) {
      if (normalImpulse > 0) {
        list.arrow(x, y, x + nx * length * share, y + ny * length * share, "mint");
      }
      list.dot(x, y, "ember");
    }
  }
  return list.marks;
}

function between(a: number, b: number, fraction: number): number {
  return a + (b - a) * fraction;
}

function allBetween(a: readonly number[], b: readonly number[], fraction: number): number[] {
  return b.map((value, i) => between(a[i]!, value, fraction));
}

/**
 * Marks have no ids. Those of one form belong together in their order, if both ticks have as many
 * of them.
 */
function marksBetween(
  before: readonly ShownMark[],
  after: readonly ShownMark[],
  fraction: number,
): ShownMark[] {
  const old = Map.groupBy(before, ({ form }) => form);
  return [...Map.groupBy(after, ({ form }) => form)].flatMap(([form, marks]) => {
    const partners = old.get(form) ?? [];
    if (partners.length !== marks.length) return marks;
    return marks.map((mark, i) => ({
      ...mark,
      numbers: allBetween(partners[i]!.numbers, mark.numbers, fraction),
    }));
  });
}

/** The frame between two ticks. @param fraction 0 … 1 */
export function easeShown(before: Shown, after: Shown, fraction: number): Shown {
  const bodies = new Map([...after.bodies].map(([id, body]) => {
    const old = before.bodies.get(id);
    if (old === undefined || old.teleports !== body.teleports) return [id, body];
    const [x, y, angle] = allBetween(
      [old.x, old.y, old.angle],
      [body.x, body.y, body.angle],
      fraction,
    );
    return [id, { ...body, x: x!, y: y!, angle: angle! }];
  }));
  const joints = new Map([...after.joints].map(([id, joint]) => {
    const old = before.joints.get(id);
    return [
      id,
      old === undefined
        ? joint
        : { ...joint, points: allBetween(old.points, joint.points, fraction) },
    ];
  }));
  const marks = marksBetween(before.marks, after.marks, fraction);
  const x = between(before.x, after.x, fraction);
  const y = between(before.y, after.y, fraction);
  return { ...after, bodies, joints, marks, x, y };
}
