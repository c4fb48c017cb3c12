/** Builds of one page that differ, as after changes of its sources. */
import { buildPage } from "../../client/build/build.ts";
import { counterPage } from "../browser/counter/page_source.ts";

const HASHED = /-[0-9A-Z]{8}\.\w+$/;

/**
 * Builds the counter's page as if its sources had changed.
 * @returns the names of its hashed files
 */
export async function buildVersion(version: string, into: URL): Promise<string[]> {
  const plugin = {
    name: "version",
    setup(build: { initialOptions: { banner?: Record<string, string> } }) {
      build.initialOptions.banner = { js: `/* ${version} */`, css: `/* ${version} */` };
    },
  };
  const files = await buildPage({ ...counterPage, plugins: [plugin] }, into);
  return files.map(({ name }) => name).filter((name) => HASHED.test(name));
}
