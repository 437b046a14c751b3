import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { withoutUnused } from '../../scripts/bundle/lean-markdown.ts';

const root = join(import.meta.dirname, '../..');
const source = await readFile(fileURLToPath(import.meta.resolve('markdown-it')), 'utf8');

/** What a source of the parser exports, run as a module of its own. */
async function parserOf(code: string): Promise<typeof MarkdownIt> {
  const runnable = code.replaceAll(
    / from "([^"]+)"/g,
    (_all, name: string) => ` from "${import.meta.resolve(name)}"`,
  );
  const url = `data:text/javascript;base64,${Buffer.from(runnable).toString('base64')}`;
  return ((await import(url)) as { default: typeof MarkdownIt }).default;
}

describe('what the page leaves out of the parser', () => {
  it('changes no token of a text, with HTML, addresses and quotation marks in it', async () => {
    const Lean = await parserOf(withoutUnused(source));
    const lean = new Lean({ html: false, breaks: true });
    const whole = new MarkdownIt({ html: false, breaks: true });
    const files = await Array.fromAsync(glob('{*.md,docs/**/*.md}', { cwd: root }));
    const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
    texts.push(
      '<div>\n\n*a* <b>b</b>\n\n</div>\n\nSee https://a.example, "so" -- (c)... <https://b.example> <!-- x -->\n',
    );
    expect(texts.length).toBeGreaterThan(50);
    for (const text of texts)
      expect(JSON.stringify(lean.parse(text, {}))).toBe(JSON.stringify(whole.parse(text, {})));
  });

  it('ends the build where the parser is not the one this was written for', () => {
    expect(() => withoutUnused(source.replace('["smartquotes",', '["quotes",'))).toThrow(
      'Cannot leave rules out of markdown-it: 5 places look like them, there were 6',
    );
  });
});
