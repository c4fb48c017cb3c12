/**
 * Deno for arm64, which QEMU runs on a machine with another processor. QEMU translates each
 * instruction and computes with the arithmetic of arm64, so it finds what differs there: instructions
 * that V8's compiler chooses, such as fused multiplications, and the signs of NaN.
 */
import { firstFile } from "../../browser/places.ts";

/** Names Deno's program for arm64, because npm installs it nowhere on another processor. */
const VARIABLE = "WYVERN_DENO_ARM64";
const QEMU_PLACES = ["/usr/bin/qemu-aarch64-static", "/usr/bin/qemu-aarch64"];
/** Where Debian's packages for arm64 have their libraries. */
const LIBRARIES = "/usr/aarch64-linux-gnu";
const LIBRARY_FILES = ["ld-linux-aarch64.so.1", "libgcc_s.so.1"].map((name) =>
  `${LIBRARIES}/lib/${name}`
);

const IS_ARM64 = Deno.build.arch === "aarch64";

/** @returns undefined if Deno for arm64 runs here; else the reason and a remedy */
export function missingArm64(): string | undefined {
  if (IS_ARM64) return undefined;
  if (firstFile(QEMU_PLACES) === undefined) {
    return "there is no QEMU; install Debian's qemu-user-static";
  }
  if (LIBRARY_FILES.some((path) => firstFile([path]) === undefined)) {
    return "there is no C library for it; install Debian's libc6-arm64-cross and libgcc-s1-arm64-cross";
  }
  const path = Deno.env.get(VARIABLE);
  if (path === undefined) {
    return `${VARIABLE} is not set; it names the file deno of npm's @deno/linux-arm64-glibc`;
  }
  return firstFile([path]) === undefined ? `${VARIABLE} names no file: ${path}` : undefined;
}

/** The command that runs Deno for arm64, without arguments. Only if nothing is missing. */
export function arm64Command(): readonly string[] {
  if (IS_ARM64) return [Deno.execPath()];
  return [firstFile(QEMU_PLACES)!, "-L", LIBRARIES, Deno.env.get(VARIABLE)!];
}
