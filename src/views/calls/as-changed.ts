/** What is said of a call that a human has changed, and let run so: `allowed as changed by ada, and failed`. */
export function asChanged(hasFailed: boolean, whose = ''): string {
  return `allowed as changed${whose}${hasFailed ? ', and failed' : ''}`;
}
