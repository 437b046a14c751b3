import { expect, it } from 'vitest';
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
  ['Look at /opt/clifford run and Clifford runs', undefined],
])('names the project in the commands of %j', (text, named = text) => {
  expect(commandsCalled(calledIn('shop'), text)).toBe(named);
  expect(commandsCalled('clifford', text)).toBe(text);
});

it('a project that others cannot find by its name is not named in commands', async () => {
  const [home, one, two, own] = await Promise.all([tempRoot(), tempRoot(), tempRoot(), tempRoot()]);
  const env = { XDG_STATE_HOME: home };
  expect(await namedProject(env, own)).toMatchObject({ isOneOfSeveral: false, called: 'clifford' });
  await addProject(env, one);
  await addProject(env, two);
  expect(await namedProject(env, own)).toMatchObject({ isOneOfSeveral: true, called: 'clifford' });
  expect((await namedProject(env, one)).called).toMatch(/^clifford --project \S+$/);
});
