/** Clients that break HTTP/3, or say nothing at all. Each loses its own connection. */
import { frameOf } from "../../../server/datagrams/http3/frame_reader.ts";
import { Http3Code } from "../../../server/datagrams/http3/http3_error.ts";
import type { SessionRequest } from "../../../server/datagrams/http3/session_request.ts";
import { CONTROL_STREAM, type RawQuic } from "./raw_quic.ts";

export interface Http3Violation {
  readonly commit: (quic: RawQuic, request: SessionRequest) => Promise<unknown>;
  /** The code with which the server closes the connection. */
  readonly code: number;
}

/**
 * By what the client does. Those of `generalProtocol` are closed after the time that a client has
 * for its session.
 */
export const HTTP3_VIOLATIONS: Readonly<Record<string, Http3Violation>> = {
  "says nothing, and stays alive": {
    commit: () => Promise.resolve(),
    code: Http3Code.generalProtocol,
  },
  "has settings, and no request": {
    commit: (quic) => quic.openControl(CONTROL_STREAM),
    code: Http3Code.generalProtocol,
  },
  "has a request, and no settings": {
    commit: (quic, request) => quic.request(request),
    code: Http3Code.generalProtocol,
  },
  "opens no stream of messages": {
    commit: (quic, request) =>
      Promise.all([quic.openControl(CONTROL_STREAM), quic.request(request)]),
    code: Http3Code.generalProtocol,
  },
  "opens another stream in its place": {
    async commit(quic, request) {
      await quic.openControl(CONTROL_STREAM);
      await quic.request(request);
      await quic.openStream(Uint8Array.of(1, 2, 3));
    },
    code: Http3Code.streamCreation,
  },
  "opens a second stream at once": {
    async commit(quic) {
      await quic.openStream(Uint8Array.of(1));
      await quic.openStream(Uint8Array.of(1));
    },
    code: Http3Code.streamCreation,
  },
  "sends datagrams without a session": {
    async commit(quic) {
      for (let n = 0; n < 200; n++) await quic.sendDatagram(Uint8Array.of(0, 1));
    },
    code: Http3Code.excessiveLoad,
  },
  "sends noise as its request": {
    commit: (quic) => quic.openStream(frameOf(1, [1, 2, 3])),
    code: Http3Code.qpackDecompression,
  },
  "sends data before the headers": {
    commit: (quic) => quic.openStream(frameOf(0, [1, 2, 3])),
    code: Http3Code.frameUnexpected,
  },
  "sends a frame of 9 kB of headers": {
    commit: (quic) => quic.openStream(frameOf(1, new Uint8Array(9_000))),
    code: Http3Code.excessiveLoad,
  },
  "has wrong settings": {
    commit: (quic) => quic.openControl(Uint8Array.of(0, ...frameOf(4, [0x33, 7]))),
    code: Http3Code.settings,
  },
  "has no datagrams": {
    commit: (quic) => quic.openControl(Uint8Array.of(0, ...frameOf(4, []))),
    code: Http3Code.settings,
  },
  "has two control streams": {
    commit: (quic) =>
      Promise.all([quic.openControl(CONTROL_STREAM), quic.openControl(CONTROL_STREAM)]),
    code: Http3Code.streamCreation,
  },
  "ends its control stream": {
    commit: async (quic) => void (await quic.openControl(CONTROL_STREAM)).close(),
    code: Http3Code.closedCriticalStream,
  },
  "fills a stream of QPACK": {
    commit: (quic) => quic.openControl(new Uint8Array(20_000).fill(2)),
    code: Http3Code.excessiveLoad,
  },
};
