/** What a channel may show: the names of sprint and task alone, or what is asked and answered, too. */
export type Shows = 'names' | 'questions';
