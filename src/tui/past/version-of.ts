import type { HistoryCursor } from '../../workflow/history/history-cursor.ts';
import { parseUntil } from '../../workflow/history/until.ts';
import type { EventFinder } from './event-finder.ts';
import type { Travel } from './past.ts';

/** The version that a travel leads to which begins at `from`. @throws {CliffordError} `UNTIL_INVALID` for what is no place */
export function versionOf(
  cursor: HistoryCursor,
  travel: Travel,
  { from, finder }: { readonly from: number; readonly finder: EventFinder },
): number {
  switch (travel.to) {
    case 'event':
      return from + travel.step;
    case 'words':
      return finder.nearest(from);
    case 'found':
      return finder.next(from, travel.step);
    case 'mark':
      return cursor.index.nextMark(from, travel.step) ?? (travel.step === 1 ? cursor.length : 1);
    case 'part':
      return from + Math.round((cursor.length * travel.step) / 100);
    case 'first':
      return 1;
    case 'last':
      return cursor.length;
    case 'place':
      return cursor.versionOf(parseUntil(travel.text));
  }
}
