import type { Report } from './problem.ts';

/** One member of an entry under the name that we read it by; `report` points to where it was written. */
export interface Field {
  readonly name: string;
  readonly value: unknown;
  readonly report: Report;
}
