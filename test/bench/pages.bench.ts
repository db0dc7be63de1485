/**
 * Measures whether a character of a page costs the same in a long page as in a short one: for each reader, over pages
 * of shapes with which the cost could grow. Costs are processor time, the least of several rounds in alternating order,
 * so other programs and the compiler hardly count.
 */
import { execFileSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  pageOf,
  pageReaders,
  type PageReader,
  type PageShape,
  pageShapes,
} from '../builders/hostilePages';
import { against, report } from './benchRow';

const SHORT = 20_000;
const LONG = 400_000;
/**
 * Rounds for each shape: at least so many, and more until they have taken so long and the growth is below the goal.
 * What another program does in the meantime can only add to a cost.
 */
const MIN_ROUNDS = 5;
const MAX_ROUNDS = 25;
const ROUNDS_MS = 2000;
const GOAL = 1.3;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Microseconds of processor time that a measurement takes at least. The clock of processes counts in steps. */
const MIN_TIME = 60_000;

/** Returns microseconds of processor time for each character, without the garbage of earlier measurements. */
async function cost(reader: PageReader, text: string): Promise<number> {
  collectGarbage();
  const start = process.cpuUsage();
  for (let times = 1; ; times++) {
    await pageReaders[reader](text);
    const { user } = process.cpuUsage(start);
    if (user >= MIN_TIME && times * text.length >= LONG) return user / (times * text.length);
  }
}

interface Growth {
  readonly shape: string;
  readonly short: number;
  readonly long: number;
}

/** Returns the costs in one shape. */
async function growthOf(reader: PageReader, shape: PageShape): Promise<Growth> {
  const texts = { short: pageOf(shape, SHORT), long: pageOf(shape, LONG) };
  const least = { short: Infinity, long: Infinity };
  const measure = async (size: 'short' | 'long'): Promise<void> => {
    least[size] = Math.min(least[size], await cost(reader, texts[size]));
  };
  // The first measurements also pay for the compiler, and each order favors another size.
  const start = Date.now();
  const isMissed = (): boolean => least.long > GOAL * least.short;
  for (
    let round = 0;
    round < MIN_ROUNDS || (round < MAX_ROUNDS && (isMissed() || Date.now() - start < ROUNDS_MS));
    round++
  ) {
    const order = ['short', 'long'] as const;
    for (const size of round % 2 === 0 ? order : order.toReversed()) await measure(size);
  }
  return { shape: shape.name, short: least.short, long: least.long };
}

/**
 * Returns the costs in the shape whose cost grows most. Each shape has a process of its own, because what the compiler
 * made of the shapes before would count.
 */
function worstGrowth(script: string, reader: PageReader): Growth {
  const all = pageShapes.map(({ name }) => {
    const told = execFileSync(process.execPath, [script, reader, name], { encoding: 'utf8' });
    const found = JSON.parse(told) as Growth;
    process.stderr.write(
      `${reader}\t${(found.long / found.short).toFixed(2)}\t${found.long.toFixed(2)}\t${name}\n`,
    );
    return found;
  });
  const [worst] = all.toSorted((a, b) => b.long / b.short - a.long / a.short);
  if (!worst) throw new Error('There are no shapes');
  return worst;
}

// With a reader and the name of a shape, this process measures only them.
const [, script = '', asked, name] = process.argv;
const readers = Object.keys(pageReaders) as PageReader[];
const askedReader = readers.find((reader) => reader === asked);
const askedShape = pageShapes.find((shape) => shape.name === name);
if (askedReader && askedShape) {
  process.stdout.write(JSON.stringify(await growthOf(askedReader, askedShape)));
} else {
  report(
    readers.map((reader) => {
      const { shape, short, long } = worstGrowth(script, reader);
      return against({
        name: `Pages: a character of ${reader}, of 400 KB`,
        unit: 'µs processor time',
        ours: long,
        peer: short,
        peerName: 'one of 20 KB',
        goal: GOAL,
        note: `the worst of ${pageShapes.length} shapes: ${shape}`,
      });
    }),
  );
}
