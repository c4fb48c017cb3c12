/** Repositories of a few planted files. */
import { type Repository, sourceOf, textFileOf } from "./sources.ts";

/** A repository of the files given as path and text. */
export function repositoryOf(files: Readonly<Record<string, string>>): Repository {
  const all = Object.entries(files);
  const sourcesWith = (end: string) =>
    all.filter(([path]) => path.endsWith(end)).map((file) => sourceOf(...file));
  return {
    paths: Object.keys(files).sort(),
    sources: sourcesWith(".ts"),
    styles: sourcesWith(".css"),
    documents: all.filter(([path]) => /\.md$|\.json$|^\.ci\//.test(path)).map((file) =>
      textFileOf(...file)
    ),
  };
}
