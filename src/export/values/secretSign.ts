/**
 * Matches texts that can hold such a secret. It is cheap, because every file that opens is tested
 * with it.
 */
export const trackedSecretSign =
  /[?&](?:X-Amz-Signature|X-Goog-Signature|X-Signature|Signature|sig)=|[A-Za-z0-9]_us_[A-Za-z0-9]|admin_?(?:api_?)?key/i;
