/**
 * Wakes its page four times a second. Browsers fire the timers of a hidden page once a minute after
 * a while, but not those of a worker. A page has to see within seconds that its connection is dead
 * (SPEC 8.50), and a join takes five pings, one each time: by one pulse a second, hidden pages were
 * back five seconds later than others.
 */
const PULSE_MS = 250;

setInterval(() => postMessage(0), PULSE_MS);
