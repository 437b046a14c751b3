import type { ProcessIdentity } from '../../src/lib/processes/process-identity.ts';
import { Told } from './told.ts';

/** Id of the sprint in which a card of each kind waits. */
export const CARDS_SPRINT = 'release';

const BEGAN_MS = 6 * 60_000;

/** Id, title, and what it needs. */
export const cardTasks = [
  ['clean', 'Build all packages from nothing', []],
  ['rounding', 'Totals are rounded once', []],
  ['export', 'Export to the ledger', []],
  ['web', 'Release the page', []],
  ['api', 'Release the server', []],
  ['worker', 'Release the worker', []],
] as const;

/** A command, an edit, several commands that are alike, and a form: each waits for a human. */
export function tellCards(agent: ProcessIdentity): Told {
  const told = new Told(CARDS_SPRINT, BEGAN_MS, agent);
  told.add('', 'sprint.created', {
    name: 'Release 2.0',
    manifest: `sprints/${CARDS_SPRINT}/manifest.json`,
    tasks: cardTasks.map(([id]) => ({ id, file: `${id}.md`, dependsOn: [] })),
  });
  told.add('', 'sprint.started', { runner: 'runner', maxAttempts: 1 });
  asksFor(told, 'clean', { tool: 'execute', destroys: true, sends: true, args: shell });
  asksFor(told, 'rounding', { tool: 'edit', args: edit });
  for (const [task, folder] of [
    ['web', 'packages/page'],
    ['api', 'packages/server'],
    ['worker', 'packages/worker'],
  ] as const)
    asksFor(told, task, {
      tool: 'execute',
      args: { command: `npm publish ${folder} --access public`, description: `Publish ${folder}` },
      sends: true,
    });
  const runId = told.begin('export', claude);
  told.add('export', 'help.requested', {
    requestId: 'q-export',
    kind: 'help',
    question: 'Three things about the export, before I write it',
    reason: 'They shape the file that the tax adviser reads, and cannot be changed after the first month.',
    questions: [
      {
        title: 'Format',
        question: 'Which format does the **tax adviser** read?',
        options: [
          {
            label: 'DATEV EXTF 7.0',
            description: 'what most advisers use',
            recommended: true,
            preview: '"EXTF";700;21;"Buchungsstapel"\n"Umsatz";"Soll/Haben";"Konto"',
          },
          { label: 'CSV', description: 'semicolons, UTF-8', preview: 'date;account;amount' },
        ],
      },
      {
        title: 'Accounts',
        question: 'Which of these accounts are exported?',
        multiple: true,
        options: ['8400 revenue 19 %', '8300 revenue 7 %', '1400 receivables'].map((label) => ({ label })),
      },
      { title: 'Note', question: 'A note for the head of the file?', required: false },
    ],
    origin: { agent: runId, runId, client: 'claude-code' },
  });
  return told;
}

const claude = ['claude-code', 'claude-opus-4-5'] as const;

type OwnCall = Pick<Asked, 'tool' | 'args'> & { readonly [risk in 'destroys' | 'sends']?: true };
type Asked = NonNullable<Parameters<typeof Told.prototype.add<'help.requested'>>[2]['approval']>;

/** An agent wants to use a tool of its own. */
function asksFor(told: Told, task: string, own: OwnCall): void {
  const runId = told.begin(task, claude);
  const call = { callId: `c-${task}`, server: '@claude-code', tool: own.tool, args: own.args };
  told.add(task, 'tool.requested', { ...call, argsDigest: task, runId });
  told.add(task, 'help.requested', {
    requestId: `q-${task}`,
    kind: 'approval',
    question: `Allow ${own.tool}?`,
    origin: { agent: runId, runId, client: 'claude-code' },
    approval: {
      ...call,
      ...own,
      isOwn: true,
      callDigest: task,
      definitionDigest: 'd',
      rule: 'agents.ask what-matters',
      trust: 'full',
    },
  });
}

const shell = {
  command:
    'cd packages/invoices && npm ci && rm -rf "dist/$TARGET" ../*/node_modules/.cache && npm run build 2>&1 | tee build.log\ngit push origin "release/$TARGET"',
  description: 'Build the packages anew and push the release branch',
};

const edit = {
  file_path: 'src/invoices.ts',
  old_string:
    "  await db.insert('invoices', { id, customer, total });\n  return { id, number: undefined, customer, total };\n",
  new_string:
    "  const rounded = Math.round(total * 100) / 100;\n  await db.insert('invoices', { id, customer, total: rounded });\n  return { id, number: undefined, customer, total: rounded };\n",
};
