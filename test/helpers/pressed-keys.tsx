import { render } from 'ink';
import { isAtOption } from '../../src/tui/keys/answer-keys.ts';
import type { ReactNode } from 'react';
import stringWidth from 'string-width';
import { expect } from 'vitest';
import { keymap } from '../../src/tui/keys/keymap.ts';
import { keymap as overviewKeymap } from '../../src/tui/overview/overview-keys.ts';
import { startOverviewActor, type OverviewActor } from '../../src/tui/overview/overview-actor.ts';
import { OverviewScreen } from '../../src/tui/overview/overview-screen.tsx';
import type { OverviewEffect, OverviewRoom, OverviewState } from '../../src/tui/overview/overview-state.ts';
import { ClockContext, GoneAgentsContext, RunnerContext } from '../../src/tui/terminal/clock.ts';
import { isTyping } from '../../src/tui/drafts/drafts.ts';
import { startScreenActor, type ScreenActor } from '../../src/tui/screen/screen-actor.ts';
import type { Effect } from '../../src/tui/screen/screen-effect.ts';
import type { ScreenEvent } from '../../src/tui/screen/screen-event.ts';
import type { ScreenState } from '../../src/tui/screen/screen-state.ts';
import { Screen } from '../../src/tui/screen/screen.tsx';
import { createAgentOutput } from '../../src/tui/text/agent-output.ts';
import { FakeStdin, FakeStdout } from './fake-terminal.ts';
import { bytesOf } from './key-bytes.ts';
import { now } from './screen-views.ts';

/** A key of the keymap, and its binding: the focus, the place there, and what it does. */
export type BoundKey = { readonly binding: string; readonly key: string };

/** Every key of every binding of every focus. */
export function allBoundKeys(): BoundKey[] {
  return [
    ...Object.entries(keymap).flatMap(([at, bindings]) => namesIn(at, bindings)),
    ...Object.entries(overviewKeymap).flatMap(([at, bindings]) => namesIn(`overview ${at}`, bindings)),
  ];
}

type Named = { readonly keys: readonly string[]; readonly hint?: readonly string[] };

function namesIn(at: string, bindings: readonly Named[]): BoundKey[] {
  return bindings.flatMap((binding) => binding.keys.map((key) => nameOf(at, bindings, binding, key)));
}

function nameOf(at: string, bindings: readonly Named[], binding: Named, key: string): BoundKey {
  const { keys, hint } = binding;
  return { key, binding: `${at} #${bindings.indexOf(binding)} ${keys.join(' ')}: ${hint?.[1] ?? ''}` };
}

/** What a key did on a screen. */
export type Pressed<State, Done> = {
  readonly before: State;
  readonly after: State;
  /** What is done outside of it, without what is read for panes. */
  readonly effects: readonly Done[];
  /** The binding that took the key; `undefined`: none has it there. */
  readonly bound: BoundKey | undefined;
  /** The other keys of that. */
  readonly siblings: readonly string[];
  readonly lines: readonly string[];
  /** Rows of help that are out of sight. */
  readonly helpMax: number;
};

