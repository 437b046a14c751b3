import { describe, expect, it } from 'vitest';
import type { PolicyConfig } from '../../../src/gateway/config/policy-config.ts';
import { problemsOfRules } from '../../../src/gateway/policy/rule-problems.ts';
import { policyOf } from './policy-facts.ts';

const servers = [
  { id: 'fs', trust: 'untrusted' },
  { id: 'github', trust: 'full' },
] as const;
const tools = new Map([['fs', ['read_file', 'write_file']]]);

function problems(said: Partial<PolicyConfig>): string[] {
  return problemsOfRules(policyOf(said), servers, tools).map(({ severity, rule }) => `${severity}: ${rule}`);
}

describe('problemsOfRules', () => {
  it('finds nothing wrong with rules that do what they say', () => {
    const said: Partial<PolicyConfig> = {
      allowlist: [
        { server: 'fs', tool: 'read_*' },
        { server: '*', tool: '*', args: { path: { below: 'src' } } },
      ],
      denylist: [{ server: 'git*', tool: 'delete_*' }],
      rules: [
        { annotations: { readOnlyHint: true }, decision: 'allow' },
        { tool: 'write_file', args: { path: { regex: '^(a|b)$' } }, sprint: 's-*', decision: 'allow' },
      ],
    };
    expect(problems(said)).toEqual([]);
  });

  it('names a server that is not there, and the one that may be meant', () => {
    const found = problemsOfRules(policyOf({ allowlist: [{ server: 'gihub', tool: '*' }] }), servers);
    expect(found).toEqual([
      {
        severity: 'error',
        path: ['allowlist', 0, 'server'],
        rule: 'allowlist[0].server "gihub" matches no server of this file; did you mean "github"?',
      },
    ]);
  });

  it('names a server in a file without any; a pattern there is for those to come', () => {
    const found = (server: string) => problemsOfRules(policyOf({ denylist: [{ server, tool: '*' }] }), []);
    expect(found('fs')).toMatchObject([
      { rule: 'denylist[0].server "fs" matches no server of this file; there is none' },
    ]);
    expect(found('*')).toEqual([]);
  });

  it('names the tools there are, of servers that were asked', () => {
    expect(problems({ denylist: [{ server: 'fs', tool: 'delete_*' }] })).toEqual([
      'error: denylist[0].tool "delete_*" matches no tool of "fs"; there are read_file, write_file',
    ]);
    expect(problems({ denylist: [{ server: '*', tool: 'delete_*' }] })).toEqual([]);
  });

  it.each([
    [{ server: 'fs', tool: '' }, 'denylist[0].tool "" is empty and matches nothing; * stands for any'],
    [
      { server: 'fs', tool: 'mcp__fs__read_file' },
      'denylist[0].tool "mcp__fs__read_file" is a server and a tool in one: write "server": "fs", "tool": "read_file"',
    ],
    [
      { server: 'fs', tool: 'read_file(src/*)' },
      'denylist[0].tool "read_file(src/*)" has a parenthesis: conditions on arguments go into "args"',
    ],
  ])('says what to write instead of %j', (entry, text) => {
    expect(problems({ denylist: [entry] })).toEqual([`error: ${text}`]);
  });

  it('refuses an allow that hangs on annotations nobody believes', () => {
    const rule = { server: 'fs', annotations: { readOnlyHint: true } };
    expect(problems({ rules: [{ ...rule, decision: 'allow' }] })).toEqual([
      'error: rules[0].annotations {"readOnlyHint":true} allows nothing: annotations are believed only of servers with "trust": "full"',
    ]);
    expect(problems({ rules: [{ ...rule, decision: 'confirm' }] })).toEqual([]);
  });

  it('warns of a rule that another one always overrules', () => {
    const said = {
      allowlist: [{ server: 'fs', tool: 'read_file' }],
      denylist: [{ server: 'fs', tool: '*' }],
    };
    expect(problems(said)).toEqual([
      'warning: allowlist[0] fs/read_file has no effect: denylist[0] fs/* always says deny, which wins over allow',
    ]);
    const sometimes = { server: 'fs', tool: '*', args: { path: { below: '/etc' } } };
    expect(problems({ ...said, denylist: [sometimes] })).toEqual([]);
  });

  it.each([
    [
      { below: '' },
      'error: allowlist[0] fs/*: the argument path has an empty folder; "." is the folder of the project',
    ],
    [
      { below: '~/.ssh' },
      'error: allowlist[0] fs/*: the argument path has a folder with ~, which is not expanded here: write ${HOME}',
    ],
    [
      { startsWith: ' ' },
      'error: allowlist[0] fs/*: the argument path starts with an empty command, which no text does',
    ],
    [{ regex: '(' }, 'error: allowlist[0] fs/*: the argument path has an invalid regular expression'],
    [
      { regex: '^a|b$' },
      'warning: allowlist[0] fs/*: the argument path has a regex that matches anywhere in the text: begin it with ^ and end it with $',
    ],
    [
      { regex: '^(a$|b)' },
      'warning: allowlist[0] fs/*: the argument path has a regex that matches anywhere in the text: begin it with ^ and end it with $',
    ],
    [
      { regex: '^a\\$' },
      'warning: allowlist[0] fs/*: the argument path has a regex that matches anywhere in the text: begin it with ^ and end it with $',
    ],
  ])('looks into the condition %j', (condition, text) => {
    expect(problems({ allowlist: [{ server: 'fs', tool: '*', args: { path: condition } }] })).toEqual([text]);
  });
});
