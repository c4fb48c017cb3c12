/** How far and how fast what one player does has consequences. */
export interface Reach {
  /** From the middle of who does it to the middle of what it touches in the same tick, metres. */
  readonly metres: number;
  /** The greatest speed of anything that moves, m/s. */
  readonly metresPerSecond: number;
}
