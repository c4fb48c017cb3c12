/**
 * The code of docs/authorise.md runs: against tokens of a provider whose keys the test has made.
 */
import { dragonGame } from "../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater } from "@std/assert";
import { encodeBase64Url } from "../../server/ground/std_web.ts";
import type { Authorise, AuthoriseRequest } from "../../server/tickets/authorise.ts";
import { loadAuthorise } from "../../server/tickets/authorise_hook.ts";
import { joinedSocketUrl } from "../../client/net/join.ts";
import { PublicServer } from "../support/servers/public_server.ts";

const DOCUMENT = new URL("../../docs/authorise.md", import.meta.url);
const ISSUER = "https://accounts.example.org";

/** The blocks of TypeScript in the document, with other texts in them. */
async function blocksWith(replaced: Readonly<Record<string, string>> = {}): Promise<string[]> {
  let text = await Deno.readTextFile(DOCUMENT);
  const here = { "../server/": new URL("../../server/", import.meta.url).href };
  for (const [from, to] of Object.entries({ ...here, ...replaced })) {
    assert(text.includes(from), from);
    text = text.replaceAll(from, to);
  }
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!);
}

/** Runs a hook of the document. */
async function withHook(code: string, run: (authorise: Authorise) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempFile({ prefix: "wyvern_", suffix: ".ts" });
  try {
    await Deno.writeTextFile(path, code);
    await run(await loadAuthorise(path));
  } finally {
    await Deno.remove(path);
  }
}

const REQUEST: AuthoriseRequest = {
  game: "dragons-10",
  room: "ABCD",
  name: "whoever",
  role: "player",
  credentials: "",
  address: "192.0.2.1",
  headers: { authorization: "", cookie: "" },
  signal: new AbortController().signal,
};

const ALGORITHMS = {
  RS256: {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
  },
  ES256: { name: "ECDSA", hash: "SHA-256", namedCurve: "P-256" },
};
type Algorithm = keyof typeof ALGORITHMS;

const json = (value: unknown) => encodeBase64Url(JSON.stringify(value));

/** A provider of one algorithm, with its public keys on a port of this machine. */
class Provider implements AsyncDisposable {
  readonly #keys: CryptoKeyPair;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #algorithm: Algorithm;
  /** Requests for the keys. */
  fetches = 0;
  isDown = false;

