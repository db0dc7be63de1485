// @ts-check
/** `npm run schema`: writes the JSON schemas of questions files and of the service's manifest from those of their readers. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { repoRoot } from './paths.mjs';
import { questionJsonSchema, serviceJsonSchema } from './questionJsonSchema.mjs';

/** @param {string} file @returns {Promise<any>} the module of a source file */
async function built(file) {
  const { outputFiles } = await build({
    entryPoints: [path.join(repoRoot, file)],
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
}

const { writtenFileSchema } = await built('src/questions/questionSchema.ts');
const { manifestSchema } = await built('src/service/company/sites/manifestSchema.ts');
for (const [file, text] of [
  ['docs-questions.schema.json', questionJsonSchema(writtenFileSchema)],
  ['src/service/company/sites/service.schema.json', serviceJsonSchema(manifestSchema)],
]) {
  await writeFile(path.join(repoRoot, file ?? ''), text ?? '');
}
