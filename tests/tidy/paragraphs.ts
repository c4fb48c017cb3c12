/**
 * Splits a block of prose into paragraphs. Wrapped lines belong together; each list item and each
 * docstring tag is a paragraph of its own.
 *
 * Headings, table rows, fenced code, HTML lines and lines indented like code contain no sentences.
 * They end a paragraph.
 */
import type { ProseBlock, ProseLine } from "./prose.ts";

export interface Paragraph {
  /** At least one. */
  readonly lines: readonly ProseLine[];
  /** The docstring tag before the text, such as "returns" or "param". */
  readonly tag: string | undefined;
}

/** A line that is indented by this many columns more than its paragraph is a formula or code. */
const CODE_INDENT = 4;
const LIST_ITEM = /^(\s*)(?:[-*+]|(\d+)[.)])\s+/;
const SKIPPED = /^\s*(\||#{1,6} |<[a-z!/]|-{3,}$|─{2,})/;
/** The number of a rule does not belong to its first sentence. */
const RULE_NUMBER = /^\**\d+(?:\.\d+)+\**\.?\s+/;
const TAG = /(?:^|\s)@(param|returns|throws|template|deprecated|see)\s+/;

/** @returns the paragraphs of a comment or a document, in their order */
export function paragraphsOf(block: ProseBlock): Paragraph[] {
  const reader = new ParagraphReader();
  for (const line of block) reader.add(line);
  return reader.end();
}

class ParagraphReader {
  readonly #paragraphs: Paragraph[] = [];
  #open: ProseLine[] = [];
  #tag: string | undefined;
  #isFenced = false;
  /** First column of the open list item's text; 0 outside lists. */
  #listIndent = 0;

  add({ line, text }: ProseLine): void {
    if (/^\s*(```|~~~)/.test(text)) {
      this.#isFenced = !this.#isFenced;
      return this.#close();
    }
    if (this.#isFenced) return;
    if (text.trim() === "" || SKIPPED.test(text)) return this.#close();
    const indent = text.length - text.trimStart().length;
    if (this.#open.length === 0 && indent === 0) this.#listIndent = 0;
    const item = this.#itemOf(text);
    if (item === undefined && indent >= this.#listIndent + CODE_INDENT) return this.#close();
    if (item !== undefined) {
      this.#close();
      this.#listIndent = item;
    }
    this.#addText(line, item === undefined ? text : text.slice(item));
  }

  end(): Paragraph[] {
    this.#close();
    return this.#paragraphs;
  }

  /** @returns the width of the list mark at the line's begin; undefined if there is none */
  #itemOf(text: string): number | undefined {
    const [mark, , number] = LIST_ITEM.exec(text) ?? [];
    // As in Markdown, a wrapped line that begins with "40." by chance is no item.
    const interrupts = number === undefined || number === "1" || this.#listIndent > 0 ||
      this.#open.length === 0;
    return interrupts ? mark?.length : undefined;
  }

  #addText(line: number, text: string): void {
    const [before, tag, ...rest] = text.split(TAG);
    if (before!.trim() !== "") {
      this.#open.push({ line, text: this.#open.length === 0 ? trimmed(before!) : before!.trim() });
    }
    if (tag === undefined) return;
    this.#close();
    this.#tag = tag;
    const after = rest[0]! +
      rest.slice(1).map((part, i) => i % 2 === 0 ? ` @${part} ` : part).join("");
    this.#addText(line, tag === "param" ? after.replace(/^[\w.[\]]+\s*/, "") : after);
  }

  #close(): void {
    if (this.#open.length > 0) this.#paragraphs.push({ lines: this.#open, tag: this.#tag });
    this.#open = [];
    this.#tag = undefined;
  }
}

function trimmed(text: string): string {
  return text.trim().replace(RULE_NUMBER, "");
}
