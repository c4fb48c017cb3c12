import { assert, assertEquals, assertMatch } from "@std/assert";
import { dragonView } from "../../../client/games/dragons/view.ts";
import { FOREIGN_ANSWER, TRY_LATER } from "../../../client/net/join_refusal.ts";
import {
  connectionMessageOf,
  type ConnectionState,
  refusalOf,
  silenceOf,
} from "../../../client/ui/connection_messages.ts";
import { FINAL_CODES } from "../../../client/net/final_codes.ts";
import { CloseCode } from "../../../shared/netcode/wire/messages.ts";
import { STOPPING, StopReason } from "../../../shared/netcode/wire/stop_reasons.ts";

const WELL: ConnectionState = {
  phase: "playing",
  wasJoined: true,
  closeCode: 0,
  closeReason: "",
  unopened: 0,
  unanswered: 0,
  isOffline: false,
  keepsMatches: false,
  retryInMs: Infinity,
  seatReservedMs: 0,
  silentMs: 50,
  hiddenMs: undefined,
  beganAnew: undefined,
  announced: "",
  isPlayedByNpc: false,
  isWaitingForBody: false,
  isPageRoom: false,
};
const messageOf = (more: Partial<ConnectionState>) =>
  connectionMessageOf({ ...WELL, ...more }, dragonView.words);

Deno.test("connectionMessageOf: empty while all is well", () => {
  assertEquals(messageOf({}), "");
  assertEquals(messageOf({ silentMs: 1000 }), "");
});

Deno.test("connectionMessageOf: during the join", () => {
  assertEquals(messageOf({ phase: "connecting", wasJoined: false }), "Connecting…");
  assertEquals(messageOf({ isWaitingForBody: true }), "Your dragon is on its way…");
  assertEquals(
    messageOf({ isWaitingForBody: true, announced: "We stop at noon." }),
    "We stop at noon.",
  );
});

Deno.test("connectionMessageOf: after a second without a tick it gives the time since the last one", () => {
  assertEquals(messageOf({ silentMs: 1001 }), "Nothing from the server for 1 s. Catching up…");
  assertEquals(messageOf({ silentMs: 3999 }), "Nothing from the server for 3 s. Catching up…");
  const onPage = { isPageRoom: true };
  assertEquals(
    messageOf({ silentMs: 3999, ...onPage }),
    "Nothing from the host for 3 s. Catching up…",
  );
  const away = { phase: "away", retryInMs: 0, ...onPage } as const;
  assertEquals(
    messageOf({ ...away, closeCode: 1001 }),
    "The player who hosted is gone. Another player's device takes over. Trying again now…",
  );
  assertEquals(
    messageOf({ ...away, closeCode: 1006, wasJoined: false }),
    "The device that hosts this room does not answer. Trying again now…",
  );
});

Deno.test("connectionMessageOf: a lost connection counts down to the next attempt and to the end of the reservation (SPEC 8.4)", () => {
  const away = { phase: "away", closeCode: 1006, retryInMs: 1200, seatReservedMs: 25_900 } as const;
  assertEquals(
    messageOf(away),
    "Connection lost. Trying again in 2 s… A bot plays your dragon; its seat is yours for 26 s.",
  );
  assertEquals(
    messageOf({ ...away, retryInMs: 0, seatReservedMs: 0 }),
    "Connection lost. Trying again now…",
  );
  assertEquals(messageOf({ ...away, seatReservedMs: 0 }), "Connection lost. Trying again in 2 s…"); // a spectator
  assertEquals(messageOf({ phase: "connecting" }), "Connecting again…");
});

Deno.test("connectionMessageOf: after an attempt without any answer it promises what holds also after a crash of the server (SPEC 8.133)", () => {
  const away = { phase: "away", closeCode: 1006, retryInMs: 900, seatReservedMs: 25_900 } as const;
  const silent = { ...away, unanswered: 1 };
  const again = "The server does not answer. Trying again in 1 s…";
  assertEquals(messageOf(silent), again, "a match without a log is lost with its server");
  const saved = { ...silent, keepsMatches: true };
  assertEquals(
    messageOf(saved),
    `${again} The match is saved, and your seat waits for 26 s at least.`,
  );
  assertEquals(messageOf({ ...saved, seatReservedMs: 0 }), `${again} The match is saved.`);
  assertEquals(messageOf({ ...saved, wasJoined: false, seatReservedMs: 0 }), again);
  assertEquals(
    silenceOf(saved),
    "The server has not answered for half a minute. The match is saved, and goes on when it is back. This page goes on looking for it.",
  );
});

