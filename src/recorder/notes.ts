/** What a comment in the file is about: keys and positions from the top. */
export type NotePath = readonly (string | number)[];

/** Comments to a draft, and what the user is told besides. */
export interface Notes {
  /** A comment above the key or item. */
  add(path: NotePath, text: string): void;
  /** Also told when the recording ends. */
  warn(path: NotePath, text: string): void;
}

export class NoteList implements Notes {
  readonly entries: { readonly path: NotePath; readonly text: string }[] = [];
  readonly warnings: string[] = [];

  add(path: NotePath, text: string): void {
    this.entries.push({ path, text });
  }

  warn(path: NotePath, text: string): void {
    this.add(path, text);
    this.warnings.push(text);
  }
}

/** Notes below a path. */
export function notesAt(notes: Notes, prefix: NotePath): Notes {
  return { add: (path, text) => notes.add([...prefix, ...path], text), warn: (path, text) => notes.warn([...prefix, ...path], text) };
}
