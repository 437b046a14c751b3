import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import headless from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { castOf } from '../../scripts/pictures/cast.ts';
import { dark, pictureOf } from '../../scripts/pictures/svg.ts';

const root = join(import.meta.dirname, '../..');

describe('the pictures of the documentation', () => {
  it('are those that its pages show', async () => {
    const docs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'));
    const pages = await Promise.all(
      ['README.md', ...docs.map((name) => `docs/${name}`)].map((page) => readFile(join(root, page), 'utf8')),
    );
    const named = pages.flatMap((page) =>
      [...page.matchAll(/pictures\/([\w-]+\.(?:svg|cast|png))/g)].map(([, name]) => name),
    );
    expect(new Set(await readdir(join(root, 'docs/pictures')))).toEqual(new Set(named));
  });

  it('say nothing of the machine that they were taken on', async () => {
    const folder = join(root, 'docs/pictures');
    for (const name of await readdir(folder)) {
      const text = await readFile(join(folder, name), 'utf8');
      expect([...text.matchAll(/node_modules|\/(?:work|home|Users)\/[\w-]*/g)].map(String), name).toEqual([]);
    }
  });

  it('show what they are named for', async () => {
    const shown = async (name: string) => readFile(join(root, `docs/pictures/${name}.svg`), 'utf8');
    expect(await shown('states')).toContain('[6 States]');
    const [, version, length] = /event (\d+) of (\d+)/.exec(await shown('past')) ?? [];
    expect(Number(version)).toBeLessThan(Number(length));
  });

  it('show each cell where it is, in its colours, and no markup of its text', async () => {
    const screen = new headless.Terminal({ cols: 12, rows: 2, allowProposedApi: true });
    await new Promise<void>((resolve) =>
      screen.write(
        '\u001B[1;31m a<b\u001B[0m  \u001B[7m&\u001B[0m\r\n\u001B[48;5;21m日\u001B[0m a  b',
        resolve,
      ),
    );
    const lines = pictureOf(screen, dark, 'a & b').split('\n');
    expect(lines[1]).toBe('<title>a &amp; b</title>');
    expect(lines.filter((line) => line.includes('<text'))).toEqual([
      '<text x="20.4" y="25.5" fill="#f0717b" font-weight="bold" textLength="25.2" lengthAdjust="spacingAndGlyphs">a&lt;b</text>',
      '<rect x="62.4" y="12" width="8.4" height="18" fill="#d7dae0" shape-rendering="crispEdges"/><text x="62.4" y="25.5" fill="#16181d" textLength="8.4" lengthAdjust="spacingAndGlyphs">&amp;</text>',
      '<rect x="12" y="30" width="16.8" height="18" fill="#0000ff" shape-rendering="crispEdges"/><text x="12" y="43.5" fill="#d7dae0" textLength="16.8" lengthAdjust="spacingAndGlyphs">日</text>',
      '<text x="37.2" y="43.5" fill="#d7dae0" textLength="33.6" lengthAdjust="spacingAndGlyphs">a\u00A0\u00A0b</text>',
    ]);
  });
});

describe('the lines of a picture', () => {
  const pathsOf = async (text: string) => {
    const screen = new headless.Terminal({ cols: 4, rows: 2, allowProposedApi: true });
    await new Promise<void>((resolve) => screen.write(text, resolve));
    return pictureOf(screen, dark, 'lines')
      .split('\n')
      .filter((line) => line.startsWith('<path') || line.startsWith('<text'));
  };

  it('are drawn from edge to edge of their cells, whatever the font has, and text beside them is text', async () => {
    expect(await pathsOf('─┬a\r\n ┃')).toEqual([
      '<path d="M16.2 21H12M16.2 21H20.4M24.6 21H20.4M24.6 21H28.8M24.6 21V30" fill="none" stroke="#d7dae0" stroke-width="1" shape-rendering="crispEdges"/>',
      '<text x="28.8" y="25.5" fill="#d7dae0" textLength="8.4" lengthAdjust="spacingAndGlyphs">a</text>',
      '<path d="M24.6 39V30M24.6 39V48" fill="none" stroke="#d7dae0" stroke-width="3" shape-rendering="crispEdges"/>',
    ]);
  });

  it('are halves of cells where a bar beside a pane is, from row to row', async () => {
    expect(await pathsOf('│▐\r\n ▐')).toEqual([
      '<path d="M16.2 21V12M16.2 21V30" fill="none" stroke="#d7dae0" stroke-width="1" shape-rendering="crispEdges"/>',
      '<path d="M24.6 12h4.2v18h-4.2z" fill="#d7dae0" shape-rendering="crispEdges"/>',
      '<path d="M24.6 30h4.2v18h-4.2z" fill="#d7dae0" shape-rendering="crispEdges"/>',
    ]);
  });

  it('behind each other touch, where their colours differ', async () => {
    const screen = new headless.Terminal({ cols: 9, rows: 1, allowProposedApi: true });
    const cells = Array.from({ length: 9 }, (_, at) => `\u001B[4${(at % 6) + 1}m `).join('');
    await new Promise<void>((resolve) => screen.write(cells, resolve));
    const edges = [...pictureOf(screen, dark, 'x').matchAll(/<rect x="([\d.]+)" y="\d+" width="([\d.]+)"/g)];
    const places = edges.map(([, x, width]) => [Number(x), Number(x) + Number(width)]);
    expect(places).toHaveLength(9);
    for (const [at, [, end]] of places.slice(0, -1).entries())
      expect(end).toBeCloseTo(places[at + 1]?.[0] ?? 0, 5);
  });
});

describe('the film of a run', () => {
  it('has a header and a line for each output, in seconds', () => {
    const film = castOf(
      [
        [0.12345, 'a\r\n'],
        [2, '\u001B[H'],
      ],
      { columns: 80, rows: 24 },
    );
    expect(
      film
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { version: 2, width: 80, height: 24, idle_time_limit: 2, title: 'clifford run' },
      [0.123, 'o', 'a\r\n'],
      [2, 'o', '\u001B[H'],
    ]);
  });
});
