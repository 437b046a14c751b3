import type { Metric } from './metric.ts';

/** Counts values by how great they are. */
export class Histogram {
  readonly #about: Pick<Metric, 'name' | 'help'>;
  readonly #buckets: { readonly limit: number; count: number }[];
  #count = 0;
  #sum = 0;

  /** `limits`: the greatest value of each bucket, ascending. */
  constructor(about: Pick<Metric, 'name' | 'help'>, limits: readonly number[]) {
    this.#about = about;
    this.#buckets = limits.map((limit) => ({ limit, count: 0 }));
  }

  add(value: number): void {
    this.#count += 1;
    this.#sum += value;
    const bucket = this.#buckets.find(({ limit }) => value <= limit);
    if (bucket) bucket.count += 1;
  }

  /** Each bucket has what the smaller ones have, too. */
  metric(): Metric {
    let below = 0;
    const buckets = this.#buckets.map(({ limit, count }) => {
      below += count;
      return { suffix: '_bucket', labels: { le: String(limit) }, value: below };
    });
    return {
      ...this.#about,
      type: 'histogram',
      samples: [
        ...buckets,
        { suffix: '_bucket', labels: { le: '+Inf' }, value: this.#count },
        { suffix: '_sum', value: this.#sum },
        { suffix: '_count', value: this.#count },
      ],
    };
  }
}
