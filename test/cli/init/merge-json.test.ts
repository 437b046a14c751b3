import { evaluate, parse } from '@humanwhocodes/momoa';
import fc from 'fast-check';
import { jsonValues } from '../../helpers/json-arbitrary.ts';
import { describe, expect, it } from 'vitest';
import { mergeJson } from '../../../src/cli/init/merge-json.ts';

const value = { command: 'npx', args: ['clifford', 'mcp'], timeout: 1 };
const entry = { path: ['mcp', 'clifford'], value };

const read = (text: string): unknown => evaluate(parse(text, { mode: 'jsonc', allowTrailingCommas: true }));

/** The text after the merge. */
function merged(text: string): string {
  const merge = mergeJson(text, entry);
  if (!('text' in merge)) throw new Error(`${merge.is}: ${text}`);
  return merge.text;
}

describe('an entry is added to JSON', () => {
  it.each([
    [
      'nothing',
      '',
      `{\n  "mcp": {\n    "clifford": {\n      "command": "npx",\n      "args": ["clifford", "mcp"],\n      "timeout": 1\n    }\n  }\n}\n`,
    ],
    [
      'an object on one line',
      '{ "a": 1 }\n',
      '{ "a": 1, "mcp": { "clifford": { "command": "npx", "args": ["clifford", "mcp"], "timeout": 1 } } }\n',
    ],
    [
      'comments, a trailing comma and an indentation of its own',
      '{\n\t"mcp": {\n\t\t"a": 1, // about a\n\t\t// "b": 2\n\t},\n}',
      '{\n\t"mcp": {\n\t\t"a": 1, // about a\n\t\t// "b": 2\n\t\t"clifford": {\n\t\t\t"command": "npx",\n\t\t\t"args": ["clifford", "mcp"],\n\t\t\t"timeout": 1\n\t\t},\n\t},\n}',
    ],
    [
      'a comment behind the last member',
      '{\n  "mcp": {\n    "a": 1 // about a\n  }\n}\n',
      '{\n  "mcp": {\n    "a": 1, // about a\n    "clifford": {\n      "command": "npx",\n      "args": ["clifford", "mcp"],\n      "timeout": 1\n    }\n  }\n}\n',
    ],
    [
      'lines that end as on Windows, and a byte order mark',
      '\uFEFF{\r\n  "a": 1\r\n}\r\n',
      '\uFEFF{\r\n  "a": 1,\r\n  "mcp": {\r\n    "clifford": {\r\n      "command": "npx",\r\n      "args": ["clifford", "mcp"],\r\n      "timeout": 1\r\n    }\r\n  }\r\n}\r\n',
    ],
    [
      'an object with a comment only',
      '{ // mine\n}\n',
      '{ // mine\n  "mcp": {\n    "clifford": {\n      "command": "npx",\n      "args": ["clifford", "mcp"],\n      "timeout": 1\n    }\n  }\n}\n',
    ],
  ])('that has %s', (_what, before, after) => {
    expect(mergeJson(before, entry)).toEqual({ is: 'added', text: after });
  });

  it('whatever the JSON is: what was there says the same, and no character of it is lost', () => {
    const spaces = fc.constantFrom(0, 1, 2, 4, '\t');
    const documents = fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => key !== 'mcp' && key !== '__proto__'),
      jsonValues(),
    );
    const servers = fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => key !== 'clifford' && key !== '__proto__'),
      jsonValues(),
    );
    fc.assert(
      fc.property(documents, fc.option(servers), spaces, (document, mcp, space) => {
        const before = { ...document, ...(mcp && { mcp }) };
        const text = JSON.stringify(before, null, space);
        const after = merged(text);
        expect(read(after)).toEqual({
          ...(read(text) as object),
          mcp: { ...(mcp && (read(JSON.stringify(mcp)) as object)), clifford: value },
        });
        expect(isWithin(text.replaceAll(/\s/g, ''), after)).toBe(true);
        expect(mergeJson(after, entry)).toEqual({ is: 'there' });
      }),
    );
  });
});

/** Whether a text can be had from another one by leaving characters out. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (character === part[at]) at += 1;
  return at === part.length;
}

describe('an entry that is there', () => {
  it('is seen, whatever its order and its layout', () => {
    const text = '{"mcp": {"clifford": {"timeout": 1, /* */ "args": ["clifford","mcp"], "command": "npx"}}}';
    expect(mergeJson(text, entry)).toEqual({ is: 'there' });
  });

  it('and says something else would be replaced, and nothing around it', () => {
    const text =
      '{\n  "mcp": {\n    // by hand\n    "clifford": { "command": "mine" }, // kept\n    "b": {}\n  }\n}\n';
    expect(mergeJson(text, entry)).toEqual({
      is: 'different',
      text: '{\n  "mcp": {\n    // by hand\n    "clifford": {\n      "command": "npx",\n      "args": ["clifford", "mcp"],\n      "timeout": 1\n    }, // kept\n    "b": {}\n  }\n}\n',
    });
  });
});

describe('a file is refused', () => {
  it.each([
    ['no end', '{"a": 1', 'it is not JSON (line 1, column 8)'],
    ['a list', '[]', 'it is not an object'],
    ['a list where the servers are', '{"mcp": []}', 'mcp is not an object'],
    ['no bottom', '['.repeat(100_000), 'it is nested too deeply'],
  ])('that has %s', (_what, text, reason) => {
    expect(mergeJson(text, entry)).toEqual({ is: 'refused', reason });
  });
});
