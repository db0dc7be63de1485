/** Finds keys among the arguments. Other users of the machine can read arguments. */

/** Assistant and user keys, and keys of model endpoints such as `sk-…`, also inside a sentence. */
const markedKey =
  /(?:^|[^A-Za-z0-9-])(?:[A-Za-z0-9-]{1,40}_(?:dsc|us)_[A-Za-z0-9][\w-]{7,}|sk-(?:[a-z]+-)?[\w-]{20,}|gh[pousr]_[A-Za-z0-9]{30,})/;

/**
 * An admin key: a prefix and a long body of mixed letters and digits, which no ordinary name has.
 */
const adminKey = /^[A-Za-z][A-Za-z0-9-]{0,39}_(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{16,}$/;

/**
 * A presigned link, recognized by the signature parameters of object stores and of the local docs
 * service.
 */
const presignedLink =
  /[?&](?:(?:x-amz-|x-goog-|x-)?signature|sig|x-amz-security-token)=[^&\s]{8,}/i;

/** Flags that people may try for keys. {@link withoutPublicKey} leaves out the two that commands have. */
const keyFlag = /^--(?:(?:api|assistant|admin|model)-?)?(?:key|token|secret|password)(?:=|$)/i;

/**
 * Returns whether an argument contains a presigned link. Everyone who has the link can read the
 * bundle.
 */
export function hasPresignedLink(argument: string): boolean {
  return presignedLink.test(argument);
}

/**
 * Returns whether an argument contains a key or is a flag for one. Never print such an argument:
 * terminals and CI logs keep their output.
 */
export function hasKey(argument: string): boolean {
  const value = argument.startsWith('--') ? argument.slice(argument.indexOf('=') + 1) : argument;
  return (
    keyFlag.test(argument) ||
    markedKey.test(argument) ||
    adminKey.test(value.trim().replace(/^Bearer\s+/i, ''))
  );
}

/** An assistant key by its form. It may stand in arguments of `bundle enhance`, because it goes into the pages. */
const assistantKey = /^[A-Za-z0-9-]+_dsc_[^_]/;

/**
 * Returns the arguments without an assistant key that `bundle enhance` makes public anyway, and without the flag
 * `--secret` of `values set`, whose value is the name of a Kubernetes Secret.
 */
export function withoutPublicKey(args: readonly string[]): readonly string[] {
  const [group, command] = args;
  if (group === 'values' && command === 'set') {
    return args.map((argument) => argument.replace(/^--secret(?:=|$)/, ''));
  }
  if (group !== 'bundle' || command !== 'enhance') return args;
  const isKey = (at: number): boolean =>
    args[at] === '--key' && assistantKey.test(args[at + 1] ?? '');
  return args.filter(
    (argument, at) =>
      !isKey(at) && !isKey(at - 1) && !assistantKey.test(/^--key=(.*)$/s.exec(argument)?.[1] ?? ''),
  );
}
