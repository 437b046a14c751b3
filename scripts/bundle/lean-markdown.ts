import type { Plugin } from 'vite';

/** A place of the parser's source, and how often it is there. */
type Part = { readonly what: string; readonly text: RegExp; readonly times: number };

/** What the page never has done: HTML, links out of plain text, other quotation marks, and HTML as the outcome. */
const UNUSED: readonly Part[] = [
  {
    what: 'rules',
    text: /\[\s*"(?:linkify|replacements|smartquotes|html_inline|html_block)",[^[\]]*(?:\[[^[\]]*\])?\s*\],/g,
    times: 6,
  },
  {
    what: 'what HTML is found by',
    text: /\/\/#region src\/common\/html_(?:blocks|re)\.ts\n[^]*?\/\/#endregion|^var HTML_SEQUENCES = \[\n[^]*?\n\];/gm,
    times: 3,
  },
  {
    what: 'the renderer',
    text: /,\s*new Renderer\(\)(?=\s*\))|_defineProperty\(MarkdownIt, "Renderer", Renderer\);/g,
    times: 2,
  },
];

/** Leaves out of markdown-it what the page has switched off: 5 kB of 150. What is named nowhere else falls away with it. */
export function leanMarkdown(): Plugin {
  return {
    name: 'lean-markdown',
    transform: {
      filter: { id: /\/markdown-it\/dist\/markdown-it\.mjs$/ },
      handler: (code) => ({ code: withoutUnused(code), map: null }),
    },
  };
}

/**
 * The parser's source without these parts.
 *
 * @throws {Error} where they are not as they were when this was written.
 */
export function withoutUnused(source: string): string {
  return UNUSED.reduce((code, { what, text, times }) => {
    const found = code.match(text)?.length ?? 0;
    if (found !== times)
      throw new Error(
        `Cannot leave ${what} out of markdown-it: ${found} places look like them, there were ${times}`,
      );
    return code.replace(text, '');
  }, source);
}
