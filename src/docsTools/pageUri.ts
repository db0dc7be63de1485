/** Address of a page as a resource of MCP: this prefix and the path that `read_docs_page` takes. */
export const PAGE_URI_PREFIX = 'docs://local/';
