import { assert, assertEquals } from "@std/assert";
import {
  basePathOf,
  formatPageUrl,
  formatUrlElsewhere,
  gameNameOf,
  isRoomCode,
  newRoomCode,
  newRoomKey,
  parsePageUrl,
  sanitizeRoomCode,
} from "../../../client/ui/page_url.ts";

Deno.test("sanitizeRoomCode: keeps four letters, whatever is around them", () => {
  assertEquals(sanitizeRoomCode("#play"), "PLAY");
  assertEquals(sanitizeRoomCode(" p-l a.y!"), "PLAY");
  assertEquals(sanitizeRoomCode("WYVERN"), "WYVE");
  assertEquals(sanitizeRoomCode("äb1c"), "BC");
  assertEquals(sanitizeRoomCode(""), "");
});

Deno.test("parsePageUrl: an invitation, a link for spectators, and a URL without a room", () => {
  const pageUrl = (pathname: string, hash: string) => parsePageUrl({ pathname, hash });
  assertEquals(pageUrl("/play", "#DUEL"), { room: "DUEL", spectate: false });
  assertEquals(pageUrl("/watch", "#duel"), { room: "DUEL", spectate: true });
  assertEquals(pageUrl("/", "#DUEL"), { room: "DUEL", spectate: false });
  assertEquals(pageUrl("/", "#DU"), { room: "", partialCode: "DU", spectate: false });
  assertEquals(pageUrl("/", "#12"), { room: "", spectate: false });
  for (const spectate of [false, true]) {
    const { pathname, hash, search } = new URL(
      formatPageUrl({ room: "DUEL", spectate }, { pathname: "/", search: "?rtt=9" }),
      "http://x",
    );
    assertEquals([pageUrl(pathname, hash), search], [{ room: "DUEL", spectate }, "?rtt=9"]);
  }
});

Deno.test("formatUrlElsewhere: the path stays, and the query says who watches (SPEC 14.72)", () => {
  const present = { pathname: "/games/puck/index.html", search: "?rtt=9" };
  for (const spectate of [false, true]) {
    for (const room of ["DUEL", ""]) {
      const url = formatUrlElsewhere({ room, spectate }, present);
      const { pathname, search, hash } = new URL(url, "http://x");
      assertEquals(pathname, present.pathname);
      assertEquals(new URLSearchParams(search).get("rtt"), "9");
      assertEquals(parsePageUrl({ pathname, search, hash }), { room, spectate });
      const back = formatUrlElsewhere({ room: "", spectate: false }, { pathname, search });
      assertEquals(back, "/games/puck/index.html?rtt=9");
    }
  }
});

const KEY = "0123456789-_abcdefghiJ";
const TICKET = `eyJ9-_.${"M".repeat(43)}`;

Deno.test("parsePageUrl: the key of a private room, or an operator's ticket, a room of a page, and nothing like them (SPEC 14.23, 14.25, 23.1)", () => {
  const pageUrl = (hash: string) => parsePageUrl({ pathname: "/play", hash });
  const room = { room: "DUEL", spectate: false };
  assertEquals(pageUrl(`#DUEL.${KEY}`), { ...room, key: KEY });
  assertEquals(pageUrl(`#DUEL.${TICKET}`), { ...room, ticket: TICKET });
  assertEquals(pageUrl("#DUEL.page"), { ...room, isPageRoom: true });
  const link = formatPageUrl({ ...room, isPageRoom: true }, { pathname: "/puck/watch" });
  assertEquals(link, "/puck/play#DUEL.page");
  const wrong = [
    "",
    ".",
    KEY.slice(1),
    `${KEY}x`,
    `${KEY}.`,
    ` ${KEY}`,
    `${KEY.slice(1)}%`,
    `${KEY}\n`,
  ];
  for (
    const secret of [...wrong, `${TICKET}x`, TICKET.slice(0, -1), `.${TICKET}`, `${TICKET}.${KEY}`]
  ) {
    assertEquals(pageUrl(`#DUEL.${secret}`), room, secret);
  }

  assertEquals(pageUrl(`#DUE.${KEY}`), { room: "", partialCode: "DUE", spectate: false });
  const { pathname, hash } = new URL(
    formatPageUrl({ ...room, key: KEY }, { pathname: "/" }),
    "http://x",
  );
  assertEquals(parsePageUrl({ pathname, hash }), { ...room, key: KEY });
  assertEquals(
    formatPageUrl({ ...room, ticket: TICKET }, { pathname: "/" }),
    "/play#DUEL",
    "no link has a ticket twice",
  );
});

Deno.test("newRoomKey: 128 random bits that a URL has as they are (SPEC 14.23)", () => {
  const keys = new Set(Array.from({ length: 200 }, newRoomKey));
  assertEquals(keys.size, 200);
  for (const key of keys) {
    assertEquals(parsePageUrl({ pathname: "/", hash: `#DUEL.${key}` }).key, key);
  }
});

Deno.test("page URL: a game among several keeps its name in front (SPEC 7.17)", () => {
  assertEquals(["/", "/play", "/watch"].map((pathname) => gameNameOf({ pathname })), ["", "", ""]);
  for (const pathname of ["/puck/", "/puck/play", "/puck/watch"]) {
    assertEquals([basePathOf({ pathname }), gameNameOf({ pathname })], ["/puck/", "puck"]);
    const url = formatPageUrl({ room: "DUEL", spectate: true }, { pathname, search: "?rtt=9" });
    assertEquals(url, "/puck/watch?rtt=9#DUEL");
    assertEquals(formatPageUrl({ room: "DUEL", spectate: false }, { pathname }), "/puck/play#DUEL");
    assertEquals(parsePageUrl({ pathname: "/puck/watch", hash: "#DUEL" }), {
      room: "DUEL",
      spectate: true,
    });
  }
});

Deno.test("newRoomCode: makes any of the valid codes", () => {
  assertEquals([newRoomCode(() => 0), newRoomCode(() => 0.999999)], ["AAAA", "ZZZZ"]);
  assert(isRoomCode(newRoomCode(() => 0.5)));
});
