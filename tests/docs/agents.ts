/**
 * `llms.txt` and `AGENTS.md`, which coding agents read, from the documents that people read:
 * `llms.txt` lists every page with its first paragraph, and `AGENTS.md` repeats whole sections.
 */

const ROOT = new URL("../../", import.meta.url);
export const LLMS = new URL("llms.txt", ROOT);
export const AGENTS = new URL("AGENTS.md", ROOT);

/** The sections of `AGENTS.md` in their order: a document, and one of its headings. */
const SECTIONS: readonly (readonly [path: string, heading: string])[] = [
  ["README.md", "Two commands"],
  ["README.md", "A game in a dozen lines"],
  ["docs/rules.md", "The order of a tick"],
  ["docs/determinism.md", "What a rule may read"],
  ["docs/determinism.md", "Maths"],
  ["docs/determinism.md", "Who watches"],
  ["CONTRIBUTING.md", "Contributing"],
  ["CONTRIBUTING.md", "The house"],
];

/** The text of `llms.txt` (the format of llmstxt.org), with the pages that README lists. */
export async function llmsText(): Promise<string> {
  const readme = await textOf("README.md");
  const groups = [...section(readme, "Read on", "README.md").matchAll(/\*\*(.+?):\*\*([^*]+)/g)];
  const parts: string[] = [];
  for (const [, title, links] of groups) {
    const pages = [...links!.matchAll(/\[([^\]]+)\]\(([\w./]+\.md)\)/g)];
    const lines: string[] = [];
    for (const [, name, path] of pages) {
      lines.push(`- [${name}](${path}): ${plain(firstParagraph(await textOf(path!)))}`);
    }
    parts.push(`## ${title}\n\n${lines.join("\n")}\n`);
  }
  return `# Wyvern\n\n> ${oneLine(firstParagraph(readme))}\n\n${parts.join("\n")}`;
}

/** The text of `AGENTS.md`. @throws Error if a section is missing */
export async function agentsText(): Promise<string> {
  const parts: string[] = [];
  for (const [path, heading] of SECTIONS) {
    const text = section(await textOf(path), heading, path);
    parts.push(`## ${heading}\n\n${withLinksFromRoot(text, path).trim()}\n`);
  }
  const head = [
    "# For coding agents",
    "",
    firstParagraph(await textOf("README.md")),
    "",
    "[llms.txt](llms.txt) lists all pages. This one repeats the sections that you need first;",
    "`deno task chore docs` writes both from the pages, so do not edit them.",
    "",
  ];
  return `${head.join("\n")}\n${parts.join("\n")}`;
}

async function textOf(path: string): Promise<string> {
  return await Deno.readTextFile(new URL(path, ROOT));
}

/** What stands below a heading, up to the next one. @throws Error if there is none */
function section(text: string, heading: string, path: string): string {
  const [, after] = `\n${text}`.split(new RegExp(`\n##? ${heading}\n`));
  if (after === undefined) throw new Error(`${path} has no heading "${heading}"`);
  return after.split("\n## ")[0]!;
}

/** The first paragraph of prose below the title. */
function firstParagraph(text: string): string {
  const paragraphs = text.split("\n\n").map((paragraph) => paragraph.trim());
  return paragraphs.find((paragraph) => /^[A-Z`*]/.test(paragraph)) ?? "";
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}

/**
 * The whole sentences as one line, without links and emphasis, which a list of links does not need.
 */
function plain(text: string): string {
  const words = oneLine(text).replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll("**", "");
  const [sentences] = /^.*[.:](?= |$)/.exec(words) ?? [words];
  return sentences.replace(/:$/, ".");
}

/** Turns links of a page in a folder into links of a page at the root. */
function withLinksFromRoot(text: string, path: string): string {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return text.replaceAll(/\]\((?!https?:|#)([^)]+)\)/g, (_, to: string) => {
    const { pathname, hash } = new URL(to, `file:///${folder}`);
    return `](${pathname.slice(1)}${hash})`;
  });
}