/** A terminal on which one screen after the other is shown, to press a key on it. */
export function openKeyboard(columns: number, rows: number) {
  const stdin = new FakeStdin();
  const stdout = new FakeStdout(columns, rows);
  const options = { stdin, stdout, maxFps: 1, exitOnCtrlC: false, patchConsole: false } as const;
  const instance = render(null, options as unknown as NonNullable<Parameters<typeof render>[1]>);
  const show = (screen: ReactNode) =>
    instance.rerender(
      <ClockContext value={{ now: () => now, subscribe: () => () => {} }}>{screen}</ClockContext>,
    );
  const fits = () => {
    expect(stdout.lines.length).toBeLessThanOrEqual(rows);
    for (const line of stdout.lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  };
  /** Sends it, and waits until the actor has had it. */
  const send = async (key: string, heard: Promise<unknown>) => {
    stdin.write(bytesOf(key));
    await heard;
    fits();
    return stdout.lines;
  };
  return {
    close: () => instance.unmount(),
    onSprint: (given: ScreenState, key: string) => pressOnSprint(show, send, given, key),
    onOverview: (given: OverviewState, key: string) => pressOnOverview(show, send, given, key),
  };
}

type Show = (screen: ReactNode) => void;
type Send = (key: string, heard: Promise<unknown>) => Promise<readonly string[]>;

/** Its agent has written a hundred lines. */
function output() {
  const written = createAgentOutput();
  for (let line = 0; line < 100; line += 1) written.append('parser', `line ${line}\n`);
  return written;
}

async function pressOnSprint(
  show: Show,
  send: Send,
  given: ScreenState,
  key: string,
): Promise<Pressed<ScreenState, Effect>> {
  const actor = startScreenActor(given);
  const effects: Effect[] = [];
  actor.on('*', (effect) => void (effect.type !== 'load' && effects.push(effect)));
  const { promise: heard, resolve: hear } = Promise.withResolvers<ScreenEvent>();
  let before = given;
  let after = given;
  const watched: ScreenActor = {
    ...actor,
    getSnapshot: () => actor.getSnapshot(),
    subscribe: actor.subscribe.bind(actor),
    // It would stop the tests.
    on: (type, handler) => (type === 'suspend' ? { unsubscribe: () => {} } : actor.on(type, handler)),
    send: (event) => {
      if (event.type === 'keys') before = actor.getSnapshot().context;
      actor.send(event);
      if (event.type !== 'keys') return;
      after = actor.getSnapshot().context;
      hear(event);
    },
  } as ScreenActor;
  const gone = [...given.processes.gone];
  show(
    <RunnerContext value={() => given.processes.hasRunner}>
      <GoneAgentsContext value={() => gone}>
        <Screen actor={watched} output={output()} />
      </GoneAgentsContext>
    </RunnerContext>,
  );
  const lines = await send(key, heard);
  const event = await heard;
  actor.stop();
  const { questionMax = 0, helpMax = 0 } = event.type === 'keys' ? event.room : {};
  const situation = { state: before, canScrollQuestion: questionMax > 0 };
  const { at } = before.focus;
  const bindings = keymap[at];
  // In a box letters are text, but for where an option is chosen.
  const isText = isTyping(before) && !isAtOption(before) && Array.from(key).length === 1;
  const binding = bindings.find(({ keys, when }) => keys.includes(key) && (when?.(situation) ?? true));
  const bound = binding && !isText ? nameOf(at, bindings, binding, key) : undefined;
  return { before, after, effects, bound, siblings: binding?.keys ?? [], lines, helpMax };
}

async function pressOnOverview(
  show: Show,
  send: Send,
  given: OverviewState,
  key: string,
): Promise<Pressed<OverviewState, OverviewEffect>> {
  const actor = startOverviewActor(given);
  const effects: OverviewEffect[] = [];
  actor.on('*', (effect) => void effects.push(effect));
  const { promise: heard, resolve: hear } = Promise.withResolvers<OverviewRoom>();
  let after = given;
  const watched: OverviewActor = {
    ...actor,
    getSnapshot: () => actor.getSnapshot(),
    subscribe: actor.subscribe.bind(actor),
    // It would stop the tests.
    on: (type, handler) => (type === 'suspend' ? { unsubscribe: () => {} } : actor.on(type, handler)),
    send: (event) => {
      actor.send(event);
      after = actor.getSnapshot().context;
      if (event.type === 'keys') hear(event.room);
    },
  } as OverviewActor;
  show(<OverviewScreen actor={watched} project="shop" />);
  const lines = await send(key, heard);
  const { helpMax } = await heard;
  actor.stop();
  const { at } = given.focus;
  const bindings = overviewKeymap[at];
  const binding = bindings.find(({ keys, when }) => keys.includes(key) && (when?.(given) ?? true));
  const isText = (at === 'filter' || at === 'palette') && Array.from(key).length === 1;
  const bound = binding && !isText ? nameOf(`overview ${at}`, bindings, binding, key) : undefined;
  return { before: given, after, effects, bound, siblings: binding?.keys ?? [], lines, helpMax };
}
