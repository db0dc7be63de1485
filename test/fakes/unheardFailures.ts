import { settled } from './fakeClock';

/** Returns the rejections that nobody handled while an action ran. */
export async function unheardFailures(action: () => Promise<void>): Promise<readonly unknown[]> {
  const unheard: unknown[] = [];
  const listen = (reason: unknown): void => {
    unheard.push(reason);
  };
  process.on('unhandledRejection', listen);
  try {
    await action();
    await settled();
  } finally {
    process.off('unhandledRejection', listen);
  }
  return unheard;
}
