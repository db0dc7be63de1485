/**
 * Matches texts that may contain a bundle link or a key of the platform. The test is cheap, because
 * it runs for every file that opens.
 */
export const trackedSecretSign =
  /[?&](?:X-Amz-Signature|X-Goog-Signature|X-Signature|Signature|sig)=|[A-Za-z0-9]_us_[A-Za-z0-9]|admin_?(?:api_?)?key/i;
