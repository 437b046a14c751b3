import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { all, at, has, hasNot, hinted, moves } from '../../../helpers/key-walk.ts';
import { answerRequest } from '../../../../src/workflow/requests/answer.ts';
import { askApproval } from '../../../../src/workflow/requests/approval.ts';
import { ask } from '../../../../src/workflow/requests/ask.ts';
import { approval } from '../../../helpers/approval.ts';
import { agent } from '../../../helpers/key-walk-project.ts';
import type { Stage } from './stage.ts';
import { glanceAtHelp } from './walk-overview.ts';
import { walkBox } from './walk-questions.ts';

const place = 'sprint';
const row = /lines (\d+)–/;
const long = Array.from({ length: 60 }, (_, at) => `line ${at}`);
const scrolls = [
  ['down', 'down'],
  ['up', 'up'],
  ['pagedown', 'down'],
  ['pageup', 'up'],
  ['end', 'down'],
  ['home', 'up'],
] as const;

let number = 0;

async function call(
  project: Stage['project'],
  { tool, isLong = false, isHidden = false }: { tool: string; isLong?: boolean; isHidden?: boolean },
): Promise<void> {
  const callId = `call-${(number += 1)}`;
  const args = { path: `${callId}.txt`, ...(isLong ? { long } : {}) };
  const hidden = isHidden ? { hidden: { values: 1, characters: 9, lines: 1 } } : {};
  await askApproval(project, {
    stream: 'web',
    taskId: 'form',
    agent,
    approval: { ...approval, tool, callId, callDigest: callId, args, ...hidden },
  });
}

/** A change of one line in the middle of a file that is there. */
async function edit(project: Stage['project'], path: string): Promise<void> {
  const before = `${long.join('\n')}\n`;
  await writeFile(join(project.root, path), before);
  const callId = `call-${(number += 1)}`;
  const args = { path, old_string: before, new_string: before.replace('line 30\n', 'another\n') };
  const own = { server: '@opencode', tool: 'edit', isOwn: true } as const;
  await askApproval(project, {
    stream: 'web',
    taskId: 'form',
    agent,
    approval: { ...approval, ...own, callId, callDigest: callId, args },
  });
}

/** The keys of calls that wait, on the screen of `web` in which nothing else waits. */
export async function walkCalls({ walk, project }: Stage): Promise<void> {
  const ready = all(at('decide'), hinted(/Y allow once/));
  await call(project, { tool: 'hides', isHidden: true });
  await walk.see('the first call', ready);
  await glanceAtHelp(walk, 'decide');
  for (const key of ['h', 'H']) {
    await walk.press('decide', key, has('Not shown'));
    await walk.press('decide', 'home', hasNot('Not shown'));
  }
  await walk.press('decide', 'y', has('Allowed'));
  for (const key of ['u', 'U']) {
    await edit(project, `${key}.txt`);
    const isFolded = has(/unchanged/);
    await walk.see('unchanged lines that are left out', all(at('decide'), isFolded));
    await walk.press('decide', key, hasNot(/unchanged/));
    await walk.press('decide', 'end', ready);
    await walk.press('decide', 'y', has('Allowed'));
  }
  await call(project, { tool: 'long', isLong: true });
  await walk.see('a long call', at('decide'));
  for (const key of ['y', 'Y', 'a', 'A', 'e', 'E']) {
    await walk.press('decide', key, has('Read it all first: PgDn'));
    await walk.press('decide', 'home', hasNot('Read it all first: PgDn'));
  }
  for (const [key, how] of scrolls) await walk.press('decide', key, moves(how, row));
  await walk.press('decide', 'end', all(ready, moves('down', row)));
  for (const key of ['a', 'A']) {
    await walk.press('decide', key, at('scope'));
    await walk.press('scope', 'pageup', moves('up', row));
    await walk.press('scope', 'pagedown', moves('down', row));
    await walk.see('the scopes', hinted(/1 task/));
    if (key === 'a') await glanceAtHelp(walk, 'scope');
    await walk.see('the scopes', hinted(/1 task/));
    await walk.press('scope', 'down', has('›1'));
    await walk.press('scope', 'down', has('›2'));
    await walk.press('scope', 'up', has('›1'));
    await walk.press('scope', key === 'a' ? 'escape' : 'ctrl+c', ready);
  }
  for (const key of ['w', 'W']) {
    await walk.press('decide', key, at('explain'));
    await walk.press('explain', 'pagedown', moves('down', row));
    await walk.press('explain', 'pageup', moves('up', row));
    if (key === 'w') await walkBox(walk, 'explain');
    await walk.press('explain', key === 'w' ? 'escape' : 'ctrl+c', at('decide'));
  }
  await walk.press('decide', 'end', all(ready, moves('down', row)));
  for (const key of ['e', 'E']) {
    await walk.press('decide', key, at('edit'));
    await walk.press('edit', 'pagedown', moves('down', row));
    await walk.press('edit', 'pageup', moves('up', row));
    await walk.press('edit', 'ctrl+c', has('The arguments, as a JSON object'));
    if (key === 'e') await walkBox(walk, 'edit');
    await walk.press('edit', key === 'e' ? 'escape' : 'ctrl+c', at('decide'));
  }
  for (const key of ['n', 'N']) {
    await walk.press('decide', key, at('reject'));
    await walk.press('reject', key === 'n' ? 'escape' : 'ctrl+c', at('decide'));
  }
  await walk.press('decide', 'end', all(ready, moves('down', row)));
  await walk.press('decide', 'y', has('Allowed'));
  await walkDecisions({ walk, project });
}

