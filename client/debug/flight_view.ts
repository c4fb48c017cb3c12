/** Shows the log in the panel: lanes, a frozen moment, and the rows around it. */
import type { SeatId, Tick } from "../../shared/netcode/game.ts";
import { make, setHidden, setText } from "../ui/dom.ts";
import { flightLooks } from "./flight_looks.ts";
import type { FlightLog, FlightRow } from "./flight_log.ts";
import type { Sight } from "./sights.ts";
import { FlightFilterBar } from "./flight_filter.ts";
import { showsRow, visibilityOf } from "./flight_reasons.ts";
import { matchClock, type Naming, rowText, summaryText } from "./flight_words.ts";
import { laneColour, type LaneMark, LaneView } from "./lane_view.ts";
import type { FlightCorrection } from "./replay/flight_replay.ts";

/** How many rows fit without scrolling. */
const ROWS_SHOWN = 8;
/** Rows this close to the cursor belong to the moment, ticks. */
const NEAR_TICKS = 10;
/** After this time no frame changes any more what was seen of a correction, ms. */
const SEEN_AFTER_MS = 2000;

/** A smaller correction to another body does not count as an event, metres. */
const EVENT_METRES = 0.25;
const EVENT_COLOURS = {
  own: laneColour(0xff5f56),
  other: laneColour(0xffb347),
  pause: laneColour(0xf1eee6),
  mark: laneColour(0x6cc5ff),
};

const LOOKS = flightLooks("events", "the last thirty seconds");

interface RowElements {
  readonly item: HTMLLIElement;
  readonly what: HTMLElement;
  readonly why: HTMLElement;
  readonly command: HTMLElement;
  tick: Tick;
}

export class FlightView {
  readonly element = make("section", { id: "flight" });
  readonly #log: FlightLog;
  readonly #lanes: LaneView;
  readonly #freezeButton = make("button", { type: "button", id: "freeze" });
  readonly #summary = make("p", { className: "flight-summary" });
  readonly #filter: FlightFilterBar;
  readonly #tickHz: number;
  readonly #moment = make("output", { id: "moment" });
  readonly #list = make("ol", { id: "flight-rows" });
  readonly #rows: RowElements[] = [];
  /**
   * What the rows said about sights at the freeze, or when a later row was first shown, because the
   * recorded frames roll on.
   */
  readonly #sights = new Map<FlightCorrection, Sight>();
  /** Sights that no frame changes any more. */
  readonly #finalSights = new WeakMap<FlightCorrection, Sight>();
  #frozenTick: Tick | undefined;
  #naming: Naming | undefined;
  /** The newest tick at the freeze. */
  #newestTick: Tick = -1;

