/** Formats minutes, seconds and tenths: "1:05.3". */
export function momentText(seconds: number): string {
  const tenths = Math.floor(seconds * 10 + 1e-6);
  return `${Math.floor(tenths / 600)}:${String(Math.floor(tenths / 10) % 60).padStart(2, "0")}.${
    tenths % 10
  }`;
}
