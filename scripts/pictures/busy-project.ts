import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeEvents } from '../../bench/support/write-log.ts';
import type { ProcessIdentity } from '../../src/lib/processes/process-identity.ts';
import { CARDS_SPRINT, cardTasks, tellCards } from './cards.ts';
import { Told } from './told.ts';

/** How long ago it began. */
const BEGAN_MS = 42 * 60_000;
/** Id of the sprint in which it does. */
export const BUSY_SPRINT = 'billing';

/** A process of another machine. */
const noMore: ProcessIdentity = { pid: 20_000, processStart: '1', bootId: 'another' };

/** Id, title, and what it needs. */
const tasks = [
  ['schema', 'Tables for invoices, their lines and payments', []],
  ['invoice-api', 'Make, read and void invoices over HTTP', ['schema']],
  ['tax-rules', 'Value added tax by country, with its exemptions', ['schema']],
  ['pdf', 'Invoices as PDF, in the language of the customer', ['invoice-api', 'tax-rules']],
  ['payments-webhook', 'Take notice of payments, once each', ['invoice-api']],
  ['dunning', 'Remind customers who have not paid', ['payments-webhook']],
  ['ledger-export', 'Export to the ledger, as CSV and DATEV', ['invoice-api']],
  ['legacy-import', 'Import ten years of invoices from the old system', ['schema']],
  ['customer-portal-invoice-list-and-downloads', 'Customers see their invoices', ['pdf']],
  ['currency', 'Amounts in other currencies than the euro', ['tax-rules']],
  ['audit-trail', 'Who changed what, and when', []],
  ['docs', 'How billing works, for those who answer the phone', ['pdf', 'dunning']],
] as const satisfies readonly (readonly [string, string, readonly string[]])[];

/**
 * A project in the middle of its work, as nobody has the time to wait for: five sprints, one of twelve tasks in all their states, two
 * questions and a call that wait, one with a card of each kind, a failure, and what agents wrote. Its log is one that could have been.
 *
 * @param agent - The process of its agents, none of what looks at it: what descends from an agent may not decide.
 */
export async function writeBusyProject(root: string, agent = noMore): Promise<void> {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  await mkdir(join(root, '.clifford/transcripts'), { recursive: true });
  await put(root, '.gitignore', '.clifford/\n.home/\n');
  await put(root, 'src/invoices.ts', before);
  await putSprint(root, BUSY_SPRINT, 'Bill customers in twelve countries', tasks);
  await putSprint(root, CARDS_SPRINT, 'Release 2.0', cardTasks);
  for (const [id, name] of others) await putSprint(root, id, name, [[`${id}-1`, 'The first part of it', []]]);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'The project');
  await put(root, 'src/invoices.ts', after);
  await put(root, 'src/http/invoice-routes.ts', routes);
  await put(
    root,
    'test/invoices.test.ts',
    "import { it } from 'vitest';\n\nit.todo('voids an invoice once');\n",
  );
  git('add', '.');
  git('commit', '--quiet', '--message', 'invoice-api: Make, read and void invoices over HTTP');
  const sha = git('rev-parse', 'HEAD');
  await put(root, 'src/ledger/datev.ts', "export const separator = ';';\n");
  const history = new Told(BUSY_SPRINT, BEGAN_MS, agent);
  tell(history, sha);
  const events = [...history.events, ...tellCards(agent).events];
  writeEvents(join(root, '.clifford/events.jsonl'), events);
  for (const [run, lines] of Object.entries(outputs)) await putCast(root, run, lines);
}

const others = [
  ['search', 'Search in all texts'],
  ['onboarding', 'A first hour without questions: sign-up, sample data, tour'],
  ['rate-limits', 'Limits for each key'],
] as const;

