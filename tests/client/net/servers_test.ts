import { assertEquals, assertRejects } from "@std/assert";
import { Servers } from "../../../client/net/servers.ts";

const HOME = "http://home";
const OWNER = "http://owner";
const OTHER = "http://other";

/** Servers of which some answer. */
function newServers(answers: Readonly<Record<string, () => Promise<string>>>) {
  const asked: string[] = [];
  const servers = new Servers(HOME);
  const ask = () =>
    servers.ask((server) => {
      asked.push(server);
      return answers[server]?.() ?? Promise.reject(new TypeError("no connection"));
    });
  return { servers, ask, asked };
}

Deno.test("Servers: the page's own server is asked first, and the others when it does not answer (SPEC 17.109)", async () => {
  const { servers, ask, asked } = newServers({ [OTHER]: () => Promise.resolve("ticket") });
  await assertRejects(ask, TypeError);
  servers.learn(OWNER, [OTHER]);
  assertEquals(await ask(), "ticket");
  assertEquals(asked, [HOME, HOME, OWNER, OTHER]);
});

Deno.test("Servers: a refusal is an answer, so nobody else is asked (SPEC 17.109)", async () => {
  const { servers, ask, asked } = newServers({
    [HOME]: () => Promise.reject(new RangeError("full")),
  });
  servers.learn(OWNER, [OTHER]);
  await assertRejects(ask, RangeError, "full");
  assertEquals(asked, [HOME]);
});

Deno.test("Servers: an answer takes none away that earlier ones have named, and the newest answer's are asked first (SPEC 17.202)", async () => {
  const { servers, ask, asked } = newServers({});
  servers.learn(OWNER, [OTHER, HOME]);
  servers.learn("");
  servers.learn("/match/1");
  // The owner of that moment is the page's own server, which hears no other one.
  servers.learn(HOME, []);
  await assertRejects(ask, TypeError);
  assertEquals(asked.splice(0), [HOME, OWNER, OTHER]);

  servers.learn(OTHER, ["http://new"]);
  await assertRejects(ask, TypeError);
  assertEquals(asked.splice(0), [HOME, OTHER, "http://new", OWNER]);

  servers.learn(HOME, Array.from({ length: 8 }, (_, i) => `http://new-${i}`));
  await assertRejects(ask, TypeError);
  assertEquals(asked.slice(1), Array.from({ length: 8 }, (_, i) => `http://new-${i}`));
});
