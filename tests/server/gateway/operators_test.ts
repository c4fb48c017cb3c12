/** Operators, figures and lists of a server of several match processes. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { socketUrlOf } from "../../../client/net/join.ts";
import { CloseCode } from "../../../shared/netcode/wire/messages.ts";
import { HELLO, Stranger } from "../../support/sockets/stranger.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import type { HonestBot } from "../../support/honest_bot.ts";
import { WorkerServer } from "../../support/servers/worker_server.ts";

/** The most readings of a figure that comes to rest. */
const READINGS_MAX = 100;

/** A server with its operators' port. @param flags further ones */
async function startOperated(...flags: string[]) {
  const workers = await WorkerServer.start("--ops-port", "0", ...flags);
  const [, url, token] =
    (await workers.server.waitForOutput(/^Operators: (\S+)ops; the token is (\w+)$/m))!;
  const headers = { authorization: `Bearer ${token}` };
  const get = (path: string) => fetch(url + path, { headers });
  const act = async (name: string, values: unknown) => {
    const answer = await fetch(`${url}api/ops/${name}`, {
      method: "POST",
      headers,
      body: JSON.stringify(values),
    });
    return { status: answer.status, ...await answer.json() };
  };
  return { workers, get, act };
}

/** Players in rooms of both processes. @returns a bot of each */
async function playAtBoth(
  workers: WorkerServer,
): Promise<readonly [HonestBot, HonestBot, ...HonestBot[]]> {
  const bots: HonestBot[] = [];
  const homes: number[] = [];
  for (let i = 0; !(homes.includes(1) && homes.includes(2)); i++) {
    const room = `ROO${String.fromCharCode(65 + i)}`;
    bots.push(await workers.play(room, { name: room, seed: i }));
    homes.push(await workers.workerOf(room));
  }
  const [first, second] = [1, 2].map((worker) => bots[homes.indexOf(worker)]!) as [
    HonestBot,
    HonestBot,
  ];
  return [first, second, ...bots.filter((bot) => bot !== first && bot !== second)];
}

