/**
 * The operators' token. A request with it may do what operators do. It works whatever others send,
 * because only wrong tokens are rate-limited.
 */
import type { IncomingMessage } from "node:http";
import type { Rate } from "../../shared/flags.ts";
import { NetworkBuckets } from "../fairness/network_buckets.ts";
import { addressBlockOf } from "../addresses/client_address.ts";
import { TokenBucket } from "../addresses/token_bucket.ts";
import { clock } from "../ground/ticker.ts";
import { ServerSecret } from "../ground/server_secret.ts";
import { cookiesOf, sameBytes } from "../ground/std_web.ts";

/** Limits everyone's wrong tokens together. Guessing 32 characters is hopeless anyway. */
const WRONG_TOKENS: Rate = { burst: 20, perSecond: 1 };
/** Limits one address's wrong tokens: an operator who mistypes may try again at once. */
const WRONG_TOKENS_PER_ADDRESS: Rate = { burst: 10, perSecond: 0.2 };

/**
 * What a request shows: the right token, none, a wrong one, or one wrong token too many ("guess").
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

  /** Reads a request's token, in `Authorization: Bearer` or in the page's cookie. */
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
   * Checks a text that may be the token. Both are hashed, so that neither length nor prefix shows
   * in the time.
   * @param addressBlock the client's
   */
  readText(text: string, addressBlock: string): TokenReading {
    return this.#readingOf(sameBytes(this.#key.bytesFor(text), this.#digest), addressBlock);
  }

  /** Checks for the right token first, so that others' wrong ones never keep it out. */
  #readingOf(isRight: boolean, addressBlock: string): TokenReading {
    if (isRight) return "right";
    const isFew = this.#wrongByNetwork.take(addressBlock) && this.#wrong.take(clock.now());
    return isFew ? "wrong" : "guess";
  }

  /** The header that keeps a browser signed in until the server or the browser ends. */
  get cookie(): string {
    return `${COOKIE}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
  }

  get #session(): string {
    return this.#key.bytesFor("session", ...this.#digest).toHex();
  }
}

/**
 * Whether a request shows a bearer token, right or wrong. Browsers do not add one without a script
 * that knows it.
 */
export function showsBearer({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return bearerOf(headers) !== undefined;
}

/** The token in `Authorization: Bearer`; undefined without it. */
function bearerOf({ authorization = "" }: IncomingMessage["headers"]): string | undefined {
  const [scheme = "", bearer = ""] = authorization.split(" ");
  return scheme.toLowerCase() === "bearer" ? bearer : undefined;
}
