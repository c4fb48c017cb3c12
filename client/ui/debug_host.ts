/** What page and overlay know of each other: types alone, because they are two scripts. */
import type { Clock } from "../../shared/netcode/link.ts";
import type { NetworkConditions } from "../net/network_conditions.ts";
import type { MatchPresenter } from "../presentation/match_presenter.ts";
import type { Telemetry } from "../presentation/telemetry.ts";
import type { Camera } from "../games/dragons/render/camera.ts";

/** What the page lets an overlay see, and worsen. */
export interface DebugHost {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly conditions: NetworkConditions;
  /** Of the newest picture. */
  readonly camera: Camera;
  /** Undefined in the lobby. */
  readonly match: () => MatchPresenter | undefined;
  /** Closes it, as F3 does: a phone has no such key. */
  readonly close: () => void;
}

/** What the overlay's script gives. */
export interface DebugOverlay {
  /** Looks at everything again; called with every picture while it is open. */
  draw(): void;
  close(): void;
}

export type OpenDebugOverlay = (host: DebugHost) => DebugOverlay;
