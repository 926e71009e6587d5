/** `error` leaves the entry out; `warning` and `hint` do not. */
export type Severity = 'error' | 'warning' | 'hint';

/** How to write what was understood, or what may have been meant, at the place of a problem. */
export type ProblemFix =
  | { readonly kind: 'rename'; readonly to: string }
  /** Only where `was`, if given, stands there. */
  | { readonly kind: 'replace'; readonly value: unknown; readonly was?: unknown }
  | { readonly kind: 'remove' }
  /** These members stand in its place. */
  | { readonly kind: 'members'; readonly members: Readonly<Record<string, unknown>> }
  /** What is inside stands in its place. */
  | { readonly kind: 'unwrap' };

/** Something in the settings that a person should know about, at its place. */
export interface Problem {
  /** Readable place: `mcp.servers.foo.env.PORT`, `mcp.servers.foo.args[1]`. */
  readonly path: string;
  /** The same place below the setting, one step an element: safe where names hold dots. */
  readonly segments: readonly (string | number)[];
  readonly message: string;
  readonly severity: Severity;
  readonly fix?: ProblemFix;
}

/** Names the place `segments` below the setting `root`. */
export function pathOf(root: string, segments: readonly (string | number)[]): string {
  return segments.reduce<string>((path, step) => path + (typeof step === 'number' ? `[${step}]` : `.${step}`), root);
}

/** Collects problems below one place of one setting. `at` goes one step further down and collects into the same list. */
export class Report {
  readonly problems: Problem[];
  readonly #root: string;
  readonly #segments: readonly (string | number)[];

  constructor(root: string, segments: readonly (string | number)[] = [], problems: Problem[] = []) {
    this.#root = root;
    this.#segments = segments;
    this.problems = problems;
  }

  get path(): string {
    return pathOf(this.#root, this.#segments);
  }

  get segments(): readonly (string | number)[] {
    return this.#segments;
  }

  at(...steps: readonly (string | number)[]): Report {
    return new Report(this.#root, [...this.#segments, ...steps], this.problems);
  }

  /** Notes an error and returns undefined, so that a parser can end with it. */
  error(message: string, fix?: ProblemFix): undefined {
    this.#add('error', message, fix);
  }

  warn(message: string, fix?: ProblemFix): void {
    this.#add('warning', message, fix);
  }

  hint(message: string, fix?: ProblemFix): void {
    this.#add('hint', message, fix);
  }

  #add(severity: Severity, message: string, fix?: ProblemFix): void {
    this.problems.push({ path: this.path, segments: this.#segments, message, severity, ...(fix && { fix }) });
  }
}
