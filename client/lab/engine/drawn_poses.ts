/** Where bodies are drawn on a segment, with their error offsets. */
import type { PoseList } from "../../../shared/netcode/pose_list.ts";
import type { ErrorSmoother, Place } from "../../presentation/error_smoother.ts";
import type { PosePair } from "../../session/session_poses.ts";

/** Scratch: one body's place. */
const PLACE: Place = { x: 0, y: 0, angle: 0 };

/** @param out is emptied, and gets every body of the segment's end */
export function drawInto(
  out: PoseList,
  segment: PosePair,
  { fraction, smoother }: { fraction: number; smoother: ErrorSmoother },
): void {
  out.reset();
  for (let i = 0; i < segment.head.count; i++) {
    const pose = segment.head.at(i);
    smoother.place(segment, pose, { fraction, out: PLACE });
    Object.assign(out.add(), pose, PLACE);
  }
}
