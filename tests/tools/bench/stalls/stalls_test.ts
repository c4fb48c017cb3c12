import { assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { runTask } from "../../../support/task.ts";

Deno.test("bench stalls: commands that arrive while signals stop a real server are taken, by socket and by datagram (SPEC 2.15, 2.17)", async () => {
  const { code, stdout, stderr } = await runTask("bench", "stalls", "--stalls", "4", "--json");
  assertEquals(code, 0, stderr);
  const { stalls, takenShare, byTransport, lateByServer, lateByServerBefore } = JSON.parse(
    stdout.trim().split("\n").at(-1)!,
  );
  assertEquals(stalls.map(({ ms }: { ms: number }) => ms), [60, 100, 200]);
  const sum = (key: string) =>
    stalls.reduce((total: number, each: Record<string, number>) => total + each[key]!, 0);
  assertGreater(sum("arrived"), 50);
  // Other work on the machine may starve the server while it reads.
  assertLessOrEqual(sum("lost") / sum("arrived"), 0.1);
  assertGreater(sum("lostBefore"), 3 * sum("lost"));
  assertGreater(takenShare, 0.9);
  assertGreater(lateByServerBefore, 3 * lateByServer);
  for (const transport of ["websocket", "webtransport"]) {
    assertGreater(byTransport[transport].arrived, 20);
  }
});

Deno.test("bench stalls: an invalid flag is reported, and the exit code is 2", async () => {
  const { code, stderr } = await runTask("bench", "stalls", "--stalls", "0");
  assertEquals([code, stderr], [
    2,
    'bench: --stalls cannot be "0"; allowed: a whole number 1 to 1000\n',
  ]);
});
