/** What Clifford uses of `fs-native-extensions`, which ships no types. Locks cover the whole file. */
declare module 'fs-native-extensions' {
  /**
   * Takes an advisory lock if no other open file description holds one in its way. An exclusive one needs a
   * writable `fd`, a shared one a readable `fd`.
   */
  export function tryLock(fd: number, options?: { shared: boolean }): boolean;
  /** Waits in the kernel until it has it; the event loop stands still meanwhile. */
  export function waitForLockSync(fd: number): void;
  export function unlock(fd: number): void;
}
