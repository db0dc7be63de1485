/** Files that usually hold secrets and that git usually ignores. */

/** Endings of example files, which are made to be shared. */
const exampleEnding = /\.(?:example|sample|template|tmpl|dist|defaults?|schema|md)$/i;

const secretNames: readonly RegExp[] = [
  // `.env`, `.env.local`, `production.env`, `.envrc`, `.dev.vars`
  /^\.env(?:rc|\..*)?$|\.env$|^\.dev\.vars(?:\..*)?$|^\.flaskenv$/,
  /\.(?:pem|p12|pfx|key|jks|keystore|kdbx?|ppk|gpg|ovpn|p8|mobileprovision|tfvars|agekey)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /^\.(?:npmrc|netrc|pgpass|my\.cnf|pypirc|git-credentials|htpasswd|vault-token|boto|s3cfg|dockercfg|dockerconfigjson)$|^_netrc$/,
  /^credentials(?:\.(?:json|ya?ml|toml|ini|xml|csv|db))?$|^\.credentials$/,
  /^secrets?(?:\.[\w-]+)?\.(?:json|ya?ml|toml|ini|env|properties)$/,
  /^(?:service[-_]?account|client[-_]secrets?)(?:[-_.].*)?\.json$/,
  /^terraform\.tfstate(?:\.backup)?$|^kubeconfig$|^\.kubeconfig$|^auth\.json$/,
];

/** Folders and files of programs that keep their keys there. */
const secretPaths = /(?:^|\/)\.(?:(?:ssh|aws|gnupg)\/|kube\/config$|docker\/config\.json$)/;

/** Files in those folders that everyone may see. */
const publicNames = /\.pub$|^known_hosts|^authorized_keys$/;

/**
 * Returns whether a file usually holds secrets, by its path alone.
 * @param path with forward slashes.
 */
export function isSecretFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (exampleEnding.test(name) || publicNames.test(name)) return false;
  return secretPaths.test(path.toLowerCase()) || secretNames.some((pattern) => pattern.test(name));
}
