/** Which answers to a request for a ticket are the server's, and what becomes of the others. */
import { assertEquals, assertRejects } from "@std/assert";
import { joinedSocketUrl } from "../../../client/net/join.ts";
import { FOREIGN_ANSWER, JoinRefusal, TRY_LATER } from "../../../client/net/join_refusal.ts";
import { Servers } from "../../../client/net/servers.ts";
import { SERVER_MARK } from "../../../shared/netcode/link.ts";
import { CloseCode, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";

const REQUEST = { gameId: "dragons-10", room: "ROOM", name: "Rook", spectate: false };
const MARKED = { [SERVER_MARK]: String(PROTOCOL_VERSION) };
const JSON_TYPE = { "Content-Type": "application/json" };

/** A server of HTTP that gives one answer. */
function serve(answer: () => Response) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function refusalOf(answer: () => Response): Promise<JoinRefusal> {
  await using server = serve(answer);
  return await assertRejects(() => joinedSocketUrl(server.url, REQUEST), JoinRefusal);
}

Deno.test("joinedSocketUrl: no answer without the server's mark is a refusal, whatever it says (SPEC 8.56)", async () => {
  const refusal = JSON.stringify({ code: CloseCode.version, error: "another version" });
  const foreign: readonly (() => Response)[] = [
    ...[400, 403, 404, 405, 410, 421, 429, 500, 502, 503].map((status) => () =>
      new Response("no", { status })
    ),
    () =>
      new Response("<!DOCTYPE html><title>Sign in</title>", {
        headers: { "Content-Type": "text/html" },
      }),
    () => new Response(refusal, { status: 403, headers: JSON_TYPE }),
    () => new Response("null", { headers: JSON_TYPE }),
    () => new Response(null, { status: 302, headers: { Location: "http://127.0.0.1:9/portal" } }),
  ];
  for (const answer of foreign) {
    assertEquals((await refusalOf(answer)).code, FOREIGN_ANSWER, `${answer().status}`);
  }
  assertEquals(
    (await refusalOf(foreign[2]!)).message,
    "Something on the way answers in the server's place (404).",
  );
  assertEquals(
    (await refusalOf(foreign.at(-1)!)).message,
    "This network wants you to sign in first.",
  );
});

Deno.test("joinedSocketUrl: the server's own refusals have its code, or its words (SPEC 8.56, 8.12)", async () => {
  const marked = (body: string, status: number, more: Record<string, string> = {}) => () =>
    new Response(body, { status, headers: { ...MARKED, ...more } });
  const full = JSON.stringify({ code: CloseCode.busy, error: "the server is full" });
  const fullRefusal = await refusalOf(
    marked(full, 503, { "Content-Type": "application/json; charset=utf-8" }),
  );
  assertEquals([fullRefusal.code, fullRefusal.message], [CloseCode.busy, "the server is full"]);
  const limit = await refusalOf(marked("Too many requests.\n", 429));
  assertEquals([limit.code, limit.message], [TRY_LATER, "Too many requests."]);
  const otherName = await refusalOf(marked("This server has another name.\n", 421));
  assertEquals([otherName.code, otherName.message], [
    CloseCode.unauthorised,
    "This server has another name.",
  ]);
  const older = await refusalOf(
    marked("no such path", 404, { [SERVER_MARK]: String(PROTOCOL_VERSION - 1) }),
  );
  assertEquals(older.code, CloseCode.version);
});

Deno.test("joinedSocketUrl: a ticket is a ticket, also when a proxy has renamed its media type or lost the mark (SPEC 8.56)", async () => {
  const ticket = JSON.stringify({ ticket: "abc" });
  for (const type of ["application/json; charset=utf-8", "Application/JSON", "text/plain"]) {
    await using server = serve(() => new Response(ticket, { headers: { "Content-Type": type } }));
    const socketUrl = `${server.url.replace("http", "ws")}/socket?ticket=abc`;
    assertEquals(await joinedSocketUrl(server.url, REQUEST), socketUrl);
  }
});

Deno.test("Servers: where something answers in a machine's place, the next machine is asked (SPEC 8.56, 18.9)", async () => {
  await using proxy = serve(() => new Response("no", { status: 404 }));
  await using server = serve(() =>
    new Response(JSON.stringify({ ticket: "abc" }), { headers: MARKED })
  );
  const servers = new Servers(proxy.url);
  servers.learn("", [server.url]);
  assertEquals(
    await joinedSocketUrl(servers, REQUEST),
    `${server.url.replace("http", "ws")}/socket?ticket=abc`,
  );
});
