import { visible, visibleLine } from '../../lib/text/visible.ts';
import { cellsOf, fit } from '../../lib/text/cells.ts';
import { answerRules } from '../../events/form/answer-rules.ts';
import type { Question } from '../../views/sprints/sprint-view.ts';
import { standings, type CurrentForm } from '../drafts/form-state.ts';
import { about, aboutAsRead, askedLines, plainLines } from './question-lines.ts';
import { rowsOf, type Span } from './spans.ts';

/** So many rows are kept for previews, so that what is above does not move from option to option. */
const PREVIEW_ROWS = 8;

/** Rows of `width` cells; `moves` names the keys that go from option to option. */
type FormLook = { readonly width: number; readonly moves: string };

/** What is asked in the question of a form that is shown, wrapped: with the preview of the option at hand, and what the form is about. */
export function formQuestionRows(
  { question, reason, context, earlierAnswer }: Question,
  form: CurrentForm,
  { width, moves }: FormLook,
): Span[][] {
  const { shown } = form;
  const rules = shown ? answerRules(shown) : '';
  const asked = shown
    ? (shown.question ?? shown.title)
    : 'These answers will be sent. Pick one to change it.';
  const head = [...askedLines(asked.trim()), ...(rules === '' ? [] : plainLines(`(${rules})`, 'dim'))];
  const titles = form.questions.map(({ title }) => title).join(', ');
  const heading = question === titles || question === asked ? undefined : question;
  const below = [
    ...aboutAsRead('About', heading),
    ...about('Reason', reason),
    ...aboutAsRead('Context', context),
    ...about('You answered before', earlierAnswer),
  ];
  const rows = (lines: Parameters<typeof rowsOf>[0][]) => lines.flatMap((line) => rowsOf(line, width));
  return [...rows(head), ...previewRows(form, { width, moves }), ...rows(below)];
}

/** The preview of the option where the person is, as it is written. */
function previewRows({ shown, state: { at, entries } }: CurrentForm, { width, moves }: FormLook): Span[][] {
  const options = shown?.options ?? [];
  const picked = entries[at]?.choice.at;
  const all = options.map(({ preview }) => (preview === undefined ? [] : rowsOfPreview(preview, width)));
  const kept = Math.min(PREVIEW_ROWS, Math.max(0, ...all.map((rows) => rows.length)));
  const rows = (picked === undefined ? undefined : all[picked]) ?? [];
  const hint: Span[] = [{ text: `  ${moves} shows what an option would look like`, style: 'dim' }];
  const shownRows = rows.length === 0 && kept > 0 && picked === undefined ? [hint] : rows;
  const blanks = Array.from({ length: Math.max(0, kept - shownRows.length) }, (): Span[] => []);
  return [...shownRows, ...blanks];
}

function rowsOfPreview(preview: string, width: number): Span[][] {
  return visible(preview.replace(/\n+$/, ''))
    .split('\n')
    .flatMap((text) => rowsOf({ spans: [{ text, style: 'code' }], indent: 2 }, width));
}

/** So much of a title stands in its tab, in cells, where there is no room for all of it. */
const TITLE_WIDTHS = [Infinity, 16, 10];

/** The questions of a form in one row: which is shown, which have an answer. In little room only the one that is shown. */
export function formTabs(form: CurrentForm, width: number): Span[] {
  const { at } = form.state;
  const titles = standings(form).map(
    ({ title, parts }) => [parts.length > 0 ? '✔' : '·', visibleLine(title)] as const,
  );
  for (const most of TITLE_WIDTHS) {
    const tabs = [...titles.map(([mark, title]) => `${mark} ${fit(title, most)}`), 'Review'];
    const spans = tabs.map((text, index): Span => ({
      text: ` ${text} `,
      style: index === at ? 'lit' : 'dim',
    }));
    if (spans.reduce((cells, { text }) => cells + cellsOf(text), 0) <= width) return spans;
  }
  const count = ` ${at + 1} of ${titles.length + 1}`;
  const shown = titles[at]?.join(' ') ?? 'Review';
  return [
    { text: ` ${fit(shown, Math.max(1, width - cellsOf(count) - 2))} `, style: 'lit' },
    { text: count, style: 'dim' },
  ];
}
