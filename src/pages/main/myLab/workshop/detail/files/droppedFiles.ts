/** A file with its way from where it was dropped. */
export interface PickedFile {
  path: string;
  file: File;
}

/** The files of an input; of a folder with their way below it. */
export function pickedFiles(list: FileList | null): PickedFile[] {
  return [...(list ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** Files and whole folders of a drop. To be called within its event, before the browser takes it back. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<PickedFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (entries.length === 0) return pickedFiles(files);
  const found = await Promise.all(entries.map((entry) => filesBelow(entry, '')));
  return found.flat();
}

async function filesBelow(entry: FileSystemEntry, way: string): Promise<PickedFile[]> {
  const path = way + entry.name;
  if (isFile(entry)) return [{ path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) }];
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const found: PickedFile[] = [];
  for (;;) {
    // A reader gives a hundred at a time, and an empty list at its end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const one of some) found.push(...(await filesBelow(one, `${path}/`)));
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
