/** Files that a page offers to its player: the browser puts them into the folder of downloads. */
import { make } from "../ui/dom.ts";

/** @param content bytes or text @param name the file's name, as the browser suggests it */
export function offerFile(content: Uint8Array<ArrayBuffer> | string, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  make("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
