/** A reader that has gone, such as `head`, ends a command without a word, as SIGPIPE does (128 + 13). */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(141);
    });
  }
}
