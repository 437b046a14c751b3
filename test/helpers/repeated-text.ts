import { filesInCall } from '../../src/events/call-files/files-in-call.ts';
import { isDiffText, patchedFiles } from '../../src/events/call-files/patched-files.ts';
import { pathsInPatch } from '../../src/events/call-files/patch-heads.ts';
import { readAnswersInWords } from '../../src/events/form/read-answers.ts';
import { looksSecret } from '../../src/events/secrets/looks-secret.ts';
import { secretsOf } from '../../src/events/secrets/redaction.ts';
import { StreamRedactor } from '../../src/events/secrets/stream-redactor.ts';
import { filledForm } from '../../src/gateway/elicitation/form-answer.ts';
import { readCommand } from '../../src/gateway/policy/shell/read-command.ts';
import { wrap } from '../../src/lib/text/cells.ts';
import { cleanLine } from '../../src/lib/text/hidden-characters.ts';
import { lastOverwrite, stripAgentText } from '../../src/lib/text/sanitise.ts';
import { visible } from '../../src/lib/text/visible.ts';
import type { OutputParser } from '../../src/runner/agents/agent-adapter.ts';
import { createClaudeParser } from '../../src/runner/agents/claude/claude-output.ts';
import { createCodexParser } from '../../src/runner/agents/codex/codex-output.ts';
import { createCursorParser } from '../../src/runner/agents/cursor/cursor-output.ts';
import { createGeminiParser } from '../../src/runner/agents/gemini/gemini-output.ts';
import { createOpencodeParser } from '../../src/runner/agents/opencode/opencode-output.ts';
import { AgentOutput } from '../../src/runner/output/agent-output.ts';
import { quotedWords } from '../../src/runner/output/quote-words.ts';
import { detectPrompt, plainLines } from '../../src/runner/prompts/detect-prompt.ts';
import { isSecretPrompt } from '../../src/runner/prompts/is-secret-prompt.ts';
import { markdownLines } from '../../src/tui/text/markdown-lines.ts';
import { maskOf } from '../../src/views/calls/masked.ts';
import { plainMarkdown } from '../../src/views/text/plain-markdown.ts';
import { unfenced } from '../../src/views/text/unfenced.ts';
import { markdownStructure } from '../../src/workflow/reports/markdown-structure.ts';
import { reasonOf } from '../../src/workflow/requests/reply-text.ts';

/** A reader of texts that others write, and what it is fed with. */
export type Door = {
  readonly read: (text: string) => unknown;
  /** The length of the texts, in UTF-16 units: as long as it reads, or long enough to hang. */
  readonly length: number;
  /** What the repeated pieces stand behind, besides nothing. */
  readonly heads?: readonly string[];
  /** The heads are repeated, too: what begins anew again and again, and never ends. */
  readonly isRepeated?: boolean;
};

const secrets = secretsOf({ MY_TOKEN: 'a'.repeat(32) });
const keyHeads = [
  '-----BEGIN PRIVATE KEY-----\n',
  '-----BEGIN PGP PRIVATE KEY BLOCK-----\n',
  'Authorization: ',
];
const promptHeads = ['Password', '[1/3] Name ', 'Enter a', '(Y/N> :', '? Which\n❯ a\n'];
const TEXT = 64 * 1024;
const SCREEN = 4 * 1024;

