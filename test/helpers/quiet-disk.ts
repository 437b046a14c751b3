/** What a process waits for that comes by itself, soon, and not by the clock. */
const underWay = /^(?:Immediate|FSReq|Process|Shutdown|Write|Pipe(?:Connect)?Req)/;

/** Turns of the loop after which nobody waits any longer: something may be under way that never ends. */
const MOST_TURNS = 5_000;

/** How often nothing has to be under way, one turn of the loop after the other. */
const TURNS = 3;

/**
 * Waits until all that was begun on the disk, or by programs, is done, and what follows from it: so that what is seen next
 * depends on no speed.
 */
export async function untilQuiet(): Promise<void> {
  for (let quiet = 0, turn = 0; quiet < TURNS && turn < MOST_TURNS; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    quiet = process.getActiveResourcesInfo().some((what) => underWay.test(what)) ? 0 : quiet + 1;
  }
}
