import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DraftFiles } from '../../../src/tui/drafts/draft-files.ts';
import { keepDrafts, keptDrafts } from '../../../src/tui/drafts/keep-drafts.ts';
import { startScreenActor } from '../../../src/tui/screen/screen-actor.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import type { Stroke } from '../../../src/tui/keys/strokes.ts';
import { answering, aQuestion, room, typed } from '../../helpers/screen-views.ts';
import { storeForm } from '../../helpers/store-form.ts';

let root: string;
let files: DraftFiles;
let folder: string;
const typedText = (text: string) => ({ text, cursor: text.length });

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'clifford-drafts-'));
  await mkdir(join(root, '.clifford'));
  folder = join(root, '.clifford/cache/drafts');
  files = new DraftFiles(join(root, '.clifford'));
});
afterEach(() => rm(root, { recursive: true }));

it('keeps a draft for the eyes of its user alone, with what was pasted, whatever the id is', async () => {
  const draft = {
    drafts: { text: 'a\ufdd0', cursor: 2, pastes: ['xyz'], isPasted: true },
    asks: typedText('why'),
  };
  files.write('../../q', draft);
  expect(files.read('../../q')).toEqual(draft);
  const [name = ''] = await readdir(folder);
  const modes = await Promise.all(
    [folder, join(folder, name)].map(async (path) => (await stat(path)).mode & 0o777),
  );
  expect(modes).toEqual([0o700, 0o600]);
  files.removeAllBut(['other']);
  expect(await readdir(folder)).toEqual([]);
});

it('keeps nothing empty, and no secret', async () => {
  files.write('q-1', { drafts: typedText('yes') });
  files.write('q-1', { drafts: typedText(' ') });
  files.write('q-2', { drafts: typedText(`sk-${'a1'.repeat(12)}`), reasons: typedText('no') });
  expect(files.read('q-1')).toBeUndefined();
  expect(files.read('q-2')).toEqual({ reasons: typedText('no') });
});

it.each(['', '{', '{"drafts":{"text":"a","cursor":9}}', '{"edits":{"text":"rm","cursor":0}}'])(
  'takes %j for no draft',
  async (content) => {
    files.write('q-1', { drafts: typedText('yes') });
    const [name = ''] = await readdir(folder);
    await writeFile(join(folder, name), content);
    expect(files.read('q-1')).toBeUndefined();
  },
);

it('keeps how far a form is filled in, question by question, but no secret', async () => {
  const questions = storeForm;
  const fill = (state: ScreenState, strokes: readonly Stroke[]) =>
    strokes.reduce(
      (now, stroke) => stepScreen(now, { type: 'keys', strokes: [stroke], room }, () => {}),
      state,
    );
  const asked = aQuestion({ questions });
  const filled = fill(answering(asked), [
    ...typed('', 'down', 'enter', 'down', ' '),
    ...typed('', 'tab'),
    ...typed(`sk-${'a1'.repeat(12)}`, 'tab'),
  ]);
  const { forms } = filled;
  files.write('q-1', { forms: forms.get('q-1') });
  const kept = keptDrafts(files, [asked], ['q-1']);
  expect(kept.forms.get('q-1')).toMatchObject({
    at: 3,
    entries: [
      { choice: { at: 0, marked: [0] }, words: { text: '' } },
      { choice: { at: 0, marked: [0] }, words: { text: '' } },
      { words: { text: '' } },
      { words: { text: '' } },
    ],
  });
  const again = fill({ ...answering(asked), ...kept }, typed('', 'shift+tab'));
  expect(again.forms.get('q-1')?.at).toBe(2);
  files.write('q-1', { forms: { at: 2, entries: [], review: { at: undefined } } });
  expect(await readdir(folder)).toEqual([]);
});

it('keeps a form while it is filled in', () => {
  const actor = startScreenActor(answering(aQuestion({ questions: storeForm })));
  const keeping = keepDrafts(actor, files);
  for (const stroke of typed('', 'down', 'enter')) actor.send({ type: 'keys', strokes: [stroke], room });
  keeping.stop();
  expect(files.read('q-1')?.forms).toMatchObject({
    at: 1,
    entries: [{ choice: { marked: [0] } }, {}, {}, {}],
  });
});

it('follows no link', async () => {
  await mkdir(join(root, 'elsewhere'));
  await mkdir(join(root, '.clifford/cache'));
  await symlink(join(root, 'elsewhere'), folder);
  expect(() => files.write('q-1', { drafts: typedText('yes') })).toThrow('link');
  expect(await readdir(join(root, 'elsewhere'))).toEqual([]);
});

it('is written by the screen, apart from what a program asks as a secret', async () => {
  const password = aQuestion({ id: 'q-2', kind: 'prompt', question: 'Password:' });
  const questions = [aQuestion(), password];
  const actor = startScreenActor({
    ...answering(...questions),
    ...keptDrafts(files, questions, ['q-1', 'q-2']),
  });
  const keeping = keepDrafts(actor, files);
  const press = (...strokes: Parameters<typeof typed>) =>
    actor.send({ type: 'keys', strokes: typed(...strokes), room });
  press('one');
  press('', 'tab');
  press('hunter2');
  keeping.stop();
  const kept = keptDrafts(files, questions, ['q-1', 'q-2']);
  expect([...kept.drafts]).toEqual([['q-1', typedText('one')]]);
  expect(keptDrafts(files, questions, ['q-2']).drafts.size).toBe(0);
});
