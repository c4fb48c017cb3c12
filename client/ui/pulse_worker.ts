/**
 * Wakes its page four times a second. After a while browsers fire a hidden page's timers only once
 * a minute, but not a worker's. A page must notice within seconds that its connection is dead (SPEC
 * 8.50), and a join takes five pings, one per pulse: with one pulse a second, hidden pages were
 * back five seconds later than others.
 */
const PULSE_MS = 250;

setInterval(() => postMessage(0), PULSE_MS);
