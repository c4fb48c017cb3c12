/** What the front process makes of the reports of others, and of a process that hangs. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { clock, wait } from "../../../server/ticker.ts";
import { TICKET_SECONDS } from "../../../server/tickets/tickets.ts";
import { allRooms } from "../../../server/workers/front/all_rooms.ts";
import {
  frontHealthOf,
  type FrontHealthOptions,
  frontReadinessOf,
} from "../../../server/workers/front/front_health.ts";
import { NO_PLACES } from "../../../server/capacity/capacity_check.ts";
import { OpenTickets } from "../../../server/workers/front/open_tickets.ts";
import { WorkerProcess } from "../../../server/workers/front/worker_process.ts";
import type { WorkerReport } from "../../../server/workers/messages.ts";
import { UsageError } from "../../../shared/flags.ts";

const listing = (code: string, players: number) => ({
  code,
  players,
  seats: 16,
  playNow: 8,
  watchers: 0,
});

function reportOf(report: Partial<WorkerReport>): WorkerReport {
  return {
    type: "report",
    ok: true,
    tickShare: 1,
    accepts: true,
    rooms: 2,
    clients: 3,
    ticks: 100,
    reason: "",
    tickLoad: 0.1,
    sockets: 3,
    setAside: 0,
    games: {},
    redeemed: {},
    ...report,
  };
}

Deno.test("allRooms: one list, the fullest first, and last the rooms of processes that take nobody (SPEC 17.11)", () => {
  const busy = reportOf({
    reason: "all rooms are open",
    games: { puck: { codes: [], list: [listing("ASHE", 9)] } },
  });
  const open = reportOf({
    games: {
      puck: {
        codes: ["BEAR"],
        list: [listing("BEAR", 1), { ...listing("CROW", 4), options: { arena: "ice" } }],
      },
      hop: { codes: [], list: [listing("DOVE", 4)] },
    },
  });
  const workers = [{ report: busy }, { report: undefined }, { report: open }];
  const games = ["puck", "hop"];
  const codes = (game: string | undefined) =>
    allRooms(workers, { games, game })?.map(({ code }) => code);
  assertEquals([codes(undefined), codes("hop")], [["CROW", "DOVE", "BEAR", "ASHE"], ["DOVE"]]);
  assertEquals(codes("chess"), undefined);
  assertEquals(allRooms(workers, { games, game: undefined })![0], {
    game: "puck",
    code: "CROW",
    players: 4,
    seats: 16,
    playNow: 8,
    watchers: 0,
    options: { arena: "ice" },
  });
  assertEquals(allRooms([{ report: open }], { games, game: "puck" })![1], listing("BEAR", 1));
});

Deno.test("frontHealthOf, frontReadinessOf: the worst counts for health, the best for readiness (SPEC 17.9)", () => {
  const up = { state: "up", awayMs: 0, restarts: 0 } as const;
  const options = (
    workers: FrontHealthOptions["workers"],
    more: Partial<FrontHealthOptions> = {},
  ) => ({
    workers,
    httpServer: { isAccepting: true },
    isStopping: () => false,
    uptimeMs: () => 5_500,
    ...more,
  });
  const good = { ...up, number: 1, report: reportOf({}) };
  const full = { ...up, number: 2, report: reportOf({ reason: "full" }) };
  const away = { ...up, number: 3, state: "starting", awayMs: 9_000, report: undefined } as const;
  const { ok, rooms, clients, ticks, uptimeSeconds, workers, workersUp } = frontHealthOf(
    options([good, full, away]),
  );
  assertEquals({ ok, rooms, clients, ticks, uptimeSeconds, workers, workersUp }, {
    ok: true,
    rooms: 4,
    clients: 6,
    ticks: 200,
    uptimeSeconds: 5,
    workers: 3,
    workersUp: 2,
  });
  assertEquals(frontHealthOf(options([good, { ...away, awayMs: 10_000 }])).ok, false);
  const late = { ...good, report: reportOf({ ok: false, tickShare: 0.5 }) };
  assertEquals([
    frontHealthOf(options([good, late])).ok,
    frontHealthOf(options([good, late])).tickShare,
  ], [false, 0.5]);
  assertEquals(frontHealthOf(options([good], { httpServer: { isAccepting: false } })).ok, false);
  assertEquals(frontReadinessOf(options([full, good])), { ready: true, reason: "" });
  assertEquals(frontReadinessOf(options([full, away])), {
    ready: false,
    reason: "2: full; 3: is being started",
  });
  assertEquals(frontReadinessOf(options([good], { isStopping: () => true })), {
    ready: false,
    reason: "stopping",
  });
});

Deno.test("OpenTickets: a ticket takes a place until it is used, taken back or too old (SPEC 17.8)", () => {
  const time = { nowMs: 0, now: () => time.nowMs };
  const tickets = new OpenTickets(time);
  const first = tickets.add("a", { isPlayer: true });
  tickets.add("a", { isPlayer: true });
  tickets.add("a", { isPlayer: false });
  tickets.add("b", { isPlayer: true });
  assertEquals(tickets.placesOf("a"), { ...NO_PLACES, seats: 2, watchers: 1 });
  first.remove();
  assertEquals(tickets.placesOf("a"), { ...NO_PLACES, seats: 1, watchers: 1 });
  tickets.use("a", 1);
  tickets.use("c", 1);
  assertEquals(tickets.placesOf("a"), { ...NO_PLACES, seats: 0, watchers: 1 });
  time.nowMs = TICKET_SECONDS * 1000;
  assertEquals([tickets.placesOf("a"), tickets.placesOf("b")], Array(2).fill(NO_PLACES));
});

Deno.test("WorkerProcess: one that says nothing is ended, and so is one that says too much (SPEC 17.5, 17.12)", async () => {
  const events: string[] = [];
  const workerOf = (script: string) =>
    new WorkerProcess({
      number: 1,
      clock,
      wait,
      log: (event) => events.push(event),
      onMessage() {},
      startMessage: () => assert(false, "no hello has come") as never,
      spawn: () =>
        new Deno.Command("sh", {
          args: ["-c", script],
          stdin: "piped",
          stdout: "piped",
          stderr: "piped",
        }).spawn(),
    });
  const silent = workerOf("exec sleep 60");
  const isOver = assertRejects(() => silent.start(), UsageError);
  for (let beat = 0; beat < 40; beat++) silent.beat();
  await isOver;
  assertEquals(events, ["worker_started", "worker_silent", "worker_lost"]);
  events.length = 0;
  await assertRejects(
    () => workerOf("head -c 5000000 /dev/zero; exec sleep 60").start(),
    UsageError,
  );
  assertEquals(events, ["worker_started", "worker_failed", "worker_lost"]);
  events.length = 0;
  await assertRejects(() => workerOf("echo printed; exit 3").start(), UsageError);
  assertEquals(events, ["worker_started", "worker_output", "worker_lost"]);
});