  /** @param tickHz the game's ticks per second */
  constructor(log: FlightLog, tickHz: number) {
    this.#log = log;
    this.#tickHz = tickHz;
    this.#filter = new FlightFilterBar({
      match: "newest first",
      visibility: "most seen first",
      onChange: () => this.#naming && this.showRows(this.#naming),
    });
    this.#lanes = new LaneView(LOOKS, (tick) => this.freeze(tick));
    this.element.setAttribute("aria-label", "The last thirty seconds");
    this.#freezeButton.addEventListener("click", () => {
      this.#freezeButton.blur();
      if (this.#frozenTick === undefined) this.freeze(this.#log.lanes.newest);
      else this.#resume();
    });
    for (let i = 0; i < ROWS_SHOWN; i++) this.#rows.push(this.#newRow());
    this.#list.append(...this.#rows.map(({ item }) => item));
    this.element.append(
      this.#summary,
      this.#lanes.element,
      make("p", { className: "freeze" }, this.#freezeButton, this.#moment),
      this.#filter.element,
      this.#list,
    );
    this.#resume();
  }

  /** The tick at which the overlay is frozen; undefined while it is live. */
  get frozenTick(): Tick | undefined {
    return this.#frozenTick;
  }

  /** Whether rows for the frozen moment are still to come, so that the log must advance. */
  get isBusy(): boolean {
    const tick = this.#frozenTick;
    return tick !== undefined && !this.#log.isCompleteUntil(tick + NEAR_TICKS);
  }

  /** Freezes everything that the overlay shows. The match goes on. */
  freeze(requestedTick: Tick): void {
    if (this.#frozenTick === undefined) {
      this.#newestTick = this.#log.lanes.newest;
      // Draw the lanes, which are drawn only now and then, because the slider moves over the ticks
      // that they show.
      if (this.#naming !== undefined) this.showLanes(this.#naming);
      for (const row of this.#log.rows) {
        if (row.kind === "correction") this.#freezeSight(row.correction);
      }
    }

    // A row can be newer than the lanes, if the worker has not replayed its tick yet.
    const tick = this.#frozenTick = Math.min(requestedTick, this.#newestTick);
    this.#log.isFrozen = true;

    // Until the next frame the list shows another moment's rows.
    this.#list.ariaBusy = "true";
    this.#log.requestPoses(tick);
    this.#lanes.setCursor(tick);
    setText(this.#freezeButton, "Go on");
    this.#freezeButton.setAttribute("aria-pressed", "true");
    const secondsAgo = (this.#newestTick - tick) / this.#tickHz;
    const clock = matchClock(tick, this.#tickHz);
    setText(this.#moment, `${clock}, tick ${tick}, ${secondsAgo.toFixed(2)} s before the freeze`);
  }

  #resume(): void {
    this.#frozenTick = undefined;
    this.#log.isFrozen = false;
    this.#sights.clear();
    this.#lanes.setCursor(undefined);
    setText(this.#freezeButton, "Freeze");
    this.#freezeButton.setAttribute("aria-pressed", "false");
    setText(this.#moment, "");
  }

  showLanes(naming: Naming): void {
    this.#lanes.show(this.#log.lanes, marksOf(this.#log.rows, naming.ownSeat), naming);
  }

  /** Shows the newest rows, or those around the frozen moment, the nearest first. */
  showRows(naming: Naming): void {
    this.#naming = naming;
    const tick = this.#frozenTick;
    this.#summarize(naming.ownSeat);
    const filter = this.#filter.current;
    const rows = this.#log.rows.filter((row) => showsRow(filter, row, naming.ownSeat));
    const shown = filter.isByVisibility
      ? this.#mostVisible(rows)
      : tick === undefined
      ? rows.slice(-ROWS_SHOWN).reverse()
      : nearest(rows, tick);
    this.#rows.forEach((elements, i) => this.#showRow(elements, shown[i], naming));
    const busy = String(this.isBusy);
    if (this.#list.ariaBusy !== busy) this.#list.ariaBusy = busy;
  }

  #summarize(ownSeat: SeatId): void {
    const log = this.#log;
    const corrections = log.rows.flatMap((row) => row.kind === "correction" ? row.correction : []);
    const span = { seconds: log.seconds, tickHz: this.#tickHz, ownSeat };
    setText(this.#summary, summaryText(corrections, span));
  }

  /** Finds the corrections of which players saw most, the most visible first. */
  #mostVisible(rows: readonly FlightRow[]): FlightRow[] {
    return rows
      .flatMap((row) =>
        row.kind === "correction"
          ? { row, visibility: visibilityOf(row.correction, this.#sightOf(row.correction)) }
          : []
      )
      .sort((a, b) => b.visibility - a.visibility)
      .slice(0, ROWS_SHOWN)
      .map(({ row }) => row);
  }

  #showRow(elements: RowElements, row: FlightRow | undefined, naming: Naming): void {
    setHidden(elements.item, row === undefined);
    if (row === undefined) return;
    const isCorrection = row.kind === "correction";
    const sight = isCorrection ? this.#sightOf(row.correction) : undefined;
    const { what, why, command } = rowText(row, naming, sight);
    const isOwn = isCorrection && row.correction.seat === naming.ownSeat;
    const clock = row.tick < 0 ? "" : `${matchClock(row.tick, this.#tickHz)} · `;
    setText(elements.what, clock + what);
    setText(elements.why, why);
    setText(elements.command, command);
    elements.item.className = isOwn ? "own" : row.kind;
    elements.tick = row.tick;
  }

  #sightOf(correction: FlightCorrection): Sight {
    if (this.#frozenTick !== undefined) return this.#freezeSight(correction);
    const known = this.#finalSights.get(correction);
    if (known !== undefined) return known;
    const sight = this.#log.sightOf(correction);
    if (correction.atMs < this.#log.untilMs - SEEN_AFTER_MS) {
      this.#finalSights.set(correction, sight);
    }
    return sight;
  }

  #freezeSight(correction: FlightCorrection): Sight {
    const sight = this.#sights.get(correction) ?? this.#log.sightOf(correction);
    this.#sights.set(correction, sight);
    return sight;
  }

  #newRow(): RowElements {
    const what = make("strong", {});
    const why = make("span", {});
    const command = make("small", {});
    const button = make("button", { type: "button" }, what, why, command);
    const elements = { item: make("li", { hidden: true }, button), what, why, command, tick: -1 };
    button.addEventListener("click", () => {
      button.blur();
      this.freeze(elements.tick);
    });
    return elements;
  }
}

/** Finds at most `ROWS_SHOWN` rows within `NEAR_TICKS` around a tick, the nearest first. */
function nearest(rows: readonly FlightRow[], tick: Tick): FlightRow[] {
  const distance = (row: FlightRow) => Math.abs(row.tick - tick);
  return rows.filter((row) => distance(row) <= NEAR_TICKS).sort((a, b) => distance(a) - distance(b))
    .slice(
      0,
      ROWS_SHOWN,
    );
}

function marksOf(rows: readonly FlightRow[], ownSeat: SeatId): LaneMark[] {
  return rows.flatMap((row) => {
    const colour = eventColour(row, ownSeat);
    return colour === undefined ? [] : { tick: row.tick, colour };
  });
}

function eventColour(row: FlightRow, ownSeat: SeatId): number | undefined {
  switch (row.kind) {
    case "correction":
      if (row.correction.seat === ownSeat) return EVENT_COLOURS.own;
      return row.correction.metres < EVENT_METRES ? undefined : EVENT_COLOURS.other;
    case "false event":
      return row.wasShown ? EVENT_COLOURS.other : undefined;
    case "stall":
    case "silence":
    case "state":
      return EVENT_COLOURS.pause;
    case "mark":
    case "fault":
      return EVENT_COLOURS.mark;
  }
}
