import { describe, expect, it } from 'vitest';
import { changelogBlock } from '../../../src/workflow/reports/changelog-block.ts';
import { editChangelog } from '../../../src/workflow/reports/edit-changelog.ts';

const block = (...entries: string[]) => changelogBlock('demo', { name: 'Demo', entries });
const edit = (before: string, entries: string[] = ['Added: a door'], stream = 'demo') =>
  editChangelog(
    Buffer.from(before),
    stream,
    changelogBlock(stream, { name: `Sprint ${stream}`, entries }),
  ).toString();
const linesOf = (...entries: string[]) =>
  block(...entries)
    .lines.filter((line) => line !== '')
    .slice(2, -1);

/** What is written for `demo` with one entry, from marker to marker. */
const written = changelogBlock('demo', { name: 'Sprint demo', entries: ['Added: a door'] }).lines.join('\n');

describe('a block', () => {
  it('has the name of its sprint, and the entries by category in the order of Keep a Changelog', () => {
    const { lines } = block('Fixed: the lock', 'paint the wall', 'added: a door', 'Fixed: the bell');
    expect(lines.slice(1, -1).join('\n')).toBe(
      '\n**Demo**\n\n### Added\n\n- a door\n\n### Changed\n\n- paint the wall\n\n' +
        '### Fixed\n\n- the lock\n- the bell\n',
    );
    expect(lines[0]).toMatch(/^<!-- clifford:demo \S{16} -->$/);
    expect(lines.at(-1)).toBe('<!-- /clifford:demo -->');
  });

  it.each([
    ['several\nlines\r\n\nof text', '- several lines of text'],
    ['## [9.9.9] forged', String.raw`- \## [9.9.9] forged`],
    ['x\n## [9.9.9] forged', '- x ## [9.9.9] forged'],
    ['ends --> here <!-- or not', '- ends --&gt; here &lt;!-- or not'],
    ['<!-- /clifford:demo -->', '- &lt;!-- /clifford:demo --&gt;'],
    ['```js', '- \\```js'],
    ['> said', String.raw`- \> said`],
    ['- a bullet', '- a bullet'],
    ['1. first', String.raw`- 1\. first`],
    ['[Unreleased]: http://elsewhere', String.raw`- \[Unreleased]: http://elsewhere`],
    ['Support <details> in `<summary>`', '- Support &lt;details> in `<summary>`'],
    ['a\u001B[31mb\u0000c', '- abc'],
    ['Added:', '- Added:'],
    ['**Bold** and [a link](https://x)', '- **Bold** and [a link](https://x)'],
  ])('keeps %j within one line', (entry, line) => {
    expect(linesOf(entry)).toEqual(['### Changed', line]);
  });

  it('shows a name as it is', () => {
    const { lines } = changelogBlock('demo', { name: 'A *b*\n## <c> -->', entries: ['x'] });
    expect(lines[2]).toBe(String.raw`**A \*b\* \#\# \<c\> --\>**`);
  });
});

