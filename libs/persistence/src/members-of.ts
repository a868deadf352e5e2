/** The name of a member's column: `clientId` is `client_id`. */
type ColumnOf<Member extends string> = Member extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnOf<Rest>}`
  : Member;

/** The columns of these members as the driver returns them; what may be absent may be NULL. */
export type RowOf<Members> = {
  [Member in keyof Members & string as ColumnOf<Member>]-?: undefined extends Members[Member]
    ? Exclude<Members[Member], undefined> | null
    : Members[Member];
};

const memberNames = new Map<string, string>();

function memberOf(column: string): string {
  let name = memberNames.get(column);
  if (name === undefined) {
    name = column.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
    memberNames.set(column, name);
  }
  return name;
}

/** @returns the members of a row; what is NULL has none */
export function membersOf<Members extends object>(row: RowOf<Members>): Members {
  const members: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) if (value !== null) members[memberOf(column)] = value;
  return members as Members;
}
