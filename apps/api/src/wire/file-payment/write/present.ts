/** @returns an object with the member, or an empty object if the value is absent or an empty list */
export function present(name: string, value: object | undefined): Record<string, object> {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? {} : { [name]: value };
}
