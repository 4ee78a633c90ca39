import { InternalServerException, RestHandlerException } from '../errors.js';

/** Whether a name, of which the path has been taken off, is there in every folder and is no file. */
export function isFolderName(name: string): boolean {
  return name === '.' || name === '..';
}

/** What the job manager's file handlers make of a folder: it exists, but Java cannot open it as a file. */
export function folderNotTransferred(directory: string, name: string): InternalServerException {
  const path = `${directory}/${name}`;
  const transfer = 'org.apache.flink.util.FlinkException: Could not transfer file to client.';
  return new InternalServerException('java.util.concurrent.CompletionException', transfer, [], [transfer, `org.apache.flink.util.FlinkException: Can not find file ${path}.`, `java.io.FileNotFoundException: ${path} (Is a directory)`]);
}

/** What comes of deleting a folder that is not empty as if it were a jar. */
export function folderNotDeleted(directory: string, name: string): RestHandlerException {
  const path = `${directory}/${name}`;
  return new RestHandlerException(500, `Failed to delete jar ${path}.`, undefined, [`java.nio.file.DirectoryNotEmptyException: ${path}`]);
}
