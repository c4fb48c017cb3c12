/**
 * A violation of HTTP/3, QPACK or WebTransport by the other end, with the code that closes its
 * connection.
 */

/** Error codes from RFC 9114 §8.1, RFC 9297 §2.1 and RFC 9204 §6. */
export const Http3Code = {
  datagram: 0x33,
  noError: 0x100,
  generalProtocol: 0x101,
  internal: 0x102,
  streamCreation: 0x103,
  closedCriticalStream: 0x104,
  frameUnexpected: 0x105,
  frame: 0x106,
  excessiveLoad: 0x107,
  id: 0x108,
  settings: 0x109,
  missingSettings: 0x10a,
  message: 0x10e,
  qpackDecompression: 0x200,
} as const;

export class Http3Error extends Error {
  override readonly name = "Http3Error";
  readonly code: number;

  /** @param code one of `Http3Code` */
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
