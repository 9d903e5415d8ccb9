import { Button, Checkbox } from 'antd';
import { useRef } from 'react';
import { useText } from '@/hooks/useText';
import { downloadAddress } from '@/services/workshopFile';
import { type PickedFile, pickedFiles } from './droppedFiles';
import type { FileQuestion } from './FileDialogs';
import styles from './index.less';

interface ToolbarProps {
  workshopId: string;
  folder: string;
  names: readonly string[];
  chosen: string[];
  onSelect: (names: ReadonlySet<string>) => void;
  onUpload: (files: readonly PickedFile[]) => void;
  onAsk: (question: FileQuestion) => void;
  onRefresh: () => void;
}

/** What can be done with the folder, and with what is marked in it. */
export function Toolbar({ workshopId, folder, names, chosen, onSelect, onUpload, onAsk, onRefresh }: ToolbarProps) {
  const text = useText();
  const isAll = names.length > 0 && chosen.length === names.length;
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={text('files.actions')}>
      <UploadButton word="files.uploadFiles" onUpload={onUpload} />
      <UploadButton isFolder word="files.uploadFolder" onUpload={onUpload} />
      <Button onClick={() => onAsk({ kind: 'makeFolder' })}>{text('files.makeFolder')}</Button>
      {names.length > 0 && (
        <Button href={downloadAddress(workshopId, folder)} download>
          {text('files.downloadAll')}
        </Button>
      )}
      <Button onClick={onRefresh}>{text('files.refresh')}</Button>
      {names.length > 0 && (
        <span className={styles.marked}>
          <Checkbox
            checked={isAll}
            indeterminate={chosen.length > 0 && !isAll}
            onChange={() => onSelect(new Set(isAll ? [] : names))}
          >
            {text('files.selected', { count: chosen.length })}
          </Checkbox>
          {chosen.length > 0 && (
            <Button danger onClick={() => onAsk({ kind: 'delete', names: chosen })}>
              {text('files.deleteSelected', { count: chosen.length })}
            </Button>
          )}
        </span>
      )}
    </div>
  );
}

interface UploadButtonProps {
  word: 'files.uploadFiles' | 'files.uploadFolder';
  isFolder?: boolean;
  onUpload: (files: readonly PickedFile[]) => void;
}

function UploadButton({ word, isFolder = false, onUpload }: UploadButtonProps) {
  const text = useText();
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        hidden
        multiple
        type="file"
        aria-label={text(word)}
        {...(isFolder ? { webkitdirectory: '' } : {})}
        onChange={({ target }) => {
          onUpload(pickedFiles(target.files));
          // The same file can be chosen again.
          target.value = '';
        }}
      />
      <Button type={isFolder ? 'default' : 'primary'} onClick={() => field.current?.click()}>
        {text(word)}
      </Button>
    </>
  );
}
