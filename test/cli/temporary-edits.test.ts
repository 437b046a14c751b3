import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { agentHere } from '../helpers/agent-here.ts';
import { clifford, followClifford, startClifford } from '../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { fakePrograms } from '../helpers/fake-programs.ts';
import { fixtureProgram } from '../helpers/fixture-program.ts';
import { eventsOf } from '../helpers/sprint-run.ts';
import { openTestProject, tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { makeRepository, withoutGitConfig } from '../helpers/temp-repository.ts';

beforeEach(withoutGitConfig);

const program = fixtureProgram('agents/fake-cursor.ts');
const mine = '{\n  "mcpServers": { "db": { "command": "db" } }\n}\n';

/** A project of somebody who has Cursor installed, and a server of their own in it. */
async function cursorProject(question = '') {
  const root = await tempRoot();
  await writeSprint(root, { tasks: ['a'] });
  await mkdir(join(root, '.cursor'));
  await writeFile(join(root, '.cursor/mcp.json'), mine);
  const bin = await fakePrograms({ 'cursor-agent': `exec "${process.execPath}" "${program}" "$@"` });
  const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, FAKE_QUESTION: question };
  return {
    root,
    options: { cwd: root, env },
    cursorsFiles: async () => ({
      names: await readdir(join(root, '.cursor')),
      text: await readFile(join(root, '.cursor/mcp.json'), 'utf8'),
    }),
  };
}

const run = ['run', '--plain', '--agent', 'cursor'];
const untouched = { names: ['mcp.json'], text: mine };

// What is in the file of the agent: no log has a say in that. A runner that is killed comes last, with either log.
describe('an agent that finds its servers in a file of the project', () => {
  it('reaches Clifford, and leaves the file as it was', async () => {
    const { root, options, cursorsFiles } = await cursorProject();
    const { code, out } = await clifford(run, options);
    expect(out).toContain('a | It is done.');
    expect(code).toBe(0);
    expect(await cursorsFiles()).toEqual(untouched);
    expect(await readdir(join(root, '.clifford'))).not.toContain('temporary-edits');
    const events = await eventsOf(await openTestProject(root));
    const [started] = events.filter(({ type }) => type === 'agent.started');
    expect(events.filter(({ type }) => type === 'agent.connected').map(({ data }) => data)).toMatchObject([
      { runId: started?.data && 'runId' in started.data ? started.data.runId : '' },
    ]);
  });

  it('keeps it out of the commits of another sprint', async () => {
    const { root, options, cursorsFiles } = await cursorProject('Which port?');
    await writeSprint(root, { id: 'other', tasks: ['b'], manifest: { commit: true } });
    const git = makeRepository(root);
    git('add', 'sprints');
    git('commit', '--quiet', '--message', 'before');
    const asking = followClifford([...run, 'demo'], options);
    await asking.printed(/Which port\?/);
    await writeFile(join(root, '.clifford/plan.json'), JSON.stringify({ b: { 'new.txt': 'x' } }));
    const agent = agentHere('change-files', '.clifford/plan.json');
    const other = await clifford(
      ['run', 'other', '--plain', '--accept-commands', '--agent-cmd', agent],
      options,
    );
    expect(other.out).toContain('task.committed');
    expect((await cursorsFiles()).text).toContain('"clifford": {"command":');
    expect(git('show', '--name-only', '--format=')).toBe('new.txt\nsprints/other/manifest.json');

    await clifford(['answer', 'last', '8080'], options);
    expect((await asking.ended).code).toBe(0);
    expect(await cursorsFiles()).toEqual(untouched);
  });

  it('is not started when the file has no place for one, and says why', async () => {
    const { root, options } = await cursorProject();
    await writeFile(join(root, '.cursor/mcp.json'), '{ half');
    const { code, out } = await clifford(run, options);
    expect(out).toContain(
      `the agent could not be started: Cannot change ${join(root, '.cursor/mcp.json')} for a run: it is not JSON (line 1, column 3)`,
    );
    expect(code).toBe(1);
    expect(await readFile(join(root, '.cursor/mcp.json'), 'utf8')).toBe('{ half');
  });
});

describeOnEachEngine('an agent that finds its servers in a file of the project', () => {
  it.each(['status', 'doctor'])(
    'and whose runner was killed: the next clifford %s gives the file back, the next run goes on',
    async (command) => {
      const { options, cursorsFiles } = await cursorProject('Which port?');
      const killed = startClifford(run, options);
      await killed.printed(/Which port\?/);
      // The agent asks before its runner has read what it said first: what is not recorded cannot be gone on with.
      await killed.printed(/agent\.sessionopened chat-1/);
      expect((await cursorsFiles()).text).toContain('"clifford": {"command":');
      killed.kill('SIGKILL');
      await killed.ended;
      expect((await cursorsFiles()).text).toContain('"clifford"');

      await clifford([command], options);
      expect(await cursorsFiles()).toEqual(untouched);

      const again = followClifford(run, options);
      // The agent of the first runner still waited for the answer.
      await again.printed(/agent\.lost/);
      await clifford(['answer', 'last', '8080'], options);
      const { code, out } = await again.ended;
      expect(out).toContain('It is done, in chat-1.');
      expect(code).toBe(0);
      expect(await cursorsFiles()).toEqual(untouched);
    },
  );
});
