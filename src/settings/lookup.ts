/** A folder that is open in the editor. */
export interface WorkspaceFolder {
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
}

/** What variables are looked up in. All of it is passed in, so that resolving needs no editor. */
export interface Lookup {
  /** Stands in for the process environment, also as what a process inherits. Absent: the process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Open folders in their order; a string is a path whose last part is its name. */
  readonly workspaceFolders?: readonly (WorkspaceFolder | string)[];
  /** Absent: the home of the process's user. */
  readonly userHome?: string;
  /** Absent: the process's own. Decides about separators and about case in names of variables. */
  readonly platform?: NodeJS.Platform;
  /** The answer to `${input:id}`. Rejects, or gives undefined, where there is none; the reason is told. */
  readonly input?: (id: string) => Promise<string | undefined>;
  /** The value of `${config:key}`. */
  readonly config?: (key: string) => unknown;
  /** Reads a text file as UTF-8. Absent: from the disk. */
  readonly readFile?: (path: string) => Promise<string>;
  /** Told every value that came from an input, the environment or an envFile, so that records can hide it. */
  readonly onSecret?: (value: string) => void;
}
