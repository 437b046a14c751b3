/** What Clifford uses of `fs-native-extensions`, which ships no types. Locks cover the whole file. */
declare module 'fs-native-extensions' {
  /** Takes an exclusive advisory lock if no other open file description holds one. Needs a writable `fd`. */
  export function tryLock(fd: number): boolean;
  /** Waits in the kernel until it has it; the event loop stands still meanwhile. */
  export function waitForLockSync(fd: number): void;
  export function unlock(fd: number): void;
}
