/** A TCP line between a page and the server that a test can cut: what is open breaks, what is new is refused, until it is mended. */

export class Proxy implements AsyncDisposable {
  readonly #target: number;
  readonly #pairs = new Set<Deno.Conn>();
  readonly port: number;
  #listener: Deno.Listener | undefined;
  #accepting: Promise<void>;

  /** @param target the server's port on this machine */
  constructor(target: number) {
    this.#target = target;
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cut();
  }

  async #accept(listener: Deno.Listener): Promise<void> {
    try {
      for await (const near of listener) {
        const far = await Deno.connect({ hostname: "127.0.0.1", port: this.#target });
        for (const end of [near, far]) this.#pairs.add(end);
        pipe(near, far);
        pipe(far, near);
      }
    } catch {
      // cut, or nobody at the other end
    }
  }
}

function pipe(from: Deno.Conn, to: Deno.Conn): void {
  from.readable.pipeTo(to.writable).catch(() => {
    close(from);
    close(to);
  });
}

function close(end: Deno.Conn): void {
  try {
    end.close();
  } catch {
    // closed already
  }
}
