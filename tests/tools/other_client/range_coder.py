"""The range coder of WIRE.md section 3: a writer and a reader of flags and bits."""

TOP = 1 << 24
MASK_32 = 0xFFFFFFFF


class DecodeError(Exception):
    """The bytes are no message of the protocol."""


class RangeWriter:
    """Codes flags and bits into bytes."""

    def __init__(self) -> None:
        self._low = 0
        self._range = MASK_32
        self._bytes = bytearray()

    def flag(self, is_set: bool, p: int = 2048) -> None:
        """Code one flag whose chance to be set is p of 4096."""
        share = (self._range >> 12) * p
        if is_set:
            self._range = share
        else:
            self._add(share)
            self._range -= share
        self._normalize()

    def bits(self, value: int, n: int) -> None:
        """Code a number of n bits in groups of eight, the most significant group first."""
        while n > 0:
            k = min(n, 8)
            n -= k
            self._range >>= k
            self._add(((value >> n) & ((1 << k) - 1)) * self._range)
            self._normalize()

    def end(self) -> bytes:
        """End the message in the usual way and return its bytes."""
        greatest = self._low + self._range - 1
        kept = 0 if self._low == 0 or greatest > MASK_32 else 1
        unit = 256 ** (4 - kept)
        rounded = -(-self._low // unit) * unit
        self._add(rounded - self._low)
        self._bytes += self._low.to_bytes(4, "big")[:kept]
        return bytes(self._bytes) or b"\0"

    def end_with(self, uncoded: bytes) -> bytes:
        """End the message with uncoded bytes and return all of it."""
        return bytes(self._bytes) + self._low.to_bytes(4, "big") + uncoded

    def _add(self, amount: int) -> None:
        """Add to low; an overflow carries into the bytes that were output before."""
        self._low += amount
        if self._low <= MASK_32:
            return
        self._low &= MASK_32
        at = len(self._bytes) - 1
        while self._bytes[at] == 255:
            self._bytes[at] = 0
            at -= 1
        self._bytes[at] += 1

    def _normalize(self) -> None:
        while self._range < TOP:
            self._bytes.append(self._low >> 24)
            self._low = (self._low << 8) & MASK_32
            self._range <<= 8


class RangeReader:
    """Decodes flags and bits from bytes, which may come from anyone."""

    __slots__ = ("_data", "_length", "_place", "_position", "_range")

    def __init__(self, data: bytes) -> None:
        if not data:
            raise DecodeError("the message is empty")
        self._length = len(data)
        self._data = data + b"\0\0\0\0"
        self._position = 4
        self._range = MASK_32
        self._place = int.from_bytes(self._data[:4], "big")
        if self._place == MASK_32:
            raise DecodeError("the message begins with four bytes of 255")

    def flag(self, p: int = 2048) -> bool:
        """Decode one flag whose chance to be set is p of 4096."""
        share = (self._range >> 12) * p
        is_set = self._place < share
        if is_set:
            self._range = share
        else:
            self._place -= share
            self._range -= share
        if self._range < TOP:
            self._normalize()
        return is_set

    def bits(self, n: int) -> int:
        """Decode a number of n bits."""
        value = 0
        while n > 0:
            k = min(n, 8)
            n -= k
            self._range >>= k
            group = self._place // self._range
            if group >> k:
                raise DecodeError("a group of bits is too great")
            self._place -= group * self._range
            value = value << k | group
            if self._range < TOP:
                self._normalize()
        return value

    def end(self) -> None:
        """Check that the message has no more bytes."""
        if self._position < self._length:
            raise DecodeError(f"{self._length - self._position} bytes follow the message's last element")

    def uncoded(self) -> bytes:
        """Return the uncoded bytes, which begin where the reader is."""
        if self._position > self._length:
            raise DecodeError("the message ends before its uncoded bytes")
        return self._data[self._position:self._length]

    def _normalize(self) -> None:
        while self._range < TOP:
            if self._position >= len(self._data):
                raise DecodeError("the message is too short")
            self._place = self._place << 8 | self._data[self._position]
            self._position += 1
            self._range <<= 8