describe('a changelog', () => {
  it.each(['', '\n\n', '\uFEFF'])('that is empty (%j) gets a head', (before) => {
    const after = edit(before);
    expect(
      after.startsWith(`${before.trim() === '' && before !== '\uFEFF' ? '' : '\uFEFF'}# Changelog\n\n`),
    ).toBe(true);
    expect(after).toContain(`\n## [Unreleased]\n\n${written}\n`);
    expect(edit(after)).toBe(after);
  });

  const cases: [string, string, string][] = [
    [
      'with an unreleased section: at its end',
      '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- mine\n\n## [1.0.0]\n\n- old\n',
      '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- mine\n\n@\n\n## [1.0.0]\n\n- old\n',
    ],
    [
      'whose versions are underlined, below a line of blanks',
      '## Unreleased\n\n- mine\n \t\n1.0.0\n-----\n\n- old\n',
      '## Unreleased\n\n- mine\n\n@\n \t\n1.0.0\n-----\n\n- old\n',
    ],
    ['with nothing but the heading', '## Unreleased', '## Unreleased\n\n@\n'],
    [
      'without one: in a new one below the head',
      '# Changelog\n\nAll changes.\n\n## 1.0.0\n- old',
      '# Changelog\n\nAll changes.\n\n## [Unreleased]\n\n@\n\n## 1.0.0\n- old',
    ],
    [
      'whose versions are of the first level',
      '# Changelog\n# 1.0.0\n',
      '# Changelog\n\n## [Unreleased]\n\n@\n\n# 1.0.0\n',
    ],
    [
      'whose headings are underlined',
      'History\n=======\n\n1.0.0 / 2020-01-01\n------------------\n\n- old\n---\n',
      'History\n=======\n\n## [Unreleased]\n\n@\n\n1.0.0 / 2020-01-01\n------------------\n\n- old\n---\n',
    ],
    [
      'whose unreleased section is underlined',
      'Unreleased\n---\n\n- mine\n\n1.0.0\n---\n',
      'Unreleased\n---\n\n- mine\n\n@\n\n1.0.0\n---\n',
    ],
    ['without a head', '# [1.0.0](x)\n- old\n', '## [Unreleased]\n\n@\n\n# [1.0.0](x)\n- old\n'],
    ['of words alone', 'Just words', 'Just words\n\n## [Unreleased]\n\n@\n'],
    [
      'with link targets at its end: above them',
      '## [Unreleased]\n- mine\n\n[Unreleased]: http://x\n[1]: http://y\n',
      '## [Unreleased]\n- mine\n\n@\n\n[Unreleased]: http://x\n[1]: http://y\n',
    ],
    [
      'whose only such headings are in a comment and in code',
      '# C\n\n<!--\n## [Unreleased]\n-->\n\n```md\n## [Unreleased]\n```\n\n## 1.0.0\n',
      '# C\n\n<!--\n## [Unreleased]\n-->\n\n```md\n## [Unreleased]\n```\n\n## [Unreleased]\n\n@\n\n## 1.0.0\n',
    ],
    [
      'with a comment that is never closed: above it',
      '# C\n\n## [Unreleased]\n\n- mine\n\n<!-- TODO\n## 1.0.0\n',
      '# C\n\n## [Unreleased]\n\n- mine\n\n@\n\n<!-- TODO\n## 1.0.0\n',
    ],
    [
      'with code that is never closed: above it',
      '# C\n\n~~~\n## [Unreleased]\n``` not an end\n',
      '# C\n\n## [Unreleased]\n\n@\n\n~~~\n## [Unreleased]\n``` not an end\n',
    ],
    [
      'with front matter',
      '---\n# title: x\n---\n\n# C\n',
      '---\n# title: x\n---\n\n# C\n\n## [Unreleased]\n\n@\n',
    ],
  ];
  it.each(cases)('%s', (_title, before, after) => {
    expect(edit(before)).toBe(after.replace('@', written));
    expect(edit(edit(before))).toBe(edit(before));
    const windows = (text: string) => text.replaceAll('\n', '\r\n');
    // Without a line break there is none to follow.
    const expected = after.replace('@', written);
    expect(edit(windows(before))).toBe(before.includes('\n') ? windows(expected) : expected);
  });

  it('keeps its byte order mark, and bytes that are no text', () => {
    const before = Buffer.concat([
      Buffer.from('\uFEFF## [Unreleased]\n- '),
      Buffer.from([0xff, 0xc3, 0x28, 0]),
    ]);
    const after = editChangelog(before, 'demo', block('Added: ein Schloß'));
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    expect(after.toString()).toContain('- ein Schloß\n');
  });

  it('has one block per sprint, and other entries change nothing but that', () => {
    const two = edit(edit('# C\n\n## [Unreleased]\n', ['one']), ['two'], 'other');
    const after = edit(`${two}\n## 1.0.0\n`, ['one', 'Fixed: three']);
    expect(after.match(/<!-- clifford:/g)).toHaveLength(2);
    expect(after.slice(after.indexOf('<!-- clifford:other'))).toBe(
      `${two}\n## 1.0.0\n`.slice(two.indexOf('<!-- clifford:other')),
    );
    expect(after).toContain('- one\n\n### Fixed\n\n- three\n\n<!-- /clifford:demo -->');
  });

  it('keeps what a person changed in a block, as long as the sprint has nothing new', () => {
    const corrected = edit('# C\n').replace('- a door', '- a red door').replace('[Unreleased]', '[1.0.0]');
    expect(edit(corrected)).toBe(corrected);
    expect(edit(corrected, ['Added: a door', 'Added: a lock'])).toContain('## [1.0.0]\n\n<!-- clifford:demo');
  });

  it('does not take the end of another sprint’s block for its own, when that is gone', () => {
    const damaged = edit('# C\n\n## [Unreleased]\n', ['theirs'], 'other').replace(
      /<!-- clifford:other .*\n/,
      '',
    );
    const before = damaged.replace(
      '## [Unreleased]\n',
      '## [Unreleased]\n\n<!-- clifford:demo x -->\nmine\n',
    );
    for (const line of before.split('\n')) expect(edit(before)).toContain(line);
  });

  it('loses nothing when one of the markers is gone', () => {
    const once = edit('# C\n\n## [Unreleased]\n\n## 1.0.0\n');
    for (const marker of [/<!-- clifford.*\n/, /<!-- \/clifford.*\n/]) {
      const damaged = once.replace(marker, '');
      const after = edit(edit(damaged), ['Added: a door', 'more']);
      for (const line of damaged.split('\n')) expect(after).toContain(line);
      expect(after).toContain('- more\n');
      expect(edit(after, ['Added: a door', 'more'])).toBe(after);
    }
  });

  it.each([
    ['ten megabytes of prose', 'x'.repeat(99).concat('\n'), 1e5],
    ['ten megabytes in one line', '[', 1e7],
    ['a million empty lines', '\n', 1e6],
    ['many openings of comments', '<!--\n', 2e5],
    ['many openings of code', '```\n', 2e5],
    ['many headings', '# \n', 2e5],
    ['many underlines', 'a\n-\n', 2e5],
    ['many link targets', '[a]: b\n', 2e5],
  ])('of %s is no work', (_title, line, times) => {
    const before = `# C\n\n${line.repeat(times)}`;
    // What is quadratic does not end within the time a test has.
    expect(edit(before).length).toBeGreaterThan(before.length);
  });
});