Deno.test("connectionMessageOf: a device without a network is offline, unless ticks come all the same (SPEC 8.132)", () => {
  const offline = "You are offline. This page goes on by itself when you are back.";
  const isOffline = true;
  assertEquals(messageOf({ isOffline }), "");
  assertEquals(messageOf({ isOffline, silentMs: 1001 }), offline);
  assertEquals(messageOf({ isOffline, phase: "connecting", wasJoined: false }), offline);
  assertEquals(
    messageOf({ isOffline, phase: "away", closeCode: 1006, retryInMs: 1, seatReservedMs: 4_000 }),
    `${offline} A bot plays your dragon; its seat is yours for 4 s.`,
  );
  assertEquals(
    messageOf({ isOffline, silentMs: 1001, isPageRoom: true }),
    "Nothing from the host for 1 s. Catching up…",
    "a page in the same house may still be reached",
  );
});

Deno.test("connectionMessageOf: a match that moves to another machine, and one whose last seconds are void (SPEC 17.106)", () => {
  const away = {
    phase: "away",
    retryInMs: 0,
    closeCode: 1001,
    closeReason: StopReason.moved,
  } as const;
  assertEquals(messageOf(away), "The match moves to another server. Trying again now…");
  assertEquals(
    messageOf({ ...away, seatReservedMs: 9_000 }),
    "The match moves to another server. Trying again now… Your seat waits for you.",
  );
  const undone = "The last seconds were undone. The match goes on from there.";
  assertEquals(messageOf({ beganAnew: "undone", announced: "You are back." }), undone);
});

Deno.test("connectionMessageOf: a server that stops, and one that never answers", () => {
  const away = { phase: "away", retryInMs: 900 } as const;
  const stopped = { ...away, closeCode: 1001 };
  assertEquals(messageOf(stopped), "The server is restarting. Trying again in 1 s…");
  assertEquals(
    messageOf({ ...away, wasJoined: false, closeCode: CloseCode.busy, closeReason: STOPPING }),
    "The server is restarting. Trying again in 1 s…",
  );
  assertEquals(
    messageOf({
      ...away,
      closeCode: CloseCode.busy,
      closeReason: "the machine is busy; try again in 10 s",
    }),
    "The server is full at the moment. Trying again in 1 s…",
  );
  assertEquals(
    messageOf({ ...away, wasJoined: false }),
    "The server does not answer. Trying again in 1 s…",
  );
});

Deno.test("connectionMessageOf: what answers in the server's place, a limit, and sockets that do not open (SPEC 8.56, 8.57)", () => {
  const away = { phase: "away", retryInMs: 900 } as const;
  const foreign = "Something on the way answers in the server's place (404).";
  for (const wasJoined of [false, true]) {
    const said = messageOf({ ...away, wasJoined, closeCode: FOREIGN_ANSWER, closeReason: foreign });
    assertEquals(said, `${foreign} Trying again in 1 s…`);
  }
  const limit = "Too many requests from your address. Wait a second.";
  assertEquals(
    messageOf({ ...away, closeCode: TRY_LATER, closeReason: limit }),
    `${limit} Trying again in 1 s…`,
  );
  const blocked =
    "The server answers, but no WebSocket opens. A firewall or a proxy may block it. Trying again in 1 s…";
  assertEquals(messageOf({ ...away, closeCode: 1006, unopened: 2 }), blocked);
  assertEquals(
    messageOf({ ...away, closeCode: 1006, unopened: 1 }),
    "Connection lost. Trying again in 1 s…",
  );
  for (const code of [FOREIGN_ANSWER, TRY_LATER]) assertEquals(refusalOf(code), undefined);
});

