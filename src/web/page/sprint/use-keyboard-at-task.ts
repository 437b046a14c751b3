import { useEffect, useRef } from 'react';
import { hrefOf, routeNow } from '../route.ts';

/**
 * Where only a task or the list of tasks has room, the keyboard goes along: to the heading of the task that is opened, or to the request
 * in its head that is opened with it, and back to where it stands in the list. Elsewhere it stays.
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
    const find = (wanted: string) => document.querySelector<HTMLElement>(wanted);
    const wanted =
      task === undefined
        ? find(`.column-tasks [data-task="${CSS.escape(from ?? '')}"]`)
        : (find(`.column-detail a[href="${hrefOf(routeNow())}"]`) ?? find('.column-detail h2'));
    wanted?.focus();
  }, [task]);
}
