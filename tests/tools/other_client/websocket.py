"""The client's side of a WebSocket (RFC 6455) on a plain socket, without extensions."""

import base64
import hashlib
import os
import select
import socket
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
MAX_MESSAGE = 2 << 20
MAX_HEAD = 16_384
NO_CODE = 1005
LOST = 1006


class WebSocketError(Exception):
    """The connection could not be made, or the server broke the rules."""


@dataclass(frozen=True)
class Closed:
    """The end of a connection with its close code."""

    code: int
    reason: str


class WebSocket:
    """One connection. It never waits but for its beginning and its end."""

    def __init__(self, url: str, path: str) -> None:
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname:
            raise WebSocketError(f"{url} is no http address")
        self.closed: Closed | None = None
        self.bytes_down = 0
        self._received = bytearray()
        self._unsent = bytearray()
        self._fragments: bytearray | None = None
        self._sent_close = False
        try:
            self._socket = socket.create_connection((parts.hostname, parts.port or 80), timeout=10)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._shake_hands(parts.netloc, path)
        except OSError as error:
            raise WebSocketError(f"cannot connect to {url}: {error}") from None
        self._socket.setblocking(False)

    def wait(self, seconds: float) -> None:
        """Wait for bytes from the server, but no longer than so many seconds."""
        writers = [self._socket] if self._unsent else []
        readable, writable, _ = select.select([self._socket], writers, [], max(0.0, seconds))
        if writable:
            self._flush()
        if readable:
            self._receive()

    def message(self) -> bytes | None:
        """Return the next whole binary message that has arrived; control frames are answered on the way."""
        while self.closed is None and (frame := self._next_frame()) is not None:
            message = self._take(*frame)
            if message is not None:
                return message
        return None

    def send(self, message: bytes) -> None:
        """Send a binary message."""
        self._send_frame(BINARY, message)

    def close(self, code: int, seconds: float = 2.0) -> None:
        """Close with a code, wait for the server's answer and leave."""
        if self.closed is None:
            self._send_close(code)
            end = time.perf_counter() + seconds
            while self.closed is None and (left := end - time.perf_counter()) > 0:
                self.wait(left)
                while self.message() is not None:
                    pass
        self._socket.close()

    def _shake_hands(self, host: str, path: str) -> None:
        key = base64.b64encode(os.urandom(16))
        request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key.decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        self._socket.sendall(request.encode())
        while (end := self._received.find(b"\r\n\r\n")) < 0:
            data = self._socket.recv(4096)
            if not data or len(self._received) > MAX_HEAD:
                raise WebSocketError("the server gave no answer to the WebSocket request")
            self._received += data
        status, *lines = self._received[:end].decode("latin-1").split("\r\n")
        del self._received[:end + 4]
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest()).decode()
        if status.split(" ")[1:2] != ["101"] or headers.get("sec-websocket-accept") != accept:
            raise WebSocketError(f"the server offers no WebSocket at {path}: {status}")

    def _receive(self) -> None:
        """Take the bytes that have arrived."""
        try:
            data = self._socket.recv(1 << 18)
        except BlockingIOError:
            return
        except OSError as error:
            self.closed = Closed(LOST, str(error))
            return
        if data:
            self._received += data
        elif self.closed is None:
            self.closed = Closed(LOST, "the connection ended without a close frame")

    def _flush(self) -> None:
        try:
            del self._unsent[:self._socket.send(self._unsent)]
        except BlockingIOError:
            return
        except OSError as error:
            self.closed = Closed(LOST, str(error))

    def _send_frame(self, opcode: int, payload: bytes) -> None:
        """Send one frame under a new mask."""
        if self.closed is not None or self._sent_close:
            return
        length = len(payload)
        if length < 126:
            head = bytes((0x80 | opcode, 0x80 | length))
        elif length < 1 << 16:
            head = bytes((0x80 | opcode, 0x80 | 126)) + length.to_bytes(2, "big")
        else:
            head = bytes((0x80 | opcode, 0x80 | 127)) + length.to_bytes(8, "big")
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i & 3] for i, byte in enumerate(payload))
        self._unsent += head + mask + masked
        self._flush()

    def _send_close(self, code: int) -> None:
        self._send_frame(CLOSE, code.to_bytes(2, "big"))
        self._sent_close = True

    def _next_frame(self) -> tuple[bool, int, bytes] | None:
        """Take one whole frame: whether it is the last of its message, its opcode and its payload."""
        data = self._received
        if len(data) < 2:
            return None
        length, start = data[1] & 127, 2
        if length >= 126:
            start = 4 if length == 126 else 10
            if len(data) < start:
                return None
            length = int.from_bytes(data[2:start], "big")
        if fault := _fault(data[0], data[1], length):
            self._refuse(fault)
            return None
        if len(data) < start + length:
            return None
        frame = bool(data[0] & 0x80), data[0] & 15, bytes(data[start:start + length])
        del data[:start + length]
        self.bytes_down += length
        return frame

    def _take(self, last: bool, opcode: int, payload: bytes) -> bytes | None:
        """Act on one frame; return the message that it completes."""
        if opcode == PING:
            self._send_frame(PONG, payload)
        elif opcode == CLOSE:
            self._take_close(payload)
        elif opcode == BINARY and self._fragments is None or opcode == CONTINUATION and self._fragments is not None:
            return self._take_data(last, payload)
        elif opcode != PONG:
            self._refuse(f"a frame with the opcode {opcode}")
        return None

    def _take_data(self, last: bool, payload: bytes) -> bytes | None:
        """Add a fragment; return the message if this was the last one."""
        if last and self._fragments is None:
            return payload
        whole = (self._fragments or bytearray()) + payload
        self._fragments = None if last else whole
        if len(whole) > MAX_MESSAGE:
            self._refuse("a message that is too long")
            return None
        return bytes(whole) if last else None

    def _take_close(self, payload: bytes) -> None:
        """Answer a close frame with its own code."""
        code = int.from_bytes(payload[:2], "big") if len(payload) >= 2 else NO_CODE
        self._send_close(code if code != NO_CODE else 1000)
        self.closed = Closed(code, payload[2:].decode(errors="replace"))

    def _refuse(self, what: str) -> None:
        """Close the connection because of a frame that RFC 6455 forbids."""
        self._send_close(1002)
        self.closed = Closed(1002, f"the server sent {what}")


def _fault(first: int, second: int, length: int) -> str:
    """Say what is wrong with a frame whose first two bytes and length are known."""
    if first & 0x70 or second & 0x80:
        return "a frame with reserved bits or a mask"
    if first & 8 and (length > 125 or not first & 0x80):
        return "a control frame that is too long or has fragments"
    if length > MAX_MESSAGE:
        return "a frame that is too long"
    return ""
