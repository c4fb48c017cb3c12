/** A kit game without its exact types, because the inside of a view works by names. */
import type {
  BodyDef,
  Choices,
  CommandParts,
  EventTiming,
  FixtureDef,
  ProjectileDef,
} from "../../shared/game_kit/game_kit.ts";
import type { Game, SeatId, Simulation } from "../../shared/netcode/game.ts";
import type { JointDef } from "../../shared/physics/core/types.ts";
import type { Joint } from "../../shared/physics/joints/joints.ts";
import type { Stage } from "../../shared/physics/stage/stage.ts";
import type { Reach } from "../../shared/reach.ts";

export interface LooseThing {
  readonly id: number;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly vx: number;
  readonly vy: number;
  readonly spin: number;
  readonly seat: SeatId;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface LooseWorld {
  readonly tick: number;
  all(name: string): readonly LooseThing[];
  get(id: number): LooseThing | undefined;
  player(seat: SeatId): LooseThing | undefined;
  npcKind(seat: SeatId): string | undefined;
  readonly joints: { all(name: string): readonly Joint[] };
}

export type LooseCommand = Readonly<Record<string, number>>;

export interface LooseSimulation extends Simulation<LooseCommand> {
  readonly world: LooseWorld;
  readonly stage: Stage;
  readonly reach: Reach | undefined;
}

export interface LooseThingDef {
  readonly body?: BodyDef;
  readonly projectile?: ProjectileDef;
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface LooseDeclaration {
  readonly id: string;
  readonly title: string;
  readonly command: CommandParts;
  readonly ground: readonly FixtureDef[];
  readonly things: Readonly<Record<string, LooseThingDef>>;
  readonly player: string;
  readonly joints?: Readonly<Record<string, Pick<JointDef, "type">>>;
  readonly events?: Readonly<Record<string, EventTiming>>;
  readonly teams?: Readonly<Record<string, string>>;
  readonly npcs?: Readonly<Record<string, string>>;
  readonly npcNames?: readonly string[];
  readonly join?: Choices;
  readonly options?: Choices;
}

export interface LooseGame extends Game<LooseCommand, LooseSimulation> {
  readonly declaration: LooseDeclaration;
  commandOf(input: object, before: LooseCommand): LooseCommand;
}
