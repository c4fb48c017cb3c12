/** How far apart two colours are for people with each kind of colour vision. */

/**
 * Matrices from linear red, green and blue to a dichromat's: Machado, Oliveira and Fernandes 2009,
 * severity 1.
 */
const VISIONS: Readonly<Record<string, readonly (readonly number[])[]>> = {
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanope: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [
    -0.003882,
    -0.048116,
    1.051998,
  ]],
  deuteranope: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [
    -0.01182,
    0.04294,
    0.968881,
  ]],
  tritanope: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [
    0.004733,
    0.691367,
    0.3039,
  ]],
};

/** CIE Lab of "#rrggbb" under that vision (sRGB, D65). */
function labOf(colour: string, vision: readonly (readonly number[])[]): number[] {
  const linear = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const times = (rows: readonly (readonly number[])[], by: readonly number[]) =>
    rows.map((row) => row.reduce((sum, value, i) => sum + value * by[i]!, 0));
  const seen = times(vision, linear).map((c) => Math.min(1, Math.max(0, c)));
  const xyz = times(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]],
    seen,
  );
  const [x, y, z] = [xyz[0]! / 0.95047, xyz[1]!, xyz[2]! / 1.08883]
    .map((t) => t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116) as [number, number, number];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** The distance in CIE Lab for those who distinguish the two least. @param a as "#rrggbb" */
export function apartForAll(a: string, b: string): number {
  return Math.min(
    ...Object.values(VISIONS).map((vision) => {
      const [one, other] = [labOf(a, vision), labOf(b, vision)];
      return Math.hypot(...one.map((value, i) => value - other[i]!));
    }),
  );
}
