/**
 * One loop of `BusyMachine`, in a process of its own. All loops follow the time of day, so they are
 * busy at the same time. A loop ends with its standard input, so it never outlives the test that
 * has started it.
 */

const PERIOD_MS = 4_000;
const BUSY_MS = 3_000;

let isOpen = true;
void (async () => {
  for await (const _ of Deno.stdin.readable);
  isOpen = false;
})();

while (isOpen) {
  let intoPeriodMs = Date.now() % PERIOD_MS;
  while (intoPeriodMs < BUSY_MS) intoPeriodMs = Date.now() % PERIOD_MS;

  // It looks at its input meanwhile.
  await new Promise((resolve) => setTimeout(resolve, PERIOD_MS - intoPeriodMs));
}
