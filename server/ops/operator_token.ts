/** The operators' token: who has it may do what operators do. */
import type { IncomingMessage } from "node:http";
import type { Rate } from "../../shared/flags.ts";
import { TokenBucket } from "../http/token_bucket.ts";
import { clock } from "../ticker.ts";
import { ServerSecret } from "../server_secret.ts";
import { cookiesOf, sameBytes } from "../http/std_web.ts";

/** Wrong tokens of all together. A token has at least 32 characters, so trying finds none anyway. */
const WRONG_TOKENS: Rate = { burst: 20, perSecond: 1 };

const COOKIE = "wyvern_ops";

export class OperatorToken {
  readonly #key: ServerSecret;
  readonly #digest: Uint8Array;
  readonly #wrong = new TokenBucket(WRONG_TOKENS, clock.now());

  /** @param text at least 32 characters */
  constructor(text: string) {
    this.#key = ServerSecret.drawn();
    this.#digest = this.#key.bytesFor(text);
  }

  /** Whether the request has the token, in `Authorization: Bearer` or in the page's cookie. */
  isIn({ headers }: IncomingMessage): boolean {
    const [scheme = "", bearer = ""] = (headers.authorization ?? "").split(" ");
    if (scheme.toLowerCase() === "bearer") return this.matches(bearer);
    if (headers.cookie === undefined) return false;
    const { [COOKIE]: session } = cookiesOf(new Headers({ cookie: headers.cookie }));
    return session !== undefined && this.#isSession(session);
  }

  /** Whether a text is the token. Both are hashed, so that neither length nor prefix shows in the time. */
  matches(text: string): boolean {
    if (sameBytes(this.#key.bytesFor(text), this.#digest)) return true;
    this.#wrong.take(clock.now());
    return false;
  }

  /** Whether so many wrong tokens have come that nobody is asked now. */
  get isGuessed(): boolean {
    return this.#wrong.isEmpty(clock.now());
  }

  /** The header that signs a browser in until the server or the browser ends. */
  get cookie(): string {
    return `${COOKIE}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
  }

  get #session(): string {
    return [...this.#key.bytesFor("session", ...this.#digest)].map((byte) => byte.toString(16).padStart(2, "0")).join(
      "",
    );
  }

  #isSession(text: string): boolean {
    return sameBytes(this.#key.bytesFor(text), this.#key.bytesFor(this.#session));
  }
}
