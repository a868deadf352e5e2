/** Ends a command silently when its reader has gone, such as `head`, as SIGPIPE would (128 + 13). */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(141);
    });
  }
}
