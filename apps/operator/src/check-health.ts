import { get } from 'node:http';

/**
 * For the health check of a container without a shell: asks the administration port given as parameter whether its
 * process is ready, on this machine and without TLS. Exit code 0 if so; else 1, with the reasons.
 */
const port = Number(process.argv[2]);
const call = get({ host: '127.0.0.1', port, path: '/health/ready', timeout: 4_000 }, (response) => {
  response.pipe(process.stderr);
  process.exitCode = response.statusCode === 200 ? 0 : 1;
});
call.on('timeout', () => call.destroy(new Error('no answer in time')));
call.on('error', (error) => {
  process.stderr.write(`Port ${port} of administration does not answer: ${error.message}\n`);
  process.exitCode = 1;
});
