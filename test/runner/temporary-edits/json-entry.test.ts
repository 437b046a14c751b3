import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setEntry, takeEntryOut } from '../../../src/runner/temporary-edits/json-entry.ts';

const file = { path: '/p/.cursor/mcp.json', keys: ['mcpServers', 'clifford'], value: { command: 'node' } };

const texts = [
  '{}',
  '{ }\n',
  '{\n}',
  '{"mcpServers":{}}',
  '{\n  "mcpServers": {\n    "db": { "command": "db" }\n  }\n}\n',
  '{\n  // servers\n  "mcpServers": {\n    "db": {}, // mine\n  },\n}\n',
  '\uFEFF{\r\n\t"other": 1\r\n}\r\n',
  '{ "mcpServers": { /* none yet */ } }',
  '{ "other": [1, 2], "mcpServers": { "a": {}, "b": {} }, "more": null }',
  '{ "mcpServers": { "clifford": { "command": "mine", "args": [ ] } } }',
];

describe('an entry in JSON', () => {
  it.each(texts)('is put into %j and taken out again without a trace', (text) => {
    const changed = setEntry(text, file);
    expect(changed).toContain('"command":"node"');
    expect(changed).not.toBe(text);
    expect(takeEntryOut(changed, file, text)).toBe(text);
  });

  it.each([undefined, '', ' \n'])('makes a file of %j', (text) => {
    expect(JSON.parse(setEntry(text, file))).toEqual({ mcpServers: { clifford: { command: 'node' } } });
  });

  it('is put into any JSON and taken out again', () => {
    const object = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 3 }), {
      noNullPrototype: true,
    });
    const servers = fc.dictionary(fc.string({ maxLength: 5 }), object, { noNullPrototype: true });
    fc.assert(
      fc.property(object, fc.option(servers), fc.constantFrom(0, 2, '\t'), (rest, mine, indent) => {
        const text = JSON.stringify({ ...rest, ...(mine && { mcpServers: mine }) }, null, indent);
        const changed = setEntry(text, file);
        expect(JSON.parse(changed).mcpServers).toMatchObject({ clifford: file.value });
        expect(takeEntryOut(changed, file, text)).toBe(text);
      }),
    );
  });

  it('leaves what somebody wrote around it meanwhile', () => {
    const changed = setEntry('{\n  "mcpServers": { "db": {} } // mine\n}\n', file);
    const theirs = changed.replace('"db": {}', '"db": {}, "web": {}').replace('mine', 'mine!');
    expect(takeEntryOut(theirs, file, '{\n  "mcpServers": { "db": {} } // mine\n}\n')).toBe(
      '{\n  "mcpServers": { "db": {}, "web": {} } // mine!\n}\n',
    );
  });

  it('that somebody has moved to the end is taken out there', () => {
    const theirs = '{ "mcpServers": { "db": {}, "clifford": { "command": "node" } } }';
    expect(takeEntryOut(theirs, file, '{}')).toBe('{ "mcpServers": { "db": {} } }');
  });

  it('that somebody has taken out leaves the text alone', () => {
    expect(takeEntryOut('{ "mcpServers": { } }', file, undefined)).toBe('{ "mcpServers": { } }');
  });

  it.each([
    ['{ "mcpServers":\n  half', 'it is not JSON (line 2, column 3)'],
    ['[]', 'it is not an object'],
    ['{ "mcpServers": [] }', 'mcpServers is not an object'],
  ])('has no place in %j', (text, reason) => {
    expect(() => setEntry(text, file)).toThrow(`Cannot change /p/.cursor/mcp.json for a run: ${reason}`);
  });

  it('has no place in what has no bottom', () => {
    expect(() => setEntry('['.repeat(100_000), file)).toThrow('for a run: it is nested too deeply');
  });
});
