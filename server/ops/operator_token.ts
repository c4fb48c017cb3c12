/**
 * The operators' token: a request with it may do what operators do. It passes whatever others send,
 * because only wrong tokens are limited.
 */
import type { IncomingMessage } from "node:http";
import type { Rate } from "../../shared/flags.ts";
import { NetworkBuckets } from "../fairness/network_buckets.ts";
import { addressBlockOf } from "../http/client_address.ts";
import { TokenBucket } from "../http/token_bucket.ts";
import { clock } from "../ticker.ts";
import { ServerSecret } from "../server_secret.ts";
import { cookiesOf, sameBytes } from "../http/std_web.ts";

/** Wrong tokens of all together. Guessing 32 characters is hopeless anyway. */
const WRONG_TOKENS: Rate = { burst: 20, perSecond: 1 };
/** Wrong tokens of one address: an operator who mistypes may try again at once. */
const WRONG_TOKENS_PER_ADDRESS: Rate = { burst: 10, perSecond: 0.2 };

/**
 * The token that a request shows: the right one, none, a wrong one, or one of too many wrong ones
 * ("guess").
 */
export type TokenReading = "right" | "none" | "wrong" | "guess";

const COOKIE = "wyvern_ops";

export class OperatorToken {
  readonly #key: ServerSecret;
  readonly #digest: Uint8Array;
  readonly #wrong = new TokenBucket(WRONG_TOKENS, clock.now());
  readonly #wrongByNetwork = new NetworkBuckets(WRONG_TOKENS_PER_ADDRESS, clock);

  /** @param text at least 32 characters */
  constructor(text: string) {
    this.#key = ServerSecret.drawn();
    this.#digest = this.#key.bytesFor(text);
  }

  /** Reads the token of a request, in `Authorization: Bearer` or in the page's cookie. */
  read({ headers, socket }: IncomingMessage): TokenReading {
    const addressBlock = addressBlockOf(socket.remoteAddress ?? "");
    const bearer = bearerOf(headers);
    if (bearer !== undefined) return this.readText(bearer, addressBlock);

    const { [COOKIE]: session } = headers.cookie === undefined
      ? {}
      : cookiesOf(new Headers({ cookie: headers.cookie }));
    if (session === undefined) return "none";
    return this.#readingOf(
      sameBytes(this.#key.bytesFor(session), this.#key.bytesFor(this.#session)),
      addressBlock,
    );
  }

  /**
   * Reads a text that may be the token. Both are hashed, so that neither length nor prefix shows in
   * the time.
   * @param addressBlock that of the client
   */
  readText(text: string, addressBlock: string): TokenReading {
    return this.#readingOf(sameBytes(this.#key.bytesFor(text), this.#digest), addressBlock);
  }

  /** A right token is looked at first: wrong ones of others never keep it out. */
  #readingOf(isRight: boolean, addressBlock: string): TokenReading {
    if (isRight) return "right";
    const isFew = this.#wrongByNetwork.take(addressBlock) && this.#wrong.take(clock.now());
    return isFew ? "wrong" : "guess";
  }

  /** The header that signs a browser in until the server or the browser ends. */
  get cookie(): string {
    return `${COOKIE}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
  }

  get #session(): string {
    return this.#key.bytesFor("session", ...this.#digest).toHex();
  }
}

/**
 * Whether a request shows a bearer token, right or wrong: no browser adds one without a script that
 * knows it.
 */
export function showsBearer({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return bearerOf(headers) !== undefined;
}

/** The token in `Authorization: Bearer`; undefined without it. */
function bearerOf({ authorization = "" }: IncomingMessage["headers"]): string | undefined {
  const [scheme = "", bearer = ""] = authorization.split(" ");
  return scheme.toLowerCase() === "bearer" ? bearer : undefined;
}
