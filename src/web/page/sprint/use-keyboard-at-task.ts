import { useEffect, useRef } from 'react';

/**
 * Where only a task or the list of tasks has room, the keyboard goes along: to the heading of the task that is opened, and back to where it
 * stands in the list. Elsewhere it stays.
 *
 * @param task - Id of the task that is open, if one is.
 */
export function useKeyboardAtTask(task: string | undefined): void {
  const before = useRef(task);
  useEffect(() => {
    const from = before.current;
    before.current = task;
    const at = document.activeElement;
    if (from === task || (at && at !== document.body && at.checkVisibility())) return;
    const wanted =
      task === undefined ? `.column-tasks [data-task="${CSS.escape(from ?? '')}"]` : '.column-detail h2';
    document.querySelector<HTMLElement>(wanted)?.focus();
  }, [task]);
}
