import { CliffordError } from '../../errors.ts';

/** A sprint it could be. `lastEventAt`: RFC 3339, `''` where nothing has happened. */
type Possible = { readonly id: string; readonly lastEventAt: string };

/** No sprint was named, and it could be several, or none that is left. */
export class SprintUnclear extends CliffordError {
  override readonly name = 'SprintUnclear';
  /** Those it could be, by their ids: last the one in which something happened last. Where all are done, those that may be added to. */
  readonly sprints: readonly string[];
  /** None is left that is not done. */
  readonly areFinished: boolean;

  constructor(reason: string, possible: readonly Possible[], areFinished: boolean) {
    const sprints = possible
      .toSorted((a, b) => a.lastEventAt.localeCompare(b.lastEventAt))
      .map(({ id }) => id);
    super(
      `Cannot ${areFinished ? 'find a sprint that is not done' : 'tell which sprint is meant'}: ${reason}`,
      {
        code: 'SPRINT_UNCLEAR',
        fix: whatToDo({ sprints, areFinished }, 'Name the sprint'),
      },
    );
    this.sprints = sprints;
    this.areFinished = areFinished;
  }
}

/** What to do, given how a sprint is named. */
export function whatToDo(
  { sprints, areFinished }: Pick<SprintUnclear, 'sprints' | 'areFinished'>,
  naming: string,
): string {
  const last = sprints.at(-1);
  if (last === undefined) return 'Make one: clifford sprint new <id>';
  return areFinished
    ? `For more to do: clifford task add <id> "…" --sprint ${last}, or clifford sprint new <id>`
    : naming;
}
