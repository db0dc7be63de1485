import { describedBy, type ErrorTable } from '../../../common/describeError';
import { type ErrorDetails, ReportedError, type Translate } from '../../../common/errors';

type SiteErrorCode =
  | 'bad-url'
  | 'nothing-published'
  | 'nothing-readable'
  | 'disallowed'
  | 'robots-unreadable'
  | 'elsewhere'
  | 'private-address'
  | 'asks-to-wait'
  | 'unreachable'
  | 'too-slow'
  | 'too-large'
  | 'cache-unusable';

interface SiteErrorDetails extends ErrorDetails {
  /** Name of the file that the error is about, such as `llms-full.txt`. */
  readonly file?: string | undefined;
  /** Limit that the file exceeds, as text, such as `64 MB`. */
  readonly size?: string | undefined;
}

/** A public site could not be fetched. No pages of this attempt are kept. */
export class SiteError extends ReportedError {
  override readonly name = 'SiteError';

  constructor(
    override readonly code: SiteErrorCode,
    override readonly details: SiteErrorDetails = {},
  ) {
    super(code, details);
  }
}

const sentences: ErrorTable<SiteErrorCode, never, SiteErrorDetails> = {
  'bad-url': {
    message: (t) =>
      t('Enter the URL of a docs site that starts with https://, without a user name or password.'),
    actions: [],
  },
  'nothing-published': {
    message: (t, d) =>
      t(
        '{0} publishes no llms-full.txt, llms.txt or sitemap.xml. Check the URL, or choose a folder or a bundle of the docs.',
        d.host ?? '',
      ),
    actions: [],
  },
  'nothing-readable': {
    message: (t, d) => t('Can’t read any of the pages that {0} lists.', d.host ?? ''),
    actions: [],
  },
  disallowed: {
    message: (t, d) =>
      t('{0} does not allow programs to read its pages (robots.txt).', d.host ?? ''),
    actions: [],
  },
  'robots-unreadable': {
    message: (t, d) =>
      t(
        '{0} can’t send its robots.txt (HTTP {1}), which says which pages programs can read. Try again later.',
        d.host ?? '',
        d.status ?? 500,
      ),
    actions: [],
  },
  elsewhere: {
    message: (t, d) =>
      t('The site redirects to {0}. Choose that site if you want its docs.', d.host ?? ''),
    actions: [],
  },
  'private-address': {
    message: (t, d) =>
      t(
        '{0} leads to an unexpected address, such as one in a private network. Its pages weren’t fetched.',
        d.host ?? '',
      ),
    actions: [],
  },
  'asks-to-wait': {
    message: (t, d) =>
      t(
        '{0} asks to wait {1} s before the next request. Try again later.',
        d.host ?? '',
        d.seconds ?? 0,
      ),
    actions: [],
  },
  unreachable: {
    message: (t, d) =>
      d.causeCode === undefined
        ? t('Can’t reach {0}. Check your network and the URL, then try again.', d.host ?? '')
        : t(
            'Can’t reach {0} ({1}). Check your network and the URL, then try again.',
            d.host ?? '',
            d.causeCode,
          ),
    actions: [],
  },
  'too-slow': {
    message: (t, d) => t('{0} took too long to respond. Try again later.', d.host ?? ''),
    actions: [],
  },
  'too-large': {
    message: (t, d) =>
      t(
        '{0} of {1} is larger than {2}, and the site publishes its docs in no other form.',
        d.file ?? '',
        d.host ?? '',
        d.size ?? '',
      ),
    actions: [],
  },
  'cache-unusable': {
    message: (t, d) => t('Can’t use the folder for the site’s pages ({0}).', d.causeCode ?? ''),
    actions: [],
  },
};

/** Returns the message for a site that could not be fetched, in the language of `translate`. */
export function siteErrorText(error: SiteError, translate: Translate): string {
  return describedBy(sentences, error, translate).message;
}
