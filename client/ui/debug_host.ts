/**
 * The contract between page and debug overlay. It has types alone, because they are two scripts.
 */
import type { Game } from "../../shared/netcode/game.ts";
import type { PoseList } from "../../shared/netcode/pose_list.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import type { NetworkConditions } from "../net/network_conditions.ts";
import type { Telemetry } from "../presentation/telemetry.ts";
import type { HudValues } from "../presentation/match_presenter.ts";
import type { Camera } from "../presentation/view.ts";
import type { Session } from "../session/session.ts";
import type { SessionDatagrams } from "../session/datagrams/session_datagrams.ts";

/** The part of a match that the overlay reads, of any game. */
export interface DebuggedMatch {
  readonly room: string;
  /** Time since the newest definitive tick arrived, ms. */
  readonly silentMs: number;
  readonly session: Pick<Session<unknown>, "seat" | "head" | "definitiveTick"> & {
    /** Undefined before the first offer. */
    readonly datagrams: Pick<SessionDatagrams<unknown>, "report" | "stats"> | undefined;
    /** Undefined before the first state. */
    readonly simulation: unknown;
    readonly poses: { readonly head: PoseList };
  };
  definitivePoses(out: PoseList): boolean;
  touchingIds(entity: number): readonly number[];
  /** The scores have the names of all seats. */
  hud(notice: string): Pick<HudValues, "scores">;
}

/** The part of the page that an overlay reads, and the network conditions that it may worsen. */
export interface DebugHost {
  readonly clock: Clock;
  readonly game: Pick<Game<unknown>, "id" | "command">;
  readonly telemetry: Telemetry;
  readonly conditions: NetworkConditions;
  /** When the player pressed F4, the oldest first, ms on the clock. At most `MARKS_MAX`. */
  readonly marks: readonly number[];
  /** The camera of the newest frame. */
  readonly camera: Camera;
  /** The rung of the quality ladder, 0 (everything) … 4. */
  readonly qualityRung: () => number;
  /** Undefined in the lobby. */
  readonly match: () => DebuggedMatch | undefined;
  /** Closes the overlay, as F3 does: a phone has no such key. */
  readonly close: () => void;
}

/** The overlay's script as the page uses it. */
export interface DebugOverlay {
  /** Updates everything; the page calls it with every frame while the overlay is open. */
  draw(): void;
  close(): void;
}

export type OpenDebugOverlay = (host: DebugHost) => DebugOverlay;

/** Offers the last minute of the match to the player as a file. */
export type SaveLag = (host: Pick<DebugHost, "game" | "telemetry" | "match">) => void;
