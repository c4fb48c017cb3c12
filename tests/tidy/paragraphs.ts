/**
 * A block of prose as paragraphs: wrapped lines are joined, and each list item and each docstring tag is a paragraph.
 *
 * Headings, table rows, fenced code, HTML lines and lines that are indented like code hold no sentence. They end a paragraph.
 */
import type { ProseBlock, ProseLine } from "./prose.ts";

export interface Paragraph {
  /** At least one. */
  readonly lines: readonly ProseLine[];
  /** The docstring tag that the text belongs to: "returns", "param" and the like. */
  readonly tag: string | undefined;
}

/** Lines that are indented by this much more than their paragraph are formulas or code. */
const CODE_INDENT = 4;
const LIST_ITEM = /^(\s*)(?:[-*+]|(\d+)[.)])\s+/;
const SKIPPED = /^\s*(\||#{1,6} |<[a-z!/]|-{3,}$|─{2,})/;
/** The number of a rule is no word of its first sentence. */
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
  /** Column at which the text of the open list item begins; 0 outside of lists. */
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

  /** @returns the width of a list item's mark, or undefined for a line that begins no item */
  #itemOf(text: string): number | undefined {
    const [mark, , number] = LIST_ITEM.exec(text) ?? [];
    // As in Markdown, a wrapped line that happens to begin with "40." is no item.
    const interrupts = number === undefined || number === "1" || this.#listIndent > 0 || this.#open.length === 0;
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
    const after = rest[0]! + rest.slice(1).map((part, i) => i % 2 === 0 ? ` @${part} ` : part).join("");
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
