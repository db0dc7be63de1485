// @ts-check
/** Compares the files of a package with the files that it must and may contain. */

/**
 * @param {readonly string[]} names files of the package
 * @param {readonly string[]} required files that must be there
 * @param {readonly RegExp[]} allowed patterns of all other files that may be there
 * @returns {string[]} what is missing and what has no business there
 */
export function packageFileProblems(names, required, allowed) {
  const isKnown = (/** @type {string} */ name) =>
    required.includes(name) || allowed.some((pattern) => pattern.test(name));
  return [
    ...required.filter((name) => !names.includes(name)).map((name) => `missing: ${name}`),
    ...names.filter((name) => !isKnown(name)).map((name) => `unexpected: ${name}`),
  ];
}
