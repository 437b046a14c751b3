/** Of these a whole call is called risky, the worst first. */
export const highRisks = ['destroys', 'sends', 'rights'] as const;
/** See {@link highRisks}. */
export type HighRisk = (typeof highRisks)[number];

/**
 * What a command does that a person should not overlook, the worst first. `rights`: it runs with those of another user. `overwrites`: it
 * may write over files that are there. `code`: it runs code of another language, given in its words. `outside`: it reaches other machines.
 */
export const commandRisks = [...highRisks, 'overwrites', 'code', 'outside'] as const;
/** See {@link commandRisks}. */
export type CommandRisk = (typeof commandRisks)[number];
