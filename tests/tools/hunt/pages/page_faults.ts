/** The faults of hunted rooms that pages host, by their names in a schedule. */
import type { DrawnKind, Fault } from "../schedule.ts";

/** What faults can reach of such a room. */
export interface FaultyPages {
  /**
   * Ends a page; another one joins later.
   * @param which "host", or a number for any page
   * @param ms until then
   * @param isSilent whether it does not say that it leaves
   */
  end(which: "host" | number, options: { ms: number; isSilent: boolean }): void;
  /** A page does nothing for a while. */
  freeze(which: "host" | number, ms: number): void;
  /** Nothing passes between some pages and the others for a while. @param count of the first pages */
  cut(count: number, ms: number): void;
}

interface PageFaultKind {
  readonly weight: number;
  begin(pages: FaultyPages, fault: Fault): void;
}

const PAGE_FAULTS: Readonly<Record<string, PageFaultKind>> = {
  "host killed": {
    weight: 2,
    begin: (pages, { ms }) => pages.end("host", { ms, isSilent: true }),
  },
  "host closed": {
    weight: 1,
    begin: (pages, { ms }) => pages.end("host", { ms, isSilent: false }),
  },
  "page killed": {
    weight: 1,
    begin: (pages, { draw, ms }) => pages.end(draw, { ms, isSilent: true }),
  },
  "host stands still": { weight: 2, begin: (pages, { ms }) => pages.freeze("host", ms) },
  "page stands still": { weight: 1, begin: (pages, { draw, ms }) => pages.freeze(draw, ms) },
  "host and page killed": {
    weight: 1,
    begin(pages, { draw, ms }) {
      pages.end("host", { ms, isSilent: true });
      pages.end(draw, { ms, isSilent: true });
    },
  },
  "cut line": { weight: 1, begin: (pages, { draw, ms }) => pages.cut(1 + draw % 3, ms) },
};

/** The kinds, as a schedule draws them. */
export const PAGE_KINDS: readonly DrawnKind[] = Object.entries(PAGE_FAULTS).map((
  [kind, { weight }],
) => ({ kind, weight }));

/** @throws RangeError for an unknown kind */
export function beginPageFault(pages: FaultyPages, fault: Fault): void {
  const kind = PAGE_FAULTS[fault.kind];
  if (kind === undefined) throw new RangeError(`no kind of fault is called ${fault.kind}`);
  kind.begin(pages, fault);
}
