/** The code of an error, as the system names what went wrong: `ENOENT`. `undefined` for what has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The code of an error of the system: `EACCES`. Anything else is thrown on. */
export function systemCodeOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) throw error;
  return code;
}

/** What a machine has too little of, or cannot do any more, whatever it is asked. */
const MACHINE_CODES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** The code of an error, or of what caused it, that is the machine's fault: a full disk. `undefined`: it is not. */
export function machineTrouble(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code !== undefined && MACHINE_CODES.has(code)) return code;
  return error instanceof Error && error.cause !== undefined ? machineTrouble(error.cause) : undefined;
}

/** What the system refuses to do with one file or folder, of which others are none the worse. */
const REFUSALS = new Set(['EACCES', 'EPERM', 'EBUSY', 'ENOTEMPTY']);

/** Whether the system has refused to change or to remove something: it is somebody else's, or in use. */
export function isRefused(error: unknown): boolean {
  return REFUSALS.has(codeOf(error) ?? '');
}

/** Whether the system says that there is no such file, or no such folder to look in. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  // ENOTDIR: a file stands where the path has a folder.
  return code === 'ENOENT' || code === 'ENOTDIR';
}
