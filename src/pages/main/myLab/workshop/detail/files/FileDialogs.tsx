import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useText } from '@/hooks/useText';
import { deleteFiles, makeFolder, renameFile } from '@/services/workshopFile';
import { NameDialog } from './NameDialog';
import { pathIn, readableName } from './names';

export type FileQuestion = { kind: 'makeFolder' } | { kind: 'rename'; name: string } | { kind: 'delete'; names: string[] };

interface FileDialogsProps {
  workshopId: string;
  folder: string;
  question: FileQuestion | undefined;
  onClose: () => void;
  onDone: () => void;
}

/** The most one call deletes. */
const DELETED_AT_ONCE = 100;
const MOST_NAMED = 5;

/** Asks what a change of the folder needs to be asked. */
export function FileDialogs({ workshopId, folder, question, onClose, onDone }: FileDialogsProps) {
  const text = useText();
  const names = question?.kind === 'delete' ? question.names : [];
  const handleDelete = async () => {
    for (let start = 0; start < names.length; start += DELETED_AT_ONCE) {
      await deleteFiles(
        workshopId,
        names.slice(start, start + DELETED_AT_ONCE).map((name) => pathIn(folder, name)),
      );
    }
    onClose();
    onDone();
  };
  return (
    <>
      {question?.kind === 'makeFolder' && (
        <NameDialog
          title={text('files.makeFolder')}
          name=""
          confirmWord={text('files.makeFolder')}
          onConfirm={async (name) => {
            await makeFolder(workshopId, pathIn(folder, name));
            onDone();
          }}
          onClose={onClose}
        />
      )}
      {question?.kind === 'rename' && (
        <NameDialog
          title={text('files.rename.title', { name: readableName(question.name) })}
          name={question.name}
          confirmWord={text('files.rename')}
          onConfirm={async (name) => {
            await renameFile(workshopId, pathIn(folder, question.name), pathIn(folder, name));
            onDone();
          }}
          onClose={onClose}
        />
      )}
      <ConfirmDialog
        isOpen={question?.kind === 'delete'}
        title={text('files.delete.title', { count: names.length })}
        confirmWord={text('files.delete')}
        keepWord={text('files.keep')}
        onConfirm={handleDelete}
        onCancel={onClose}
      >
        <p>{text('files.delete.text')}</p>
        <ul>
          {names.slice(0, MOST_NAMED).map((name) => (
            <li key={name}>
              <bdi>{readableName(name)}</bdi>
            </li>
          ))}
        </ul>
        {names.length > MOST_NAMED && <p>{text('files.delete.more', { count: names.length - MOST_NAMED })}</p>}
      </ConfirmDialog>
    </>
  );
}
