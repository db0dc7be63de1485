import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { SiteState } from './sites/hostedSite';

/** Seconds up to which requests are counted together. */
const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts what the service does, for Prometheus. No label holds anything that a reader has written. */
export class ServiceMetrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'route' | 'status'>;
  readonly #answers: Counter<'site' | 'found'>;

  constructor(sites: () => readonly SiteState[]) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: 'docs_assistant_request_seconds',
      help: 'Time until the response has ended, by route and status.',
      labelNames: ['route', 'status'],
      buckets: BUCKETS,
      registers,
    });
    this.#answers = new Counter({
      name: 'docs_assistant_replies_total',
      help: 'Replies that were sent, by site and by whether the docs had a source.',
      labelNames: ['site', 'found'],
      registers,
    });
    const gauge = (name: string, help: string, valueOf: (site: SiteState) => number): void => {
      new Gauge({
        name,
        help,
        labelNames: ['site'],
        registers,
        collect() {
          this.reset();
          for (const site of sites()) this.set({ site: site.domain }, valueOf(site));
        },
      });
    };
    gauge('docs_assistant_site_pages', 'Pages of a site.', ({ pages }) => pages);
    gauge('docs_assistant_site_failed', '1 if the last refresh of a site failed.', ({ problem }) =>
      problem === undefined ? 0 : 1,
    );
    gauge(
      'docs_assistant_site_refreshed_seconds',
      'Time of the last refresh of a site that succeeded, in seconds since the epoch.',
      ({ refreshedAt }) => (refreshedAt ?? 0) / 1000,
    );
  }

  /** Counts a request that has ended. */
  request(route: string, status: number, ms: number): void {
    this.#requests.observe({ route, status: String(status) }, ms / 1000);
  }

  answered(site: string, hasSources: boolean): void {
    this.#answers.inc({ site, found: hasSources ? 'yes' : 'no' });
  }

  /** Returns all figures in the text format of Prometheus. */
  async text(): Promise<{ readonly body: string; readonly contentType: string }> {
    return { body: await this.#registry.metrics(), contentType: this.#registry.contentType };
  }
}
