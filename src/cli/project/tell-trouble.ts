import type { Project } from '../../workflow/project/project.ts';
import { troubleText } from '../../views/text/trouble-text.ts';
import type { Cli } from '../cli.ts';

/** Says when the log cannot be read any more, and when it can again, until the returned function is called. */
export function tellTrouble({ note }: Pick<Cli, 'note'>, project: Project): () => void {
  let isTold = false;
  return project.subscribe(() => {
    const { trouble } = project;
    if (Boolean(trouble) === isTold) return;
    isTold = !isTold;
    note(trouble ? troubleText(trouble) : 'The log can be read again');
  });
}
