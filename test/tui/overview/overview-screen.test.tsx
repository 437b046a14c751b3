import { render } from 'ink';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startOverviewActor } from '../../../src/tui/overview/overview-actor.ts';
import { OverviewScreen } from '../../../src/tui/overview/overview-screen.tsx';
import { openOverview, type OverviewState } from '../../../src/tui/overview/overview-state.ts';
import { ClockContext } from '../../../src/tui/terminal/clock.ts';
import { ReadTogether, ReadTogetherContext } from '../../../src/tui/feed/read-together.ts';
import { approval } from '../../helpers/approval.ts';
import { FakeStdin, FakeStdout } from '../../helpers/fake-terminal.ts';
import type { SprintRow } from '../../../src/views/sprints/overview.ts';
import { anItem, anOverview, aRow, aStatus, overviewAt } from '../../helpers/overview-views.ts';
import { noUsage } from '../../../src/machines/usage.ts';
import { now } from '../../helpers/screen-views.ts';

const clock = { now: () => now, subscribe: () => () => {} };
let unmount = () => {};
afterEach(() => unmount());

/** The overview in this state, on a terminal of this size. */
function show(state: OverviewState, [columns, rows]: [number, number]) {
  const stdout = new FakeStdout(columns, rows);
  const stdin = new FakeStdin();
  const actor = startOverviewActor(state);
  ({ unmount } = render(
    <ClockContext value={clock}>
      <OverviewScreen actor={actor} project="shop" />
    </ClockContext>,
    { stdin, stdout, debug: true, exitOnCtrlC: false, patchConsole: false },
  ));
  return { stdout, stdin, actor };
}

