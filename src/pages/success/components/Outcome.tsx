import { useNavigate } from '@umijs/max';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { LineDrawing } from '@/components/LineDrawing';
import { useText } from '@/hooks/useText';
import { safeRedirect } from '@/utils/redirect';
import type { Word } from '@/utils/words';
import styles from './outcome.less';

export interface Way {
  word: Word;
  path: string;
}

/** What a page of this kind can tell of; each has a title and a sentence. */
export type Tale = 'paid' | 'free' | 'waiting' | 'ended' | 'refunded' | 'registered' | 'realName' | 'student' | 'unknown';

interface OutcomeProps {
  tale: Tale;
  /** It went well: with a tick. Otherwise it only says how things stand. */
  isDone?: boolean;
  /** Where to go on; the first is the one that most will want. */
  ways: readonly Way[];
  /** Where the member came from, as the address says it. */
  next?: string | null;
  children?: ReactNode;
}

/** What happened, what it brought, and where to go on from here. */
export function Outcome({ tale, isDone = true, ways, next, children }: OutcomeProps) {
  const text = useText();
  const navigate = useNavigate();
  const back = safeRedirect(next, '');
  const all: readonly Way[] = back === '' ? ways : [{ word: 'success.continue', path: back }, ...ways];
  return (
    <section className={styles.outcome} aria-labelledby="outcome">
      {isDone ? <Tick /> : <LineDrawing name="ledger" />}
      <h1 id="outcome">{text(`success.${tale}.title`)}</h1>
      <p>{text(`success.${tale}.words`)}</p>
      {children}
      <nav className={styles.ways} aria-label={text('success.next')}>
        {all.map(({ word, path }, index) => (
          <Button key={path} size="large" type={index === 0 ? 'primary' : 'default'} onClick={() => navigate(path)}>
            {text(word)}
          </Button>
        ))}
      </nav>
    </section>
  );
}

function Tick() {
  return (
    <svg className={styles.tick} viewBox="0 0 64 64" width="64" height="64" aria-hidden="true">
      <circle cx="32" cy="32" r="30" />
      <path d="m19 33 9 9 17-20" />
    </svg>
  );
}
