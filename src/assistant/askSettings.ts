/** What a question needs to know about its site. Read anew for each question, then kept for it. */
export interface AskSettings {
  /** Checked and without a trailing slash; may carry a path. Absent: no site is set up. */
  readonly baseUrl: string | undefined;
  /** Why the assistant is off for this site, which then has no base address here. */
  readonly unavailable?: 'assistant-air-gapped' | 'assistant-switched-off';
  /** The identifier in the endpoint's path (platform-api.md § Create an Assistant message). */
  readonly assistantDomain: string | undefined;
  /** `anonymous` or a unique user identifier. */
  readonly fp: string;
  readonly retrievalPageSize: number;
  readonly filter: AskFilter;
  /** Longest silence after the response's headers. Any byte ends it. */
  readonly idleTimeoutMs: number;
  /** Longest wait for the response's headers. */
  readonly headersTimeoutMs: number;
}

/** Search filter criteria; an absent field does not filter. */
export interface AskFilter {
  readonly version?: string;
  readonly language?: string;
  readonly groups?: readonly string[];
}
