import { all, at, boxGrows, has, hasNot, hinted, moves } from '../../../helpers/key-walk.ts';
import type { KeyWalk } from '../../../helpers/key-walk.ts';
import { ask } from '../../../../src/workflow/requests/ask.ts';
import { storeForm } from '../../../helpers/store-form.ts';
import { agent } from '../../../helpers/key-walk-project.ts';
import { glanceAtHelp } from './walk-overview.ts';
import type { Stage } from './stage.ts';

const place = 'sprint';
const row = /lines (\d+)–/;

/** What waits in `web`: the first is long, one has options, and of one several. */
export async function askQuestions(project: Stage['project']): Promise<void> {
  const from = { stream: 'web', agent, kind: 'help', task: 'form' } as const;
  const long = Array.from({ length: 100 }, (_, at) => `- reason ${at + 1}`).join('\n');
  await ask(project, { ...from, question: `Which grammar?\n\n${long}` });
  await ask(project, { ...from, question: 'Which page?', options: ['first page', 'last page'] });
  await ask(project, { ...from, question: 'Which tests?', options: ['unit', 'e2e'], multiple: true });
  await ask(project, { ...from, question: 'Which store?', questions: [...storeForm] });
  await ask(project, { ...from, question: 'Which host?' });
  await ask(project, { ...from, question: 'Which port?' });
}

/** The keys of questions, from the box of the first; all of them are closed. */
export async function walkQuestions({ walk }: Stage): Promise<void> {
  await walk.see('the first question', has('Which grammar?'));
  await walk.press('answer', 'pagedown', moves('down', row));
  await walk.press('answer', 'pageup', moves('up', row));
  await walkBox(walk, 'answer');
  for (const [older, newer] of [
    ['up', 'down'],
    ['alt+up', 'alt+down'],
  ] as const) {
    await walk.press('answer', older, has('> answer 10'));
    await walk.press('answer', newer, hasNot('answer 10'));
  }
  await walk.press('answer', 'tab', has('Which page?'));
  await walk.press('answer', 'shift+tab', has('Which grammar?'));
  for (const key of ['n', 'escape', 'ctrl+c']) {
    await walk.press('answer', 'ctrl+x', at('confirm'));
    if (key === 'n') await glanceAtHelp(walk, 'confirm');
    await walk.press('confirm', key, at('answer'));
  }
  await walk.press('answer', 'ctrl+r', at('reject'));
  await walk.press('reject', 'pagedown', moves('down', row));
  await walk.press('reject', 'pageup', moves('up', row));
  await walkBox(walk, 'reject');
  await walk.press('reject', 'escape', at('answer'));
  for (const key of ['escape', 'ctrl+c']) {
    await walk.press('answer', 'ctrl+o', at('rephrase'));
    if (key === 'escape') await walkRephrase(walk);
    await walk.press('rephrase', key, at('answer'));
  }
  await walk.press('answer', 'escape', at(place));
  for (const [key, how] of [
    ['pagedown', 'down'],
    ['pageup', 'up'],
    ['j', 'down'],
    ['k', 'up'],
    ['down', 'down'],
    ['up', 'up'],
  ] as const)
    await walk.press(place, key, moves(how, row));
  await walk.press(place, 'n', has('Which page?'));
  await walk.press(place, 'p', has('Which grammar?'));
  for (const key of ['i', 'enter']) {
    await walk.press(place, key, at('answer'));
    await walk.press('answer', 'escape', at(place));
  }
  await walk.press(place, 'ctrl+r', at('reject'));
  await walk.type('too long', has('> too long'));
  await walk.press('reject', 'enter', has('Rejected'));
  await walkOptions(walk);
  // Nothing else waits: Tab leads out.
  await walk.press('answer', 'tab', at(place));
  await walk.press(place, 'ctrl+x', all(at('confirm'), hinted(/y dismiss/)));
  await walk.press('confirm', 'y', has('Dismissed'));
}

async function walkRephrase(walk: KeyWalk): Promise<void> {
  await walk.press('rephrase', 'pagedown', moves('down', row));
  await walk.press('rephrase', 'pageup', moves('up', row));
  await walkBox(walk, 'rephrase');
}

async function walkOptions(walk: KeyWalk): Promise<void> {
  await walk.see('the second question', all(has('Which page?'), at('answer')));
  await walk.press('answer', 'down', has(/›.*first page/));
  await walk.press('answer', 'down', has(/›.*last page/));
  await walk.press('answer', 'up', has(/›.*first page/));
  await walk.press('answer', 'enter', has('Which tests?'));
  await walk.press('answer', 'down', has(/›.*unit/));
  await walk.press('answer', ' ', has(/›.*[✔x■☑●◉].*unit/));
  await walk.press('answer', 'enter', at('answer'));
  // Of a form the arrows lead to the other questions.
  await walk.see('the form', hinted(/Tab others|Enter next/));
  await walk.press('answer', 'right', hasNot(storeForm[0].question));
  await walk.press('answer', 'left', has(storeForm[0].question));
  await walk.press('answer', 'left', hinted(/Enter send/));
  await glanceAtHelp(walk, 'answer');
  await walk.press('answer', 'escape', at(place));
  await walk.press(place, 'ctrl+r', at('reject'));
  await walk.type('none', has('> none'));
  await walk.press('reject', 'enter', has('Which host?'));
  await walk.press('answer', 'escape', at(place));
  await walk.press(place, 'ctrl+o', at('rephrase'));
  await walk.press('rephrase', 'enter', has('Which port?'));
}

/** The keys of a box for words of several lines, which is empty afterwards. */
export async function walkBox(walk: KeyWalk, at: string): Promise<void> {
  await walk.type('abc', has('> abc'));
  await walk.press(at, 'alt+enter', boxGrows);
  await walk.press(at, 'ctrl+j', boxGrows);
  await walk.press(at, 'ctrl+g', has('edited'));
  await walk.press(at, 'ctrl+c', hasNot('edited'));
}
