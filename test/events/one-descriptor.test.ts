import { execFile } from 'node:child_process';
import { cp, glob, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { descriptorOf, eventTypes } from '../../src/events/catalog.ts';
import type { Reach } from '../../src/events/descriptor.ts';
import { requestMachine } from '../../src/machines/request.machine.ts';
import { sprintMachine } from '../../src/machines/sprint.machine.ts';
import { taskMachine } from '../../src/machines/task.machine.ts';

const root = join(import.meta.dirname, '../..');

const reaching = (machine: keyof Reach, ways: readonly string[]) =>
  eventTypes.filter((type) => ways.includes(descriptorOf(type).reaches?.[machine] ?? '')).toSorted();

describe('the table of a machine has the events whose descriptors say that they reach it, and no others', () => {
  it.each([
    ['task', taskMachine, ['own', 'every']],
    ['sprint', sprintMachine, ['moves', 'allows']],
    ['request', requestMachine, ['own', 'ends']],
  ] as const)('%s', (name, machine, ways) => {
    const own = machine.events.filter((type) => type !== 'tasks.counted');
    expect(own.toSorted()).toEqual(reaching(name, ways));
  });
});

describe('event types', () => {
  /** What an event does to a state, and how people say a decision, is each in a table of its own. */
  const tables = [
    /^src\/events\/descriptors\/[a-z]+-events\.ts$/,
    /^src\/machines\/[a-z]+\.machine\.ts$/,
    /^src\/machines\/fold-[a-z]+\.ts$/,
    /^src\/gateway\/backtest\/call-history\.ts$/,
    /^src\/workflow\/project\/ways-to-decide\.ts$/,
    /^src\/workflow\/worktree\/sweep-notes\.ts$/,
  ];
  const type = `'(?:${eventTypes.map((each) => each.replace('.', '\\.')).join('|')})'`;
  const keys = new RegExp(`^\\s*${type}(?:: |\\()`, 'm');
  const lists = new RegExp(`${type},\\s*${type}`);

  it('are listed nowhere but in their descriptors and where something is done with them', async () => {
    const found: string[] = [];
    for await (const file of glob('src/**/*.{ts,tsx}', { cwd: root })) {
      const text = await readFile(join(root, file), 'utf8');
      if (!tables.some((table) => table.test(file)) && (keys.test(text) || lists.test(text)))
        found.push(file);
    }
    expect(found).toEqual([]);
  });

  it.each([
    'src/machines/routes.ts',
    'src/views/events/event-text.ts',
    'src/events/mark-of.ts',
    'src/workflow/projections/projections.ts',
    'src/events/upcasters.ts',
    'src/events/secrets/redaction.ts',
    'src/events/decode-event.ts',
  ])('are not named at all in %s', async (file) => {
    expect(await readFile(join(root, file), 'utf8')).not.toMatch(new RegExp(type));
  });
});

it('an event is added in one file: schema, version, legality, route, redaction, projection, text and mark follow', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clifford-event-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(join(root, 'src'), join(folder, 'src'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'src/events/descriptors/report-events.ts');
  const before = await readFile(file, 'utf8');
  const added = before.replace(
    'export const reportEvents = {',
    `export const reportEvents = {
  'report.filed': observation({
    data: () => z.strictObject({ pages: z.int(), secret: z.string() }),
    text: ({ pages }) => \`\${count(pages, 'page')}\`,
    mark: ({ pages }) => (pages === 1 ? 'task' : undefined),
    reaches: { task: 'own', sprint: 'moves', request: 'ends' },
    projections: ['reports'],
    unredacted: { secret: true },
    upcasters: [() => ({ pages: 1, secret: '' })],
  }),`,
  );
  expect(added).not.toBe(before);
  await writeFile(file, added);
  const program = `
    import { decodeEvent } from './src/events/decode-event.ts';
    import { createRedactor } from './src/events/secrets/redaction.ts';
    import { markOf } from './src/events/mark-of.ts';
    import { currentSchemaVersion } from './src/events/upcasters.ts';
    import { checkLegality } from './src/machines/legality.ts';
    import { createProjectState } from './src/machines/project-state.ts';
    import { endsRequests, isTaskEvent, movesSprint } from './src/machines/routes.ts';
    import { eventText } from './src/views/events/event-text.ts';
    import { Projections } from './src/workflow/projections/projections.ts';
    const token = 'ghp_' + 'a1B2'.repeat(9);
    const type = 'report.filed';
    const old = {
      specversion: '1.0', id: '01890a5d-ac96-774b-bcce-b302099a8057', source: '/clifford/cli', type,
      subject: 's/a', time: '2026-01-01T00:00:00.000Z', streamversion: 1, prevhash: '', schemaversion: 1, data: {},
    };
    const event = decodeEvent(old);
    let isWritten = false;
    const refresh = async () => { isWritten = true; return createProjectState(); };
    await new Projections({ root: '.', dir: process.cwd(), refresh }).write([event]);
    console.log(JSON.stringify({
      event, text: eventText(event), mark: markOf(event), version: currentSchemaVersion(type),
      legality: checkLegality(createProjectState(), event),
      routes: [isTaskEvent(event), movesSprint(event), endsRequests(event)],
      isWritten,
      isKept: createRedactor({})(type, { pages: token, secret: token }).secret === token,
    }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
  });
  expect(JSON.parse(stdout)).toMatchObject({
    event: { schemaversion: 2, data: { pages: 1, secret: '' } },
    text: '1 page',
    mark: 'task',
    version: 2,
    legality: { legal: true },
    routes: [true, true, true],
    isWritten: true,
    isKept: true,
  });
});
