import { execa } from 'execa';
import { expect, it } from 'vitest';
import { visibleLine } from '../../../src/lib/text/visible.ts';
import { namedProject } from '../../../src/notify/named-project.ts';
import { calledIn, commandsCalled } from '../../../src/workflow/projects/commands-called.ts';
import { addProject } from '../../../src/workflow/projects/known-projects.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

it.each([
  [
    'See it with: clifford questions, or clifford status',
    'See it with: clifford --project shop questions, or clifford --project shop status',
  ],
  ['List it with: clifford projects add <folder>', undefined],
  ['See one run with: clifford demo', undefined],
  ['It is one of all: clifford serve token revoke x --everywhere', undefined],
  ['clifford --project clifford questions', undefined],
  [
    "It's the agents' own: clifford skip 'run clifford run', clifford skip 'it'\\''s clifford run'",
    "It's the agents' own: clifford --project shop skip 'run clifford run', clifford --project shop skip 'it'\\''s clifford run'",
  ],
  [
    "That is (as said)' no word: clifford skip 'a'",
    "That is (as said)' no word: clifford --project shop skip 'a'",
  ],
  ['Look at /opt/clifford run and Clifford runs', undefined],
])('names the project in the commands of %j', (text, named = text) => {
  expect(commandsCalled(calledIn('shop'), text)).toBe(named);
  expect(commandsCalled('clifford', text)).toBe(text);
});

it('names the project in front of a task whose name looks like an option, and changes no word that is quoted', () => {
  expect(commandsCalled(calledIn('shop'), "clifford skip b--everywhere, clifford skip 'clifford run'")).toBe(
    "clifford --project shop skip b--everywhere, clifford --project shop skip 'clifford run'",
  );
});

it.each(['a  b', ' ', '-dash', `it's`, 'line\nbreak', 'ü\u202Eevil', '$(exit 7)', 'e\u0301', '`x`\\n'])(
  'calls a project %j by that in a shell, and nothing else',
  async (name) => {
    const called = calledIn(name);
    expect(visibleLine(called)).toBe(called);
    const { stdout } = await execa('bash', ['-c', called.replace('clifford', "printf '%s\\0'")]);
    const [option, value] = name.startsWith('-') ? [`--project=${name}`] : ['--project', name];
    expect(stdout.split('\0').slice(0, -1)).toEqual([option, ...(value === undefined ? [] : [value])]);
  },
);

it('a project that others cannot find by its name is not named in commands', async () => {
  const [home, one, two, own] = await Promise.all([tempRoot(), tempRoot(), tempRoot(), tempRoot()]);
  const env = { XDG_STATE_HOME: home };
  expect(await namedProject(env, own)).toMatchObject({ isOneOfSeveral: false, called: 'clifford' });
  await addProject(env, one);
  await addProject(env, two);
  expect(await namedProject(env, own)).toMatchObject({ isOneOfSeveral: true, called: 'clifford' });
  expect((await namedProject(env, one)).called).toMatch(/^clifford --project \S+$/);
});