async function walkDecisions({ walk, project }: Pick<Stage, 'walk' | 'project'>): Promise<void> {
  const ready = all(at('decide'), hinted(/Y allow once/));
  const next = async (tool: string) => {
    await call(project, { tool });
    await walk.see(tool, all(ready, has(tool)));
  };
  await next('tool_Y');
  await walk.press('decide', 'Y', has('Allowed'));
  for (const [key, tool] of [
    ['1', 'tool_1'],
    ['2', 'tool_2'],
    ['3', 'tool_3'],
  ] as const) {
    await next(tool);
    await walk.press('decide', 'a', all(at('scope'), hinted(/1 task/)));
    await walk.press('scope', key, has(/Allowed/));
  }
  await next('tool_enter');
  await walk.press('decide', 'a', all(at('scope'), hinted(/1 task/)));
  await walk.press('scope', 'down', has('›1'));
  await walk.press('scope', 'enter', has('Allowed'));
  await next('tool_edit');
  await walk.press('decide', 'e', at('edit'));
  await walk.press('edit', 'ctrl+c', has('The arguments, as a JSON object'));
  await walk.type('{"path":"other.txt"}', has('other.txt'));
  await walk.press('edit', 'enter', has(/Allowed|changed/));
  await next('tool_ask');
  await walk.press('decide', 'w', at('explain'));
  await walk.press('explain', 'enter', hasNot('tool_ask'));
  await next('tool_deny');
  await walk.press('decide', 'n', at('reject'));
  await walk.press('reject', 'enter', has('Denied'));
  await walkBatch({ walk, project });
}

async function walkBatch({ walk, project }: Pick<Stage, 'walk' | 'project'>): Promise<void> {
  const ready = all(at('decide'), hinted(/Y allow once/));
  const more = async (count: number) => {
    for (let each = 0; each < count; each += 1) await call(project, { tool: 'alike' });
    await walk.see('calls that are alike', all(ready, has(`Approval, 1 of ${count}`)));
  };
  await more(30);
  await walk.press('decide', 'tab', has(/Approval, 2 of/));
  await walk.press('decide', 'shift+tab', has(/Approval, 1 of/));
  // Both name the same keys, until those of the list decide.
  const isList = all(at('batch'), has('May these 30 calls'));
  await walk.press('decide', 's', isList);
  for (const [key, how] of scrolls) await walk.press('batch', key, moves(how, row));
  await walk.press('batch', 'escape', ready);
  await walk.press('decide', 'S', isList);
  await walk.press('batch', 'ctrl+c', ready);
  await walk.press('decide', 's', all(isList, hinted(/N deny all/)));
  await glanceAtHelp(walk, 'batch');
  await walk.see('the list', all(isList, hinted(/N deny all/)));
  for (const key of ['n', 'N']) {
    await walk.press('batch', key, at('reject'));
    await walk.press('reject', 'escape', all(at('batch'), hinted(/N deny all/)));
  }
  await walk.press('batch', 'end', hinted(/Y allow all/));
  await walk.press('batch', 'y', has(/Allowed/));
  await more(2);
  await walk.press('decide', 's', all(at('batch'), hinted(/Y allow all/)));
  await walk.press('batch', 'Y', has(/Allowed/));
  await call(project, { tool: 'last' });
  await walk.press('decide', 'escape', at(place));
  await walk.press(place, 'ctrl+c', at('overview lists'));
  await walk.press('overview lists', 'enter', at('decide'));
  await walk.press('decide', 'ctrl+c', at('overview lists'));
  await walk.press('overview lists', 'enter', at('decide'));
  // A letter that means nothing there: those that follow are dropped for a while.
  await walk.type('z', at('arming'));
  await walk.press('arming', 'ctrl+c', at('overview lists'));
  await walkClosed({ walk, project });
}

/** The keys after somebody else has answered what one was typing for. The call waits on. */
async function walkClosed({ walk, project }: Pick<Stage, 'walk' | 'project'>): Promise<void> {
  for (const key of ['escape', 'ctrl+c']) {
    const question = { kind: 'help', question: `Which ${key}?` } as const;
    const { id } = await ask(project, { stream: 'web', agent, ...question });
    await walk.see('the question', has(question.question));
    await walk.type('G', has(/›\? .*Which/));
    await walk.press('overview lists', 'enter', at('answer'));
    await walk.type('y', has('> y'));
    await answerRequest(project, id, { by: 'bob', via: 'cli', response: 'this' });
    await walk.see('that it was answered', at('closed'));
    await walk.press('closed', key, at(key === 'escape' ? 'decide' : 'overview lists'));
    if (key === 'escape') await walk.press('decide', 'ctrl+c', at('overview lists'));
  }
}
