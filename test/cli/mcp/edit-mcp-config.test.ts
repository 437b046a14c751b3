import { evaluate, parse } from '@humanwhocodes/momoa';
import fc from 'fast-check';
import { jsonValues } from '../../helpers/json-arbitrary.ts';
import { describe, expect, it } from 'vitest';
import { addServer, removeServer } from '../../../src/cli/mcp/edit-mcp-config.ts';
import { propertyRuns } from '../../helpers/property-runs.ts';

const entry = { command: 'npx', args: ['-y', 'a server'] };

const read = (text: string): unknown => evaluate(parse(text, { mode: 'jsonc', allowTrailingCommas: true }));

describe('a server is added to mcp.json', () => {
  it.each([
    [
      'that is empty',
      '',
      '{\n  "servers": {\n    "fs": {\n      "command": "npx",\n      "args": ["-y", "a server"]\n    }\n  }\n}\n',
    ],
    [
      'behind the others, comments and layout kept',
      '{\n\t// mine\n\t"servers": {\n\t\t"a": { "command": "x" }, // about a\n\t},\n\t"policy": {}\n}\n',
      '{\n\t// mine\n\t"servers": {\n\t\t"a": { "command": "x" }, // about a\n\t\t"fs": {\n\t\t\t"command": "npx",\n\t\t\t"args": ["-y", "a server"]\n\t\t},\n\t},\n\t"policy": {}\n}\n',
    ],
    [
      'where the others stand',
      '{ "mcpServers": { "a": { "command": "x" } } }\n',
      '{ "mcpServers": { "a": { "command": "x" }, "fs": { "command": "npx", "args": ["-y", "a server"] } } }\n',
    ],
  ])('%s', (_what, before, after) => {
    expect(addServer(before, 'fs', entry)).toEqual({ is: 'added', text: after });
  });

  it('is there already, or another one is', () => {
    const text =
      '{ "servers": { "a": {} }, "mcpServers": { "fs": { "command": "npx", "args": ["-y", "a server"] } } }';
    expect(addServer(text, 'fs', entry)).toEqual({ is: 'there' });
    expect(addServer(text, 'fs', { command: 'y' })).toEqual({
      is: 'different',
      text: '{ "servers": { "a": {} }, "mcpServers": { "fs": {\n  "command": "y"\n} } }',
    });
  });

  it.each([
    ['a__b', '{}', '"a__b" must not have __, which ends the server in the name of a tool'],
    ['clifford', '{}', '"clifford" is the name of Clifford itself'],
    ['fs', '{ "servers": [] }', 'servers is not an object'],
    ['fs', '[]', 'it is not an object'],
    ['fs', '{ "servers": }', 'it is not JSON (line 1, column 14)'],
  ])('unless that cannot be: %s in %s', (id, text, reason) => {
    expect(addServer(text, id, entry)).toEqual({ is: 'refused', reason });
  });
});

describe('a server is removed from mcp.json', () => {
  it.each([
    [
      'one of several, its comment behind it too, those above it not',
      '{\n  "servers": {\n    // first\n    "a": { "command": "x" }, // about a\n    // second\n    "fs": {\n      "command": "y"\n    }, // about fs\n    "c": {}\n  }\n}\n',
      '{\n  "servers": {\n    // first\n    "a": { "command": "x" }, // about a\n    // second\n    "c": {}\n  }\n}\n',
    ],
    [
      'the last, with the comma before it',
      '{\n  "servers": {\n    "a": {}, // about a\n    "fs": {\n      "command": "y"\n    }\n  }\n}\n',
      '{\n  "servers": {\n    "a": {} // about a\n  }\n}\n',
    ],
    [
      'the last with a trailing comma, which its neighbour keeps',
      '{\n  "servers": {\n    "a": {},\n    "fs": {},\n  }\n}\n',
      '{\n  "servers": {\n    "a": {},\n  }\n}\n',
    ],
    ['the only one', '{\n  "servers": {\n    "fs": {}\n  }\n}\n', '{\n  "servers": {\n  }\n}\n'],
    ['the only one of a line', '{ "servers": { "fs": {} } }', '{ "servers": { } }'],
    ['the first of a line', '{ "servers": { "fs": {}, "b": {} } }', '{ "servers": { "b": {} } }'],
    ['the last of a line', '{ "servers": { "a": {}, "fs": {} } }', '{ "servers": { "a": {} } }'],
    [
      'one between comments of a line',
      '{ "servers": { /* 1 */ "fs": {} /* 2 */, /* 3 */ "b": {} } }',
      '{ "servers": { /* 1 */ /* 3 */ "b": {} } }',
    ],
    [
      'as often as it stands there',
      '\uFEFF{\r\n  "servers": {\r\n    "fs": {},\r\n    "a": {},\r\n    "fs": {}\r\n  },\r\n  "mcpServers": { "fs": {} }\r\n}\r\n',
      '\uFEFF{\r\n  "servers": {\r\n    "a": {}\r\n  },\r\n  "mcpServers": { }\r\n}\r\n',
    ],
  ])('%s', (_what, before, after) => {
    expect(removeServer(before, 'fs')).toEqual({ is: 'removed', text: after });
  });

  it.each([
    '',
    '{}',
    '{ "servers": {} }',
    '{ "servers": [] }',
    '{ "policy": { "fs": {} } }',
    '{ "fs": {} }',
    '[]',
  ])('unless it is not there: %j', (text) => {
    expect(removeServer(text, 'fs')).toEqual({ is: 'missing' });
  });

  it('unless it is no JSON', () => {
    expect(removeServer('{ "servers": ', 'fs')).toMatchObject({ is: 'refused' });
  });

  it('whatever the file is: the others say the same, and added and removed it is as it was', () => {
    const servers = fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => key !== 'fs' && key !== '__proto__'),
      jsonValues(),
    );
    const spaces = fc.constantFrom(0, 1, 2, '\t');
    fc.assert(
      fc.property(servers, spaces, fc.nat(), (others, indent, at) => {
        const entries = Object.entries(others);
        entries.splice(at % (entries.length + 1), 0, ['fs', { command: 'x' }]);
        const before = JSON.stringify({ servers: Object.fromEntries(entries), policy: {} }, null, indent);
        const removed = removeServer(before, 'fs');
        expect(read('text' in removed ? removed.text : '')).toEqual({ servers: others, policy: {} });

        const without = JSON.stringify({ servers: { first: {}, ...others } }, null, indent || 2);
        const added = addServer(without, 'fs', entry);
        expect(removeServer('text' in added ? added.text : '', 'fs')).toEqual({
          is: 'removed',
          text: without,
        });
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});
