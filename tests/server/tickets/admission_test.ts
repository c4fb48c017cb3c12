import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import type { Authorise, Grant } from "../../../server/tickets/authorise.ts";
import { CloseCode, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { type EntranceRequest, KEY, openEntrance } from "./entrance.ts";

const PRIVATE = `${CloseCode.unauthorised}: This room is private. Ask a player in it for its link.`;

Deno.test("Admission: bad wishes are refused with the code of a socket, and in words (SPEC 14.17)", async () => {
  const { ask, refused } = openEntrance();
  const cases: [EntranceRequest, object, number, string][] = [
    [
      {},
      { protocol: PROTOCOL_VERSION - 1 },
      CloseCode.version,
      `protocol ${PROTOCOL_VERSION} is spoken here`,
    ],
    [{}, { protocol: undefined }, CloseCode.protocol, "protocol: "],
    [{}, { game: "chess-9" }, CloseCode.game, "counter-1 is played here"],
    [{}, { game: "x".repeat(33) }, CloseCode.protocol, "game: "],
    [{ room: "abcd" }, {}, CloseCode.roomCode, "four letters"],
    [{ room: "A".repeat(5_000) }, {}, CloseCode.roomCode, "four letters"],
    [{}, { role: "operator" }, CloseCode.protocol, "role: "],
    [{}, { name: "x".repeat(97) }, CloseCode.protocol, "name: "],
    [{}, { resume: "0" }, CloseCode.protocol, "resume: "],
    [{}, { key: KEY.slice(1) }, CloseCode.protocol, "key: "],
    [{}, { key: `${KEY.slice(1)}/` }, CloseCode.protocol, "key: "],
    [{}, { credentials: "x".repeat(3_073) }, CloseCode.protocol, "credentials: "],
  ];
  for (const [request, more, code, words] of cases) {
    const answer = await ask(request, more);
    assert("code" in answer && answer.reason.includes(words), JSON.stringify(answer));
    assertEquals(answer.code, code);
  }

  assertEquals(refused, cases.map(([, , code]) => code));
  assert(
    "ticket" in await ask({}, { seat: 3, identity: "Ada", unknown: {} }),
    "further fields mean nothing",
  );
});

Deno.test("Admission: a full server has no tickets, but for whoever has a seat (SPEC 14.12, 14.17)", async () => {
  const { enter, ask, run } = openEntrance({ limits: { rooms: 1, seatsPerAddress: 2 } });
  const ada = await enter();
  run(1);
  const answer = await ask({ room: "ELSE" });
  assertEquals("code" in answer && answer.code, CloseCode.busy);
  await enter();
  await assertRejects(() => enter(), Error, `${CloseCode.addressFull}: `);
  assertEquals((await enter({ resume: ada.resume })).seat, ada.seat);
});

Deno.test("Admission: nobody gets a ticket to watch a room that is not there (SPEC 7.22)", async () => {
  const { ask, enter } = openEntrance();
  const early = await ask({ role: "watcher" });
  assertEquals("code" in early && early.code, CloseCode.noRoom);
  await enter();
  assert("ticket" in await ask({ role: "watcher" }));
});

Deno.test("Rooms: the hello must agree with its ticket, whose name counts (SPEC 14.19)", async () => {
  const { ask, connect, namesIn, run } = openEntrance();
  const ticketOf = async (request: EntranceRequest = {}) => {
    const answer = await ask(request);
    return "ticket" in answer ? answer.ticket : undefined;
  };
  const ada = connect(await ticketOf({ name: "Ada" }), { name: "Grace" });
  assertEquals([ada.near.closeCode, ada.seat], [0, 0]);
  run(1);
  assertEquals(namesIn(), new Map([[0, "Ada"]]));

  for (
    const [request, hello] of [
      [{ room: "ABCD" }, { room: "ABCE" }],
      [{ role: "player" }, { spectate: true }],
      [{ role: "watcher" }, { spectate: false }],
    ] as const
  ) {
    const { near, seat } = connect(await ticketOf(request), hello);
    assertEquals([near.closeCode, seat], [CloseCode.unauthorised, undefined]);
  }

  assertEquals(connect(await ticketOf({ role: "watcher" }), { spectate: true }).seat, -1);
});

Deno.test("Admission: a socket without a ticket comes in only where none is needed (SPEC 14.20)", () => {
  const open = openEntrance({ needsTicket: false });
  const shut = openEntrance();
  assertEquals(open.connect(undefined, {}).seat, 0);
  let words = "";
  try {
    shut.connect(undefined, {});
  } catch (error) {
    words = String(error);
  }
  assert(words.includes("a socket needs a ticket here"), words);
});

Deno.test("Rooms: a private room is in no list, and without its key nobody enters it (SPEC 14.23)", async () => {
  const { enter, ask, rooms, run, connect } = openEntrance({ needsTicket: false });
  const host = await enter({ key: KEY });
  run(1);
  host.play();
  run(60);
  assertEquals([rooms.list(), rooms.details().map(({ isPrivate }) => isPrivate)], [[], [true]]);
  const wrong = `${KEY.slice(1)}x`;

  for (
    const request of [{}, { key: wrong }, { role: "watcher" }, {
      role: "watcher",
      key: wrong,
    }] as EntranceRequest[]
  ) {
    await assertRejects(() => enter(request), Error, PRIVATE);
  }

  // A client without a ticket has no key either, and one whose ticket is older than the room has
  // the wrong one.
  for (const spectate of [false, true]) {
    assertEquals(connect(undefined, { spectate }).near.closeCode, CloseCode.unauthorised);
  }
  assertEquals((await enter({ key: KEY })).seat, 1);
  assertEquals((await enter({ key: KEY, role: "watcher" })).seat, -1);

  // The key of one room opens no other.
  await enter({ room: "ELSE", key: wrong });
  await assertRejects(() => enter({ room: "ELSE", key: KEY }), Error, PRIVATE);

  host.near.close(1006, "cut");
  run(2);
  assertEquals(
    (await enter({ resume: host.resume })).seat,
    host.seat,
    "a token is as good as the key",
  );
  const early = await ask({ room: "LATE" });
  const late = await enter({ room: "LATE", key: KEY });
  assertEquals(late.seat, 0);
  const { near } = connect("ticket" in early ? early.ticket : "", { room: "LATE" });
  assertEquals([near.closeCode, near.closeReason], [
    CloseCode.unauthorised,
    "This room is private. Ask a player in it for its link.",
  ]);
});

Deno.test("Rooms: who has a key does not end in a room that is open to all (SPEC 14.23)", async () => {
  const { enter } = openEntrance();
  await enter();
  await assertRejects(() => enter({ key: KEY }), Error, "This room is open to all now.");
});

/** A hook that knows people by their credentials. */
const people = (known: Readonly<Record<string, Grant>>): Authorise => ({ credentials }) =>
  known[credentials] ?? { refusal: "We do not know you." };

Deno.test("Admission: the hook names players, and says who only watches (SPEC 14.21)", async () => {
  const { enter, namesIn, run } = openEntrance({
    hook: people({
      a: { name: "Ada", role: "player" },
      w: { name: "Wren", role: "watcher" },
      o: { name: "Olga", role: "operator" },
    }),
  });
  assertEquals((await enter({ credentials: "a", name: "Grace" })).seat, 0);
  run(1);
  assertEquals(namesIn().get(0), "Ada");
  await assertRejects(() => enter(), Error, "4015: We do not know you.");

  for (const credentials of ["w", "o"]) {
    await assertRejects(
      () => enter({ credentials }),
      Error,
      "4015: You may watch here, but not play.",
    );
    assertEquals((await enter({ credentials, role: "watcher" })).seat, -1);
  }

  assertEquals((await enter({ credentials: "a", role: "watcher" })).seat, -1);
  await enter({ room: "PRIV", key: KEY, credentials: "a" });
  assertEquals((await enter({ room: "PRIV", credentials: "o", role: "watcher" })).seat, -1);
  await assertRejects(
    () => enter({ room: "PRIV", credentials: "w", role: "watcher" }),
    Error,
    PRIVATE,
  );
});

Deno.test("Admission: the seat that the hook gives is the player's, and nobody else's (SPEC 14.22)", async () => {
  const { enter, ask, connect, run } = openEntrance({
    hook: people({
      a: { name: "Ada", role: "player", seat: 5 },
      b: { name: "Bea", role: "player", seat: 5 },
      c: { name: "Cleo", role: "player" },
      n: { name: "", role: "player", seat: 7 },
    }),
  });
  const ada = await enter({ credentials: "a" });
  assertEquals([ada.seat, (await enter({ credentials: "c" })).seat], [5, 0]);
  run(1);
  ada.play();
  run(60);
  await assertRejects(
    () => enter({ credentials: "b" }),
    Error,
    "4015: Another player has your seat, number 5.",
  );
  await assertRejects(
    () => enter({ credentials: "b", resume: ada.resume }),
    Error,
    "4015: Another player has",
  );

  // Without the token, and while the older link is open.
  const again = await enter({ credentials: "a" });
  assertEquals([again.seat, ada.near.closeCode], [5, CloseCode.replaced]);

  const nameless = await enter({ credentials: "n" });
  await assertRejects(
    () => enter({ credentials: "n" }),
    Error,
    "4015: Another player has your seat, number 7.",
  );
  assertEquals((await enter({ credentials: "n", resume: nameless.resume })).seat, 7);

  const early = await ask({ credentials: "b", room: "LATE" });
  await enter({ credentials: "a", room: "LATE" });
  const { near } = connect("ticket" in early ? early.ticket : "", { room: "LATE" });
  assertEquals([near.closeCode, near.closeReason], [
    4015,
    "Another player has your seat, number 5.",
  ]);

  // A seat that is about to be free is not free yet, and a page tries again.
  run(1);
  again.play();
  run(60);
  again.near.close(1000, "left");
  run(1);
  assertEquals((await enter({ credentials: "b" })).near.closeCode, CloseCode.busy);
  run(60);
  assertEquals((await enter({ credentials: "b" })).seat, 5);
});

Deno.test("Seats: a token works in its own room, for a player, and for the name that it was made for (SPEC 14.24)", async () => {
  const { enter, run } = openEntrance({
    hook: people({
      a: { name: "Ada", role: "player" },
      b: { name: "Bea", role: "player" },
    }),
  });
  const ada = await enter({ credentials: "a" });
  await enter({ credentials: "a", room: "ELSE" });
  await enter({ credentials: "a", room: "ELSE" });
  run(1);
  ada.play();
  run(60);
  const { resume } = ada;
  assertEquals((await enter({ credentials: "a", role: "watcher", resume })).seat, -1);
  assertEquals((await enter({ credentials: "b", resume })).seat, 1);
  assertEquals((await enter({ credentials: "a", room: "ELSE", resume })).seat, 2);
  assertEquals(ada.near.closeCode, 0, "none of them has taken the seat");
  const back = await enter({ credentials: "a", resume });
  assertEquals([back.seat, ada.near.closeCode], [ada.seat, CloseCode.replaced]);
  assertNotEquals(back.resume, resume);
});

Deno.test("Seats: without a hook a token needs no name, with a ticket or without (SPEC 14.24)", async () => {
  const { enter, connect, run } = openEntrance({ needsTicket: false });
  const ada = await enter({ name: "Ada" });
  run(1);
  ada.play();
  run(60);
  const back = await enter({ name: "Grace", resume: ada.resume });
  assertEquals(back.seat, ada.seat);
  assertEquals(connect(undefined, { resume: back.resume }).seat, ada.seat);
});

Deno.test("Rooms: an operator's ticket shows any room, beyond the limits of spectators, and gives no seat (SPEC 14.25)", async () => {
  const { enter, tickets, connect, run } = openEntrance({
    limits: { watchersPerAddress: 40, rooms: 1 },
  });
  await enter({ key: KEY });
  for (let i = 0; i < 32; i++) assertEquals((await enter({ role: "watcher", key: KEY })).seat, -1);
  assertEquals((await enter({ role: "watcher", key: KEY })).near.closeCode, CloseCode.roomFull);
  const newTicket = (room = "ABCD") =>
    tickets.issue({
      gameId: "counter-1",
      room,
      role: "operator",
      name: "",
      protocolVersion: PROTOCOL_VERSION,
    });
  const operator = connect(newTicket(), { spectate: true });
  run(1);
  assertEquals([operator.seat, operator.near.closeCode], [-1, 0]);
  assertEquals(connect(newTicket(), { spectate: false }).near.closeCode, CloseCode.unauthorised);
  assertEquals(
    connect(newTicket("NONE"), { room: "NONE", spectate: true }).near.closeReason,
    "This room is gone.",
  );
});
