import { describe, expect, it } from 'vitest';
import { markdownLines } from '../../../src/tui/text/markdown-lines.ts';
import { rowsOf } from '../../../src/tui/text/spans.ts';

/** Its rows as a terminal of this width shows them: `<bold>text</>` where that is styled. */
function shown(markdown: string, width = 60, options = {}): string[] {
  return markdownLines(markdown, options).flatMap((line) =>
    rowsOf(line, width).map((row) =>
      row
        .map(({ text, style }) => (style === 'plain' || style === 'dim' ? text : `<${style}>${text}</>`))
        .join(''),
    ),
  );
}

describe('Markdown in a pane', () => {
  it.each(['> ', '- '])('leaves nothing out of what is nested deeper than a parser goes: %s', (mark) => {
    expect(shown(`${mark.repeat(150)}the deepest`).join('')).toContain('the deepest');
  });

  it('shows headings, paragraphs and what is emphasised', () => {
    expect(
      shown(
        '# Parser\nFollow the *old* grammar,\nand **never** the `new` one.  \nEver.\n### Why\nBecause ~~not~~.',
      ),
    ).toEqual([
      '<heading>Parser</>',
      '',
      'Follow the <italic>old</> grammar, and <bold>never</> the <code>new</> one.',
      'Ever.',
      '',
      '<bold>Why</>',
      '',
      'Because not.',
    ]);
  });

  it('shows what a difference adds and removes in its colours, with a sign for each side of a merge, too', () => {
    const looks = (diff: string) =>
      markdownLines(`\`\`\`diff\n${diff}\n\`\`\``).map(({ spans, fill }) => [spans.at(-1)?.text, fill]);
    expect(looks('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two\n +kept')).toEqual([
      ['--- a/x', undefined],
      ['+++ b/x', undefined],
      ['@@ -1 +1 @@', undefined],
      ['-one', 'removed line'],
      ['+two', 'added line'],
      [' +kept', undefined],
    ]);
    expect(looks('@@@ -1,1 -1,1 +1,2 @@@\n++<<<<<<< HEAD\n +two\n- one\n  --kept')).toEqual([
      ['@@@ -1,1 -1,1 +1,2 @@@', undefined],
      ['++<<<<<<< HEAD', 'added line'],
      [' +two', 'added line'],
      ['- one', 'removed line'],
      ['  --kept', undefined],
    ]);
  });

  it('shows lists with what is in them, and rows that go on below their beginning', () => {
    expect(
      shown('Do:\n- one two three four\n  - inner\n- [ ] task\n\n3. third\n4. fourth\n\n   more\n', 14),
    ).toEqual([
      'Do:',
      '',
      '• one two ',
      '  three four',
      '  • inner',
      '☐ task',
      '',
      '3. third',
      '',
      '4. fourth',
      '',
      '   more',
    ]);
  });

  it('shows what is ticked off by a box, in place of the mark of its list, or behind its number', () => {
    const text = '- [x] one two three\n- [ ] `code`\n- [X] **ok**\n- [y] no\n- [x](y)\n\n1. [ ] first\n';
    expect(shown(text, 14)).toEqual([
      '☑ one two ',
      '  three',
      '☐ <code>code</>',
      '☑ <bold>ok</>',
      '• [y] no',
      '• x (y)',
      '',
      '1. ☐ first',
    ]);
  });

  it('shows code as it is written, and marks where a row goes on', () => {
    expect(shown('a\n```ts\nconst a  = `*b*`;\n\n  <i>\n```\n> quoted\n> *too*\n\n***', 14)).toEqual([
      'a',
      '',
      '<code>  const a  = </>',
      '↪ <code>`*b*`;</>',
      '<code>  </>',
      '<code>    <i></>',
      '',
      '│ quoted <italic>too</>',
      '',
      '────────',
    ]);
  });

  it('shows tables in columns', () => {
    expect(shown('| key | does |\n|---|---|\n| `q` | *leaves* |\n| **enter** | in |')).toEqual([
      '<bold>key</>   │ <bold>does</>',
      '<code>q</>     │ <italic>leaves</>',
      '<bold>enter</> │ in',
    ]);
  });

  const marked =
    'A **bold that\ngoes on** here, [a link\nover lines](https://a.example) and `code that\ngoes on` *th\nere*.';
  it.each([
    ['in a paragraph', marked, '', ''],
    ['in a point of a list', marked.replaceAll(/^/gm, '  ').replace('  ', '- '), '• ', '  '],
    ['in a quotation', marked.replaceAll(/^/gm, '> '), '│ ', '│ '],
    ['in a quotation whose other lines have no mark', `> ${marked}`, '│ ', '│ '],
  ])('shows what is marked across the end of a line as one: %s', (_, text, first, rest) => {
    expect(shown(text, 40)).toEqual([
      `${first}A <bold>bold that goes on</> here, a link over `,
      `${rest}lines (https://a.example) and <code>code ${first === '' ? 'that </>' : '</>'}`,
      `${rest}<code>${first === '' ? '' : 'that '}goes on</> <italic>th ere</>.`,
    ]);
    expect(shown(text, 80)).toEqual([
      `${first}A <bold>bold that goes on</> here, a link over lines (https://a.example) and <code>code that </>`,
      `${rest}<code>goes on</> <italic>th ere</>.`,
    ]);
    // Where each line break is one, all but code goes on in the next line.
    expect(shown(text, 80, { keepsBreaks: true })).toEqual([
      `${first}A <bold>bold that</>`,
      `${rest}<bold>goes on</> here, a link`,
      `${rest}over lines (https://a.example) and <code>code that goes on</> <italic>th</>`,
      `${rest}<italic>ere</>.`,
    ]);
  });

  it('has the bar of a quotation before each row of it, also where it goes on, and between its blocks', () => {
    const text =
      '> one two three four\n>\n> - five six seven\n>   > eight nine ten\n>\n> ```\n> a long line of code\n> ```\n\nend\n\n> new\n\n- > in\n  >\n  > list';
    expect(shown(text, 16)).toEqual([
      '│ one two three ',
      '│ four',
      '│ • five six ',
      '│   seven',
      '│',
      '│   │ eight nine',
      '│   │ ten',
      '│',
      '│ <code>  a long line </>',
      '│ ↪ <code>of code</>',
      '',
      'end',
      '',
      '│ new',
      '',
      '• │ in',
      '  │',
      '  │ list',
    ]);
  });

  it('keeps the columns of a table that is wider than there is room: the widest give way, each cell goes on below itself, with rules between rows', () => {
    const table =
      '> | route | what it answers | code |\n> |---|---|---|\n> | `GET /tasks` | all tasks of a sprint, in their order | 200 |\n> | - | | |';
    expect(shown(table, 44)).toEqual([
      '│ <bold>route</>      │ <bold>what it answers</>        │ <bold>code</>',
      '│ ───────────┼────────────────────────┼─────',
      '│ <code>GET /tasks</> │ all tasks of a sprint, │ 200',
      '│            │ in their order         │ ',
      '│ ───────────┼────────────────────────┼─────',
      '│ -          │                        │ ',
    ]);
    // Where no row goes on, none is taken for another.
    expect(shown(table, 59)).toEqual([
      `│ <bold>route</>      │ <bold>what it answers</>${' '.repeat(22)} │ <bold>code</>`,
      '│ <code>GET /tasks</> │ all tasks of a sprint, in their order │ 200',
      `│ -          │ ${' '.repeat(37)} │ `,
    ]);
    expect(shown(table, 58)).toHaveLength(6);
  });

  it('has the place of a cell that is empty, the first one, too', () => {
    expect(shown('> | | Before | After |\n> |---|---|---|\n> | time | 3 s | |\n> | | | |')).toEqual([
      '│      │ <bold>Before</> │ <bold>After</>',
      '│ time │ 3 s    │ ',
      '│      │        │ ',
    ]);
  });

  it('shows a table whose columns have no room at all in lines', () => {
    expect(
      shown(
        '| one | two | three | four |\n|---|---|---|---|\n| aaaaaaaa | bbbbbbbb | cccccccc | dddddddd |',
        20,
      ),
    ).toEqual([
      '<bold>one</> │ <bold>two</> │ <bold>three</> │ ',
      '<bold>four</>',
      '─'.repeat(20),
      'aaaaaaaa │ bbbbbbbb ',
      '│ cccccccc │ ',
      'dddddddd',
    ]);
  });

  it('keeps a table within its pane, however deep it is quoted', () => {
    const table = ['| one | two |', '|---|---|', '| aaaaaaaa | bbbbbbbb |'];
    for (let depth = 1; depth < 14; depth += 1)
      for (const width of [4, 14, 20, 40]) {
        const rows = shown(table.map((row) => '> '.repeat(depth) + row).join('\n'), width);
        const cells = rows.map((row) => row.replaceAll(/<[^>]*>/g, '').length);
        expect(Math.max(...cells), `${depth} deep, ${width} wide`).toBeLessThanOrEqual(width);
      }
  });

  it('says where a link leads, also where its text says another place', () => {
    expect(
      shown('[https://good.example](https://bad.example) <https://a.example> ![logo](x.png)', 62),
    ).toEqual(['https://good.example (https://bad.example) https://a.example ', '[image: logo] (x.png)']);
  });

  it('keeps HTML and settings in front of the text in sight', () => {
    expect(shown('---\ntitle: x\n---\n<b>bold</b> <!-- note -->\n\n<script>\nx\n</script>')).toEqual([
      'title: x',
      '',
      '<b>bold</b> <!-- note -->',
      '',
      '<script> x </script>',
    ]);
  });

  it('lets nothing through that moves the cursor or hides text, however it is written', () => {
    const text = shown('a\u001B[2Jb&#x1b;[2Jc&#x202e;d `e\u202Ef` [g](http://h/%1b[2J)\n\n    i\u0007j').join(
      '\n',
    );
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  it.each([
    ['emphasis', '_a_'],
    ['brackets', '['],
    ['links', '[a](b) '],
    ['quotes', '> '],
    ['lists', '- '],
    ['backticks', '`a``'],
  ])('takes a text of nothing but %s apart in a moment', (_, part) => {
    const begun = performance.now();
    markdownLines(part.repeat(4_000));
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('shows a text that is too long for that as it is written', () => {
    const long = `# a\n${'word '.repeat(20_001)}`;
    expect(markdownLines(long)[0]).toMatchObject({ spans: [{ text: '# a', style: 'plain' }] });
  });
});
