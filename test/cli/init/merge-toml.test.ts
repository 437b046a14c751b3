import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { mergeToml } from '../../../src/cli/init/merge-toml.ts';

const value = { command: 'npx', args: ['clifford'], env: { LIMIT: '1' } };
const entry = { path: ['mcp_servers', 'clifford'], value };
const block = `[mcp_servers.clifford]\ncommand = "npx"\nargs = [ "clifford" ]\n\n[mcp_servers.clifford.env]\nLIMIT = "1"\n`;

describe('a table is added to TOML', () => {
  it.each([
    ['nothing', '', block],
    ['a comment and a key', '# mine\nmodel = "m" # dear\n', `# mine\nmodel = "m" # dear\n\n${block}`],
    ['no newline at its end', 'a = 1', `a = 1\n\n${block}`],
    [
      'another server',
      '[mcp_servers.other]\ncommand = "x"\n',
      `[mcp_servers.other]\ncommand = "x"\n\n${block}`,
    ],
    ['lines that end as on Windows', 'a = 1\r\n', `a = 1\r\n\r\n${block.replaceAll('\n', '\r\n')}`],
    [
      'dates, and numbers beyond 2^53',
      'd = 1979-05-27\nn = 9007199254740993\n',
      `d = 1979-05-27\nn = 9007199254740993\n\n${block}`,
    ],
  ])('that has %s', (_what, before, after) => {
    expect(mergeToml(before, entry)).toEqual({ is: 'added', text: after });
    expect(parse(after.replaceAll('9007199254740993', '1'))).toMatchObject({
      mcp_servers: { clifford: value },
    });
    expect(mergeToml(after, entry)).toEqual({ is: 'there' });
  });
});

describe('a table that is there', () => {
  it('is seen in any form', () => {
    const text = 'mcp_servers.clifford = { env = { LIMIT = "1" }, args = ["clifford"], command = "npx" }\n';
    expect(mergeToml(text, entry)).toEqual({ is: 'there' });
  });

  it('and says something else would be replaced, with the tables below it and nothing else', () => {
    const before =
      '[mcp_servers.clifford]\ncommand = "y"\n[mcp_servers.clifford.env]\nA = "1"\n\n# about the tail\n[tail]\nx = 1\n';
    expect(mergeToml(before, entry)).toEqual({
      is: 'different',
      text: `\n# about the tail\n[tail]\nx = 1\n\n${block}`,
    });
  });
});

describe('a file is refused', () => {
  it('that is not TOML', () => {
    expect(mergeToml('[a', entry)).toMatchObject({
      is: 'refused',
      reason: expect.stringMatching(/^it is not TOML \(/),
    });
  });

  it.each([
    ['a table that cannot be added to', 'mcp_servers = {}\n'],
    ['an entry that is no table of its own', 'mcp_servers = { clifford = { command = "y" } }\n'],
    [
      'a text that looks like the table',
      '[mcp_servers.clifford]\ncommand = """\n[mcp_servers.clifford]\n[other]\n"""\n',
    ],
  ])('that has %s', (_what, text) => {
    expect(mergeToml(text, entry)).toEqual({
      is: 'refused',
      reason: '[mcp_servers.clifford] cannot be put into it: change it by hand',
    });
  });
});
