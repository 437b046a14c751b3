import { describe, expect, it } from 'vitest';
import { appendJson } from '../../src/cli/init/append-json.ts';

const value = { command: { equals: 'ls' }, decision: 'allow' };
const line = '{ "command": { "equals": "ls" }, "decision": "allow" }';
const added = (text: string) => appendJson(text, { path: ['policy', 'rules'], value });

describe('a value at the end of a list', () => {
  it.each([
    ['{"policy":{"rules":[]}}', `{"policy":{"rules":[${line}]}}`],
    ['{"policy":{"rules":[ 1 ]}}', `{"policy":{"rules":[ 1, ${line} ]}}`],
    [
      '{\n  "policy": {\n    "rules": [\n      1, // one\n      // two\n    ],\n  }\n}',
      `{\n  "policy": {\n    "rules": [\n      1, // one\n      // two\n      ${line},\n    ],\n  }\n}`,
    ],
    ['\uFEFF{"policy":{"rules":[\r\n\t1\r\n]}}', `\uFEFF{"policy":{"rules":[\r\n\t1,\r\n\t${line}\r\n]}}`],
    ['{ "servers": {} }', `{ "servers": {}, "policy": { "rules": [${line}] } }`],
  ])('leaves the rest of %j as it is', (before, after) => {
    const merge = added(before);
    expect(merge).toEqual({ is: 'added', text: after });
  });

  it.each(['{"policy":{"rules":{}}}', '{"policy":[]}', '[]', '{'])('is refused in %j', (text) => {
    expect(added(text)).toMatchObject({ is: 'refused' });
  });
});
