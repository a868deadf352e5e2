import { get } from 'node:http';

/**
 * For the health check of a container without a shell: asks the administration ports given as parameters whether their
 * processes are ready, on this machine and without TLS. Exit code 0 if all are; else 1 at the first that is not, with
 * the reasons.
 */
function isReady(port: string): Promise<boolean> {
  return new Promise((resolve) => {
    const call = get({ host: '127.0.0.1', port, path: '/health/ready', timeout: 4_000 }, (response) => {
      response.pipe(process.stderr);
      response.on('end', () => resolve(response.statusCode === 200));
    });
    call.on('timeout', () => call.destroy(new Error('no answer in time')));
    call.on('error', (error) => {
      process.stderr.write(`Port ${port} of administration does not answer: ${error.message}\n`);
      resolve(false);
    });
  });
}

for (const port of process.argv.slice(2)) {
  if (await isReady(port)) continue;
  process.exitCode = 1;
  break;
}
