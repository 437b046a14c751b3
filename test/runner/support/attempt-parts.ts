import { secretsOf } from '../../../src/events/secrets/redaction.ts';
import type { AttemptParts } from '../../../src/runner/attempt/attempt-parts.ts';
import { runDir, RunFiles } from '../../../src/runner/attempt/run-files.ts';
import { Transcript } from '../../../src/runner/output/transcript.ts';
import { ownCall } from './own-call.ts';

/** What an attempt `run-1` at task `a` is made with. `dir`: the project's `.clifford`. */
export function attemptParts(dir: string): AttemptParts {
  return {
    runId: 'run-1',
    taskId: 'a',
    subject: 'demo/a',
    transcript: new Transcript({ dir, runId: 'run-1', title: '', secrets: secretsOf({}), onEnd: () => {} }),
    files: new RunFiles(runDir(dir, 'run-1')),
    isDoneByExit: false,
    connects: false,
    wasResumed: false,
    parkable: { agent: undefined, resumes: false },
    parser: undefined,
    client: 'sh',
    ownCall,
    onOutput: () => {},
    onNews: () => {},
  };
}
