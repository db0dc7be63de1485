/**
 * Shell scripts of the generated workflows, for `bash -eo pipefail`. They contain nothing that people
 * entered: domains, paths and commands come as environment variables, so that nothing needs to be
 * quoted for a shell and nothing entered can run as code.
 *
 * | Variable | Content |
 * |---|---|
 * | `DOCS_DOMAIN`, `DOCS_API_URL` | site, and base URL of the export API |
 * | `DOCS_PACKAGE` | what `npm install` gets |
 * | `DOCS_QUESTIONS` | questions file |
 * | `DOCS_VALUES` | values file |
 * | `DOCS_STORE_COMMAND` | command that stores the link, which it reads from stdin |
 */
import type { WorkflowOptions } from './workflowOptions';

/** Folder of the files that a run writes, relative to the repository's top. */
export const RELEASE_FOLDER = 'docs-release';

/** Returns the variables of the scripts, with their values. */
export function scriptVariables(options: WorkflowOptions): readonly [string, string][] {
  const { exportDomain, apiUrl, packageSpec, questions, link } = options;
  const values = {
    DOCS_DOMAIN: exportDomain,
    DOCS_API_URL: apiUrl,
    DOCS_PACKAGE: packageSpec,
    DOCS_QUESTIONS: questions,
    DOCS_VALUES: link?.kind === 'values' ? link.file : undefined,
    DOCS_STORE_COMMAND: link?.kind === 'store' ? link.command : undefined,
    DOCS_ASSISTANT_STATE: `${RELEASE_FOLDER}/state`,
  };
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
}

/** Branch of the pull or merge request. Each run replaces what was on it. */
export const LINK_BRANCH = 'docs-assistant/bundle-link';

/** Title of the request and of its commit. */
export const LINK_TITLE = 'Update the docs bundle link';

/** Name of the secret with the admin key. */
export const KEY_SECRET = 'DOCS_ASSISTANT_ADMIN_KEY';

/** Installs the command line, whose package has no dependencies and no install scripts. */
export const installScript =
  'npm install --global --ignore-scripts --no-audit --no-fund "$DOCS_PACKAGE"';

/** Exports the site. It resumes the job of an earlier run that was interrupted. */
export const exportScript = `\
mkdir -p ${RELEASE_FOLDER}
docs-assistant export run --domain "$DOCS_DOMAIN" --api-url "$DOCS_API_URL" \\
  --output ${RELEASE_FOLDER}/bundle.tar.gz --fail-on none`;

export const checkScript = `\
docs-assistant bundle check ${RELEASE_FOLDER}/bundle.tar.gz \\
  --markdown ${RELEASE_FOLDER}/check.md`;

/** Compares with the last release, and says so if there is none. */
export const compareScript = `\
if [ ! -f ${RELEASE_FOLDER}/last/bundle.tar.gz ]; then
  echo "There is no earlier release to compare with."
  exit 0
fi
docs-assistant bundle diff ${RELEASE_FOLDER}/last/bundle.tar.gz ${RELEASE_FOLDER}/bundle.tar.gz \\
  --markdown ${RELEASE_FOLDER}/changes.md --redirects ${RELEASE_FOLDER}/redirects.json`;

/** Asks the questions, and says which ones passed in the last release and fail now. */
export function questionsScript(more = ''): string {
  return `\
before=()
if [ -f ${RELEASE_FOLDER}/last/questions.json ]; then
  before=(--before ${RELEASE_FOLDER}/last/questions.json)
fi
docs-assistant test "$DOCS_QUESTIONS" --docs ${RELEASE_FOLDER}/bundle.tar.gz${more} \\
  --junit ${RELEASE_FOLDER}/questions.xml --json ${RELEASE_FOLDER}/questions.json "\${before[@]}"`;
}

/**
 * Writes the bundle link into a file that only this user can read and that the shell deletes when it
 * ends. No child process gets the link in an argument or a variable.
 */
export const linkScript = `\
link_folder=$(mktemp -d)
trap 'rm -rf "$link_folder"' EXIT
link_file="$link_folder/bundle-link"
docs-assistant export link --domain "$DOCS_DOMAIN" --api-url "$DOCS_API_URL" --output "$link_file"`;

/** Sets the link in the values file, and ends the step if nothing changed. */
export const setValuesScript = `\
docs-assistant values set "$DOCS_VALUES" --link-file "$link_file"
if git diff --quiet -- "$DOCS_VALUES"; then
  echo "$DOCS_VALUES already has this link."
  exit 0
fi`;

/**
 * Hands the link to the secret store. Stores keep what they read byte for byte, so the line break at
 * the end of the file would become a part of the link.
 */
export const storeScript = `\
tr -d '\\n' < "$link_file" > "$link_file.value"
bash -eo pipefail -c "$DOCS_STORE_COMMAND" < "$link_file.value"`;

/** Commits the values file to the branch of the request. */
export const commitScript = `\
git switch --quiet --force-create ${LINK_BRANCH}
git add -- "$DOCS_VALUES"
git commit --quiet --message "${LINK_TITLE}"`;
