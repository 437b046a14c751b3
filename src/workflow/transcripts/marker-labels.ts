import type { StoredEvent } from '../../events/envelope.ts';

/** The label of the marker that stands for an event of the log: `#41 help.requested`. */
export function markerLabel({ streamversion, type }: Pick<StoredEvent, 'streamversion' | 'type'>): string {
  return `#${streamversion} ${type}`;
}

/** The version in such a label; `undefined`: it is another one. */
export function markedVersion(label: string): number | undefined {
  const version = /^#(\d{1,15}) /.exec(label)?.[1];
  return version === undefined ? undefined : Number(version);
}

const END = ' of this transcript removed: it grew too long';

/** The label of the marker in a segment that tells for which parts there was no room when it began. */
export function removedLabel({ from, to }: { from: number; to: number }): string {
  return `${from === to ? `part ${from}` : `parts ${from} to ${to}`}${END}`;
}

/** Whether the label of a marker is such a one. */
export function isRemovedLabel(label: string): boolean {
  return /^parts? \d+( to \d+)?$/.test(label.slice(0, -END.length)) && label.endsWith(END);
}
