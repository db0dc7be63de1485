/** Finds keys among the arguments, which other users of the machine can read. */

/** Assistant and user keys, and keys of model endpoints such as `sk-…`, also inside a sentence. */
const markedKey =
  /(?:^|[^A-Za-z0-9-])(?:[A-Za-z0-9-]{1,40}_(?:dsc|us)_[A-Za-z0-9][\w-]{7,}|sk-(?:[a-z]+-)?[\w-]{20,}|gh[pousr]_[A-Za-z0-9]{30,})/;

/** An admin key: a prefix and a long body of letters and digits, without the words of a name. */
const adminKey = /^[A-Za-z][A-Za-z0-9-]{0,39}_(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{16,}$/;

/** A presigned link, by the parameters of the signatures of object stores and of this program. */
const presignedLink =
  /[?&](?:(?:x-amz-|x-goog-|x-)?signature|sig|x-amz-security-token)=[^&\s]{8,}/i;

/** Flags that people try for keys. None of them exists. */
const keyFlag = /^--(?:(?:api|assistant|admin|model)-?)?(?:key|token|secret|password)(?:=|$)/i;

/**
 * Returns whether an argument is or holds a presigned link, which opens a bundle for everyone who
 * reads it.
 */
export function hasPresignedLink(argument: string): boolean {
  return presignedLink.test(argument);
}

/**
 * Returns whether an argument is or holds a key, or is a flag for one. The argument is never shown,
 * because terminals and logs of CI keep what is printed.
 */
export function hasKey(argument: string): boolean {
  const value = argument.startsWith('--') ? argument.slice(argument.indexOf('=') + 1) : argument;
  return (
    keyFlag.test(argument) ||
    markedKey.test(argument) ||
    adminKey.test(value.trim().replace(/^Bearer\s+/i, ''))
  );
}
