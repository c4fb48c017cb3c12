import { assert, assertEquals, assertGreater } from "@std/assert";
import { FlightLog, type ReplayPort } from "../../../client/debug/flight_log.ts";
import { LANE } from "../../../client/debug/replay/seat_lanes.ts";
import {
  type ReplayRequest,
  type ReplayResponse,
  ReplayService,
} from "../../../client/debug/replay/replay_messages.ts";
import { FlightRecording } from "../../../client/presentation/flight_recording.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import { counterView } from "../../browser/counter/view.ts";
import { type CounterCommand, counterGame } from "../../tools/lab/counter_game.ts";
import { Lab } from "../../tools/lab/lab.ts";
import { PresentedPage } from "../../tools/lab/predictions/presented_page.ts";
import { RandomCounterControls } from "../../tools/lab/random_controls.ts";
import { correctionOf } from "./flights.ts";

/** A worker without a thread. Its answers wait until `deliver`. */
class FakePort implements ReplayPort {
  readonly #service = new ReplayService<CounterCommand>(counterGame);
  readonly requests: ReplayRequest["type"][] = [];
  readonly #responses: ReplayResponse[] = [];
  onmessage: ReplayPort["onmessage"] = null;
  onerror: ReplayPort["onerror"] = null;
  isTerminated = false;

  postMessage(request: ReplayRequest): void {
    this.requests.push(request.type);
    // A copy, as between two threads.
    const response = this.#service.answer(structuredClone(request));
    if (response !== undefined) this.#responses.push(structuredClone(response));
  }

