import type { PolicyNeeds } from './policyNeeds';
import type { SourceDirective } from './policySources';

/**
 * A kind of code or host that a policy allows as a whole, because naming each one would make the
 * policy too long.
 */
export type PolicyConcession =
  | 'inline-scripts'
  | 'inline-handlers'
  | 'inline-styles'
  | 'style-attributes'
  | 'many-hosts';

export interface ContentSecurityPolicy {
  /** Value of the header, one line of ASCII. */
  readonly value: string;
  readonly concessions: readonly PolicyConcession[];
}

/**
 * Maximum number of hashes for one kind of inline code. A site with more has different inline code on
 * each page, so the policy would grow with every page.
 */
const MAX_NAMED = 40;

/** Maximum number of sources in one directive. */
const MAX_HOSTS = 30;

/**
 * Directives that may allow all hosts. Script directives may not: a policy that allows scripts from
 * everywhere protects nothing.
 */
const manyHosts: ReadonlySet<SourceDirective> = new Set([
  'style-src',
  'img-src',
  'font-src',
  'media-src',
  'connect-src',
  'frame-src',
]);

/**
 * Concessions that shorten the policy, in the order in which they are tried. The least harmful comes
 * first.
 */
const concessionOrder: readonly PolicyConcession[] = [
  'style-attributes',
  'inline-styles',
  'inline-handlers',
  'many-hosts',
  'inline-scripts',
];

/**
 * Returns the strictest policy with which the pages still work. The policy names inline code by its hash.
 * If the hashes or hosts don't fit, the policy allows the whole kind, and `concessions` lists it.
 *
 * @param maxLength maximum number of characters that the server accepts in a header.
 */
export function contentSecurityPolicy(
  needs: PolicyNeeds,
  maxLength = Infinity,
): ContentSecurityPolicy {
  const concessions = new Set<PolicyConcession>();
  const { scripts, handlers, styles, styleAttributes } = needs;
  if (scripts.count > MAX_NAMED) concessions.add('inline-scripts');
  if (handlers.count > MAX_NAMED) concessions.add('inline-handlers');
  if (styles.count > MAX_NAMED) concessions.add('inline-styles');
  if (styleAttributes.count > MAX_NAMED) concessions.add('style-attributes');
  if (mostHosts(needs) > MAX_HOSTS) concessions.add('many-hosts');
  let value = policyText(needs, concessions);
  for (const concession of concessionOrder) {
    if (value.length <= maxLength) break;
    if (!helps(concession, needs)) continue;
    concessions.add(concession);
    value = policyText(needs, concessions);
  }
  return { value, concessions: concessionOrder.filter((each) => concessions.has(each)) };
}

function helps(concession: PolicyConcession, needs: PolicyNeeds): boolean {
  switch (concession) {
    case 'style-attributes':
      return needs.styleAttributes.count > 0;
    case 'inline-styles':
      return needs.styles.count > 0;
    case 'inline-handlers':
      return needs.handlers.count > 0;
    case 'inline-scripts':
      return needs.scripts.count > 0;
    case 'many-hosts':
      return mostHosts(needs) > 2;
  }
}

/** Returns the largest number of sources among the directives that may allow all hosts. */
function mostHosts({ sources }: PolicyNeeds): number {
  return Math.max(...[...manyHosts].map((directive) => sources[directive].length));
}

function policyText(needs: PolicyNeeds, concessions: ReadonlySet<PolicyConcession>): string {
  const hosts = (directive: SourceDirective): readonly string[] => {
    const all = needs.sources[directive];
    const isGivenUp = concessions.has('many-hosts') && manyHosts.has(directive);
    if (!isGivenUp || all.length <= 2) return all;
    const schemes = all.filter((source) => source.endsWith(':'));
    const most = directive === 'connect-src' ? ['https:', 'wss:'] : ['https:'];
    return [...schemes, ...most];
  };
  const directives: [string, readonly string[]][] = [
    ['default-src', ["'self'"]],
    ...scriptDirectives(needs, concessions, hosts('script-src')),
    ...styleDirectives(needs, concessions, hosts('style-src')),
    ['img-src', ["'self'", ...hosts('img-src')]],
  ];
  for (const name of [
    'font-src',
    'media-src',
    'connect-src',
    'frame-src',
    'worker-src',
    'manifest-src',
  ] as const) {
    const all = hosts(name);
    if (all.length > 0) directives.push([name, ["'self'", ...all]]);
  }
  const objects = hosts('object-src');
  directives.push(['object-src', objects.length > 0 ? ["'self'", ...objects] : ["'none'"]]);
  const bases = hosts('base-uri');
  directives.push(['base-uri', bases.length > 0 ? bases : ["'none'"]]);
  directives.push(['form-action', ["'self'", ...hosts('form-action')]]);
  directives.push(['frame-ancestors', ["'self'"]]);
  return directives.map(([name, values]) => `${name} ${values.join(' ')}`).join('; ');
}

function scriptDirectives(
  { scripts, handlers, evaluates, compilesWasm }: PolicyNeeds,
  concessions: ReadonlySet<PolicyConcession>,
  hosts: readonly string[],
): [string, readonly string[]][] {
  const values = ["'self'", ...hosts];
  if (evaluates) values.push("'unsafe-eval'");
  else if (compilesWasm) values.push("'wasm-unsafe-eval'");
  if (concessions.has('inline-scripts')) {
    // Browsers ignore 'unsafe-inline' if the directive also has a hash.
    return [['script-src', [...values, "'unsafe-inline'"]]];
  }
  const named = [...values, ...quoted(scripts.hashes)];
  if (handlers.count === 0) return [['script-src', named]];
  if (concessions.has('inline-handlers')) {
    return [
      ['script-src', named],
      ['script-src-attr', ["'unsafe-inline'"]],
    ];
  }
  return [['script-src', [...named, "'unsafe-hashes'", ...quoted(handlers.hashes)]]];
}

function styleDirectives(
  { styles, styleAttributes, buildsStyles }: PolicyNeeds,
  concessions: ReadonlySet<PolicyConcession>,
  hosts: readonly string[],
): [string, readonly string[]][] {
  const values = ["'self'", ...hosts];
  if (buildsStyles || concessions.has('inline-styles')) {
    return [['style-src', [...values, "'unsafe-inline'"]]];
  }
  const named = [...values, ...quoted(styles.hashes)];
  if (styleAttributes.count === 0) return [['style-src', named]];
  if (concessions.has('style-attributes')) {
    return [
      ['style-src', named],
      ['style-src-attr', ["'unsafe-inline'"]],
    ];
  }
  return [['style-src', [...named, "'unsafe-hashes'", ...quoted(styleAttributes.hashes)]]];
}

function quoted(hashes: readonly string[]): string[] {
  return hashes.map((hash) => `'${hash}'`);
}
