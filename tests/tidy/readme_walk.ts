/** The README's section "One command's way": the files that a newcomer reads, from the key to the frame. */
import type { TextFile } from "./sources.ts";

const HEADING = "## One command's way";
/** More files are too many for one reading. */
const FILES_MAX = 20;
const FILE = /`([^`\s]+\.ts)`/g;

/** @returns the files that the section names, once each, in its order; empty if the document lacks the section */
export function filesOfWalk({ lines }: TextFile): string[] {
  const begin = lines.indexOf(HEADING);
  if (begin < 0) return [];
  const length = lines.slice(begin + 1).findIndex((line) => line.startsWith("## "));
  const section = lines.slice(begin + 1, length < 0 ? undefined : begin + 1 + length).join("\n");
  return [...new Set([...section.matchAll(FILE)].map(([, file]) => file!))];
}

/**
 * @param paths every file of the repository. A file of the walk must be one of them, as a whole path.
 * @returns one line for each fault: no files, too many files, or a file that does not exist
 */
export function walkFaults(readme: TextFile, paths: readonly string[]): string[] {
  const files = filesOfWalk(readme);
  return [
    ...files.length === 0 ? [`${readme.path} has no files below "${HEADING}"`] : [],
    ...files.length > FILES_MAX ? [`${files.length} files, at most ${FILES_MAX}`] : [],
    ...files.filter((file) => !paths.includes(file)).map((file) => `${file} does not exist`),
  ];
}
