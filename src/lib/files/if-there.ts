import { isMissing } from '../system-error.ts';

/** What `read` finds; `otherwise` where there is no such file or folder. Any other error is thrown on. */
export function ifThere<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (isMissing(error)) return otherwise;
    throw error;
  }
}
