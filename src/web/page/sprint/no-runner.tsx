import type { SentSprint } from '../../api/sprint.ts';
import { visibleLine } from '../../../lib/text/visible.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { inTokens } from '../parts/in-tokens.tsx';
import { Notice } from '../parts/notice.tsx';

/** That nobody is at work on a sprint, and how somebody would be. */
export function NoRunner({ sprint: { runs, runLine, left } }: { readonly sprint: SentSprint }) {
  return (
    <Notice tone="calm" icon="terminal">
      {runs.is === 'deserted' ? 'No runner is at work on this sprint' : 'Nobody runs this sprint'}
      {runs.is === 'failed' && ' any more'}
      {left !== undefined && ` (the last one left: ${visibleLine(left.reason)})`}. Start a run in a shell:{' '}
      <span className="copy-line">
        <code>{inTokens(runLine)}</code>
        <CopyButton text={runLine} />
      </span>
    </Notice>
  );
}
