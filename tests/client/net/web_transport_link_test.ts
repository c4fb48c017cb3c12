/**
 * What becomes of a session of WebTransport that is given up, on a browser's interface that a test
 * opens and closes.
 */
import { assertEquals } from "@std/assert";
import { openWebTransportLink } from "../../../client/net/web_transport_link.ts";

/** A browser that takes its time. */
class FakeTransport {
  static all: FakeTransport[] = [];
  readonly #ready = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<{ closeCode: number; reason: string }>();
  readonly ready = this.#ready.promise;
  readonly closed = this.#closed.promise;
  readonly written: Uint8Array[] = [];
  readonly datagrams = { readable: new ReadableStream(), writable: new WritableStream() };
  isOpen = false;
  closes = 0;

  constructor() {
    FakeTransport.all.push(this);
    this.ready.catch(() => {});
  }

  open(): void {
    this.isOpen = true;
    this.#ready.resolve();
  }

  /** As in browsers, a session that opens cannot be closed. */
  close(): void {
    if (!this.isOpen) throw new DOMException("it is opening", "InvalidStateError");
    this.closes++;
    this.#closed.resolve({ closeCode: 0, reason: "" });
  }

  createBidirectionalStream(): Promise<{ readable: ReadableStream; writable: WritableStream }> {
    const write = (bytes: Uint8Array) => void this.written.push(bytes);
    return Promise.resolve({
      readable: new ReadableStream(),
      writable: new WritableStream({ write }),
    });
  }
}

const turns = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

async function withFake(test: () => Promise<void>): Promise<void> {
  const before = Object.getOwnPropertyDescriptor(globalThis, "WebTransport");
  FakeTransport.all = [];
  Object.defineProperty(globalThis, "WebTransport", { value: FakeTransport, configurable: true });
  try {
    await test();
  } finally {
    if (before === undefined) delete (globalThis as { WebTransport?: unknown }).WebTransport;
    else Object.defineProperty(globalThis, "WebTransport", before);
  }
}

Deno.test("WebTransportLink: a session that is given up while it opens sends no hello when it has opened (SPEC 8.50)", () =>
  withFake(async () => {
    const link = openWebTransportLink({
      url: "https://127.0.0.1:1/socket",
      certificateHash: undefined,
    });
    const codes: number[] = [];
    link.onClose((code) => codes.push(code));
    link.sendReliably(new Uint8Array([1]));
    await turns();
    const [session] = FakeTransport.all;
    link.close(4008, "no answer");
    await turns();
    assertEquals([codes, link.bufferedBytes], [[4008], 0], "it is let go of at once");
    session!.open();
    await turns();
    assertEquals([session!.written.length, session!.closes], [0, 1]);
  }));

Deno.test("WebTransportLink: one that opens in time sends what has waited (WIRE 10)", () =>
  withFake(async () => {
    const link = openWebTransportLink({
      url: "https://127.0.0.1:1/socket",
      certificateHash: undefined,
    });
    link.sendReliably(new Uint8Array([1]));
    await turns();
    FakeTransport.all[0]!.open();
    await turns();
    assertEquals([FakeTransport.all[0]!.written.length, link.stage], [1, undefined]);
    link.close(1000, "left");
    await turns();
    assertEquals(FakeTransport.all[0]!.closes, 1);
  }));
