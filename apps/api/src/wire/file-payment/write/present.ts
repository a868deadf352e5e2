/** @returns an object with the member, or without any where there is no value, or only an empty list */
export function present(name: string, value: object | undefined): Record<string, object> {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? {} : { [name]: value };
}
