import type { GrantedRule as FoldedRule } from '../../machines/project-state.ts';

/** A yes of a human that holds for later calls of the same tool, too: server and tool letter by letter, no patterns. */
export type GrantedRule = Omit<FoldedRule, 'recordedIn'>;