  private constructor(algorithm: Algorithm, keys: CryptoKeyPair, jwk: JsonWebKey) {
    this.#keys = keys;
    this.#algorithm = algorithm;
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
      this.fetches++;
      return this.isDown
        ? new Response("", { status: 500 })
        : Response.json({ keys: [{ ...jwk, alg: undefined, kid: "one" }] });
    });
  }

  static async open(algorithm: Algorithm): Promise<Provider> {
    const keys = await crypto.subtle.generateKey(ALGORITHMS[algorithm], true, [
      "sign",
      "verify",
    ]) as CryptoKeyPair;
    return new Provider(algorithm, keys, await crypto.subtle.exportKey("jwk", keys.publicKey));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/jwks.json`;
  }

  /** The document's hook, which fetches its keys here. */
  async hook(): Promise<string> {
    return (await blocksWith({ [`${ISSUER}/jwks.json`]: this.url })).at(-1)!;
  }

  /** A token with these claims besides those that it needs, and with this header. */
  async token(claims: object = {}, head: object = {}): Promise<string> {
    const nowSeconds = Math.floor(Date.now() / 1000);
    const body = {
      iss: ISSUER,
      aud: "wyvern",
      exp: nowSeconds + 300,
      preferred_username: "ada",
      ...claims,
    };
    const signed = `${json({ alg: this.#algorithm, kid: "one", ...head })}.${json(body)}`;
    const bytes = new TextEncoder().encode(signed);
    const signature = await crypto.subtle.sign(
      ALGORITHMS[this.#algorithm],
      this.#keys.privateKey,
      bytes,
    );
    return `${signed}.${encodeBase64Url(new Uint8Array(signature))}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

for (const algorithm of ["RS256", "ES256"] as const) {
  Deno.test(`docs/authorise.md: an ID token of ${algorithm} names its player; every wrong one is refused (SPEC 14.21)`, async () => {
    await using provider = await Provider.open(algorithm);
    await using other = await Provider.open(algorithm);
    await withHook(await provider.hook(), async (authorise) => {
      const ask = async (credentials: string) => await authorise({ ...REQUEST, credentials });
      const good = { name: "ada", role: "player" } as const;
      const refused = { refusal: "Please sign in first." };
      assertEquals(await ask(await provider.token()), good);
      assertEquals(await ask(await provider.token({ aud: ["else", "wyvern"], nbf: 0 })), good);
      const nowSeconds = Date.now() / 1000;
      const wrongClaims = [
        { iss: "https://evil.example" },
        { iss: undefined },
        { aud: "else" },
        { aud: ["else"] },
        {
          aud: undefined,
        },
        { exp: nowSeconds - 61 },
        { exp: undefined },
        { exp: "never" },
        {
          nbf: nowSeconds + 90,
        },
        { preferred_username: undefined },
        { preferred_username: 7 },
      ];
      for (const claims of wrongClaims) {
        assertEquals(await ask(await provider.token(claims)), refused, json(claims));
      }
      const otherAlg = algorithm === "RS256" ? "ES256" : "RS256";

      for (
        const head of [{ alg: "none" }, { alg: otherAlg }, { alg: "HS256" }, { alg: "toString" }, {
          kid: "two",
        }, {
          kid: undefined,
        }]
      ) {
        assertEquals(await ask(await provider.token({}, head)), refused, JSON.stringify(head));
      }

      const [head, body, signature] = (await provider.token()).split(".");
      const forged = json({ iss: ISSUER, aud: "wyvern", exp: 9e9, preferred_username: "grace" });
      const flipped = signature!.slice(1) + signature![0];
      const texts = [
        "",
        "..",
        "...",
        "x",
        `${head}.${body}`,
        `${head}.${body}.`,
        `${head}.${forged}.${signature}`,
      ];

      for (
        const text of [
          ...texts,
          `${head}.${body}.${flipped}`,
          `${head}.${body}.${signature}.`,
          "é.é.é",
        ]
      ) {
        assertEquals(await ask(text), refused, text);
      }

      assertEquals(await ask(await other.token()), refused, "another key of the same id");
      assertEquals(
        provider.fetches,
        1,
        "tokens with unknown keys do not fetch the keys again and again",
      );
    });
  });
}

Deno.test("docs/authorise.md: a provider that fails is a failure of the hook, and later it is asked again", async () => {
  await using provider = await Provider.open("ES256");
  await withHook(await provider.hook(), async (authorise) => {
    provider.isDown = true;
    let words = "";
    try {
      await authorise({ ...REQUEST, credentials: await provider.token() });
    } catch (error) {
      words = String(error);
    }
    assertEquals(words, `Error: ${provider.url} answers 500`);
    provider.isDown = false;
    assertEquals(await authorise({ ...REQUEST, credentials: await provider.token() }), {
      name: "ada",
      role: "player",
    });
  });
});

Deno.test("docs/authorise.md: a real server lets in who has signed in, and nobody else (SPEC 14.21)", async () => {
  await using provider = await Provider.open("ES256");
  await using publicServer = await PublicServer.start([], await provider.hook());
  const request = { gameId: dragonGame.id, room: "BOTS", name: "whoever", spectate: false };
  const join = (credentials?: string) =>
    joinedSocketUrl(publicServer.origin, { ...request, credentials }).catch((error) =>
      error.message
    );
  assertEquals(await join(), "Please sign in first.");
  assert((await join(await provider.token())).startsWith("ws://127.0.0.1:"));
});

Deno.test("docs/authorise.md: a list of players gives each their seat, and others watch (SPEC 14.21)", async () => {
  const blocks = await blocksWith();
  assertGreater(blocks.length, 1);
  await withHook(blocks[0]!, async (authorise) => {
    const ask = async (cookie: string, role: "player" | "watcher" = "player") =>
      await authorise({ ...REQUEST, role, headers: { authorization: "", cookie } });
    assertEquals(await ask("theme=dark; code=b82d60f3a1"), {
      name: "Grace",
      seat: 1,
      role: "player",
    });
    assertEquals(await ask("code=b82d60f3a", "watcher"), { name: "", role: "watcher" });
    assertEquals(await ask(""), { refusal: "Only invited players have a seat. You can watch." });
  });
});
