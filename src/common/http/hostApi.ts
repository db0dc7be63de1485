/** Names that the host of a site and the box in its pages share. */

/**
 * Header `Server-Timing` of a page, by which the box knows that the host counts searches without a result. Scripts can
 * read it without a request, and no other host sends it.
 */
export const COUNTS_MARK = 'docs-assistant-counts';

/** Path for searches without a result, within the folder of the box. */
export const SEARCHES_PATH = 'host/searches';
