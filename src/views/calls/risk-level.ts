/** How great a risk is, in a word. */
export type RiskLevel = 'high' | 'medium' | 'low';
