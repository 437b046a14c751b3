import { withoutHidden } from '../../lib/text/hidden-characters.ts';

/** The name as a person reads it: `Ｄelete_File<zero width> ` is `delete_file`. */
export function asRead(name: string): string {
  // Nearly all are written so, and each is looked at by every rule.
  if (/^[ -~]*$/.test(name)) return name.trim().toLowerCase();
  return withoutHidden(name.normalize('NFKC')).trim().toLowerCase();
}
