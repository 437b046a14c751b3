import base from '../page/look/base.css?raw';
import call from '../page/look/call.css?raw';
import diff from '../page/look/diff.css?raw';
import facts from '../page/look/facts.css?raw';
import progress from '../page/look/progress.css?raw';
import prose from '../page/look/prose.css?raw';
import state from '../page/look/state.css?raw';
import text from '../page/look/text.css?raw';
import tokens from '../page/look/tokens.css?raw';
import report from './report.css?raw';
import tasks from './tasks.css?raw';

/** What a report looks like: as the page does, from the same sheets. */
export const styles: string = [
  tokens,
  base,
  text,
  state,
  progress,
  facts,
  prose,
  call,
  diff,
  report,
  tasks,
].join('\n');