Deno.test("connectionMessageOf: a room without players is looked at again, and one can play there (SPEC 8.8, 8.12)", () => {
  const away = { phase: "away", closeCode: CloseCode.noRoom, retryInMs: 9_500 } as const;
  assertEquals(
    messageOf({ ...away, wasJoined: false }),
    "Nobody plays in this room. Play in it, or wait for somebody. Looking again in 10 s…",
  );
  assertEquals(messageOf(away), "Nobody plays here any more. Looking again in 10 s…");
  assertEquals(refusalOf(CloseCode.noRoom), undefined);
});

Deno.test("refusalOf: a page has words for each code after which clients stay away, and for no other", () => {
  for (const [name, code] of Object.entries(CloseCode)) {
    assertEquals(refusalOf(code) !== undefined, FINAL_CODES.has(code), name);
  }
});

Deno.test("connectionMessageOf: who has lost the place to somebody else does not try again by itself (SPEC 8.12, 14.42)", () => {
  assertMatch(
    refusalOf(CloseCode.displaced)!.text,
    /^The server is full, and your place went to somebody else/,
  );
});

Deno.test("connectionMessageOf: the seat of a match that goes on after a restart waits, that of another does not (SPEC 15.22)", () => {
  const stopped = { phase: "away", closeCode: 1001, retryInMs: 0, seatReservedMs: 20_000 } as const;
  assertEquals(
    messageOf({ ...stopped, closeReason: StopReason.kept }),
    "The server is restarting. The match goes on when it is back. Trying again now… Your seat waits for you.",
  );
  assertEquals(
    messageOf({ ...stopped, closeReason: StopReason.kept, seatReservedMs: 0 }), // a spectator
    "The server is restarting. The match goes on when it is back. Trying again now…",
  );
  assertEquals(
    messageOf({ ...stopped, phase: "connecting", closeReason: StopReason.kept }),
    "Connecting again… Your seat waits for you.",
  );
  assertEquals(
    messageOf({ ...stopped, closeReason: StopReason.over }),
    "The server is restarting. The match is over. Trying again now…",
  );
});

Deno.test("connectionMessageOf: promises no seat of a match that has ended (SPEC 8.4)", () => {
  const away = messageOf({
    phase: "away",
    closeCode: 1001,
    retryInMs: 900,
    seatReservedMs: 29_900,
  });
  assertMatch(away, /Trying again in 1 s…$/);
  assertEquals(
    messageOf({ phase: "connecting", closeCode: 1001, seatReservedMs: 29_900 }),
    "Connecting again…",
  );
});

Deno.test("refusalOf: a match that failed is over, in the server's words, and its seat with it (SPEC 8.12, 15.38)", () => {
  const text = "This match could not go on and is over. Enter the room again for a new one.";
  assertEquals(refusalOf(CloseCode.roomFailed, text), { text, endsMatch: true });
  assertEquals(refusalOf(CloseCode.roomFailed), {
    text: "This match failed and is over.",
    endsMatch: true,
  });
});

Deno.test("connectionMessageOf: a return to another match or seat (SPEC 8.17)", () => {
  assertEquals(messageOf({ beganAnew: "match", isWaitingForBody: true }), "A new match has begun.");
  assertEquals(messageOf({ beganAnew: "seat" }), "Your old seat is gone. You start anew.");
});

Deno.test("connectionMessageOf: after a hidden tab it shows until the page has caught up", () => {
  assertEquals(messageOf({ hiddenMs: 11_200, silentMs: 5000 }), "Back after 12 s. Catching up…");
});

Deno.test("refusalOf: refusals that another attempt would only meet again, with a remedy (SPEC 8.12)", () => {
  assertEquals(refusalOf(CloseCode.version)?.remedy, "reload");
  assertEquals(refusalOf(CloseCode.roomFull)?.remedy, "watch");
  assert(refusalOf(CloseCode.replaced)!.text.includes("elsewhere"));
  // The server says best why somebody may not come in.
  assertEquals(
    refusalOf(CloseCode.unauthorised, "Only members play here.")?.text,
    "Only members play here.",
  );
  assertEquals(refusalOf(CloseCode.unauthorised, "")?.text, "You may not come in here.");
  assertEquals(
    refusalOf(CloseCode.kicked, "whatever")?.text,
    "An operator has taken you out of this match.",
  );
  for (const code of [1000, 1001, 1006, CloseCode.tooSlow]) {
    assertEquals(refusalOf(code), undefined);
  }
});