describe('<OverviewScreen>', () => {
  it('names the way to all keys, and out, where not all of them fit', () => {
    expect(show(overviewAt('inbox'), [70, 24]).stdout.lines.at(-1)).toMatchInlineSnapshot(
      `" ↑/↓ move · Enter look · Tab sprints · : commands · ? help · q leave"`,
    );
  });

  it('at 80×24 has what waits above the sprints, and below what the cursor is on', () => {
    expect(show(overviewAt('inbox'), [80, 24]).stdout.lines).toMatchInlineSnapshot(`
      [
        " shop  5 sprints: 1 active · 1 blocked · 1 pending · 1 fai…   ? 2 wait for you",
        "━━ Waits for you ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 2 ━",
        "›! may destroy web/form        db/drop_table orders                       12 min",
        " ? question    checkout/parser Which grammar?                               12 s",
        "── Sprints ───────────────────────────────────────────────────────────────── 5 ─",
        " ● active    Checkout rewrite ━━━━──── 1/2 ?1 claude-code at work",
        " ■ blocked   Web page         ━━━━──── 1/2 ?1 no runner at work",
        " ○ pending   Public API       ━━━━──── 1/2    nobody runs it: Enter starts it",
        " ✗ failed    Search           ━━━━──── 1/2    r runs it again",
        " ✔ done      Migration        ━━━━──── 1/2",
        "── web/form ────────────────────────────────────────────────────────────────────",
        " demo-agent about form",
        " Tool      db/drop_table (claims not believed)",
        " Risk      may destroy · rule: none matches, so the default asks",
        " Arguments",
        "   {",
        "     "table": "orders"",
        "   }",
        "",
        "",
        "",
        "",
        "",
        " ↑/↓ move · Enter look · Tab sprints · / filter · : commands · ? help · q leave",
      ]
    `);
  });

  it('has of a line of several commands the worst, and how many others there are', () => {
    const asks = { decision: 'confirm', rule: 'agents.ask what-matters' } as const;
    const parts = [
      { text: 'cd packages', ...asks },
      { text: 'curl x.example', ...asks, risks: ['outside'] },
      { text: 'rm -rf "dist/$T\u202e"', ...asks, risks: ['destroys'] },
    ] as const;
    const inbox = [anItem({ id: 'q-1', approval: { ...approval, args: { command: 'cd packages && …' } } })];
    const commands = new Map([['q-1', { parts, writes: [], doubt: undefined }]]);
    const lines = (known: OverviewState['commands']) =>
      show({ ...overviewAt('inbox', { overview: anOverview({ inbox }) }), commands: known }, [80, 24]).stdout
        .lines;
    expect(lines(commands)[2]).toContain(String.raw`rm -rf "dist/$T\u202e" +2 parts`);
    unmount();
    expect(lines(new Map())[2]).toContain('cd packages && …');
  });

  it.each([40, 60, 120])(
    'has the beginning of what a call runs, and a word for its risk, in %i columns',
    (columns) => {
      const command = 'npm publish packages/page --access public';
      const own = { ...approval, isOwn: true, server: '@claude', tool: 'execute', sends: true } as const;
      const inbox = [
        anItem({
          id: 'q-1',
          task: 'payments-webhook',
          risk: 'sends',
          approval: { ...own, args: { command } },
        }),
      ];
      const state = overviewAt('inbox', { overview: anOverview({ inbox }) });
      const { lines } = show(state, [columns, 24]).stdout;
      expect(lines.find((line) => line.includes('! sends '))).toMatch(/! sends .*npm publish pac/);
      unmount();
      expect(show(state, [200, 60]).stdout.lines.join('\n')).toContain('! sends something out ');
    },
  );

  it('names the files of a call from the folder on in which its agent works', () => {
    const args = { path: '/p/src/a.ts', oldText: 'a', newText: 'b' };
    const call = { ...approval, server: '@codex', isOwn: true, tool: 'edit', args } as const;
    const inbox = [anItem({ id: 'q-1', approval: call, folder: '/p' })];
    const text = show(overviewAt('inbox', { overview: anOverview({ inbox }) }), [80, 24]).stdout.lines.join(
      '\n',
    );
    expect(text).toContain(' Edit src/a.ts +1 −1 ');
    expect(text).toContain(' Changes   src/a.ts (+1 −1)');
    expect(text).not.toContain('/p/');
  });

  it('at 200×60 has them side by side, and below each what its cursor is on', () => {
    expect(show(overviewAt('sprints', { sprint: 'web' }), [200, 60]).stdout.lines).toMatchInlineSnapshot(`
      [
        " shop  5 sprints: 1 active · 1 blocked · 1 pending · 1 failed · 1 done                                                                                                                ? 2 wait for you",
        "━━ Sprints ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 5 ━┬─ Waits for you ─────────────────────────────────────────────────────────────────────────────────────────────────── 2 ─",
        " ● active    Checkout rewrite ━━━━──── 1/2 ?1 claude-code at work               │›! may destroy web/form        db/drop_table orders                                                              12 min",
        "›■ blocked   Web page         ━━━━──── 1/2 ?1 no runner at work                 │ ? question    checkout/parser Which grammar?                                                                      12 s",
        " ○ pending   Public API       ━━━━──── 1/2    nobody runs it: Enter starts it   ├─ web/form ────────────────────────────────────────────────────────────────────────────────────────────────────────────",
        " ✗ failed    Search           ━━━━──── 1/2    r runs it again                   │ demo-agent about form",
        " ✔ done      Migration        ━━━━──── 1/2                                      │ Tool      db/drop_table (claims not believed)",
        "── Web page ────────────────────────────────────────────────────────────────────┤ Risk      may destroy · rule: none matches, so the default asks",
        " Sprint      web                                                                │ Arguments",
        " Progress    1 of 2 tasks done                                                  │   {",
        " Runner      no runner at work                                                  │     "table": "orders"",
        " Last event  none yet                                                           │   }",
        "                                                                                │",
        "                                                                                │",
        " ✔ done      schema                                                             │",
        " ○ pending   parser                                                             │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        "                                                                                │",
        " ↑/↓ move · Enter run it… · Tab waiting · / filter · : commands · ? help · q leave",
      ]
    `);
  });

  it('offers no run of a sprint that nothing names an agent for, and says what is missing', () => {
    const agentless = new Map(
      ['api', 'search', 'old'].map((id) => [id, 'Name one as "agent" in clifford.json']),
    );
    const { lines } = show({ ...overviewAt('sprints', { sprint: 'api' }), agentless }, [160, 24]).stdout;
    const left = lines.map((line) => line.split(/[│┤├┬]/)[0]?.trimEnd());
    expect(left.slice(5, 16)).toMatchInlineSnapshot(`
      [
        " ✗ failed    Search           ━━━━──── 1/2    needs an agent",
        " ✔ done      Migration        ━━━━──── 1/2",
        "── Public API ──────────────────────────────────────────────────",
        " Sprint      api",
        " Progress    1 of 2 tasks done",
        " Runner      nobody runs it",
        " Last event  none yet",
        " No agent    Name one as "agent" in clifford.json",
        "",
        "",
        " ✔ done      schema",
      ]
    `);
    expect(lines.at(-1)).toMatchInlineSnapshot(
      `" ↑/↓ move · Tab waiting · / filter · : commands · ? help · q leave"`,
    );
  });

  it('counts what waits in the queue apart from what nobody has begun, or goes on with', () => {
    const queued = { is: 'queued' } as const;
    const rows = [
      aRow('idle', { state: 'active', detail: 'running', runs: queued }),
      aRow('paused', { state: 'active', detail: 'paused', runs: queued }),
      aRow('new', { runs: queued }),
      aRow('other'),
      aRow('over', { state: 'done', detail: 'completed', runs: { is: 'over' } }),
    ];
    const overview = anOverview({ rows, inbox: [] });
    expect(show(overviewAt('sprints', { overview, sprint: 'new' }), [80, 24]).stdout.lines[0]).toBe(
      ' shop  5 sprints: 2 queued · 1 paused · 1 pending · 1 done',
    );
  });

  it('counts the same sprints above and beside, and nothing else', () => {
    const { rows } = anOverview();
    const outside = aRow('adhoc', { runs: { is: 'outside' } });
    const overview = anOverview({ rows: [...rows, outside] });
    for (const sprint of ['web', 'adhoc']) {
      const { lines } = show(overviewAt('sprints', { overview, sprint }), [80, 24]).stdout;
      expect(lines[0]).toContain(' 5 sprints: ');
      expect(lines.find((line) => line.startsWith('━━ Sprints'))).toMatch(/━ 5 ━$/);
      unmount();
    }
    const many = Array.from({ length: 30 }, (_, at) => aRow(`s-${at}`));
    const long = anOverview({ rows: [...many, outside], inbox: [] });
    const noteAt = (sprint: string) => {
      const { lines } = show(overviewAt('sprints', { overview: long, sprint }), [80, 24]).stdout;
      unmount();
      return lines.find((line) => line.startsWith('━━ Sprints'))?.replace(/^.*━ (?=\d)/, '');
    };
    expect(noteAt('s-4')).toBe('5/30 ━');
    expect(noteAt('adhoc')).toBe('30 ━');
  });

  it('at 120×40 has the bars, and what Enter would do, beside names that are whole', () => {
    const rows = [
      aRow('login', { name: 'Log in with a passkey' }),
      aRow('demo', {
        name: 'Greet people in their language',
        state: 'done',
        detail: 'completed',
        runs: { is: 'over' },
      }),
    ];
    const free = anOverview({ rows, inbox: [] });
    expect(show(overviewAt('sprints', { overview: free }), [120, 40]).stdout.lines.slice(1, 5))
      .toMatchInlineSnapshot(`
        [
          "━━ Sprints ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 2 ━┬─ Waits for you ───────────────────────── 0 ─",
          "›○ pending   Log in with a passkey          ━━━━──── 1/2  Enter starts it │ Nothing waits for you",
          " ✔ done      Greet people in their language ━━━━──── 1/2                  ├─ Its tasks ─────────────────────────────────",
          "── Log in with a passkey ─────────────────────────────────────────────────┤ ✔ done      schema",
        ]
      `);
    const long = [aRow('a', { name: 'A first hour without questions: sign-up, sample data, tour' }), ...rows];
    const asked = anOverview({ rows: long });
    expect(show(overviewAt('sprints', { overview: asked }), [120, 40]).stdout.lines.slice(1, 5))
      .toMatchInlineSnapshot(`
        [
          "━━ Sprints ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3 ━┬─ Waits for you ─────────────────────────────────────────────────── 2 ─",
          "›○ pending A first hour without questions… 1/2  │›! may destroy web/form        db/drop_table orders              12 min",
          " ○ pending Log in with a passkey           1/2  │ ? question    checkout/parser Which grammar?                      12 s",
          " ✔ done    Greet people in their language  1/2  ├─ web/form ────────────────────────────────────────────────────────────",
        ]
      `);
  });

  it('at 120×40 has a name whole beside its counts rather than that a runner is there, and says where none is', () => {
    const name = 'Bill customers in twelve countries';
    const tasks = ['completed', 'failed'].map((detail, at) =>
      aStatus({ id: `t-${at}`, state: 'done', detail }),
    );
    const linesWhere = (runs: SprintRow['runs'], size: [number, number] = [120, 40]) => {
      const billing = aRow('billing', { name, tasks, state: 'active', runs, waiting: [anItem(), anItem()] });
      const rows = [
        billing,
        aRow('a', { name: 'A first hour without questions: sign-up, sample data, tour' }),
      ];
      const { lines } = show(overviewAt('sprints', { overview: anOverview({ rows }) }), size).stdout;
      unmount();
      return lines.slice(2, 4).map((line) => line.split('│')[0]);
    };
    const running = { is: 'running', agents: ['claude-code'], waiting: [] } as const;
    expect(linesWhere(running)).toEqual([
      '›● active  Bill customers in twelve countries 1/2 ✗1 ?2 ',
      ' ○ pending A first hour without questions: s… 1/2       ',
    ]);
    expect(linesWhere({ is: 'deserted' })[0]).toContain(' no runner');
    expect(linesWhere(running, [200, 60])[0]).toMatch(/ 1\/2 ✗1 \?2 at work$/);
  });

  it.each([40, 60, 80, 120, 200])('says how many tasks of a sprint have failed, in %i columns', (columns) => {
    const tasks = ['completed', 'failed', 'failed'].map((detail, at) =>
      aStatus({ id: `t-${at}`, state: 'done', detail }),
    );
    const rows = [aRow('billing', { name: 'Bill customers in twelve countries', tasks }), aRow('b')];
    const state = overviewAt('sprints', { overview: anOverview({ rows }) });
    const lines = show(state, [columns, 24]).stdout.lines.filter((line) => /^.[○●] /.test(line));
    expect(lines.map((line) => / ✗2 /.test(`${line.split('│')[0]} `))).toEqual([true, false]);
  });

  it('gives what waits the larger part of the width, and sprints so much that no name is cut that half of it has whole', () => {
    const columnsOf = (name: string) => {
      const overview = anOverview({ rows: [aRow('a', { name }), aRow('b', { name: 'Log in' })] });
      const { lines } = show(overviewAt('inbox', { overview }), [120, 40]).stdout;
      unmount();
      return { at: lines[2]?.indexOf('│') ?? 0, isWhole: lines[2]?.includes(name) };
    };
    expect(columnsOf('Sign in')).toEqual({ at: 48, isWhole: true });
    const longer = columnsOf('Greet all in a language of their own');
    expect(longer).toEqual({ at: expect.closeTo(57, -1), isWhole: true });
    expect(longer.at).toBeLessThan(60);
    expect(columnsOf('A first hour without questions: sign-up, sample data, tour').at).toBe(48);
  });

  it('at 40×10 has one list at a time', () => {
    expect(show(overviewAt('sprints'), [40, 10]).stdout.lines).toMatchInlineSnapshot(`
      [
        " shop  5 sprints: …   ? 2 wait for you",
        "━━ Sprints ━━━━━━━━━━━━━━━━━━━━━━━━━ 5 ━",
        "›● active  Checkout re… 1/2 ?1 at work",
        " ■ blocked Web page     1/2 ?1 no runner",
        " ○ pending Public API   1/2",
        " ✗ failed  Search       1/2    r: again",
        " ✔ done    Migration    1/2",
        "",
        "",
        " ↑/↓ move · Enter go in · Tab waiting",
      ]
    `);
  });

  it('joins each rule to the line that it ends at', () => {
    const inbox = Array.from({ length: 9 }, (_, at) => anItem({ id: `q-${at}` }));
    const shown = (items: typeof inbox) =>
      show(overviewAt('sprints', { overview: anOverview({ inbox: items }) }), [140, 40]).stdout.lines;
    const rowOf = (lines: readonly string[]) => lines.find((line) => /^── (?!Sprints)/.test(line)) ?? '';
    // The rule on the left ends beside the inbox, then beside what there is to say of it.
    expect(rowOf(shown(inbox))).toMatch(/─┤/);
    expect(rowOf(shown(inbox.slice(0, 1)))).toMatch(/─┤/);
  });

  it('says what is asked, typed and cannot be read above the hints', () => {
    const state = overviewAt('sprints', {
      focus: { at: 'start', sprint: 'web', isArmed: true },
      filter: { text: 'w', cursor: 1 },
      notice: { tone: 'warning', text: 'Cannot run it' },
      overview: anOverview({ problems: ['Cannot read sprints/x/manifest.json'] }),
    });
    expect(show(state, [80, 24]).stdout.lines.slice(-5)).toEqual([
      ' Run web here? Its agents start at once.',
      ' /w',
      ' Cannot run it',
      ' Cannot read sprints/x/manifest.json',
      ' Enter run it · w only look at it · Esc back',
    ]);
  });

  it('says before a run which options of the last one it has not', () => {
    const rows = [aRow('web', { runOptions: ['--agent-cmd', 'my-agent --fast'] })];
    const state = overviewAt('sprints', {
      focus: { at: 'start', sprint: 'web', isArmed: true },
      overview: anOverview({ rows, inbox: [] }),
    });
    expect(show(state, [140, 24]).stdout.lines.at(-2)).toBe(
      " Run web here? Its agents start at once, as the configuration says: without --agent-cmd 'my-agent --fast' of the last run.",
    );
  });

  it('has what there is to say of the tasks of a sprint in one column, also behind longer ids', () => {
    const tasks = ['db', 'customer-portal-downloads'].map((id) => aStatus({ id, waitsFor: ['api'] }));
    const rows = [aRow('demo', { tasks })];
    const state = overviewAt('sprints', { overview: anOverview({ rows, inbox: [] }) });
    const { lines } = show(state, [80, 24]).stdout;
    const said = lines.flatMap((line) =>
      line.includes('waits for api') ? [line.indexOf('waits for api')] : [],
    );
    expect(said).toHaveLength(2);
    expect(new Set(said).size).toBe(1);
  });

  it('says how long ago something happened in a sprint', () => {
    const rows = [aRow('demo', { lastEventAt: '2026-01-31T11:36:00.000Z' })];
    const { lines } = show(
      overviewAt('sprints', { overview: anOverview({ rows, inbox: [] }) }),
      [80, 24],
    ).stdout;
    expect(lines).toContainEqual(expect.stringMatching(/^ Last event {2}24 min ago, at \d\d:36$/));
  });

  it('has what there is to say of each sprint in the same rows, so that nothing moves while they are walked', () => {
    const rows = [
      aRow('one', {
        lastEventAt: '2026-01-31T11:36:00.000Z',
        runs: { is: 'not-started' },
        usage: { ...noUsage, input: 1_200, costUsd: 0.5 },
      }),
      aRow('two', {
        runs: { is: 'over' },
        state: 'done',
        detail: 'completed',
        tasks: Array.from({ length: 30 }, () =>
          aStatus({ id: 'schema', state: 'done', detail: 'completed' }),
        ),
      }),
    ];
    const rowsOf = (sprint: string) => {
      const { lines } = show(
        overviewAt('sprints', { sprint, overview: anOverview({ rows }) }),
        [80, 24],
      ).stdout;
      unmount();
      return ['Sprint', 'Progress', 'Runner', 'Last event', 'Used', '✔ done      schema'].map((text) =>
        lines.findIndex((line) => line.startsWith(` ${text} `) || line === ` ${text}`),
      );
    };
    expect(rowsOf('one')).toEqual([8, 9, 10, 11, 12, 14]);
    // Its agents say nothing of that.
    expect(rowsOf('two')).toEqual([8, 9, 10, 11, -1, 14]);
  });

  it('names no key where it says who runs a sprint: the last line does', () => {
    const kinds = ['not-started', 'deserted', 'nothing-left', 'failed'] as const;
    const rows = kinds.map((is) => aRow(is, { runs: { is } }));
    for (const sprint of kinds) {
      const { lines } = show(
        overviewAt('sprints', { sprint, overview: anOverview({ rows }) }),
        [140, 40],
      ).stdout;
      unmount();
      expect(lines.find((line) => line.startsWith(' Runner'))).toMatch(/^ Runner +\S[^│]*│/);
      expect(lines.find((line) => line.startsWith(' Runner'))).not.toMatch(/Enter|\br\b/);
      expect(lines.at(-1)).toMatch(/run it…/);
    }
  });

  it('says where there is nothing', () => {
    const { lines } = show(openOverview({ rows: [], inbox: [], problems: [] }), [80, 24]).stdout;
    expect(lines).toContain(' Nothing waits for you');
    expect(lines).toContain(' No sprints yet: clifford sprint new <id> makes one');
  });

  it('shows what is in sight of 200 sprints and 500 requests, with the cursor in it', () => {
    const rows = Array.from({ length: 200 }, (_, at) => aRow(`sprint-${at}`));
    const inbox = Array.from({ length: 500 }, (_, at) =>
      anItem({ id: `q-${at}`, question: `Question ${at}?` }),
    );
    const overview = anOverview({ rows, inbox });
    const { lines } = show(overviewAt('sprints', { overview, sprint: 'sprint-150' }), [80, 24]).stdout;
    expect(lines).toHaveLength(24);
    expect(lines.filter((line) => line.startsWith('›'))).toEqual([expect.stringContaining('sprint-150')]);
    expect(lines.filter((line) => /^[─━]{2} /.test(line))).toEqual([
      expect.stringMatching(/^[─━]{2} Waits for you [─━].* 1\/500 [─━]$/),
      expect.stringMatching(/^[─━]{2} Sprints [─━].* 151\/200 [─━]$/),
    ]);
  });

  it('takes no key where it cannot be seen, but the way out', async () => {
    const { stdin, actor, stdout } = show(overviewAt('sprints'), [39, 10]);
    expect(stdout.lines[0]).toBe('Terminal too small');
    const went: string[] = [];
    actor.on('*', ({ type }) => went.push(type));
    stdin.write('G');
    stdin.write('q');
    stdin.write('\u0003');
    await vi.waitFor(() => expect(went).toEqual(['leave']));
    expect(actor.getSnapshot().context.sprint).toBeUndefined();
  });

  it('takes no yes on a terminal of a new size before it was seen there', () => {
    const offered = overviewAt('sprints', { focus: { at: 'start', sprint: 'web', isArmed: true } });
    const { actor, stdout } = show(offered, [80, 24]);
    stdout.emit('resize');
    expect(actor.getSnapshot().context.focus).toMatchObject({ isArmed: false });
  });

  it('names the task that waits behind the id of a sprint that is too long for its column', () => {
    const inbox = [anItem({ sprint: 'move-all-customers-to-the-new-shop', task: 'form' })];
    const { lines } = show(overviewAt('inbox', { overview: anOverview({ inbox }) }), [80, 24]).stdout;
    expect(lines[2]).toContain(' move-all-custom…hop/form ');
    unmount();
    // With less room the task is what counts.
    const beside = show(overviewAt('inbox', { overview: anOverview({ inbox }) }), [120, 40]).stdout.lines;
    expect(beside[2]).toMatch(/│›\? question form +Which grammar\?/);
  });

  it('has a question in its list as it reads', () => {
    const inbox = [anItem({ question: '# Which *one*?\n\n- `a`\n- b' })];
    const { lines } = show(overviewAt('inbox', { overview: anOverview({ inbox }) }), [80, 24]).stdout;
    expect(lines).toContainEqual(expect.stringMatching(/^›\? question .* Which one\? • a • b /));
  });

  it('shows words of others without what could move the cursor', () => {
    const item = anItem({ question: 'Which\u001B[2J one?\u202e', task: 'a\u001B[1m' });
    const rows = [aRow('one', { name: 'One\u001B[2J\nsprint' })];
    const { lines } = show(
      overviewAt('inbox', { overview: anOverview({ rows, inbox: [item] }) }),
      [120, 40],
    ).stdout;
    // In its list, and below it in full.
    const said = lines.filter((line) => line.includes(String.raw`Which\u001b[2J one?\u202e`));
    expect(said).toHaveLength(2);
    expect(lines.join('\n')).toContain('One sprint');
  });

  it('takes no yes that is read first of what comes in pieces', async () => {
    const stdout = new FakeStdout(80, 24);
    const stdin = new FakeStdin();
    const start = { at: 'start', sprint: 'web', isArmed: true } as const;
    const actor = startOverviewActor(overviewAt('sprints', { focus: start }));
    const read = new ReadTogether();
    ({ unmount } = render(
      <ClockContext value={clock}>
        <ReadTogetherContext value={read}>
          <OverviewScreen actor={actor} project="shop" />
        </ReadTogetherContext>
      </ClockContext>,
      { stdin, stdout, debug: true, exitOnCtrlC: false, patchConsole: false },
    ));
    const went = vi.fn<() => void>();
    actor.on('run', went);
    const type = async (keys: string) => {
      read.take(keys);
      stdin.write(keys);
      await new Promise((done) => setImmediate(done));
    };
    await vi.waitFor(() => expect(stdin.isRaw).toBe(true));
    await type('y');
    await type('e');
    await vi.waitFor(() => {
      read.take('y');
      expect(read.isTogether).toBe(false);
    });
    expect(went).not.toHaveBeenCalled();
    expect(actor.getSnapshot().context.focus).toEqual(start);
    stdin.write('y');
    await vi.waitFor(() => expect(went).toHaveBeenCalledTimes(1));
  });
});
