/** Limits that the host and the panel share. They are apart from the schemas, which the command line doesn't need. */

/**
 * Maximum length of one question in characters (UTF-16 code units), in the composer and at the
 * host.
 */
export const MAX_QUESTION_LENGTH = 100_000;

/**
 * Maximum number of characters of code that the webview may ask the host to insert, copy or open.
 */
export const MAX_CODE_LENGTH = 2_000_000;

/** Maximum number of files per question, and the maximum bytes per file and in total. */
export const MAX_FILES = 10;
export const MAX_FILE_BYTES = 5_000_000;
export const MAX_FILES_BYTES = 20_000_000;

/** Maximum length of a thread's title in characters. */
export const MAX_TITLE_LENGTH = 80;

/** Maximum number of threads in one answer about the history. */
export const MAX_HISTORY_ENTRIES = 500;
