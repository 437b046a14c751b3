import { Box, Text } from 'ink';
import { WHY } from '../../workflow/requests/explain-first.ts';
import { editText } from '../../gateway/edit/edit-text.ts';
import { AnswerBox } from './answer-box.tsx';
import { BarPane } from './bar-pane.tsx';
import { wideScopes } from '../keys/decide-call.ts';
import { hasReadCall } from '../keys/call-keys.ts';
import { hasBorder, type Layout } from '../terminal/layout.ts';
import { QuestionRule } from './question-rule.tsx';
import { commandsOf } from '../../events/call-fields.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { fill } from '../../lib/text/cells.ts';
import { escapeAgentLine, stripAgentLine } from '../../lib/text/sanitise.ts';
import { BAR_WIDTH } from '../feed/use-asked.ts';
import { batchOf, isSending } from '../screen/current-question.ts';
import { STRAY_QUIET_MS } from '../screen/use-arming.ts';
import { isCompared } from '../feed/is-compared.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { currentDraft } from '../drafts/drafts.ts';
import type { Question } from '../../views/sprints/sprint-view.ts';
import { ListRow } from './list-row.tsx';
import { SpanRow } from './span-row.tsx';
import type { Span } from '../text/spans.ts';
import { colors } from '../terminal/theme.ts';

type ToolApprovalCardProps = {
  readonly state: ScreenState;
  readonly question: Question;
  /** What there is to know about the call, see approval-lines.ts. */
  readonly rows: readonly (readonly Span[])[];
  readonly layout: Layout;
};

/** A tool call that waits for a human's yes or no. */
export function ToolApprovalCard({ state, question, rows, layout }: ToolApprovalCardProps) {
  const { columns, questionRows } = layout;
  const top = Math.min(state.questionTop, Math.max(0, rows.length - questionRows));
  return (
    <Box flexDirection="column" flexShrink={0}>
      <QuestionRule state={state} question={question} top={top} count={rows.length} layout={layout} />
      <BarPane width={columns} rows={questionRows}>
        {rows.slice(top, top + questionRows).map((spans, at) => (
          <SpanRow key={top + at} spans={spans} />
        ))}
      </BarPane>
      <Verdict state={state} question={question} layout={layout} canScroll={rows.length > questionRows} />
    </Box>
  );
}

/** Stands in a box that is empty. */
function placeholderOf(at: 'reject' | 'edit' | 'explain', { approval }: Question): string {
  if (at === 'reject') return 'Reason, if you like';
  if (at === 'explain' || !approval) return WHY;
  return editText(approval).is === 'command'
    ? 'The command to run instead'
    : 'The arguments, as a JSON object';
}

type DecisionProps = Omit<ToolApprovalCardProps, 'rows'> & { readonly canScroll: boolean };

/** Where the human decides: what is asked, the scopes to choose from, or the box for a reason. */
function Verdict({ state, question, layout, canScroll }: DecisionProps) {
  const { columns, answerRows, keyRows } = layout;
  const { at } = state.focus;
  if (at === 'scope') return <Scopes state={state} question={question} width={columns} />;
  if (at === 'reject' || at === 'edit' || at === 'explain') {
    return (
      <AnswerBox
        draft={currentDraft(state)}
        isFocused
        color={colors.warning}
        placeholder={placeholderOf(at, question)}
        width={columns}
        rows={answerRows}
        hasBorder={hasBorder(layout)}
      />
    );
  }
  const isUnread =
    (at === 'decide' || at === 'batch') && !hasReadCall({ state, canScrollQuestion: canScroll });
  return (
    <BarPane width={columns} rows={answerRows}>
      <Text wrap="truncate">
        <Text bold={at === 'decide' || at === 'batch'}>{questionOf(state)}</Text>
        <Text dimColor={!isUnread}>
          {` ${isUnread ? readFirst(state) : remarkOf(state, keyRows > 0)}`.trimEnd()}
        </Text>
      </Text>
    </BarPane>
  );
}

function readFirst(state: ScreenState): string {
  return isCompared(state) ? 'Read it all first' : 'It is being compared with its files…';
}

function questionOf(state: ScreenState): string {
  const calls = batchOf(state).length;
  return calls === 0 ? 'May this call run?' : `May these ${calls} calls run, each once?`;
}

/** What the keys are that decide stands in the line of hints below, or right below the card. */
function remarkOf(state: ScreenState, hasKeys: boolean): string {
  const { focus, mayApprove } = state;
  if (isSending(state)) return 'Recording…';
  if (focus.at === 'closed') return 'Esc: go on';
  if (focus.at === 'arming' && focus.dropped > 0)
    return `${focus.isStray ? 'Not a key here' : 'Too early'}: wait ${STRAY_QUIET_MS / 1_000} s, each key starts that anew`;
  if (focus.at === 'arming' || (focus.at === 'batch' && !focus.isArmed)) return '…';
  if (!mayApprove) return 'A human elsewhere allows it';
  return focus.at === 'sprint' && !hasKeys ? 'i: decide' : '';
}

/** Of an agent's own tool no other call: what that is, as it was asked about. */
function exactlyThis({ approval }: Question): string {
  const { args, tool = '' } = approval ?? {};
  const [command] = isJsonObject(args) ? commandsOf(tool, args) : [];
  return `exactly this call${command === undefined ? '' : `: ${escapeAgentLine(command)}`}`;
}

function Scopes({ state, question, width }: { state: ScreenState; question: Question; width: number }) {
  const { focus } = state;
  const picked = focus.at === 'scope' ? focus.picked : undefined;
  const { tool = '', server = '', isOwn } = question.approval ?? {};
  const what = isOwn ? exactlyThis(question) : `every call of ${stripAgentLine(`${server}/${tool}`)}`;
  const names = { task: 'In this task', sprint: 'In this sprint', always: 'Always' };
  const cells = width - BAR_WIDTH;
  const scopes = wideScopes(state);
  return (
    <BarPane width={width} rows={scopes.length}>
      {scopes.map(({ digit, scope }) => (
        <ListRow key={scope} cursor={scope === picked ? 'here' : 'none'} width={cells} cells={cells}>
          {fill(`${digit}  ${names[scope]}: ${what}`, cells - 1)}
        </ListRow>
      ))}
    </BarPane>
  );
}
