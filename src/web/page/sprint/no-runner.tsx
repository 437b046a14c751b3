import type { SentSprint } from '../../api/sprint.ts';
import { visibleLine } from '../../../lib/text/visible.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { inTokens } from '../parts/in-tokens.tsx';
import { Notice } from '../parts/notice.tsx';

/** That nobody is at work on a sprint, and how somebody would be. */
export function NoRunner({ sprint: { runs, runLine, left, tasks } }: { readonly sprint: SentSprint }) {
  // Whether its screen still stands at the end of that run, only who sits there can tell.
  const wasRun = left !== undefined || tasks.some(({ ran }) => ran !== undefined);
  return (
    <Notice tone="calm" icon="terminal">
      {runs.is === 'deserted' ? 'No runner is at work on this sprint' : 'Nobody runs this sprint'}
      {runs.is === 'failed' && ' any more'}
      {left !== undefined && ` (the last one left: ${visibleLine(left.reason)})`}.{' '}
      {wasRun
        ? 'Press R on the screen of its last run, if that is still open, or start one in a shell:'
        : 'Start a run in a shell:'}{' '}
      <span className="copy-line">
        <code>{inTokens(runLine)}</code>
        <CopyButton text={runLine} />
      </span>
    </Notice>
  );
}