Deno.test("serve --workers: operators act on all processes, and each figure has its process (SPEC 17.9)", async () => {
  const { workers, get, act } = await startOperated();
  await using _ = workers;
  const bots = await playAtBoth(workers);
  const [first, second] = bots;

  try {
    const view = await (await get("api/ops/rooms")).json();
    const nameOf = ({ session }: HonestBot) => session.names.get(0)!;
    const listed = (bot: HonestBot) =>
      view.rooms.find(({ room }: { room: string }) => room === nameOf(bot));
    assertEquals([listed(first).worker, listed(second).worker], [1, 2]);
    assertStringIncludes(JSON.stringify(view.figures), '["Match process 2","up, ticks take ');

    assertEquals(await act("announce", { text: "We stop at noon." }), {
      status: 200,
      done: `announced to ${bots.length} clients`,
    });
    for (const { session } of bots) {
      while (session.notice === undefined) await first.until(() => true);
    }
    const rooms = (await (await fetch(`${workers.origin}/api/rooms`)).json()).rooms as {
      code: string;
    }[];
    assertEquals(rooms.map(({ code }) => code).sort(), bots.map(nameOf).sort());

    // A process that is cordoned gets no new room, and is opened again.
    assertEquals((await act("cordon", { worker: 1 })).done, "cordoned: 1 nodes");
    const isShown = async () => (await (await get("ops")).text()).includes("<td>no: cordoned</td>");
    while (!await isShown()) await first.until(() => true);
    for (let asked = 0; asked < 3; asked++) {
      const { server } = await workers.join(`COR${String.fromCharCode(65 + asked)}`);
      assertEquals(new URL(server).port, String(workers.portOf(2)));
    }
    assertEquals((await act("uncordon", { all: "yes" })).done, "opened again: 2 nodes");

    const { link } = listed(second).clients[0];
    const kicked = await act("kick", { link });
    assertEquals([kicked.status, kicked.error.split(":", 1)[0]], [400, "worker"]);
    assertEquals((await act("kick", { link, worker: 2 })).status, 200);
    await second.until(() => false);
    assertEquals(second.session.closeCode, CloseCode.kicked);
    const back = await workers.join(nameOf(second));
    assertEquals([back.status, back.code], [403, CloseCode.kicked], "for five minutes");
    assertEquals((await workers.join(nameOf(first))).status, 200, "into another room at once");
    await first.assertUndisturbed();
    assertEquals((await act("close", { game: "dragons", room: nameOf(first) })).status, 200);
    await first.until(() => false);
    assertEquals(first.session.closeCode, CloseCode.roomClosed);

    const metrics = await (await get("metrics")).text();
    for (const worker of [1, 2]) {
      assertMatch(metrics, new RegExp(`^wyvern_worker_up{worker="${worker}"} 1$`, "m"));
      assertMatch(
        metrics,
        new RegExp(`^wyvern_tick_duration_seconds_count{worker="${worker}"} [1-9]`, "m"),
      );
    }
    assertMatch(
      metrics,
      /^wyvern_closes_total\{worker="2",by="server",code="4011",transport="websocket"\} 1$/m,
    );
    assertEquals(
      metrics.match(/^# TYPE wyvern_rooms gauge$/gm)?.length,
      1,
      "each metric stands once",
    );
    // It has no tick, and yet its stalls come to an end, also on a busy machine: two readings
    // become equal.
    const stalled = async () =>
      /^wyvern_stalled_seconds_total\{worker="front"\} (.+)$/m.exec(
        await (await get("metrics")).text(),
      )![1];
    let readings = 0;
    for (let last = ""; last !== (last = (await stalled())!);) {
      assert(++readings < READINGS_MAX, "it stalls all the time");
    }
  } finally {
    for (const bot of bots) bot.stop();
  }
});

Deno.test("serve --workers: a banned address is out everywhere, also at a process that is started again (SPEC 17.9)", async () => {
  const { workers, act } = await startOperated();
  await using _ = workers;
  const bots = await playAtBoth(workers);
  const [first, second] = bots;
  const { server } = workers;
  const upgrade = async (worker: number) => {
    const stranger = await Stranger.upgrade(workers.portOf(worker), { address: "127.0.0.1" });
    stranger.cut();
    return stranger.http;
  };

  try {
    assertEquals((await act("ban", { address: "127.0.0.1", seconds: 60 })).status, 200);
    await Promise.all(bots.map((bot) => bot.until(() => false)));
    assertEquals([first, second].map(({ session }) => session.closeCode), [
      CloseCode.kicked,
      CloseCode.kicked,
    ]);
    assertEquals((await workers.join("CROW")).code, CloseCode.unauthorised);
    Deno.kill(workers.pidOf(1), "SIGKILL");
    await server.waitForOutput(/worker_lost worker=1 [^]*match_process_ready worker=1 /);
    for (const worker of [1, 2]) assertStringIncludes(await upgrade(worker), "banned");
  } finally {
    for (const bot of bots) bot.stop();
  }
});

Deno.test("serve --workers: an operator's link shows a room at its process (SPEC 17.9)", async () => {
  const { workers, act } = await startOperated();
  await using _ = workers;
  const bot = await workers.play("CROW");

  try {
    const { link } = await act("watch", { game: "dragons", room: "CROW" });
    const [, secret] = /#CROW\.(.+)$/.exec(link)!;
    const url = new URL(socketUrlOf(workers.origin, secret!));
    const worker = await workers.workerOf("CROW");
    assertEquals(Number(url.port), workers.portOf(worker));
    const stranger = await Stranger.upgrade(Number(url.port), {
      path: `${url.pathname}${url.search}`,
    });
    stranger.send({ ...HELLO, room: "CROW", spectate: true });
    await stranger.until(() => stranger.ticks.length > 0 || stranger.closeInfo !== undefined);
    assert(stranger.ticks.length > 0);
    stranger.cut();
    await bot.assertUndisturbed();
  } finally {
    bot.stop();
  }
});

Deno.test("serve --workers: a ban outlives a restart of the whole server (SPEC 14.15)", async () => {
  using data = await TemporaryData.make();
  const flags = ["--data", data.folder];
  const first = await startOperated(...flags);
  try {
    assertEquals((await first.act("ban", { address: "127.0.0.1", seconds: 600 })).status, 200);
  } finally {
    await first.workers[Symbol.asyncDispose]();
  }
  const second = await startOperated(...flags);
  await using workers = second.workers;
  assertEquals((await workers.join("CROW")).code, CloseCode.unauthorised);
  assertEquals((await second.act("unban", { address: "127.0.0.1" })).status, 200);
  assertEquals((await workers.join("CROW")).status, 200);
});
