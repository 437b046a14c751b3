import { expect, it } from 'vitest';
import { recordAnswers } from '../../../src/tui/screen/answer-effects.ts';
import type { Effect } from '../../../src/tui/screen/screen-effect.ts';
import type { ScreenActor } from '../../../src/tui/screen/screen-actor.ts';
import { Recording } from '../../../src/tui/terminal/recording.ts';
import { dismissRequest } from '../../../src/workflow/requests/answer.ts';
import { ask, type Question } from '../../../src/workflow/requests/ask.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

type Said = Omit<Extract<Effect, { type: 'answer' }>, 'type' | 'id'>;

/** What the screen hears of an answer, where somebody was first. */
async function beaten(asked: Partial<Question>, said: Said, isFirst = false) {
  const { project, stream } = await projectWithSprint();
  const agent = { id: 'run-1', client: 'demo' };
  const { id } = await ask(project, {
    stream,
    agent,
    kind: 'help',
    task: 'a',
    question: 'Which one?',
    ...asked,
  });
  if (!isFirst) await dismissRequest(project, id, { by: 'bob', via: 'cli' });
  const effects = new Map<string, (effect: object) => void>();
  const sent: object[] = [];
  const actor = {
    on: (type: string, take: (effect: object) => void) => effects.set(type, take),
    send: (event: object) => sent.push(event),
  } as unknown as ScreenActor;
  const fail = (error: unknown) => expect.fail(String(error));
  const recording = new Recording(actor, fail);
  recordAnswers(actor, { project, answerer: { by: 'ada', via: 'tui' }, recording, fail });
  effects.get('answer')?.({ type: 'answer', id, ...said });
  await recording.settled();
  return { id, sent };
}

it.each<[what: string, asked: Partial<Question>, said: Said, unsent: readonly string[]]>([
  ['are kept', {}, { response: 'mine' }, ['mine']],
  ['are none where an option was chosen', { options: ['a', 'b'] }, { response: 'b', option: 1 }, []],
  [
    'of a form are kept, and what was chosen in it is none',
    { questions: [{ title: 'Where?' }, { title: 'How?', options: [{ label: 'x' }, { label: 'y' }] }] },
    {
      answers: [
        { question: 0, options: [], words: 'here' },
        { question: 1, options: [0] },
      ],
    },
    ['here'],
  ],
  [
    'are not kept where a secret was asked for',
    { kind: 'prompt', question: 'Password:' },
    { response: 'hunter2' },
    [],
  ],
])('words that came too late %s', async (_, asked, said, unsent) => {
  const { id, sent } = await beaten(asked, said);
  expect(sent).toEqual([
    { type: 'outcome', id, notice: expect.objectContaining({ tone: 'warning' }), unsent },
  ]);
  expect(JSON.stringify(sent)).toContain('bob dismissed');
});

it.each([
  [undefined, 'Answered, it is typed into the program'],
  [true, 'Answered, the attempt ends, and the next one is told'],
] as const)(
  'says what an answer does at a prompt, where nothing can be typed: %s',
  async (untypable, text) => {
    const { sent } = await beaten({ kind: 'prompt', question: 'Name:', untypable }, { response: 'x' }, true);
    expect(JSON.stringify(sent)).toContain(text);
  },
);
