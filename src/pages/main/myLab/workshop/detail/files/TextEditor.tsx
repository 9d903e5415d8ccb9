import { Alert, Button, Modal } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useText } from '@/hooks/useText';
import { readTextFile, saveTextFile } from '@/services/workshopFile';
import { isCallError, isSessionLost } from '@/utils/callError';
import { errors } from '../../../../../../../gateway/contract/errors';
import { type Draft, isUnsaved, keepDraft } from './drafts';
import styles from './index.less';
import { readableName } from './names';
import { overwrite, saveCopy } from './saving';

interface TextEditorProps {
  workshopId: string;
  draft: Draft;
  isWritable: boolean;
  onSaved: () => void;
  onClose: () => void;
}

/** A text file, edited in the page. What is not saved is kept until it is, or until one says that it may go. */
export function TextEditor({ workshopId, draft: first, isWritable, onSaved, onClose }: TextEditorProps) {
  const text = useText();
  const [draft, setDraft] = useState(first);
  const [asked, setAsked] = useState<'close' | 'changed'>();
  const { isBusy, failure, run } = useRun();
  const isDirty = isUnsaved(draft);
  useEffect(() => keepDraft(workshopId, draft), [workshopId, draft]);
  const name = readableName(draft.path);

  /** What is typed while it is being saved is not saved yet. */
  const taken = (saved: { path: string; version: string }, sent: Draft) => {
    setAsked(undefined);
    setDraft((now) => ({ ...now, path: saved.path, read: { text: sent.text, version: saved.version } }));
    onSaved();
  };
  const save = (how: (draft: Draft) => Promise<{ path: string; version: string }>) =>
    run(async () => taken(await how(draft), draft));
  const handleSave = () =>
    run(async () => {
      const { path, text: sent, read } = draft;
      try {
        taken(await saveTextFile({ workshopId, path, text: sent, version: read.version }), draft);
      } catch (error) {
        if (!isCallError(error, errors.FILE_CHANGED.code)) throw error;
        setAsked('changed');
      }
    });
  const handleReload = () =>
    run(async () => {
      const read = await readTextFile(workshopId, draft.path);
      setDraft({ path: draft.path, read, text: read.text });
      setAsked(undefined);
    });
  const handleClose = () => {
    keepDraft(workshopId, undefined);
    onClose();
  };
  return (
    <section className={styles.editor} aria-label={text('files.editor', { name })}>
      <header>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <p role="status">
          {!isWritable ? text('files.editor.readOnly') : text(isDirty ? 'files.editor.unsaved' : 'files.editor.saved')}
        </p>
        <Button type="primary" disabled={!isDirty || !isWritable} loading={isBusy} onClick={handleSave}>
          {text('files.editor.save')}
        </Button>
        <Button onClick={() => (isDirty ? setAsked('close') : handleClose())}>{text('files.editor.close')}</Button>
      </header>
      {failure && !isSessionLost(failure) && !asked && <Alert type="error" showIcon message={failure.message} />}
      <NumberedText
        label={text('files.editor.text', { name })}
        text={draft.text}
        isReadOnly={!isWritable}
        onChange={(changed) => setDraft((now) => ({ ...now, text: changed }))}
        onSave={() => isDirty && isWritable && !isBusy && handleSave()}
      />
      <p className={styles.hint}>{text('files.editor.hint')}</p>
      <ConfirmDialog
        isOpen={asked === 'close'}
        title={text('files.editor.leave.title', { name })}
        confirmWord={text('files.editor.leave.confirm')}
        keepWord={text('files.editor.leave.keep')}
        onConfirm={async () => handleClose()}
        onCancel={() => setAsked(undefined)}
      >
        <p>{text('files.editor.leave.text')}</p>
      </ConfirmDialog>
      <Modal
        centered
        open={asked === 'changed'}
        title={text('files.changed.title', { name })}
        onCancel={() => isBusy || setAsked(undefined)}
        footer={
          <>
            <Button disabled={isBusy} onClick={handleReload}>
              {text('files.changed.reload')}
            </Button>
            <Button disabled={isBusy} onClick={() => save((mine) => overwrite(workshopId, mine))}>
              {text('files.changed.overwrite')}
            </Button>
            <Button type="primary" loading={isBusy} onClick={() => save((mine) => saveCopy(workshopId, mine))}>
              {text('files.changed.copy')}
            </Button>
          </>
        }
      >
        <p>{text('files.changed.text')}</p>
        {failure && !isSessionLost(failure) && <Alert type="error" showIcon message={failure.message} />}
      </Modal>
    </section>
  );
}

function useRun() {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const run = async (work: () => Promise<void>) => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, failure, run };
}

interface NumberedTextProps {
  label: string;
  text: string;
  isReadOnly: boolean;
  onChange: (text: string) => void;
  onSave: () => void;
}

/** The browser's own field, which every screen reader and phone knows, with the lines' numbers beside it. */
function NumberedText({ label, text, isReadOnly, onChange, onSave }: NumberedTextProps) {
  const numbers = useRef<HTMLPreElement>(null);
  const lines = text.split('\n').length;
  const save = useRef(onSave);
  save.current = onSave;
  const handleKey = (event: React.KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    save.current();
  };
  return (
    <div className={styles.text} dir="ltr">
      <pre ref={numbers} aria-hidden="true">
        {Array.from({ length: lines }, (_line, index) => index + 1).join('\n')}
      </pre>
      <textarea
        aria-label={label}
        value={text}
        readOnly={isReadOnly}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={handleKey}
        onScroll={({ currentTarget }) => numbers.current?.scrollTo({ top: currentTarget.scrollTop })}
      />
    </div>
  );
}
