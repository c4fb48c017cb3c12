/**
 * "Play now" where several machines share the matches; only then the server adds this script to the
 * page. It intercepts the form: it asks the server for a room, and then submits the form as if the
 * page's address named that room.
 *
 * While the player reads the lobby, it measures the round trips to the machines' regions.
 */
import { measureRoundTrips, type RegionPlace } from "../net/round_trips.ts";
import { findElement, setText } from "./dom.ts";
import { hostedName, serverUrl } from "./home.ts";
import { parsePageUrl } from "./page_url.ts";

/** When all measurements end, ms. */
const MEASURE_MS_MAX = 2_000;
/**
 * How long a player who presses the button at once waits for measurements, ms: the blink of an eye.
 */
const DELAY_MS_MAX = 150;
/** How long the server may take, ms. A new room takes some tens. */
const ANSWER_MS_MAX = 4_000;
/**
 * After this time, ms, the page enters by its own machine, which says in words that all are busy,
 * and the page tries again.
 */
const PATIENCE_MS = 10_000;
/** The longest wait between two requests, ms, whatever the server says. */
const WAIT_MS_MAX = 2_000;

/** Names the game, because there may be several. */
const PLAY_URL = serverUrl(`/api/play?game=${hostedName()}`);

const lobby = findElement(document, "#lobby");
const form = findElement<HTMLFormElement>(document, "#join");
const button = findElement<HTMLButtonElement>(document, "#play");
const roundTripsMs: Record<string, number> = {};
let measured: Promise<void> | undefined;
let isAsking = false;
let hasRoom = false;

// Not with a link into a room, because that player begins to play at once and nothing should
// disturb it.
if (isRoomWanted()) measured = measure();
document.addEventListener("submit", (event) => {
  if (event.target !== form || hasRoom || !isRoomWanted()) return;
  event.preventDefault();
  event.stopPropagation();
  if (!isAsking) void playNow();
}, { capture: true });

/** Whether the page's address leaves the room open. */
function isRoomWanted(): boolean {
  return parsePageUrl(location).room === "";
}

async function playNow(): Promise<void> {
  isAsking = true;
  const label = button.textContent;
  setText(button, "Joining…");
  // Keep the player from entering another room meanwhile.
  lobby.inert = true;
  const room = await findRoom().catch(() => undefined);
  lobby.inert = false;
  setText(button, label);
  isAsking = false;
  submit(room);
}

/** Submits the form. @param room undefined for any room on the page's own machine */
function submit(room: string | undefined): void {
  const address = location.href;
  hasRoom = true;
  if (room !== undefined) history.replaceState(null, "", `#${room}`);
  // The page reads its address before this returns.
  form.requestSubmit();
  if (room !== undefined) history.replaceState(null, "", address);
  hasRoom = false;
}

/** @returns the code of a room with a seat; undefined if `PATIENCE_MS` passed without one */
async function findRoom(): Promise<string | undefined> {
  const sinceMs = performance.now();
  const waitedMs = () => performance.now() - sinceMs;
  await Promise.race([measured ??= measure(), wait(DELAY_MS_MAX)]);
  while (waitedMs() < PATIENCE_MS) {
    const { room, waitMs } = await askForRoom(waitedMs());
    if (room !== undefined || waitMs === undefined) return room;
    await wait(Math.min(waitMs, WAIT_MS_MAX));
  }
  return undefined;
}

/** @throws TypeError or DOMException if the server does not answer */
async function askForRoom(waitedMs: number): Promise<{ room?: string; waitMs?: number }> {
  const answer = await fetch(PLAY_URL, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ roundTripsMs, waitedMs }),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  return await answer.json();
}

/** Measures the regions if there are several. It never rejects. */
async function measure(): Promise<void> {
  const signal = AbortSignal.timeout(MEASURE_MS_MAX);
  const options: RequestInit = { mode: "no-cors", cache: "no-store", credentials: "omit", signal };
  try {
    const { regions } = await (await fetch(PLAY_URL, { signal })).json() as {
      regions: RegionPlace[];
    };
    if (regions.length < 2) return;
    await measureRoundTrips(regions, {
      ask: (url) => fetch(`${url}/healthz`, options),
      clock: performance,
      onMeasured: (region, ms) => roundTripsMs[region] = Math.round(ms),
    });
  } catch {
    measured = undefined; // the next press tries again
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
