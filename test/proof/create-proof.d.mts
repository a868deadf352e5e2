interface Run {
  readonly accounts: readonly { readonly suite: string; readonly said: readonly string[] }[];
}

interface Proof {
  readonly source: {
    readonly version: string;
    readonly commit: string;
    readonly isClean: boolean;
    readonly tag: string | null;
  };
  readonly tests: Readonly<Record<string, Run | null>>;
  readonly mutations: object | null;
  readonly advisories: object;
  readonly bench: { readonly of_the_floor: Readonly<Record<string, object>> } | null;
}

export function createProof(found: object): Proof;
export function renderProof(proof: Proof): string;
