import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { create } from 'tar';
import { allLetters, asciiLetters, type TreeShape } from '../../builders/generatedTree';

const run = promisify(execFile);

export interface WriteJob {
  readonly folder: string;
  readonly archive: string;
  /** Tells which of the writer's ways of naming the folder is used. */
  readonly turn: number;
}

/** One program that writes tar archives, in one of its formats. */
export interface ArchiveWriter {
  readonly name: string;
  readonly shape: TreeShape;
  /** Writes all archives; a program that starts slowly starts once. */
  write(jobs: readonly WriteJob[]): Promise<void>;
}

const isWindows = process.platform === 'win32';

/**
 * Limits that any path here keeps: Windows' tools stop at 260 characters, and know one code page.
 */
const anyShape: TreeShape = {
  longest: isWindows ? 140 : 260,
  holds: () => true,
  letters: isWindows ? asciiLetters : allLetters,
};

/**
 * Limits of ustar, which divides a name at a slash: up to 155 bytes before it, up to 100 after it.
 */
const ustarShape: TreeShape = {
  ...anyShape,
  longest: isWindows ? 140 : 250,
  holds: (name) => {
    const bytes = Buffer.from(`./${name}`);
    if (bytes.length < 100) return true;
    const slash = bytes.subarray(0, 155).lastIndexOf('/', -2);
    return slash > 2 && bytes.length - slash - 1 < 100;
  },
};
const v7Shape: TreeShape = { ...anyShape, longest: 90, holds: (name) => name.length < 90 };

/** Returns the program's first line about its version, or undefined if it doesn't start. */
function versionOf(program: string): string | undefined {
  const { error, status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return error === undefined && status === 0 ? stdout.split('\n')[0] : undefined;
}

const environment = {
  ...process.env,
  // macOS writes a second file for each that has attributes.
  COPYFILE_DISABLE: '1',
  LC_ALL: process.platform === 'darwin' ? 'en_US.UTF-8' : process.env['LC_ALL'],
};

/** Returns the arguments that name the folder to pack, in one of the ways in which people do it. */
async function named(folder: string, turn: number): Promise<readonly string[]> {
  const entries = await readdir(folder);
  return (
    [
      ['-C', folder, '.'],
      ['-C', folder, './.'],
      ['-C', folder, '--', ...entries],
    ][turn % 3] ?? []
  );
}

function systemTar(format: string, shape: TreeShape): ArchiveWriter {
  return {
    name: `tar --format=${format}`,
    shape,
    write: async (jobs) => {
      for (const { folder, archive, turn } of jobs) {
        const mode = turn % 2 === 0 ? '-czf' : '-cf';
        const args = [`--format=${format}`, mode, archive, ...(await named(folder, turn))];
        await run('tar', args, { env: environment });
      }
    },
  };
}

const pythonProgram = `
import json, os, sys, tarfile
for job in json.load(sys.stdin):
    with tarfile.open(job['archive'], job['mode'], format=getattr(tarfile, job['format'])) as archive:
        if job['whole']:
            archive.add(job['folder'], arcname='.')
        else:
            for name in sorted(os.listdir(job['folder'])):
                archive.add(os.path.join(job['folder'], name), arcname=name)
`;

function python(program: string, format: string, shape: TreeShape): ArchiveWriter {
  return {
    name: `Python's ${format}`,
    shape,
    write: async (jobs) => {
      const told = jobs.map(({ folder, archive, turn }) => ({
        folder,
        archive,
        format,
        mode: turn % 2 === 0 ? 'w:gz' : 'w',
        whole: turn % 3 === 0,
      }));
      const child = execFile(program, ['-c', pythonProgram], {
        env: { ...environment, PYTHONUTF8: '1' },
      });
      let errors = '';
      child.stderr?.on('data', (text: string) => (errors += text));
      child.stdin?.end(JSON.stringify(told));
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0) throw new Error(`${program} ended with ${code}: ${errors}`);
    },
  };
}

const npmTar: ArchiveWriter = {
  name: "npm's tar",
  shape: anyShape,
  write: async (jobs) => {
    for (const { folder, archive, turn } of jobs) {
      const entries = turn % 3 === 0 ? ['.'] : await readdir(folder);
      await create({ cwd: folder, file: archive, gzip: turn % 2 === 0 }, entries);
    }
  },
};

/** Returns the writers that this machine has, and the names of the others. */
export function archiveWriters(): { found: readonly ArchiveWriter[]; missing: readonly string[] } {
  const found: ArchiveWriter[] = [npmTar];
  const missing: string[] = [];
  const tar = versionOf('tar');
  if (tar === undefined) missing.push('tar');
  else if (tar.includes('GNU')) {
    for (const format of ['gnu', 'oldgnu', 'posix']) found.push(systemTar(format, anyShape));
    found.push(systemTar('ustar', ustarShape), systemTar('v7', v7Shape));
  } else {
    for (const format of ['gnutar', 'pax']) found.push(systemTar(format, anyShape));
    found.push(systemTar('ustar', ustarShape));
  }
  const program = ['python3', 'python'].find((name) => versionOf(name) !== undefined);
  if (program === undefined) missing.push('Python');
  else {
    for (const format of ['GNU_FORMAT', 'PAX_FORMAT'])
      found.push(python(program, format, anyShape));
    found.push(python(program, 'USTAR_FORMAT', ustarShape));
  }
  return { found, missing };
}
