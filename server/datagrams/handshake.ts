/**
 * Turns a QUIC connection into a WebTransport session over HTTP/3 (draft-ietf-webtrans-http3, RFC
 * 9114):
 *
 *     both    control stream with settings
 *     client  request on its first stream: CONNECT, path, origin
 *     server  status
 *     client  one stream for messages, which begins with WebTransport's mark and the number of the session
 *
 * A connection carries one session. Its number is that of the request's stream, which is 0.
 */
import { ChunkReader } from "./chunks.ts";
import { CONTROL, ControlStreams, SETTINGS } from "./control_streams.ts";
import type { SessionEnd } from "./http3/capsules.ts";
import { ByteReader, varint, varintLength } from "./http3/byte_reader.ts";
import { frameOf } from "./http3/frame_reader.ts";
import { Http3Code, Http3Error } from "./http3/http3_error.ts";
import type { SessionRequest } from "./http3/session_request.ts";
import { encodeSettings } from "./http3/settings.ts";
import type { QuicConnection, QuicStream } from "./quic.ts";
import { RequestStream } from "./request_stream.ts";

/** What a bidirectional WebTransport stream begins with. */
const MESSAGES_MARK = 0x41;
/** The session's number, and a quarter of it, with which each datagram begins. */
const SESSION = 0;

/** How the connection ends if a client that was refused opens a stream all the same. */
const UNWANTED = { closeCode: Http3Code.noError, reason: "" };

/** A session with an admitted client. */
export interface OpenSession {
  readonly request: RequestStream;
  /** The stream of messages, after its mark. */
  readonly input: ChunkReader;
  readonly output: WritableStream<Uint8Array<ArrayBuffer>>;
  /** The first bytes of messages, which arrived together with the mark. */
  readonly head: Uint8Array<ArrayBuffer>;
  readonly ended: Promise<SessionEnd>;
  /**
   * The control stream. The session's owner has to keep it, because Deno ends a stream that is
   * garbage-collected, and a browser then closes the connection.
   */
  readonly control: object;
}

/**
 * Opens a connection's session.
 * @param admit answers the request with a status: 200 admits the client
 * @returns undefined if the client was refused
 * @throws Http3Error if the client breaks the protocol, Error if the connection ends
 */
export async function openSession(
  connection: QuicConnection,
  admit: (request: SessionRequest) => number,
): Promise<OpenSession | undefined> {
  const control = new ControlStreams(connection);
  const settings = await writeSettings(connection);
  const open = async () => {
    const streams = connection.incomingBidirectionalStreams.getReader();
    const request = new RequestStream(await next(streams));
    const messages = next(streams);

    // The request. A second stream is not read before the answer or after a refusal, and QUIC would
    // keep a megabyte of it.
    const tooSoon = messages.then(() => fail("a stream before its session"));
    const [wanted] = await Promise.race([
      Promise.all([request.request(), control.settings]),
      tooSoon,
    ]);

    // The answer
    const status = admit(wanted);
    if (status !== 200) messages.then(() => connection.close(UNWANTED), () => {});
    await request.answer(status);
    if (status !== 200) return undefined;

    // The session, which may end at any time from here on
    const ended = Promise.race([request.end(), control.broken]);
    ended.catch(() => {});
    const { readable, writable: output } = await messages;
    const input = new ChunkReader(readable);
    return { request, input, output, head: await readMark(input), ended, control: settings };
  };
  return await Promise.race([open(), control.broken]);
}

function fail(message: string): never {
  throw new Http3Error(Http3Code.streamCreation, message);
}

async function next(streams: ReadableStreamDefaultReader<QuicStream>): Promise<QuicStream> {
  const { value, done } = await streams.read();
  if (done) throw new Error("the connection has ended");
  return value;
}

/** @returns the control stream, which must stay open as long as the connection does */
async function writeSettings(connection: QuicConnection): Promise<object> {
  const writer = (await connection.createUnidirectionalStream()).getWriter();
  await writer.write(Uint8Array.from([CONTROL, ...frameOf(SETTINGS, encodeSettings())]));
  return writer;
}

/**
 * Reads the mark with which a stream of messages begins.
 * @returns the bytes after it
 * @throws Http3Error for any other stream
 */
async function readMark(input: ChunkReader): Promise<Uint8Array<ArrayBuffer>> {
  const mark = Uint8Array.from([...varint(MESSAGES_MARK), SESSION]);
  let bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
  while (bytes.length < mark.length) {
    const chunk = await input.read();
    if (chunk === undefined) fail("a stream without a mark");
    bytes = Uint8Array.from([...bytes, ...chunk]);
  }
  if (!mark.every((byte, i) => byte === bytes[i])) fail("an unknown stream");
  return bytes.subarray(mark.length);
}

/** The session's number, which precedes a datagram's message. */
export const DATAGRAM_HEAD_BYTES = 1;

/** Makes a datagram that belongs to the session. */
export function sessionDatagram(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const datagram = new Uint8Array(DATAGRAM_HEAD_BYTES + message.length);
  datagram[0] = SESSION;
  datagram.set(message, DATAGRAM_HEAD_BYTES);
  return datagram;
}

/** Reads a datagram's message; undefined if the datagram belongs to another session. */
export function messageOfDatagram(
  datagram: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> | undefined {
  if (datagram.length === 0 || datagram.length < varintLength(datagram[0]!)) return undefined;
  const reader = new ByteReader(datagram, Http3Code.datagram);
  return reader.varint() === SESSION ? datagram.subarray(reader.at) : undefined;
}
