/** Returns a key that is equal for names that Windows or macOS takes for the same. */
export function nameKeyOf(name: string): string {
  return name.normalize('NFKC').toLocaleLowerCase('en');
}
