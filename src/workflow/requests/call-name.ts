/** Controls, and characters that reorder text or cannot be seen. */
const hidden = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]+/gu;

/**
 * A tool as it is named within a sentence of ours: `fs write_file`. Its server chooses the name, and is not to put
 * lines of its own, or sequences for a terminal, into what we say.
 */
export function callName(server = '', tool = ''): string {
  return `${server} ${tool}`.toWellFormed().replaceAll(hidden, ' ').replaceAll(/\s+/g, ' ').trim();
}
