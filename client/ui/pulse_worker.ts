/**
 * Wakes its page once a second. Browsers fire the timers of a hidden page once a minute after a while, but not those of a
 * worker, and a page has to see within seconds that its connection is dead (SPEC 8.50).
 */
const PULSE_MS = 1_000;

setInterval(() => postMessage(0), PULSE_MS);
