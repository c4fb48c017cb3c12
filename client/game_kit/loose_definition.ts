/** A view's definition without its exact types. */
import type { EventTiming } from "../../shared/game_kit/game_kit.ts";
import type { OneButton } from "./controls/one_button.ts";
import type { SoundFile } from "./files/game_files.ts";
import type { LooseWorld } from "./loose_types.ts";
import type { Hum } from "./hum.ts";
import type { Area, Brush } from "./picture/brush.ts";
import type { HudBrush } from "./picture/hud_brush.ts";
import type { Trail } from "./picture/trail.ts";
import type { ShownThing } from "./shown_thing.ts";
import type {
  CameraPlace,
  EventLook,
  KitVote,
  KitWords,
  LayerMoment,
  ShownJoint,
} from "./view_definition.ts";
import type { KitFrame } from "./kit_frame.ts";
import type { Round } from "../presentation/view.ts";

export interface LooseStatus {
  readonly scores?: readonly { readonly seat: number; readonly score: number }[];
  readonly teams?: readonly { readonly team: string; readonly score: number }[];
  readonly clock?: number;
  readonly round?: Omit<Round, "set">;
  readonly ready?: (seat: number) => boolean;
  readonly vote?: KitVote | undefined;
  readonly banner?: string | undefined;
  readonly note?: (seat: number) => string | undefined;
}

export interface LooseLayer {
  draw(frame: KitFrame, moment: LayerMoment): void;
  reset?(): void;
}

export type OpenLooseLayer = (canvas: HTMLCanvasElement) => LooseLayer;

export interface LooseLayers {
  readonly below?: OpenLooseLayer;
  readonly instead?: OpenLooseLayer;
  readonly above?: OpenLooseLayer;
}

export interface LooseDefinition {
  readonly view: readonly [width: number, height: number];
  readonly centre?: readonly [x: number, y: number];
  camera?(world: LooseWorld, own: ShownThing | undefined): CameraPlace | undefined;
  readonly bounds?: Area;
  interest?(world: LooseWorld, player: ShownThing): number;
  readonly sky?: readonly string[];
  background?(brush: Brush, world: LooseWorld): void;
  readonly ground?: string | false;
  readonly things?: Readonly<
    Record<string, (brush: Brush, shown: ShownThing, world: LooseWorld) => void>
  >;
  readonly appear?: Readonly<Record<string, EventTiming>>;
  readonly trails?: Readonly<Record<string, Trail<ShownThing>>>;
  readonly joints?: Readonly<
    Record<string, (brush: Brush, shown: ShownJoint, world: LooseWorld) => void>
  >;
  foreground?(brush: Brush, world: LooseWorld): void;
  readonly layers?: LooseLayers;
  readonly renderer?: OpenLooseLayer;
  hud?(brush: HudBrush, world: LooseWorld, own: ShownThing | undefined): void;
  readonly marks?: Readonly<
    Record<
      string,
      boolean | string | ((shown: ShownThing, world: LooseWorld) => string | undefined)
    >
  >;
  readonly labels?: boolean;
  status?(world: LooseWorld): LooseStatus;
  readonly events?: Readonly<Record<string, EventLook>>;
  readonly decides?: readonly string[];
  readonly music?: SoundFile | ((world: LooseWorld) => SoundFile | undefined);
  readonly hums?: Readonly<Record<string, Hum<ShownThing>>>;
  readonly words?: KitWords;
  readonly oneButton?: OneButton;
  readonly colours?: Readonly<Record<string, string>>;
  readonly solid?: readonly string[];
  readonly npcColours?: Readonly<Record<string, string>>;
}
