/** Headers as plain objects, as the fault proxy records and sets them. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Headers that belong to one connection, not to the exchange. */
const connectionHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

export function withoutNulls(
  headers: Readonly<Record<string, string | readonly string[] | null | undefined>>,
): HttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value == null ? [] : [[name, value]])),
  );
}

export function lowerCased<T>(headers: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** Returns the headers that a proxy may forward on another connection. */
export function withoutConnection(headers: HttpHeaders): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      connectionHeaders.includes(name)
        ? []
        : [[name, typeof value === 'string' ? value : [...value]]],
    ),
  );
}
