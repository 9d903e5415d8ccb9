import { Alert } from 'antd';
import { type DragEvent, type ReactNode, useCallback, useState } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { useText } from '@/hooks/useText';
import { type FileEntry, type FolderListing, readTextFile } from '@/services/workshopFile';
import { Crumbs } from './Crumbs';
import type { Draft } from './drafts';
import { droppedFiles, type PickedFile } from './droppedFiles';
import { FileDialogs, type FileQuestion } from './FileDialogs';
import { type EntryAction, FileTable } from './FileTable';
import styles from './index.less';
import { pathIn } from './names';
import { Toolbar } from './Toolbar';
import { UsageBar } from './UsageBar';

const nothing: ReadonlySet<string> = new Set();

interface FolderProps {
  workshopId: string;
  listing: FolderListing;
  onGo: (folder: string) => void;
  onRefresh: () => void;
  onUpload: (files: readonly PickedFile[]) => void;
  onEdit: (draft: Draft, isWritable: boolean) => void;
}

/** What is in a folder, and what can be done with it; files and folders can be dropped on it. */
export function Folder({ workshopId, listing, onGo, onRefresh, onUpload, onEdit }: FolderProps) {
  const text = useText();
  const { path: folder, entries, isCut } = listing;
  const [selected, setSelected] = useState(nothing);
  const [question, setQuestion] = useState<FileQuestion>();
  const { edit, failure, forget } = useEditing(workshopId, folder, onEdit);
  const open = useCallback((name: string) => onGo(pathIn(folder, name)), [folder, onGo]);
  const act = useCallback(
    (action: EntryAction, entry: FileEntry) => {
      if (action === 'edit') void edit(entry);
      else setQuestion(action === 'rename' ? { kind: 'rename', name: entry.name } : { kind: 'delete', names: [entry.name] });
    },
    [edit],
  );
  const chosen = entries.filter(({ name }) => selected.has(name)).map(({ name }) => name);
  return (
    <DropArea onUpload={onUpload}>
      <UsageBar room={listing} />
      <Crumbs folder={folder} onGo={onGo} />
      <Toolbar
        workshopId={workshopId}
        folder={folder}
        names={entries.map(({ name }) => name)}
        chosen={chosen}
        onSelect={setSelected}
        onUpload={onUpload}
        onAsk={setQuestion}
        onRefresh={onRefresh}
      />
      {failure && <Alert type="warning" showIcon closable message={failure.message} onClose={forget} />}
      {isCut && <Alert type="info" showIcon message={text('files.cut', { count: entries.length })} />}
      {entries.length === 0 ? (
        <EmptyState drawing="shelf" words={text(listing.isHomeThere || folder ? 'files.empty' : 'files.neverStarted')} />
      ) : (
        <FileTable
          workshopId={workshopId}
          folder={folder}
          entries={entries}
          selected={selected}
          onSelect={setSelected}
          onOpenFolder={open}
          onAct={act}
        />
      )}
      <FileDialogs
        workshopId={workshopId}
        folder={folder}
        question={question}
        onClose={() => setQuestion(undefined)}
        onDone={() => {
          setSelected(nothing);
          onRefresh();
        }}
      />
    </DropArea>
  );
}

/** Reads a file to be edited; one that cannot be says why. */
function useEditing(workshopId: string, folder: string, onEdit: FolderProps['onEdit']) {
  const [failure, setFailure] = useState<Error>();
  const edit = useCallback(
    async ({ name }: FileEntry) => {
      setFailure(undefined);
      try {
        const path = pathIn(folder, name);
        const { isWritable, ...read } = await readTextFile(workshopId, path);
        onEdit({ path, read, text: read.text }, isWritable);
      } catch (error) {
        setFailure(error instanceof Error ? error : new Error(String(error)));
      }
    },
    [workshopId, folder, onEdit],
  );
  return { edit, failure, forget: () => setFailure(undefined) };
}

function DropArea({ onUpload, children }: { onUpload: FolderProps['onUpload']; children: ReactNode }) {
  const text = useText();
  const [isOver, setIsOver] = useState(false);
  const handleDrop = async (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    onUpload(await droppedFiles(event.dataTransfer));
  };
  const handleOver = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <section
      className={styles.folder}
      data-over={isOver}
      aria-label={text('files.list')}
      onDragOver={handleOver}
      onDragLeave={() => setIsOver(false)}
      onDrop={handleDrop}
    >
      {children}
    </section>
  );
}