/** What reads the words of agents, of their tools and of people in chats. */
export const doors: Readonly<Record<string, Door>> = {
  prompts: { length: 390, heads: promptHeads, read: promptsIn },
  longPrompts: { length: SCREEN, heads: promptHeads, read: promptsIn },
  secretPrompts: {
    length: SCREEN,
    read: (text) => isSecretPrompt({ kind: 'text', question: text, context: text }),
  },
  plainLines: { length: 256 * 1024, read: plainLines },
  secrets: { length: TEXT, heads: keyHeads, read: (text) => [secrets.redactText(text), looksSecret(text)] },
  // What takes the square of their length shows only in long ones.
  longSecrets: { length: 1024 * 1024, heads: keyHeads, isRepeated: true, read: secrets.redactText },
  streamedSecrets: { length: TEXT, heads: keyHeads, read: (text) => streamed(text, TEXT) },
  streamedCharacters: { length: 150, heads: keyHeads, read: (text) => streamed(text, 1) },
  // Enough for what takes the third power: it looks at no more than the last word.
  labels: { length: 8 * 1024, heads: ['Authorization', 'AccountKey'], read: (text) => streamed(text, TEXT) },
  agents: {
    length: SCREEN,
    heads: ['Error: ', 'Error: MCP servers failed to initialize: '],
    read: readByAgents,
  },
  quotedWords: { length: 16 * 1024, read: quotedWords },
  screens: { length: TEXT, read: (text) => [stripAgentText(text), visible(text), lastOverwrite(text)] },
  cleanLine: { length: TEXT, read: (text) => cleanLine(text) },
  wrap: { length: SCREEN, read: (text) => wrap(text, 80) },
  markdown: { length: SCREEN, read: (text) => [plainMarkdown(text), markdownLines(text)] },
  unfenced: { length: TEXT, heads: ['~~~'], read: unfenced },
  reports: { length: TEXT, read: (text) => [...markdownStructure(text, 0)] },
  patches: {
    length: TEXT,
    heads: ['diff --git ', '*** Begin Patch\n*** Update File: a\n*** Move to: a'],
    read: (text) => [patchedFiles(text), pathsInPatch(text), isDiffText(text)],
  },
  calls: { length: SCREEN, read: (text) => filesInCall({ patch: text, path: text, command: text }) },
  commands: { length: SCREEN, heads: ['echo '], read: readCommand },
  masks: { length: TEXT, heads: ['Bearer '], read: maskOf },
  answers: {
    length: TEXT,
    heads: ['1:'],
    read: (text) => [
      reasonOf(text),
      readAnswersInWords([{ title: 'a' }, { title: 'b' }], text),
      filledForm({ properties: { a: {}, b: {} } }, text),
    ],
  },
};

/** What a text is made of, many times. */
const pieces = [
  ...' \t\n\r\0\\/.-_~`*[]({<>"\'#|a1:=&'.split(''),
  '\u001B]',
  '\u001B[',
  '\u0301',
  '\u200D',
  '\u2028',
  '  \n',
  '\r\n',
  'a ',
  'a\n',
  '((',
  '](',
  '[a](',
  '**a',
  '${',
  '$(',
  '{a,',
  '<a ',
  '<!--',
  '../',
  '//',
  '- ',
  '> ',
  '# ',
  '~~~\n',
  '```\n',
  '| - |',
  'a|b\n-|-\n\n',
  'clifford: ',
  ' for a',
  ' again',
  '(a: b) ',
  '（a：',
  'y/n ',
  '[y/n] ',
  '(y/n)',
  '❯ a\n',
  '│ ',
  'a: b\n',
  'a=b;',
  '<<E\n',
  'if ',
  '-----BEGIN ',
  'Comment: a ',
  'Version: ',
  'Comment: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ',
  'Version: a    ',
  'Version: a",  "',
  'Proc-Type: a,,',
  'http://a@',
  'eyJa.',
  'Authorization: ',
  'Bearer ',
  '"a" ',
  '*** \r',
  '--- a\n+++ b\n',
  '@@ -1 +1 @@\n',
  'diff --git a b\n',
  '+a\n',
  '*** ',
];
/** No pattern that looks for an end finds it in front of these. */
const tails = ['!', '\u2028'];

/** The texts for a door, each with what it is made of. */
export function* textsFor({
  length,
  heads = [],
  isRepeated = false,
}: Door): Generator<readonly [made: string, text: string]> {
  const made = isRepeated
    ? heads.flatMap((head) => pieces.map((piece) => ['', head.trimEnd() + piece] as const))
    : ['', ...heads].flatMap((head) => pieces.map((piece) => [head, piece] as const));
  for (const [head, piece] of made)
    for (const tail of tails) {
      const room = length - head.length - tail.length;
      const text = head + piece.repeat(Math.ceil(room / piece.length)).slice(0, room) + tail;
      yield [JSON.stringify([head, piece, tail]), text];
    }
}

function promptsIn(text: string): unknown {
  return [text, `${text}\n`].map((end) => detectPrompt({ text: end, quietMs: 10_000 }));
}

function streamed(text: string, chunk: number): string {
  const redactor = new StreamRedactor(secrets);
  let shown = '';
  for (let at = 0; at < text.length; at += chunk) shown += redactor.push(text.slice(at, at + chunk));
  return shown + redactor.end();
}

function readByAgents(text: string): unknown {
  const parsers: OutputParser[] = [
    createClaudeParser(),
    createCodexParser(),
    createCursorParser(),
    createGeminiParser(),
    createOpencodeParser(),
  ];
  const failed = JSON.stringify({
    type: 'error',
    message: text,
    error: { name: text, data: { message: text } },
  });
  return parsers.map((parser) => {
    const output = new AgentOutput(parser);
    return [
      output.take('stdout', Buffer.from(`${text}\n${failed}\n`)),
      output.take('stderr', Buffer.from(`${text}\n`)),
      output.rest(),
    ];
  });
}