  deliver(): void {
    for (const data of this.#responses.splice(0)) {
      this.onmessage?.(new MessageEvent("message", { data }));
    }
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

/** Two pages of the counter game over 200 ms. */
function playCounter(seed: number) {
  const lab = new Lab({ game: counterGame, seed, npcs: 1 });
  const playable = { game: counterGame, view: counterView, bodyStream: undefined };
  const network = { oneWayMs: 100, jitterMs: 5 };
  const pages = ["Ash", "Rook"].map((name, i) =>
    new PresentedPage(lab, {
      playable,
      name,
      controls: new RandomCounterControls(seed + i),
      network,
      ordered: true,
    })
  );
  const play = (seconds: number) => {
    for (let frame = 0; frame < seconds * 60; frame++) {
      lab.run(1 / 60);
      for (const page of pages) page.draw();
    }
  };
  return { lab, page: pages[0]!, play };
}

/** Advances the log until its worker has the whole recording. */
function catchUp(log: FlightLog, { port, nowMs }: { port: FakePort; nowMs: number }): void {
  for (let before = -1; before < port.requests.length;) {
    before = port.requests.length;
    log.advance(nowMs);
    port.deliver();
  }
}

Deno.test("FlightLog: hands the recording to the worker piece by piece, and has its corrections, lanes and poses", () => {
  const { lab, page, play } = playCounter(1);
  const port = new FakePort();
  play(20);
  const log = new FlightLog(page.telemetry.flight, port);
  log.advance(lab.nowMs);
  log.advance(lab.nowMs);
  assertEquals(port.requests, ["begin", "entries"], "one piece at a time");
  port.deliver();
  catchUp(log, { port, nowMs: lab.nowMs });
  const corrections = log.rows.filter(({ kind }) => kind === "correction");
  assertGreater(corrections.length, 20);
  assertEquals([...log.rows].sort((a, b) => a.atMs - b.atMs), log.rows);
  assertEquals([log.divergences, log.lanes.newest], [0, page.session.head]);
  const { seat, definitiveTick } = page.session;
  assertEquals(log.lanes.at(definitiveTick - 5, seat), LANE.known);
  assertEquals(log.tickAt(lab.nowMs), page.session.head);
  log.requestPoses(definitiveTick - 5);
  port.deliver();
  assertEquals(log.poses?.tick, definitiveTick - 5);
  assertEquals([...log.poses!.definitive].filter((_, i) => i % 4 === 1), [0, 1, 16]);
  log.close();
  assert(port.isTerminated);
});

Deno.test("FlightLog: rows leave after half a minute, and a page that stalls has rows of its own", () => {
  const { lab, page, play } = playCounter(2);
  const port = new FakePort();
  const log = new FlightLog(page.telemetry.flight, port);
  const follow = (seconds: number) => {
    for (let i = 0; i < seconds * 4; i++) {
      play(0.25);
      catchUp(log, { port, nowMs: lab.nowMs });
    }
  };
  follow(5);
  page.thread.stall(400);
  follow(2);
  log.addMark(lab.nowMs - 1000);
  const kinds = () => new Set(log.rows.map(({ kind }) => kind));
  assert(kinds().has("stall") && kinds().has("silence") && kinds().has("mark"));
  follow(31);
  assertEquals(kinds().has("stall") || kinds().has("mark"), false);
  assertGreater(log.rows.length, 20);
  assertGreater(log.rows[0]!.atMs, lab.nowMs - 31_000);
});

Deno.test("FlightLog: a frozen moment is complete once no row of it can come, however slow the worker is", () => {
  const { lab, page, play } = playCounter(4);
  const port = new FakePort();
  const log = new FlightLog(page.telemetry.flight, port);
  const step = () => {
    play(1 / 60);
    log.advance(lab.nowMs);
    port.deliver();
  };
  const rowsUntil = (tick: number) => log.rows.filter((row) => row.tick <= tick).length;
  play(5);
  catchUp(log, { port, nowMs: lab.nowMs });
  let late = 0;

  for (let frozen = 0; frozen < 10; frozen++) {
    for (let i = 0; i < 20; i++) step();
    const until = page.session.head + 10;
    const before = rowsUntil(until);
    assert(log.isCompleteUntil(until - 50) && !log.isCompleteUntil(until));
    while (!log.isCompleteUntil(until)) step();
    const complete = rowsUntil(until);
    for (let i = 0; i < 60; i++) step();
    assertEquals(rowsUntil(until), complete, "no row came later");
    late += complete - before;
  }

  assertGreater(late, 10);
  log.isFrozen = true;
  const first = log.rows[0];
  for (let i = 0; i < 31 * 60; i++) step();
  assertEquals(log.rows[0], first, "no row leaves");
  page.telemetry.flight.restart();
  assert(
    log.isCompleteUntil(page.session.head),
    "nothing more can come of a connection that has ended",
  );
});

Deno.test("FlightLog: after a pause longer than the recording it begins again, and without a worker it has no corrections", () => {
  const { lab, page, play } = playCounter(3);
  const port = new FakePort();
  const log = new FlightLog(page.telemetry.flight, port);
  play(4);
  log.advance(lab.nowMs);
  port.deliver();
  play(70);
  catchUp(log, { port, nowMs: lab.nowMs });
  assertEquals(port.requests.filter((type) => type === "begin").length, 2);
  assertEquals([log.divergences, log.lanes.newest], [0, page.session.head]);
  port.onerror?.(new ErrorEvent("error"));
  const newest = () => log.rows.findLast(({ kind }) => kind === "correction")?.atMs;
  const before = newest();
  play(2);
  catchUp(log, { port, nowMs: lab.nowMs });
  assertEquals(newest(), before);
});

Deno.test("FlightLog: what was seen of a correction follows from the frames: slid, still sliding, snapped, unseen", () => {
  const recording = new FlightRecording();
  const log = new FlightLog(recording, undefined);
  const poses = new PoseList();
  Object.assign(poses.add(), { entity: 7, seat: 1, x: 0, y: 0, angle: 0, teleports: 0 });
  let offset = 0;
  const smoother = { offsetMetres: () => offset };
  const draw = (atMs: number, metres: number) => {
    offset = metres;
    recording.onFrame(atMs, { poses, smoother, retracted: [] });
  };

  for (
    const [atMs, metres] of [[980, 0], [1000, 0], [1020, 0.4], [1040, 0.2], [1060, 0.1], [
      1080,
      0.04,
    ]] as const
  ) {
    draw(atMs, metres);
  }

  const sight = (atMs: number, metres = 0.4) => log.sightOf(correctionOf({ atMs, metres }));
  assertEquals(sight(1005), { seen: "slid", visibleMs: 60 });
  assertEquals(sight(1005, 3), { seen: "snapped", visibleMs: 0 });
  assertEquals(sight(1090).seen, "unseen");
  assertEquals(Math.round(log.offsetMetres(1) * 100), 4);
  draw(1100, 0.5);
  assertEquals(sight(1090), { seen: "slid", visibleMs: undefined });
});
