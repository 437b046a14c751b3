/** A line of a unified diff: what is added or removed, what stays, or what says where that is. */
export type UnifiedLine = { readonly is: 'added' | 'removed' | 'kept' | 'head'; readonly text: string };

/** The lines of a unified diff, also of one with a sign for each side of a merge; of words: all of them stay. */
export function unifiedLines(diff: string): UnifiedLine[] {
  /** How many signs a line has; 0: its first part has not begun. */
  let signs = 0;
  return diff.split('\n').map((text) => {
    const [, marks = ''] = /^@(@+) /.exec(text) ?? [];
    const names = /^(?:diff|index) /.test(text);
    if (marks !== '' || names) {
      signs = marks.length;
      return { is: 'head', text };
    }
    if (signs === 0 && /^(?:---|\+\+\+) /.test(text)) return { is: 'head', text };
    const begin = text.slice(0, Math.max(1, signs));
    return { is: begin.includes('+') ? 'added' : begin.includes('-') ? 'removed' : 'kept', text };
  });
}

/** Whether a block of code says of itself that it is a diff, by what stands behind its fence. */
export function isDiff(info: string): boolean {
  return /^diff\b/.test(info.trim());
}