async function put(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

type Planned = readonly [id: string, title: string, needs: readonly string[]];

async function putSprint(root: string, id: string, name: string, planned: readonly Planned[]): Promise<void> {
  const dir = join('sprints', id);
  const manifest = {
    id,
    name,
    status: 'pending',
    tasks: planned.map(([task, , dependsOn]) => ({ id: task, file: `${task}.md`, dependsOn })),
  };
  await put(root, join(dir, 'manifest.json'), JSON.stringify(manifest, null, 2));
  for (const [task, title] of planned) await put(root, join(dir, `${task}.md`), `# ${title}\n\n${taskText}`);
}

const taskText = `Routes below \`/invoices\`, each with its schema. An invoice that was sent is never changed: it is **voided**, and
another one is made.

## Done when

- [ ] \`POST /invoices\` makes a draft, \`POST /invoices/:id/send\` gives it its number
- [ ] numbers have no gaps, also when two are sent at the same moment
- [ ] a voided invoice keeps its number

| route | who may |
| --- | --- |
| \`GET /invoices/:id\` | its customer, and support |
| \`POST /invoices/:id/void\` | support |

\`\`\`ts
const number = await nextNumber(tx, year);
\`\`\`
`;

async function putCast(root: string, run: string, lines: readonly string[]): Promise<void> {
  const header = { version: 3, term: { cols: 80, rows: 24 }, title: run };
  const rows = lines.map((line, at) => [at === 0 ? 0 : 1.5, 'o', `${line}\r\n`]);
  const text = [header, ...rows].map((row) => JSON.stringify(row)).join('\n');
  await writeFile(join(root, '.clifford/transcripts', `${run}.cast`), `${text}\n`);
}

const claude = ['claude-code', 'claude-opus-4-5'] as const;
const codex = ['codex', 'gpt-5.1-codex'] as const;

/** What happened in it. */
function tell(told: Told, sha: string): void {
  told.add('', 'sprint.created', {
    name: 'Bill customers in twelve countries',
    manifest: `sprints/${BUSY_SPRINT}/manifest.json`,
    tasks: tasks.map(([id, , dependsOn]) => ({ id, file: `${id}.md`, dependsOn: [...dependsOn] })),
  });
  told.add('', 'sprint.started', { runner: 'runner', maxAttempts: 3 });
  const schema = told.begin('schema', claude);
  told.call('schema', schema, ['clifford', 'get_sprint_context'], { sprintDir: `sprints/${BUSY_SPRINT}` });
  told.end('schema', schema, 'Six tables, and a migration back', 0.82);
  const api = told.begin('invoice-api', claude);
  told.call('invoice-api', api, ['clifford', 'get_sprint_context'], { sprintDir: `sprints/${BUSY_SPRINT}` });
  told.call('invoice-api', api, ['postgres', 'query'], {
    sql: 'select max(number) from invoices where year = 2026',
  });
  told.add('invoice-api', 'help.requested', {
    requestId: 'q-numbers',
    kind: 'clarification',
    question: 'May invoice numbers have gaps?',
    options: ['No gaps: lock the counter', 'Gaps are fine'],
    origin: { agent: api, runId: api, client: 'claude-code' },
  });
  const answer = {
    requestId: 'q-numbers',
    response: 'No gaps: lock the counter',
    by: 'maria',
    via: 'tui',
  } as const;
  told.add('invoice-api', 'help.answered', answer, 640);
  told.add('invoice-api', 'help.delivered', { requestId: 'q-numbers', to: api });
  told.call(
    'invoice-api',
    api,
    ['github', 'create_branch'],
    { repo: 'acme/billing', branch: 'invoice-api' },
    812,
  );
  told.add('invoice-api', 'verify.returned', {
    command: 'npm test',
    code: 0,
    durationMs: 61_000,
    output: 'ok',
  });
  told.end('invoice-api', api, 'Routes for invoices; numbers have no gaps', 2.41, sha);
  const tax = told.begin('tax-rules', codex);
  told.end('tax-rules', tax, 'Rates of 27 countries', 1.1);
  const legacy = told.begin('legacy-import', codex);
  const broken =
    'the agent exited with code 1: TypeError: Cannot read properties of undefined (reading "lines")';
  told.add('legacy-import', 'agent.exited', { runId: legacy, code: 1, signal: null, durationMs: 95_000 }, 90);
  told.add('legacy-import', 'task.retried', { attempt: 2, delayMs: 1_000, reason: broken });
  const again = told.begin('legacy-import', codex, 2);
  const lost = 'The dumps of 2009 to 2011 have no lines of invoices: they have to be exported once more';
  told.add('legacy-import', 'task.failed', { reason: lost, by: 'codex', runId: again }, 60);
  told.add('legacy-import', 'agent.exited', { runId: again, code: 0, signal: null, durationMs: 61_000 });
  told.add('audit-trail', 'task.skipped', { by: 'maria', reason: 'Another team has one already' }, 20);
  const webhook = told.begin('payments-webhook', codex);
  const call = {
    callId: 'c-webhook',
    server: 'stripe',
    tool: 'create_webhook_endpoint',
    args: {
      url: 'https://billing.example.com/hooks/payments',
      enabled_events: ['invoice.paid', 'invoice.payment_failed', 'charge.refunded'],
      description: 'Payments of invoices: made for the sprint of billing, and to be removed with it',
    },
  };
  told.add('payments-webhook', 'tool.requested', { ...call, argsDigest: 'd', runId: webhook });
  told.add('payments-webhook', 'help.requested', {
    requestId: 'q-webhook',
    kind: 'approval',
    question: 'Allow stripe create_webhook_endpoint?',
    origin: { agent: webhook, runId: webhook, client: 'codex' },
    approval: {
      ...call,
      callDigest: 'd',
      definitionDigest: 'd',
      rule: 'rules[2] stripe/create_*',
      trust: 'full',
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
  });
  const pdf = told.begin('pdf', claude);
  told.call('pdf', pdf, ['files', 'read_text_file'], { path: 'src/invoices.ts' });
  told.call('pdf', pdf, ['files', 'search_files'], {
    path: 'src',
    pattern: '**/*.ts',
    excludePatterns: ['node_modules'],
  });
  told.add('pdf', 'help.requested', {
    requestId: 'q-fonts',
    kind: 'help',
    question:
      'Which typeface do invoices have in languages that **Inter** has no letters for?\n\nGreek and Bulgarian are fine; Georgian and Armenian are not.',
    reason: 'A PDF has to carry its fonts, and Noto would make each invoice 400 KB larger.',
    options: [
      'Noto Sans for those languages only',
      'Noto Sans everywhere, so that all invoices look the same',
      'No invoices in these languages for now: English instead',
    ],
    origin: { agent: pdf, runId: pdf, client: 'claude-code' },
  });
  const ledger = told.begin('ledger-export', claude);
  told.call('ledger-export', ledger, ['files', 'read_text_file'], { path: 'docs/datev.md' });
  told.call('ledger-export', ledger, ['files', 'write_file'], {
    path: 'src/ledger/datev.ts',
    content: after,
  });
  told.add('ledger-export', 'agent.usage', {
    runId: ledger,
    tokens: { input: 81_000, output: 6_000 },
    costUsd: 0.64,
  });
}

const outputs: Readonly<Record<string, readonly string[]>> = {
  'run-invoice-api-1': [
    'I will read the specification and the existing code first.',
    '▸ Read src/invoices.ts',
    '▸ Read sprints/billing/invoice-api.md',
    'The number of an invoice has to be given when it is sent, not when it is made. Whether numbers may have gaps decides how.',
    '▸ ask_clarification May invoice numbers have gaps?',
    '  done after 10 min 40 s',
    'No gaps, then: the counter is a row that is **locked** until the invoice is written.',
    '▸ Edit src/invoices.ts',
    '  - const id = crypto.randomUUID();',
    '  + const number = await nextNumber(tx, year);',
    '▸ Bash npm test',
    '  it failed after 48.2 s: 1 of 12 tests failed',
    'A voided invoice kept no number. I keep it in `voidInvoice`, and run them again.',
    '▸ Bash npm test',
    '  done after 51.0 s',
    'All tests pass. Invoices are made, read and voided over HTTP, and numbers have no gaps.',
  ],
  'run-pdf-1': [
    'Invoices are laid out with the same grid as letters.',
    '▸ Read src/invoices.ts',
    'Inter has no Georgian and no Armenian letters, so I have to ask.',
  ],
  'run-legacy-import-2': [
    'TypeError: Cannot read properties of undefined (reading "lines")',
    '    at toInvoice (src/legacy/parse.ts:41:22)',
  ],
};

const before = `import { db } from './db.ts';

export type Invoice = { id: string; customer: string; total: number };

/** Makes an invoice and sends it. */
export async function makeInvoice(customer: string, total: number): Promise<Invoice> {
  const id = crypto.randomUUID();
  await db.insert('invoices', { id, customer, total });
  return { id, customer, total };
}
`;

const after = `import { db } from './db.ts';
import { nextNumber } from './numbers.ts';

export type Invoice = { id: string; number: number | undefined; customer: string; total: number };

/** Makes a draft: it has no number yet. */
export async function makeInvoice(customer: string, total: number): Promise<Invoice> {
  const id = crypto.randomUUID();
  await db.insert('invoices', { id, customer, total });
  return { id, number: undefined, customer, total };
}

/** Gives it the next number of its year. The counter stays locked until the invoice is written, so that no number is lost. */
export async function sendInvoice(id: string, year: number): Promise<number> {
  return db.transaction(async (tx) => {
    const number = await nextNumber(tx, year);
    await tx.update('invoices', { id }, { number, sentAt: new Date() });
    return number;
  });
}
`;

const routes = `import { makeInvoice, sendInvoice } from '../invoices.ts';
import { router } from './router.ts';

router.post('/invoices', async ({ body }) => makeInvoice(body.customer, body.total));
router.post('/invoices/:id/send', async ({ params }) => sendInvoice(params.id, new Date().getFullYear()));
`;
