import {
  assertEquals,
  assertGreater,
  assertGreaterOrEqual,
  assertLessOrEqual,
  assertMatch,
} from "@std/assert";
import { openEchoServer } from "../../support/echo_server.ts";
import { RawSocket } from "../../support/sockets/raw_socket.ts";
import { LogWriter } from "../../../server/ground/log_writer.ts";
import { spawnTaskTo, textOf } from "../../support/task.ts";
import { builtPage } from "../../support/built_page.ts";

/** A log whose reader takes what `accept` returns: a number of bytes, or an error. */
function openLog(linesMax: number, accept: (bytes: Uint8Array) => Promise<number>) {
  const written = { text: "" };
  const writer = new LogWriter({
    async write(bytes) {
      const count = await accept(bytes);
      written.text += new TextDecoder().decode(bytes.subarray(0, count));
      return count;
    },
    linesMax,
    time: () => "2026-01-02T03:04:05.006Z",
    wait: () => new Promise((resolve) => setTimeout(resolve)),
  });
  return { writer, written };
}

Deno.test("LogWriter: each line has time and level, in the order of the events, whatever the reader takes at once", async () => {
  const { writer, written } = openLog(100, (bytes) => Promise.resolve(Math.min(7, bytes.length)));
  writer.print("ready");
  writer.log("joined", { link: 1 });
  writer.log("refused", { link: 2 });
  writer.log("tick_failed", { error: "Error: x" });
  await writer.close(1_000);
  const time = "2026-01-02T03:04:05.006Z";
  assertEquals(
    written.text,
    `ready\n${time} info joined link=1\n${time} warn refused link=2\n${time} error tick_failed error="Error: x"\n`,
  );
});

Deno.test("LogWriter: a stuck reader costs lines beyond the bound, and the log says how many (SPEC 14.9)", async () => {
  const stuck = Promise.withResolvers<void>();
  const { writer, written } = openLog(10, (bytes) => stuck.promise.then(() => bytes.length));
  for (let i = 0; i < 100; i++) writer.log("joined", { link: i });
  // The first line is being written, so ten more can wait.
  assertEquals([writer.waitingLines, writer.dropped], [10, 89]);
  stuck.resolve();
  while (writer.waitingLines > 0) await writer.close(1_000);
  await writer.close(1_000);
  const events = written.text.trimEnd().split("\n").map((line) =>
    line.split(" ").slice(2).join(" ")
  );
  assertEquals(events[1], "log_dropped lines=89");
  assertEquals(events.toSpliced(1, 1), Array.from({ length: 11 }, (_, i) => `joined link=${i}`));
});

Deno.test("LogWriter: failed writes are counted, and their lines are in the next report", async () => {
  let failures = 3;
  const { writer, written } = openLog(100, (bytes) => {
    return failures-- > 0
      ? Promise.reject(new Error("no space left"))
      : Promise.resolve(bytes.length);
  });
  for (let i = 0; i < 3; i++) {
    writer.log("joined", { link: i });
    await new Promise((resolve) => setTimeout(resolve));
  }
  writer.log("joined", { link: 3 });
  while (writer.waitingLines > 0) await writer.close(1_000);
  await writer.close(1_000);
  assertEquals([writer.errors, writer.dropped], [3, 3]);
  assertMatch(written.text, /^\S+ warn log_dropped lines=3\n\S+ info joined link=3\n$/);
});

/** Upgrades and leaves with a reason of 120 characters, which the log has. */
async function visit(url: string): Promise<void> {
  const socket = new WebSocket(`${url.replace("http", "ws")}socket`);
  await new Promise<unknown>((resolve) => socket.onopen = socket.onerror = resolve);
  const closed = new Promise<unknown>((resolve) => socket.onclose = resolve);
  socket.close(4999, "x".repeat(120));
  await closed;
}

const healthOf = async (url: string) =>
  await (await fetch(`${url}healthz`)).json() as { ok: boolean; ticks: number };

/** @returns the answer once `isWanted` */
async function awaitHealth(
  url: string,
  isWanted: (health: { ok: boolean; ticks: number }) => boolean,
) {
  for (;;) {
    const health = await healthOf(url).catch(() => ({ ok: false, ticks: 0 }));
    if (isWanted(health)) return health;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/**
 * Starts a server whose standard output is `target`, and checks that it ticks through visits and
 * stops as always.
 */
async function checkServerWith(target: string, visits: number): Promise<void> {
  await builtPage();
  const port = freePort();
  const url = `http://127.0.0.1:${port}/`;
  const child = await spawnTaskTo({ target }, "serve", "--port", `${port}`);
  const stderr = textOf(child.stderr);
  try {
    await awaitHealth(url, ({ ok }) => ok);
    for (let i = 0; i < visits; i++) {
      await Promise.all(Array.from({ length: 20 }, () => visit(url)));
    }
    const { ticks } = await healthOf(url);
    assertGreater((await awaitHealth(url, (health) => health.ticks > ticks + 20)).ticks, ticks);
  } finally {
    child.kill("SIGTERM");
  }
  assertEquals([(await child.status).code, await stderr], [0, ""]);
}

Deno.test("main: a full log disk neither ends nor stops the server (SPEC 14.9)", async () => {
  await checkServerWith("/dev/full", 2);
});

Deno.test("main: a stuck log reader neither ends nor stops the server (SPEC 14.9)", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const fifo = `${folder}/log`;
    assertEquals((await new Deno.Command("mkfifo", { args: [fifo] }).output()).code, 0);
    // Opened for reading and writing, the pipe is never without a reader, and nobody reads.
    using stuck = await Deno.open(fifo, { read: true, write: true });
    // A pipe holds 64 KiB, so that the server's first lines do not fit any more.
    await stuck.write(new Uint8Array(65_500));
    await checkServerWith(fifo, 2);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("WebSockets: the log names a hundred links of an address at once, then five a second (SPEC 14.10)", async () => {
  const limits = { upgradesPerAddress: { burst: 1_000, perSecond: 1_000 } };
  await using server = await openEchoServer({ limits });
  const startMs = performance.now();
  for (let i = 0; i < 130; i++) (await RawSocket.upgrade(server.port)).raw[Symbol.dispose]();
  const opened = server.lines.filter((line) => line.startsWith("link_opened"));
  const seconds = (performance.now() - startMs) / 1000;
  assertGreaterOrEqual(opened.length, 100);
  assertLessOrEqual(opened.length, Math.ceil(100 + 5 * seconds));
  await server.close();
  const closed = server.lines.filter((line) => line.startsWith("link_closed"));
  assertLessOrEqual(closed.length, opened.length);
});
