// @ts-check
/** `npm run schema`: writes the JSON schema of questions files from the schema of their reader. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { repoRoot } from './paths.mjs';
import { questionJsonSchema } from './questionJsonSchema.mjs';

const { outputFiles } = await build({
  entryPoints: [path.join(repoRoot, 'src/questions/questionSchema.ts')],
  bundle: true,
  format: 'esm',
  write: false,
});
const source = encodeURIComponent(outputFiles[0]?.text ?? '');
const { writtenFileSchema } = await import(`data:text/javascript,${source}`);
const text = questionJsonSchema(writtenFileSchema);
await writeFile(path.join(repoRoot, 'docs-questions.schema.json'), text);
