/**
 * @param sound JSON text of a valid body
 * @returns bodies that are not a JSON object in UTF-8, or one that no service should accept, with names
 */
export function unreadableBodies(sound: string): [string, string | Buffer][] {
  return [
    ['no body', ''],
    ['an empty object', '{}'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a text', '"x"'],
    ['half of it', sound.slice(0, sound.length / 2)],
    ['something behind it', `${sound} x`],
    ['a byte order mark', `\uFEFF${sound}`],
    ['a byte that is not UTF-8', Buffer.concat([Buffer.from(sound.slice(0, -1)), Buffer.from([0xff, 0x7d])])],
    ['UTF-16', Buffer.from(sound, 'utf16le')],
    ['a member twice', sound.replace('{', '{"Data":{},')],
    ['nested too deeply', `{"Data":${'['.repeat(200)}${']'.repeat(200)}}`],
    ['a name that every object has', '{"__proto__":{"Data":{}}}'],
    ['half of a surrogate pair', sound.replace('{', '{"x":"\\ud800",')],
    ['a number that is none', '{"Data":{"x":01}}'],
    ['white space around it', ` \n${sound}\t`],
  ];
}
