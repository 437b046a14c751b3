import type { Mark } from '../../../events/descriptor.ts';
import type { Tone } from '../parts/state-sign.tsx';

const tones: Readonly<Record<Mark, Tone>> = {
  failure: 'bad',
  question: 'wait',
  approval: 'wait',
  answer: 'go',
  attempt: 'calm',
  task: 'good',
  steered: 'calm',
  sprint: 'go',
};

/** The colour of how an event stands out. */
export function toneOfMark(mark: Mark | undefined): Tone {
  return mark === undefined ? 'calm' : tones[mark];
}
