/** @returns what a unit of systemd gives to its program, for one instance of the template */
export function argumentsOfUnit(unit: string, instance: string): string[] {
  const valuesOf = (name: string): string[] =>
    [...unit.matchAll(new RegExp(`^${name}=(.+)$`, 'gm'))].map(([, value = '']) => value.replaceAll('%i', instance));
  const variables = valuesOf('Environment').flatMap((line) => line.match(/"[^"]*"|\S+/g) ?? []);
  const [, ...words] = valuesOf('ExecStart')[0]?.split(' ') ?? [];
  return words.flatMap((word) => {
    if (!word.startsWith('$')) return [word];
    const found = variables
      .map((each) => each.replaceAll('"', ''))
      .find((each) => each.startsWith(`${word.slice(1)}=`));
    if (found === undefined) throw new Error(`The unit does not set ${word}.`);
    return found.slice(word.length).split(' ').filter(Boolean);
  });
}
