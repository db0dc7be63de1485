import type { Translate } from '../../common/errors';
import { counted } from '../../shared/units';
import type { HostingSite } from './hostingSite';
import type { ContentSecurityPolicy, PolicyConcession } from './policy/contentSecurityPolicy';
import type { PolicyDoubt } from './policy/policyNeeds';

/** Maximum number of redirects that a sentence names. */
const MAX_NAMED = 3;

/**
 * Returns sentences about the limits of a configuration: broad permissions of the policy, behavior
 * that the files don't show, and redirects that the configuration leaves out.
 *
 * @param redirectsLeftOut number of redirects beyond the host's limit.
 */
export function hostingNotes(
  site: HostingSite,
  policy: ContentSecurityPolicy,
  redirectsLeftOut: number,
  t: Translate,
): string[] {
  const { needs, hasNotFoundPage, unreadFiles, redirects } = site;
  const notes = policy.concessions.map((concession) => concessionText(concession, site, t));
  for (const doubt of needs.doubts) notes.push(...doubtText(doubt, t));
  if (unreadFiles > 0) {
    notes.push(
      counted(unreadFiles, t('1 file could not be read, so the policy doesn’t cover it.'), (many) =>
        t('{0} files could not be read, so the policy doesn’t cover them.', many),
      ),
    );
  }
  if (!hasNotFoundPage) {
    notes.push(t('The bundle has no 404.html, so the host shows its own page for missing pages.'));
  }
  const { unusable } = redirects;
  if (unusable.length > 0) {
    const names = unusable.slice(0, MAX_NAMED).map(({ from }) => from);
    const named = [...names, ...(unusable.length > MAX_NAMED ? ['…'] : [])].join(', ');
    notes.push(
      counted(
        unusable.length,
        t(
          '1 redirect is left out, because the old page still exists, the target is missing, or it is part of a loop: {0}',
          named,
        ),
        (many) =>
          t(
            '{0} redirects are left out, because the old page still exists, the target is missing, or they form a loop: {1}',
            many,
            named,
          ),
      ),
    );
  }
  if (redirectsLeftOut > 0) {
    notes.push(
      counted(
        redirectsLeftOut,
        t('1 redirect is left out, because the host doesn’t accept more.'),
        (many) => t('{0} redirects are left out, because the host doesn’t accept more.', many),
      ),
    );
  }
  return notes;
}

function concessionText(
  concession: PolicyConcession,
  { needs }: HostingSite,
  t: Translate,
): string {
  switch (concession) {
    case 'inline-scripts':
      return t(
        'The pages have {0} different inline scripts, too many to list. The policy allows all inline scripts, so it doesn’t stop injected ones. It still blocks scripts from other hosts.',
        needs.scripts.count,
      );
    case 'inline-handlers':
      return t(
        'The pages have {0} different event handlers in attributes, too many to list. The policy allows them all.',
        needs.handlers.count,
      );
    case 'inline-styles':
      return t(
        'The pages have {0} different style elements, too many to list. The policy allows all inline styles.',
        needs.styles.count,
      );
    case 'style-attributes':
      return t(
        'The pages have {0} different style attributes, too many to list. The policy allows them all.',
        needs.styleAttributes.count,
      );
    case 'many-hosts':
      return t(
        'The pages load images, styles or data from many hosts. The policy allows all hosts with HTTPS for these.',
      );
  }
}

function doubtText({ code, file, count }: PolicyDoubt, t: Translate): string[] {
  switch (code) {
    case 'evaluates':
      return [
        t(
          '{0} runs text as code, so the policy allows unsafe-eval. Remove unsafe-eval if the site works without it.',
          file,
        ),
      ];
    case 'builds-styles':
      return [t('{0} adds styles to pages, so the policy allows all inline styles.', file)];
    case 'unknown-requests':
      return [
        counted(
          count,
          t(
            'A script in {0} computes the URL of a request. If the URL leads to another host, add the host to connect-src.',
            file,
          ),
          (many) =>
            t(
              'Scripts compute the URLs of {0} requests, such as in {1}. If a URL leads to another host, add the host to connect-src.',
              many,
              file,
            ),
        ),
      ];
    case 'unreadable-script':
      return [
        counted(
          count,
          t('A script in {0} can’t be parsed. The policy doesn’t cover it.', file),
          (many) =>
            t(
              '{0} scripts can’t be parsed, such as in {1}. The policy doesn’t cover them.',
              many,
              file,
            ),
        ),
      ];
    case 'javascript-url':
      return [t('Links with javascript: don’t work with the policy, such as in {0}.', file)];
    case 'odd-address':
      return [
        counted(
          count,
          t('The policy can’t allow a URL in {0} safely, so it blocks it.', file),
          (many) =>
            t(
              'The policy can’t allow {0} URLs safely, such as in {1}, so it blocks them.',
              many,
              file,
            ),
        ),
      ];
    case 'outside-scripts':
      return [
        t(
          'Pages run scripts from other hosts, such as in {0}. The policy doesn’t cover what these scripts load.',
          file,
        ),
      ];
    case 'outside-styles':
      return [
        t(
          'Pages use style sheets from other hosts, such as in {0}. The policy doesn’t cover what these style sheets load.',
          file,
        ),
      ];
    case 'wasm':
      return [];
  }
}
