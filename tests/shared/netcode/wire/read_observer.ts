/** Observes all `CodeReader`s, those inside the decoders as well. */
import { CodeReader } from "../../../../shared/netcode/wire/range_coder.ts";

export interface ReadHandlers {
  /** Called after a flag was read. */
  onFlag(value: boolean, p: number): void;
  /** Called after a number of `width` bits was read. */
  onBits(value: number, width: number): void;
}

/** Calls the handlers until it is disposed of. Only one observer may be active at a time. */
export function observeReads({ onFlag, onBits }: ReadHandlers): Disposable {
  const { flag, bits } = CodeReader.prototype;
  CodeReader.prototype.flag = function (value, p = 2048) {
    const read = flag.call(this, value, p);
    onFlag(read, p);
    return read;
  };
  CodeReader.prototype.bits = function (value, width) {
    const read = bits.call(this, value, width);
    onBits(read, width);
    return read;
  };
  return {
    [Symbol.dispose]() {
      CodeReader.prototype.flag = flag;
      CodeReader.prototype.bits = bits;
    },
  };
}
