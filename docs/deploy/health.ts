/**
 * The image's health check: it asks /healthz, and exits with 0 or 1. Docker restarts no container that is not healthy. So
 * after six failures in a row this check ends process 1, and the container's restart policy starts it again.
 *
 *     deno run --allow-net=127.0.0.1:8080 --allow-read=/tmp --allow-write=/tmp --allow-run docs/deploy/health.ts [PORT [PID]]
 */

const FAILURES_MAX = 6;
const ANSWER_MS_MAX = 4_000;
/** Has a byte for each failure since the last success. */
const FAILURES = "/tmp/wyvern-unhealthy";

const [port = "8080", pid = "1"] = Deno.args;

const isHealthy = await fetch(`http://127.0.0.1:${port}/healthz`, {
  signal: AbortSignal.timeout(ANSWER_MS_MAX),
})
  .then(({ ok }) => ok, () => false);
if (isHealthy) {
  await Deno.writeTextFile(FAILURES, "");
  Deno.exit(0);
}

await Deno.writeTextFile(FAILURES, "x", { append: true });
const failures = (await Deno.readTextFile(FAILURES)).length;
console.error(`/healthz failed ${failures} times in a row`);
if (failures >= FAILURES_MAX) {
  await Deno.writeTextFile(FAILURES, "");
  Deno.kill(Number(pid), "SIGTERM");
}
Deno.exit(1);
