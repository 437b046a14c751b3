import type { KeyWalk } from '../../../helpers/key-walk.ts';
import type { Project } from '../../../../src/workflow/project/project.ts';

/** Where keys are walked through. */
export type Stage = {
  readonly walk: KeyWalk;
  /** Of the same project as the program's, to have others do something. */
  readonly project: Project;
  /** Starts the program again after it was left. */
  readonly again: () => Promise<void>;
};
