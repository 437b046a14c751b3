import { describe, expect, it } from 'vitest';
import { ReportMaker } from '../../../src/views/sprints/sprint-report.ts';
import { History, on } from '../../helpers/history.ts';

const tasks = [{ id: 'a', file: 'a.md' }];

function reportOf(events: Parameters<typeof on>[], { isPast = false, skewMs = 0 } = {}) {
  const maker = new ReportMaker('demo');
  const history = new History();
  const all: Parameters<typeof on>[] = [
    ['demo', 'sprint.created', { tasks }],
    ['demo', 'sprint.started'],
    ...events,
  ];
  for (const each of all) {
    history.add(on(...each));
    const event = history.events.at(-1);
    if (!event) continue;
    const at = Date.parse(event.time) + (event.type === 'sprint.started' ? skewMs : 0);
    maker.take({ ...event, time: new Date(at).toISOString() }, history.state);
  }
  return maker.report({ titles: new Map(), uncommitted: undefined, isPast });
}

const asked = (at: number, question: string): Parameters<typeof on> => [
  'demo',
  'help.requested',
  { requestId: `q-${at}`, question },
];

describe('a report', () => {
  it('has the latest of very many requests, the first events and the last ones, and says how many are not there', () => {
    const questions = Array.from({ length: 2_100 }, (_, at) => asked(at, `Question ${at}?`));
    const { asked: requests, askedBefore, happened, happenedLast, between, events } = reportOf(questions);
    expect([requests.length, askedBefore]).toEqual([1_000, 1_100]);
    expect([requests[0]?.title, requests.at(-1)?.title]).toEqual(['Question 1100?', 'Question 2099?']);
    expect([happened.length, happenedLast.length, between]).toEqual([1_000, 1_000, 102]);
    expect([happened[0]?.title, happenedLast.at(-1)?.text]).toEqual([
      'Sprint created',
      expect.stringContaining('Question 2099?'),
    ]);
    expect(happened.length + happenedLast.length + between).toBe(events);
  });

  it('has what agents say in its events without the marks of markdown, and not what programs print', () => {
    const { happened } = reportOf([
      asked(0, 'Which **store** keeps `keys`?'),
      ['demo', 'help.requested', { requestId: 'q-1', kind: 'prompt', question: '**Password**:' }],
    ]);
    expect(happened.slice(-2).map(({ text }) => text)).toEqual([
      expect.stringContaining('Which store keeps keys?'),
      expect.stringContaining('**Password**:'),
    ]);
  });

  it("has what was answered without the marks of its titles, and options and a human's own words as they are", () => {
    const questions = [
      { title: '**Store**', options: [{ label: 'A `table`' }, { label: 'None' }] },
      { title: 'The _name_' },
      { title: '[Delete all]: /x' },
    ];
    const answers = [
      { question: 0, options: [0] },
      { question: 1, options: [], words: '__init__.py' },
      { question: 2, options: [], words: 'yes' },
    ];
    const response = '**Store**: A `table`\nThe _name_: __init__.py\n[Delete all]: /x: yes';
    const { asked: requests, happened } = reportOf([
      [
        'demo',
        'help.requested',
        { requestId: 'q-0', question: '**Store**, The _name_, [Delete all]: /x', questions },
      ],
      ['demo', 'help.answered', { requestId: 'q-0', response, answers }],
      ['demo', 'help.requested', { requestId: 'q-1', question: 'Which?', options: ['Use `a`', 'Use **b**'] }],
      ['demo', 'help.answered', { requestId: 'q-1', response: 'Use **b**', option: 1 }],
      ['demo', 'help.requested', { requestId: 'q-2', kind: 'prompt', question: 'Go?', options: ['*all*'] }],
      ['demo', 'help.answered', { requestId: 'q-2', response: '*all*', option: 0 }],
    ]);
    const said = ['Store: A `table`\nThe name: __init__.py\n[Delete all]: /x: yes', 'Use **b**', '*all*'];
    expect(requests.map(({ decided }) => decided?.said)).toEqual(said);
    const texts = happened.filter(({ title }) => title === 'Question answered').map(({ text }) => text);
    expect(texts).toEqual(said.map((words) => expect.stringContaining(words.replaceAll('\n', '; '))));
    // Its titles stand below, each with its question.
    expect(requests[0]?.title).toBe('Store, The name, [Delete all]: /x');
    expect(requests[0]?.whole).toMatchObject({ question: '', form: questions });
  });

  it('names only what was asked at great length', () => {
    const { asked: requests } = reportOf([asked(0, 'x'.repeat(20_000)), asked(1, 'x'.repeat(20_001))]);
    expect(requests.map(({ whole }) => whole?.question.length)).toEqual([20_000, undefined]);
  });

  it('names only a call whose arguments are that long', () => {
    const approval = { server: 'a', tool: 'b', args: { text: 'x'.repeat(20_001) }, callDigest: 'd' } as never;
    const { asked: requests } = reportOf([
      ['demo', 'help.requested', { requestId: 'q-1', kind: 'approval', question: 'May it?', approval }],
    ]);
    expect(requests.map(({ whole }) => whole)).toEqual([undefined]);
  });

  it('names only what is asked once there is too much of it', () => {
    const questions = Array.from({ length: 60 }, (_, at) => asked(at, 'x'.repeat(20_000)));
    const { asked: requests } = reportOf(questions);
    expect(requests.filter(({ whole }) => whole !== undefined)).toHaveLength(50);
  });

  it('is from the earliest time to the latest, whichever clock they are by', () => {
    const { from, to } = reportOf([asked(0, 'What?')], { skewMs: 60_000 });
    expect(Date.parse(to) - Date.parse(from)).toBe(61_000);
  });

  it('says of the call that was allowed in place of another', () => {
    const approval = { server: 'release', tool: 'publish', args: { version: 1 }, callDigest: 'd' };
    const { asked: requests } = reportOf([
      [
        'demo',
        'help.requested',
        { requestId: 'q-1', kind: 'approval', question: 'May it?', approval: approval as never },
      ],
      [
        'demo',
        'help.answered',
        {
          requestId: 'q-1',
          verdict: 'edited',
          scope: 'once',
          edited: { args: { version: 2 }, callDigest: 'e' } as never,
        },
      ],
    ]);
    expect(requests[0]).toMatchObject({
      isCall: true,
      whole: { call: { args: { version: 1 } }, allowed: { args: { version: 2 } } },
      decided: { said: 'allowed as changed' },
    });
  });

  it('says of a call that was allowed as changed that it failed', () => {
    const approval = { callId: 'c-1', server: 'release', tool: 'publish', args: {} };
    const edited = { args: { version: 2 }, callDigest: 'e' };
    const { asked: requests } = reportOf([
      ['demo', 'help.requested', { requestId: 'q-1', kind: 'approval', approval: approval as never }],
      ['demo', 'help.answered', { requestId: 'q-1', verdict: 'edited', edited: edited as never }],
      ['demo', 'tool.allowed', { callId: 'c-1', by: 'ada', requestId: 'q-1' }],
      ['demo', 'tool.returned', { callId: 'c-1', isError: true }],
    ]);
    expect(requests[0]?.decided).toMatchObject({ said: 'allowed as changed, and failed', hasFailed: true });
  });

  it('does not say again in a question what its title says', () => {
    const { asked: requests } = reportOf([asked(0, 'Short?'), asked(1, 'One **bold** question?')]);
    expect(requests.map(({ title, whole }) => [title, whole?.question])).toEqual([
      ['Short?', ''],
      ['One bold question?', 'One **bold** question?'],
    ]);
  });
});
