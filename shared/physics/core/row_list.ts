/**
 * A list of rows that is filled and emptied in each step. An array would give its memory up at
 * `length = 0` and take new memory for the next rows: half of all that a tick allocated.
 */
export class RowList {
  /** The first `count` are valid. */
  readonly rows: number[] = [];
  count = 0;

  add(row: number): void {
    this.rows[this.count++] = row;
  }

  clear(): void {
    this.count = 0;
  }

  /** @returns the index of the first entry with this row, -1 if there is none */
  indexOf(row: number): number {
    for (let i = 0; i < this.count; i++) if (this.rows[i] === row) return i;
    return -1;
  }
}
