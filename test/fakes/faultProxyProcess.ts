/**
 * Runs the fault proxy as its own process. Bundle it (`esbuild --bundle --platform=node --format=esm`)
 * and run it with the service's address as its argument: it prints one line,
 * `{"event":"listening","url","controlUrl"}`, and ends on SIGTERM.
 */
import { startFaultProxy } from './faultProxy';
import { startFaultProxyControl } from './faultProxyControl';

const target = process.argv[2];
const proxy = await startFaultProxy(target === undefined ? {} : { target });
const control = await startFaultProxyControl(proxy);
process.once('SIGTERM', () => {
  void Promise.all([proxy.stop(), control.stop()]).then(() => process.exit(0));
});
const line = { event: 'listening', url: proxy.url, controlUrl: control.url };
process.stdout.write(`${JSON.stringify(line)}\n`);
