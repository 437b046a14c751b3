import type { OutputChannel } from '../../lib/processes/start-group.ts';
import type { Conversation, OutputParser } from '../agents/agent-adapter.ts';
import type { FactPlace } from '../output/signal-facts.ts';
import type { Transcript } from '../output/transcript.ts';
import type { FoundPrompt } from '../prompts/prompt-watch.ts';
import type { AttemptTraits } from './attempt-ending.ts';
import type { RunFiles } from './run-files.ts';

/** What an attempt is about, and where its output goes. */
export type AttemptParts = AttemptTraits & {
  readonly transcript: Transcript;
  /** What it needs while it lives. */
  readonly files: RunFiles;
  /** Reads its structured output; `undefined`: it prints plain text. */
  readonly parser: OutputParser | undefined;
  /** Speaks with it on its stdin and stdout. `undefined`: it is only read. */
  readonly conversation?:
    | Pick<Conversation, 'converse' | 'cancel' | 'leave' | 'noteExit' | 'settled' | 'canSteer' | 'steer'>
    | undefined;
  /** How it is named as the one who asks. */
  readonly client: string;
  /** How a call of a tool of its own is written down. */
  readonly ownCall: FactPlace['ownCall'];
  readonly onOutput: (channel: OutputChannel, text: string) => void;
  /** Called when something happened that decisions depend on: facts to record, or the end. */
  readonly onNews: () => void;
};

/** An attempt at a prompt. */
export type PromptAsker = Pick<AttemptParts, 'runId' | 'taskId' | 'client'> & {
  readonly prompt: FoundPrompt | undefined;
  /** An answer can be typed into it. */
  readonly isTypable: boolean;
};
