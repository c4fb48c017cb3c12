/** The server introduces pages to each other that host rooms, and gives nobody else's room away. */
import { assertEquals } from "@std/assert";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { INTRODUCTION_BYTES_MAX, type ToServer } from "../../../shared/introductions.ts";
import {
  INTRODUCED_ROOMS_MAX,
  Introductions,
} from "../../../server/introductions/introductions.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";

const CLAIM = "a".repeat(32);
const OTHER_CLAIM = "b".repeat(32);

/** A socket whose messages one awaits in turn. */
class Page implements Disposable {
  readonly #socket: WebSocket;
  readonly #arrived: string[] = [];
  #wanted: (() => void) | undefined;
  readonly closed: Promise<{ code: number; reason: string }>;

  constructor(url: string, room: string, game = dragonGame.id) {
    const query = new URLSearchParams({ game, room });
    this.#socket = new WebSocket(`${url.replace("http", "ws")}introductions?${query}`);
    this.#socket.onmessage = ({ data }) => {
      this.#arrived.push(data);
      this.#wanted?.();
    };
    this.#socket.onerror = (event) => event.preventDefault();
    this.closed = new Promise((resolve) => {
      this.#socket.onclose = ({ code, reason }) => {
        resolve({ code, reason });
        this.#wanted?.();
      };
    });
  }

  static async open(url: string, room: string): Promise<Page> {
    const page = new Page(url, room);
    await new Promise((resolve) => page.#socket.onopen = resolve);
    return page;
  }

  send(message: unknown): void {
    this.#socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  async next(): Promise<unknown> {
    while (this.#arrived.length === 0) {
      if (this.#socket.readyState === WebSocket.CLOSED) throw new Error("closed");
      await new Promise<void>((resolve) => this.#wanted = resolve);
    }
    return JSON.parse(this.#arrived.shift()!);
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}

Deno.test("introductions: a page's text reaches the host, and the answer that page alone (SPEC 23.7)", async () => {
  await using server = await ServerProcess.start(
    "--signalling",
    "--ice",
    "stun:stun.example:3478,turn:ann:pass@turn.example:3478",
    "--data",
    "off",
  );
  assertEquals(await (await fetch(`${server.url}api/introductions`)).json(), {
    iceServers: [
      { urls: "stun:stun.example:3478" },
      { urls: "turn:turn.example:3478", username: "ann", credential: "pass" },
    ],
    relayOnly: false,
  });
  using host = await Page.open(server.url, "ROOM");
  using guest = await Page.open(server.url, "ROOM");
  using other = await Page.open(server.url, "ROOM");
  host.send({ type: "host", claim: CLAIM });
  assertEquals(await host.next(), { type: "host", isHost: true });
  guest.send({ type: "call", text: "offer" });
  const call = await host.next() as { from: number };
  assertEquals<unknown>(call, { type: "call", from: call.from, text: "offer" });
  host.send({ type: "answer", to: call.from, text: "answer" });
  assertEquals(await guest.next(), { type: "answer", text: "answer" });

  // Nobody else answers, or takes the room
  other.send({ type: "host", claim: OTHER_CLAIM });
  assertEquals(await other.next(), { type: "host", isHost: false });
  guest.send({ type: "call", text: "again" });
  const again = await host.next() as { from: number };
  other.send({ type: "answer", to: again.from, text: "false" });
  host.send({ type: "answer", to: again.from, text: "true" });
  assertEquals(await guest.next(), { type: "answer", text: "true" });

  // The next host knows the claim, and the former one is told
  guest.send({ type: "host", claim: CLAIM });
  assertEquals(await guest.next(), { type: "host", isHost: true });
  assertEquals((await host.closed).reason, "another page hosts the room now");
  using late = await Page.open(server.url, "NONE");
  late.send({ type: "call", text: "offer" });
  assertEquals(await late.next(), { type: "nobody", isKept: false });
});

Deno.test("introductions: what is no message, is too long or comes too often ends its own socket alone (SPEC 23.7)", async () => {
  await using server = await ServerProcess.start("--signalling", "--data", "off");
  using host = await Page.open(server.url, "ROOM");
  host.send({ type: "host", claim: CLAIM });
  await host.next();

  const ends: unknown[] = [];
  const wrong = [
    "no JSON",
    { type: "host", claim: "short" },
    { type: "call", text: "x".repeat(INTRODUCTION_BYTES_MAX + 1) },
    { type: "call", text: "x", more: 1 },
  ];
  for (const message of wrong) {
    using page = await Page.open(server.url, "ROOM");
    page.send(message);
    const { code, reason } = await page.closed;
    ends.push([code, reason]);
  }
  const none = [1008, "a message that is none of this protocol's"];
  assertEquals(ends, [none, none, none, none]);
  using long = await Page.open(server.url, "ROOM");
  long.send({ type: "call", text: "x".repeat(3 * INTRODUCTION_BYTES_MAX) });
  assertEquals((await long.closed).code, 1009);
  using flood = await Page.open(server.url, "ROOM");
  for (let i = 0; i < 60; i++) flood.send({ type: "call", text: "offer" });
  assertEquals((await flood.closed).reason, "too many messages");

  using guest = await Page.open(server.url, "ROOM");
  guest.send({ type: "call", text: "still there" });
  for (;;) {
    const { text } = await host.next() as { text: string };
    if (text === "still there") break;
  }
});

Deno.test("introductions: a server without --signalling offers none, and no socket for them (SPEC 23.7)", async () => {
  await using server = await ServerProcess.start("--data", "off");
  assertEquals(await (await fetch(`${server.url}api/introductions`)).json(), {});
  using page = new Page(server.url, "ROOM");
  assertEquals((await page.closed).code === 1000, false);
});

/** A page at the server's part without sockets. @returns what it has sent, and ways to send to it */
function entered(introductions: Introductions, code: string, game = "g") {
  const sent: unknown[] = [];
  const page = introductions.enter({ game, code }, {
    send: (message) => sent.push(message),
    close() {},
  });
  const receive = (message: ToServer) => page.receive(JSON.stringify(message));
  return {
    sent,
    leave: page.leave,
    host: (claim: string) => receive({ type: "host", claim }),
    call: () => receive({ type: "call", text: "offer" }),
    tellSeats: (seats: number) => receive({ type: "seats", seats }),
    /** @returns where it is led */
    play({ claim = CLAIM, seats = 2, except = "" } = {}): string {
      receive({ type: "play", claim, seats, except });
      return (sent.pop() as { room: string }).room;
    },
  };
}

Deno.test("Introductions: who wants to play with anybody is led to the fullest room with a seat, or opens one (SPEC 23.15)", () => {
  let nowMs = 0;
  const introductions = new Introductions({ now: () => nowMs });
  const first = entered(introductions, "AAAA");
  const apart = entered(introductions, "FFFF");
  apart.host(OTHER_CLAIM);

  // The first opens a room; two who come before it has said more take its two seats
  assertEquals(first.play(), "AAAA");
  assertEquals(["BBBB", "CCCC"].map((code) => entered(introductions, code).play()), [
    "AAAA",
    "AAAA",
  ]);
  const fourth = entered(introductions, "DDDD");
  assertEquals(fourth.play({ claim: OTHER_CLAIM }), "DDDD");
  assertEquals(entered(introductions, "ZZZZ", "another game").play(), "ZZZZ");

  // Its host counts anew, and of two rooms the fuller one comes first, but for whom it let not in
  first.host(CLAIM);
  first.tellSeats(1);
  assertEquals(entered(introductions, "EEEE").play({ except: "AAAA" }), "DDDD");
  first.tellSeats(1);
  fourth.host(OTHER_CLAIM);
  fourth.tellSeats(5);
  assertEquals(entered(introductions, "EEEE").play(), "AAAA");

  // Whoever does not host it cannot count for it, nor open a room that was not opened so
  const liar = entered(introductions, "AAAA");
  liar.tellSeats(9);
  apart.tellSeats(1);
  assertEquals(entered(introductions, "EEEE").play(), "DDDD");

  // Another page of the room goes on with it, and a room without a host is forgotten
  const next = entered(introductions, "AAAA");
  next.host(CLAIM);
  next.tellSeats(1);
  assertEquals(entered(introductions, "EEEE").play(), "AAAA");
  next.tellSeats(1);
  next.leave();
  nowMs = 31_000;
  assertEquals(entered(introductions, "EEEE").play(), "DDDD");
});

Deno.test("Introductions: rooms are bounded, and one without a host is forgotten after half a minute (SPEC 23.7)", () => {
  let nowMs = 0;
  const introductions = new Introductions({ now: () => nowMs });
  const enter = (room: string) => entered(introductions, room);
  const pages = Array.from({ length: INTRODUCED_ROOMS_MAX + 1 }, (_, i) => enter(`${i}`));
  for (const page of pages) page.host(CLAIM);
  assertEquals(pages.at(-2)!.sent, [{ type: "host", isHost: true }]);
  assertEquals(pages.at(-1)!.sent, [{ type: "host", isHost: false }]);

  pages[0]!.leave();
  nowMs = 29_000;
  const early = enter("0");
  early.call();
  assertEquals(early.sent.splice(0), [{ type: "nobody", isKept: true }]);
  early.host(OTHER_CLAIM);
  assertEquals(early.sent, [{ type: "host", isHost: false }]);
  nowMs = 31_000;
  const caller = enter("0");
  caller.call();
  const late = enter("0");
  late.host(OTHER_CLAIM);
  assertEquals(late.sent, [{ type: "host", isHost: true }]);
  assertEquals(caller.sent, [{ type: "nobody", isKept: false }]);
});
