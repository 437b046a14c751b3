import { useEffect } from 'react';
import type { SentState } from '../../api/state.ts';

/** Says on the tab, its icon and the icon of the installed page how many requests wait. */
export function useWaitingSigns(state: SentState | undefined): void {
  const waiting = state?.questions.length ?? 0;
  const project = state?.project;
  useEffect(() => showWaiting(waiting, project), [waiting, project]);
}

/** Says it of one project, or of all. */
export function showWaiting(waiting: number, of: string | undefined): void {
  document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${of === undefined ? '' : `${of} · `}Clifford`;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = waiting > 0 ? './icon-waiting.svg' : './icon.svg';
  // Not every browser has it, and only for a page that is installed.
  if ('setAppBadge' in navigator) navigator.setAppBadge(waiting).catch(() => undefined);
}
