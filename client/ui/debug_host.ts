/** The contract between page and debug overlay, in types only, because they are two scripts. */
import type { Game } from "../../shared/netcode/game.ts";
import type { PoseList } from "../../shared/netcode/pose_list.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import type { NetworkConditions } from "../net/network_conditions.ts";
import type { Telemetry } from "../presentation/telemetry.ts";
import type { HudValues } from "../presentation/match_presenter.ts";
import type { Camera } from "../presentation/view.ts";
import type { Session } from "../session/session.ts";
import type { SessionDatagrams } from "../session/datagrams/session_datagrams.ts";

/** What the overlay reads from a match, in any game. */
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
  /** The scores name all seats. */
  hud(notice: string): Pick<HudValues, "scores">;
}

/** What an overlay reads from the page, and the network conditions that it may worsen. */
export interface DebugHost {
  readonly clock: Clock;
  readonly game: Pick<Game<unknown>, "id" | "command" | "tickHz">;
  readonly telemetry: Telemetry;
  readonly conditions: NetworkConditions;
  /** When the player pressed F4, the oldest first, at most `MARKS_MAX`, ms on the clock. */
  readonly marks: readonly number[];
  /** The newest frame's camera. */
  readonly camera: Camera;
  /**
   * Returns the rung on the quality ladder, 0 (everything) … 4; undefined on a page without one.
   */
  readonly qualityRung: () => number | undefined;
  /** Undefined in the lobby. */
  readonly match: () => DebuggedMatch | undefined;
  /** Closes the overlay, as F3 does, for phones, which lack that key. */
  readonly close: () => void;
}

/** The overlay's script as the page uses it. */
export interface DebugOverlay {
  /** Updates everything; the page calls it with every frame while the overlay is open. */
  draw(): void;
  close(): void;
}

export type OpenDebugOverlay = (host: DebugHost) => DebugOverlay;

/** Offers the match's last minute to the player as a file. */
export type SaveLag = (host: Pick<DebugHost, "game" | "telemetry" | "match">) => void;
