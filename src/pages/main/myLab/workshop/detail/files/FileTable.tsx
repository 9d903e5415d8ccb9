import { Button, Checkbox, Dropdown } from 'antd';
import { type ReactNode, useMemo } from 'react';
import { type Column, RowTable } from '@/components/RowTable';
import { useText } from '@/hooks/useText';
import { downloadAddress, type FileEntry } from '@/services/workshopFile';
import { formatBytes } from '@/utils/formatBytes';
import { formatInstant, formatMoment } from '@/utils/formatTime';
import styles from './index.less';
import { pathIn, readableName } from './names';

export type EntryAction = 'edit' | 'rename' | 'delete';

interface FileTableProps {
  workshopId: string;
  folder: string;
  entries: readonly FileEntry[];
  selected: ReadonlySet<string>;
  onSelect: (names: ReadonlySet<string>) => void;
  onOpenFolder: (name: string) => void;
  onAct: (action: EntryAction, entry: FileEntry) => void;
}

/** What is in a folder: a table where there is room, cards on a phone. */
export function FileTable({ workshopId, folder, entries, selected, onSelect, onOpenFolder, onAct }: FileTableProps) {
  const text = useText();
  const [columns, card] = useMemo((): [Column<FileEntry>[], (entry: FileEntry) => ReactNode] => {
    const name = (entry: FileEntry) => (
      <MarkableName
        entry={entry}
        isMarked={selected.has(entry.name)}
        onMark={() => onSelect(toggled(selected, entry.name))}
        onOpenFolder={onOpenFolder}
        onEdit={() => onAct('edit', entry)}
      />
    );
    const actions = (entry: FileEntry) => (
      <EntryButtons address={downloadAddress(workshopId, pathIn(folder, entry.name))} entry={entry} onAct={onAct} />
    );
    const all: Column<FileEntry>[] = [
      { key: 'name', title: text('files.name'), cell: name },
      { key: 'size', title: text('files.size'), width: 120, align: 'end', cell: sizeOf },
      { key: 'changed', title: text('files.modified'), width: 170, cell: (entry) => <Changed entry={entry} /> },
      { key: 'actions', title: text('files.actions'), width: 150, align: 'end', cell: actions },
    ];
    const onPhone = (entry: FileEntry) => (
      <div className={styles.card}>
        {name(entry)}
        <div>
          <span>
            {sizeOf(entry)} · <Changed entry={entry} />
          </span>
          {actions(entry)}
        </div>
      </div>
    );
    return [all, onPhone];
  }, [text, workshopId, folder, selected, onSelect, onOpenFolder, onAct]);
  return (
    <RowTable
      label={text('files.list')}
      rows={entries}
      idOf={({ name, kind }) => `${kind} ${name}`}
      columns={columns}
      minWidth={640}
      card={card}
    />
  );
}

const sizeOf = ({ kind, sizeBytes }: FileEntry) => (kind === 'file' ? formatBytes(sizeBytes) : '—');

function toggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names);
  if (!next.delete(name)) next.add(name);
  return next;
}

function Changed({ entry: { modifiedAt } }: { entry: FileEntry }) {
  return (
    <time dateTime={modifiedAt} title={formatInstant(modifiedAt)}>
      {formatMoment(modifiedAt)}
    </time>
  );
}

interface NameProps {
  entry: FileEntry;
  isMarked: boolean;
  onMark: () => void;
  onOpenFolder: (name: string) => void;
  onEdit: () => void;
}

function MarkableName({ entry, isMarked, onMark, onOpenFolder, onEdit }: NameProps) {
  const text = useText();
  return (
    <div className={styles.name}>
      <Checkbox checked={isMarked} aria-label={text('files.select', { name: readableName(entry.name) })} onChange={onMark} />
      <EntryName entry={entry} onOpenFolder={onOpenFolder} onEdit={onEdit} />
    </div>
  );
}

const marks = { folder: '▸', file: '', link: '↗', other: '·' } as const;

function EntryName({
  entry,
  onOpenFolder,
  onEdit,
}: {
  entry: FileEntry;
  onOpenFolder: (name: string) => void;
  onEdit: () => void;
}) {
  const text = useText();
  const { name, kind, linksTo } = entry;
  const shown = readableName(name);
  const label = <bdi>{shown}</bdi>;
  return (
    <span className={styles.entry} data-kind={kind}>
      <span className={styles.mark} aria-hidden="true">
        {marks[kind]}
      </span>
      {kind === 'folder' && (
        <Button type="link" className={styles.open} onClick={() => onOpenFolder(name)}>
          {label}
        </Button>
      )}
      {kind === 'file' && (
        <Button type="link" className={styles.open} onClick={onEdit}>
          {label}
        </Button>
      )}
      {kind === 'link' && (
        <span>
          {label} <small>{text('files.link', { target: readableName(linksTo ?? '') })}</small>
        </span>
      )}
      {kind === 'other' && (
        <span>
          {label} <small>{text('files.other')}</small>
        </span>
      )}
    </span>
  );
}

function EntryButtons({ address, entry, onAct }: { address: string; entry: FileEntry; onAct: FileTableProps['onAct'] }) {
  const text = useText();
  const { name, kind } = entry;
  const shown = readableName(name);
  const word = kind === 'folder' ? 'files.downloadZip' : 'files.download';
  const items = [
    ...(kind === 'file' ? [{ key: 'edit', label: text('files.edit') }] : []),
    { key: 'rename', label: text('files.rename') },
    { key: 'delete', label: text('files.delete'), danger: true },
  ];
  return (
    <span className={styles.buttons}>
      {(kind === 'file' || kind === 'folder') && (
        <Button size="small" href={address} download aria-label={`${text(word)} ${shown}`}>
          {text(kind === 'folder' ? 'files.zip' : 'files.download')}
        </Button>
      )}
      <Dropdown trigger={['click']} menu={{ items, onClick: ({ key }) => onAct(key as EntryAction, entry) }}>
        <Button size="small" aria-label={text('files.more', { name: shown })}>
          ⋯
        </Button>
      </Dropdown>
    </span>
  );
}
