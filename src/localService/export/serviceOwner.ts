import { randomUUID } from 'node:crypto';
import { uptime } from 'node:os';

/** Owners of this process, as two services may run in one. */
const owners = new Set<string>();

/** A running service, as it signs what it has begun in a state folder that others may share. */
export interface ServiceOwner {
  /** Fit for a file name. */
  readonly id: string;
  /** From now on what it had begun may be taken over. */
  release(): void;
}

export function claimOwner(): ServiceOwner {
  const id = `${process.pid}-${randomUUID()}`;
  owners.add(id);
  return { id, release: () => void owners.delete(id) };
}

/**
 * Whether a service that signed something still runs. Errs on the side of yes, where another
 * process has its number by now.
 * @param signedAt milliseconds since the epoch, by the system's clock.
 */
export function isOwnerAlive(id: string, signedAt: number): boolean {
  if (owners.has(id)) return true;
  const pid = Number(id.split('-', 1)[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  // Numbers begin anew with each start of the machine.
  if (signedAt < Date.now() - uptime() * 1000) return false;
  try {
    // Signal 0 is never delivered. A process of another user is none of this folder's.
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
