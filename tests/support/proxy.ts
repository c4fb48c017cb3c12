/**
 * A TCP proxy between a page and the server that a test can cut or stall. A cut breaks open connections and refuses new
 * ones until `mend`. A stall keeps connections open but delivers nothing until `unstall`.
 */

export class Proxy implements AsyncDisposable {
  readonly #target: number;
  readonly #pairs = new Set<Deno.Conn>();
  readonly port: number;
  #listener: Deno.Listener | undefined;
  #accepting: Promise<void>;
  #flowing = Promise.withResolvers<void>();

  /** @param target the server's port on this machine */
  constructor(target: number) {
    this.#target = target;
    this.#flowing.resolve();
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.port = (this.#listener.addr as Deno.NetAddr).port;
    this.#accepting = this.#accept(this.#listener);
  }

  /** Breaks every connection and refuses new ones. */
  async cut(): Promise<void> {
    this.#listener?.close();
    this.#listener = undefined;
    for (const end of this.#pairs) close(end);
    this.#pairs.clear();
    await this.#accepting;
  }

  mend(): void {
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: this.port });
    this.#accepting = this.#accept(this.#listener);
  }

  stall(): void {
    this.#flowing = Promise.withResolvers();
  }

  unstall(): void {
    this.#flowing.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.unstall();
    await this.cut();
  }

  async #accept(listener: Deno.Listener): Promise<void> {
    try {
      for await (const near of listener) {
        const far = await Deno.connect({ hostname: "127.0.0.1", port: this.#target });
        for (const end of [near, far]) this.#pairs.add(end);
        const whenFlowing = () => this.#flowing.promise;
        pipe(near, far, whenFlowing);
        pipe(far, near, whenFlowing);
      }
    } catch {
      // It was cut, or the server does not listen.
    }
  }
}

function pipe(from: Deno.Conn, to: Deno.Conn, whenFlowing: () => Promise<void>): void {
  const valve = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    async transform(bytes, on) {
      await whenFlowing();
      on.enqueue(bytes);
    },
  });
  from.readable.pipeThrough(valve).pipeTo(to.writable).catch(() => {
    close(from);
    close(to);
  });
}

function close(end: Deno.Conn): void {
  try {
    end.close();
  } catch {
    // It is already closed.
  }
}
