import type { Fetch } from '../../src/common/ports';
import { FakeFetch, type Answer, type RecordedRequest } from './fakeFetch';

type Step = 'start' | 'status' | 'bundle';

/** The export API of platform-api.md in memory. A test can script its faults. */
export class FakeExportApi {
  readonly requests: (RecordedRequest & { readonly step: Step })[] = [];
  /** Reply of the status endpoint by job ID. The API answers 404 for other jobs. */
  readonly jobs = new Map<string, object>();
  /** Expiry of the next links, in milliseconds since the epoch. Without it, the links have no `expiresAt`. */
  expiresAt: number | undefined;
  /** The key that it takes. Without it, it takes any. */
  adminKey: string | undefined;
  #queue: { readonly step: Step; readonly answer: Answer }[] = [];
  #bundles = 0;

  readonly fetch: Fetch = (url, init) => {
    const { pathname } = new URL(url);
    const path = pathname.replace('/v1/static-export/jobs', '');
    const step = path === '' ? 'start' : path.endsWith('/bundle') ? 'bundle' : 'status';
    const jobId = decodeURIComponent(path.split('/')[1] ?? '');
    const queued = this.#queue.find((entry) => entry.step === step);
    this.#queue = this.#queue.filter((entry) => entry !== queued);
    const key = new Headers(init.headers).get('authorization');
    const isRefused = this.adminKey !== undefined && key !== `Bearer ${this.adminKey}`;
    const answer = (): Response =>
      isRefused
        ? Response.json({ error: 'The key is no admin key.' }, { status: 401 })
        : this.#answer(step, jobId);
    const recorder = new FakeFetch(queued?.answer ?? answer);
    const response = recorder.fetch(url, init);
    this.requests.push({ ...recorder.request(0), step });
    return response;
  };

  /** Queues answers that replace those of the API. Each request of that step takes one. */
  queue(step: Step, ...answers: readonly Answer[]): void {
    this.#queue.push(...answers.map((answer) => ({ step, answer })));
  }

  count(step: Step): number {
    return this.requests.filter((request) => request.step === step).length;
  }

  #answer(step: Step, jobId: string): Response {
    if (step === 'start') {
      const id = `job-${this.jobs.size + 1}`;
      this.jobs.set(id, { status: 'queued' });
      return Response.json({ jobId: id }, { status: 202 });
    }
    const job = this.jobs.get(jobId);
    if (!job) return Response.json({ error: 'No such job.' }, { status: 404 });
    if (step === 'status') return Response.json(job);
    if (!('status' in job) || job.status !== 'completed') {
      return Response.json({ error: 'The job is not completed.' }, { status: 409 });
    }
    this.#bundles++;
    return Response.json({
      bundleUrl: `https://store.example.com/${jobId}/bundle.tar.gz?sig=CANARY${this.#bundles}`,
      expiresAt: this.expiresAt === undefined ? undefined : new Date(this.expiresAt).toISOString(),
    });
  }
}
