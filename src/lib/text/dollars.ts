/** What something cost, in US dollars: `$1.10`; of less than half a cent that it is less than one. */
export function dollars(usd: number): string {
  return usd > 0 && usd < 0.005 ? '<$0.01' : `$${usd.toFixed(2)}`;
}
