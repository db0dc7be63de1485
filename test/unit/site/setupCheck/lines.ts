import assert from 'node:assert/strict';
import type { SetupCheckResult, SetupCheck } from '../../../../src/site/setupCheck/setupCheck';

/** Runs the check with that title and gives its result. */
export function lineOf(checks: readonly SetupCheck[], title: string): Promise<SetupCheckResult> {
  const check = checks.find((one) => one.title === title);
  assert.ok(check, `there is no check “${title}”`);
  return check.run(new AbortController().signal);
}

/** Returns the state and the text of a result, and the actions of its buttons. */
export function shown({ state, text, remedies = [] }: SetupCheckResult): readonly string[] {
  return [state, text, ...remedies.map(({ action }) => action)];
}
