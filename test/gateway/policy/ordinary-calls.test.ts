import { createTwoFilesPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import type { AgentRule } from '../../../src/gateway/config/agent-policy.ts';
import type { AgentKind } from '../../../src/gateway/permission/agent-call.ts';
import { judged, type Said } from './said-call.ts';

/** What people write for work that they do not want to be asked about. */
const rules: AgentRule[] = [
  { kind: 'execute', command: { startsWith: 'npm test' }, decision: 'allow' },
  { kind: 'execute', command: { startsWith: 'bash -lc' }, decision: 'allow' },
  { kind: 'fetch', decision: 'allow' },
  { kind: 'delete', path: { below: 'src' }, decision: 'allow' },
  { command: { startsWith: 'git push' }, decision: 'deny' },
  { path: { below: 'deploy' }, decision: 'deny' },
];

const file = '/project/src/a.ts';
const [before, after] = ['a\nb\n', 'a\nc\n'];
const text = (words: string) => ({ type: 'content', content: { type: 'text', text: words } });
const diff = (path: string, more: object = {}) => ({
  type: 'diff',
  path,
  oldText: before,
  newText: after,
  ...more,
});
const unified = createTwoFilesPatch(file, file, before, after);
const gitDiff = `\ndiff --git a${file} b${file}\nindex 0000000..1111111 100644\n--- a${file}\n+++ b${file}\n@@ -1 +1 @@\n-a\n+b\n`;
const asked = {
  call_id: 'c',
  turn_id: 't',
  reason: 'to see whether it works',
  grant_root: null,
  proposed_execpolicy_amendment: { command: ['npm', 'test'] },
  available_decisions: ['approved', { approved_execpolicy_amendment: { command: ['npm'] } }, 'abort'],
};

/** Calls as agents send them, with the fields that their tools have. */
const calls: Readonly<Record<string, readonly (readonly [what: string, kind: AgentKind, said: Said])[]>> = {
  'Claude Code': [
    [
      'Bash',
      'execute',
      {
        rawInput: {
          command: 'npm test',
          description: 'Runs src/a',
          timeout: 120_000,
          run_in_background: false,
        },
      },
    ],
    ['Bash in the background', 'execute', { rawInput: { command: 'npm test', run_in_background: true } }],
    ['Bash in the project', 'execute', { rawInput: { command: 'cd /project && npm test 2>&1' } }],
    [
      'Read',
      'read',
      { rawInput: { file_path: file, offset: 1, limit: 20 }, locations: [{ path: file, line: 1 }] },
    ],
    ['Read, pages of it', 'read', { rawInput: { file_path: '/project/a.pdf', pages: '1-5' } }],
    ['Read of a page', 'read', { rawInput: { file_path: '/project/pages/[id].tsx' } }],
    [
      'Edit',
      'edit',
      {
        rawInput: { file_path: file, old_string: 'b', new_string: 'c', replace_all: true },
        locations: [{ path: file }],
        content: [diff(file)],
      },
    ],
    [
      'MultiEdit',
      'edit',
      {
        rawInput: {
          file_path: file,
          edits: [
            { old_string: 'a', new_string: 'b' },
            { old_string: 'c', new_string: 'd', replace_all: true },
          ],
        },
      },
    ],
    [
      'Write',
      'edit',
      {
        rawInput: { file_path: '/project/a.json', content: '{"path":"/etc/passwd"}' },
        content: [diff('/project/a.json')],
      },
    ],
    [
      'NotebookEdit',
      'edit',
      {
        rawInput: {
          notebook_path: '/project/a.ipynb',
          cell_id: '1',
          new_source: 'x',
          cell_type: 'code',
          edit_mode: 'replace',
        },
      },
    ],
    [
      'NotebookEdit, a cell that goes',
      'edit',
      { rawInput: { notebook_path: '/project/a.ipynb', cell_id: '1', new_source: '', edit_mode: 'delete' } },
    ],
    [
      'Grep',
      'search',
      {
        rawInput: {
          pattern: 'a|b.*',
          path: '/project/src',
          type: 'ts',
          output_mode: 'content',
          '-n': true,
          '-i': true,
          '-A': 3,
          head_limit: 20,
          multiline: true,
        },
      },
    ],
    ['Glob', 'search', { rawInput: { pattern: '*.ts', path: '/project/src' } }],
    ['LS', 'search', { rawInput: { path: '/project', ignore: ['node_modules'] } }],
    ['WebFetch', 'fetch', { rawInput: { url: 'https://nodejs.org/x', prompt: 'What is new in src/a.ts?' } }],
    [
      'WebSearch',
      'fetch',
      { rawInput: { query: 'how to', allowed_domains: ['nodejs.org'], blocked_domains: [] } },
    ],
    [
      'Task',
      'think',
      { rawInput: { description: 'Look', prompt: 'Read src', subagent_type: 'general-purpose' } },
    ],
    [
      'TodoWrite',
      'think',
      { rawInput: { todos: [{ content: 'Fix src/a.ts', status: 'pending', activeForm: 'Fixing' }] } },
    ],
  ],
  Codex: [
    ['a command', 'execute', { rawInput: { ...asked, command: 'npm test', cwd: '/project' } }],
    [
      'a command with what it is made of',
      'execute',
      {
        rawInput: {
          ...asked,
          command: "bash -lc 'npm test'",
          cwd: '/project',
          parsed_cmd: [{ type: 'unknown', cmd: 'npm test' }],
        },
      },
    ],
    [
      'a command that it has parsed as one that reads',
      'execute',
      {
        rawInput: {
          command: 'npm test src/a.ts',
          cwd: '/project',
          parsed_cmd: [{ type: 'read', cmd: 'npm test src/a.ts', name: 'a.ts', path: 'src/a.ts' }],
        },
      },
    ],
    [
      'a file that changes',
      'edit',
      {
        rawInput: {
          ...asked,
          changes: {
            [file]: { type: 'update', unified_diff: '@@ -1,2 +1,2 @@\n a\n-b\n+c\n', move_path: null },
          },
        },
      },
    ],
    [
      'a file that comes',
      'edit',
      {
        rawInput: { changes: { '/project/src/n.ts': { type: 'add', content: 'x\n' } } },
        content: [diff('/project/src/n.ts')],
      },
    ],
    [
      'a file that moves',
      'edit',
      {
        rawInput: {
          changes: {
            [file]: { update: { unified_diff: '@@ -1 +1 @@\n-b\n+c\n', move_path: '/project/src/b.ts' } },
          },
        },
      },
    ],
    [
      'a search of the web',
      'fetch',
      { rawInput: { query: 'how to', action: { type: 'search', query: 'how to' } } },
    ],
    [
      'a search of the web, as it is told of',
      'search',
      {
        rawInput: {
          type: 'webSearch',
          id: 'ws_1',
          query: 'how to',
          action: { type: 'search', query: null, queries: ['how to', 'why'] },
        },
      },
    ],
    [
      'a command, as it is told of',
      'execute',
      {
        rawInput: {
          call_id: 'c',
          process_id: '71',
          turn_id: 't',
          command: 'npm test',
          cwd: '/project',
          interaction_input: null,
        },
      },
    ],
    [
      'a file that changes, as it is told of',
      'edit',
      {
        rawInput: {
          call_id: 'c',
          turn_id: 't',
          auto_approved: true,
          changes: { [file]: { type: 'add', content: 'x' } },
        },
      },
    ],
    [
      'a file that changes, by what is shown of it',
      'edit',
      {
        title: 'Edit files',
        locations: [{ path: file }],
        content: [diff(file, { _meta: { kind: 'update' } })],
      },
    ],
    [
      'an empty file that comes',
      'edit',
      {
        title: 'Edit files',
        content: [
          { type: 'diff', path: '/project/src/n.ts', oldText: null, newText: '', _meta: { kind: 'add' } },
        ],
      },
    ],
  ],
  OpenCode: [
    [
      'bash',
      'execute',
      {
        title: 'bash',
        rawInput: { command: 'npm test', description: 'Runs tests', workdir: '/project', timeout: 1_000 },
      },
    ],
    ['read', 'read', { rawInput: { filePath: file, offset: 0, limit: 10 } }],
    ['edit', 'edit', { title: 'edit', rawInput: { filepath: file, diff: unified } }],
    [
      'edit, as it is told of',
      'edit',
      { rawInput: { filePath: file, oldString: 'b', newString: 'c', replaceAll: true } },
    ],
    ['write', 'edit', { rawInput: { filePath: file, content: 'x' } }],
    [
      'apply_patch',
      'edit',
      { rawInput: { patchText: '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-b\n+c\n*** End Patch' } },
    ],
    ['grep', 'search', { rawInput: { pattern: 'x', path: '/project/src', include: '*.ts' } }],
    ['webfetch', 'fetch', { rawInput: { url: 'https://nodejs.org', format: 'markdown', timeout: 30 } }],
    ['websearch', 'fetch', { rawInput: { query: 'x', numResults: 8, livecrawl: 'fallback', type: 'auto' } }],
  ],
  'Gemini CLI': [
    [
      'a command',
      'execute',
      { title: 'npm test', content: [text('[current working directory /project] (Runs tests)')] },
    ],
    [
      'an edit',
      'edit',
      {
        title: 'a.ts: b => c',
        content: [diff(file, { _meta: { kind: 'modify' } })],
        locations: [{ path: file }],
      },
    ],
    [
      'replace',
      'edit',
      {
        rawInput: {
          file_path: file,
          instruction: 'Change it',
          old_string: 'b',
          new_string: 'c',
          expected_replacements: 1,
          allow_multiple: false,
        },
      },
    ],
    ['read_file', 'read', { rawInput: { file_path: file, start_line: 1, end_line: 9 } }],
    ['list_directory', 'search', { rawInput: { dir_path: '/project/src', ignore: ['*.log'] } }],
    [
      'glob',
      'search',
      {
        rawInput: {
          pattern: 'src/**/*.ts',
          dir_path: '/project',
          respect_gemini_ignore: true,
          file_filtering_options: { respect_git_ignore: true },
        },
      },
    ],
    [
      'grep_search',
      'search',
      {
        rawInput: {
          pattern: 'x',
          dir_path: '/project/src',
          include_pattern: '*.ts',
          exclude_pattern: '*.d.ts',
          names_only: true,
          max_matches_per_file: 3,
        },
      },
    ],
    ['google_web_search', 'search', { rawInput: { query: 'how to' } }],
    ['web_fetch', 'fetch', { rawInput: { prompt: 'Summarise https://nodejs.org' } }],
  ],
  'Copilot CLI': [
    [
      'a command',
      'execute',
      {
        title: 'Run tests',
        rawInput: {
          commands: ['npm test'],
          command: 'npm test',
          description: 'Runs tests',
          sessionId: 's',
          mode: 'sync',
          initial_wait: 30,
        },
      },
    ],
    [
      'a command with its parts',
      'execute',
      { rawInput: { command: 'npm test a && npm test b', commands: ['npm test a', 'npm test b'] } },
    ],
    ['an edit', 'edit', { title: 'Edit', rawInput: { fileName: file, diff: gitDiff } }],
    ['create', 'edit', { title: 'Create', rawInput: { path: file, file_text: 'x\n' } }],
    ['view', 'read', { rawInput: { path: file, view_range: [1, 20] } }],
    [
      'rg',
      'search',
      { rawInput: { pattern: 'x', path: '/project/src', output_mode: 'files_with_matches', '-C': 2 } },
    ],
  ],
  others: [
    [
      'Cursor, a command',
      'execute',
      {
        rawInput: {
          command: 'npm test',
          working_directory: '/project',
          is_background: false,
          explanation: 'To test',
        },
      },
    ],
    [
      'Cursor, files by a pattern',
      'search',
      {
        rawInput: { glob_pattern: 'src/**/*.ts', target_directory: '/project/src', ignore_globs: ['*.log'] },
      },
    ],
    ['files by several patterns', 'search', { rawInput: { pattern: 'x', globs: ['*.ts', 'lib/**/*.tsx'] } }],
    [
      'Zed, an edit',
      'edit',
      { rawInput: { path: 'src/a.ts', display_description: 'Change it', mode: 'edit' } },
    ],
    ['Zed, a command', 'execute', { rawInput: { command: 'npm test', cd: '/project' } }],
    ['Zed, a move', 'move', { rawInput: { source_path: 'src/a.ts', destination_path: 'src/b.ts' } }],
    ['Zed, a file that goes', 'delete', { rawInput: { path: 'src/a.ts' } }],
    [
      'Cursor, a file that goes',
      'delete',
      { rawInput: { target_file: 'src/a.ts', explanation: 'It is not used' } },
    ],
    ['Cline, a search', 'search', { rawInput: { path: 'src', regex: 'x', file_pattern: '*.ts' } }],
    ['Cline, a command', 'execute', { rawInput: { command: 'npm test', requires_approval: false } }],
  ],
};

describe.each(Object.entries(calls))('an ordinary call of %s is not asked about needlessly', (_, ofAgent) => {
  it.each(ofAgent)('%s', (_what, kind, said) => {
    const { decision, reason } = judged(kind, said, { rules });
    expect([decision, reason]).toEqual(['allow', reason]);
  });
});
