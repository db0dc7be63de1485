import type { Claims } from '../../src/export/job/record';

/** Claims that all windows of one test share. */
export class MemoryClaims implements Claims {
  readonly names: string[] = [];
  /** All requested claims, granted or not. */
  attempts = 0;
  /** Error with which every claim fails, if set. */
  failure: Error | undefined;

  claim(name: string): Promise<boolean> {
    this.attempts++;
    if (this.failure) return Promise.reject(this.failure);
    if (this.names.includes(name)) return Promise.resolve(false);
    this.names.push(name);
    return Promise.resolve(true);
  }
}
