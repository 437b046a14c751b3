import { useState } from 'react';
import type { ChangedFile } from '../../api/changes.ts';
import type { SentTask } from '../../api/sprint.ts';
import { useSession } from '../context.ts';
import { ExactPath } from '../parts/agent-text.tsx';
import { Icon } from '../parts/icon.tsx';
import { useRead } from '../parts/use-read.ts';
import { PatchLines } from './diff-lines.tsx';
import '../look/changes.css';

type ChangesPaneProps = {
  readonly sprint: string;
  readonly task: SentTask;
  /** A moment of the past. */
  readonly at: number | undefined;
};

/** The files that a task changed, with their differences. */
export function ChangesPane({ sprint, task: { id, word, attempt }, at }: ChangesPaneProps) {
  const { api } = useSession();
  const [looks, setLooks] = useState(0);
  const key = JSON.stringify([sprint, id, at, at === undefined ? [word, attempt, looks] : []]);
  const { value, error } = useRead(key, () => api.changes(sprint, { task: id, until: at }));
  if (error !== undefined) return <p className="empty muted">{error}</p>;
  if (!value) return <p className="empty muted">Reading…</p>;
  return (
    <div className="changes">
      <header className="changes-head">
        <span className="muted number">{value.about}</span>
        <span className="spring" />
        {at === undefined && (
          <button type="button" className="button plain" onClick={() => setLooks(looks + 1)}>
            <Icon name="retry" />
            Look again
          </button>
        )}
      </header>
      {value.files.length === 0 && <p className="muted">Nothing has changed.</p>}
      {value.files.map((file) => (
        <ChangedFileItem key={file.path} file={file} isOpen={value.files.length <= FEW} />
      ))}
    </div>
  );
}

/** Of so many files the differences are shown at once. */
const FEW = 5;

const signs = { added: 'A', changed: 'M', removed: 'D' } as const;

type ChangedFileProps = { readonly file: ChangedFile; readonly isOpen: boolean };

function ChangedFileItem({ file: { path, how, lines, patch, note }, isOpen }: ChangedFileProps) {
  // What is not open is not drawn: there may be hundreds.
  const [isShown, setShown] = useState(isOpen);
  return (
    <details
      className="diff"
      open={isOpen}
      onToggle={({ currentTarget }) => currentTarget.open && setShown(true)}
    >
      <summary className="diff-head">
        <abbr className={`change-sign ${how}`} title={how}>
          {signs[how]}
        </abbr>
        <span className="mono">
          <ExactPath path={path} />
        </span>
        {lines && (
          <span className="diff-count number">
            <span className="tone-good">+{lines.added}</span>{' '}
            <span className="tone-bad">−{lines.removed}</span>
          </span>
        )}
      </summary>
      {note !== undefined && <p className="diff-place">{note}</p>}
      {isShown && patch !== '' && <PatchLines text={patch} />}
    </details>
  );
}
