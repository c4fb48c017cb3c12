/** What a gateway makes of the reports of others, and of a process that hangs. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { clock, wait } from "../../../server/ground/ticker.ts";
import { TICKET_SECONDS } from "../../../server/tickets/tickets.ts";
import {
  gatewayHealthOf,
  type GatewayHealthOptions,
  gatewayReadinessOf,
} from "../../../server/gateway/gateway_health.ts";
import { NO_PLACES } from "../../../server/capacity/capacity_check.ts";
import { OpenTickets } from "../../../server/gateway/open_tickets.ts";
import { MatchProcess, type ProcessReport } from "../../../server/gateway/match_process.ts";
import { UsageError } from "../../../shared/flags.ts";

function reportOf(report: Partial<ProcessReport>): ProcessReport {
  return {
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
    datagrams: undefined,
    ...report,
  };
}

Deno.test("gatewayHealthOf, gatewayReadinessOf: the worst counts for health, the best for readiness (SPEC 17.9)", () => {
  const up = { state: "up", awayMs: 0, restarts: 0 } as const;
  const options = (
    workers: GatewayHealthOptions["workers"],
    more: Partial<GatewayHealthOptions> = {},
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
  const { ok, rooms, clients, ticks, uptimeSeconds, workers, workersUp } = gatewayHealthOf(
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
  assertEquals(gatewayHealthOf(options([good, { ...away, awayMs: 10_000 }])).ok, false);
  const late = { ...good, report: reportOf({ ok: false, tickShare: 0.5 }) };
  assertEquals([
    gatewayHealthOf(options([good, late])).ok,
    gatewayHealthOf(options([good, late])).tickShare,
  ], [false, 0.5]);
  assertEquals(gatewayHealthOf(options([good], { httpServer: { isAccepting: false } })).ok, false);
  assertEquals(gatewayReadinessOf(options([full, good])), { ready: true, reason: "" });
  assertEquals(gatewayReadinessOf(options([full, away])), {
    ready: false,
    reason: "2: full; 3: is being started",
  });
  assertEquals(gatewayReadinessOf(options([good], { isStopping: () => true })), {
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

Deno.test("MatchProcess: one that says nothing is ended, and so is one that says too much (SPEC 17.5, 17.12)", async () => {
  const events: string[] = [];
  const workerOf = (script: string) =>
    new MatchProcess({
      number: 1,
      clock,
      wait,
      log: (event) => events.push(event),
      newNode: () => "0123456789abc000",
      results: undefined,
      onCodes() {},
      onBan() {},
      onEnded: () => assert(false, "it was never up"),
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
  for (let look = 0; look < 40; look++) silent.look();
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
