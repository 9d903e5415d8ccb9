import { formatDate } from '@/utils/formatTime';
import styles from './index.less';

export interface ReadingWords {
  title: string;
  /** Words before the day since which the text holds. */
  since: string;
  day: string;
  intro: string;
  sections: readonly { title: string; paragraphs: readonly string[] }[];
}

/** A text one reads from top to bottom, at reading width. */
export function ReadingText({ words }: { words: ReadingWords }) {
  return (
    <article className={styles.text}>
      <h1>{words.title}</h1>
      <p className={styles.since}>
        {words.since} <time dateTime={words.day}>{formatDate(words.day)}</time>
      </p>
      <p>{words.intro}</p>
      {words.sections.map(({ title, paragraphs }) => (
        <section key={title}>
          <h2>{title}</h2>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </section>
      ))}
    </article>
  );
}
