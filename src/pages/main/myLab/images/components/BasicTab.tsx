import { useNavigate } from '@umijs/max';
import { Button } from 'antd';
import { ErrorState } from '@/components/ErrorState';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { useCached } from '@/hooks/useCached';
import { useText } from '@/hooks/useText';
import { getBasicImageTree } from '@/services/image';
import styles from '../index.less';
import { startPath } from './imageFacts';

/** The images everybody is offered: framework by framework, each with what it is and, where it cannot be used here, why. */
export function BasicTab() {
  const text = useText();
  const navigate = useNavigate();
  const { data, error, loading, refresh } = useCached('basicTree', getBasicImageTree);
  if (error && !data) return <ErrorState error={error} onRetry={refresh} isRetrying={loading} />;
  if (!data) return <ListSkeleton shape="cards" />;
  return (
    <>
      <p>{text('image.basic.words')}</p>
      <div className={styles.groups}>
        {data.tree.map(({ framework, name, versions }) => (
          <section key={framework} className={styles.group} aria-label={name}>
            <h2>
              <bdi>{name}</bdi>
            </h2>
            <ul className={styles.cards}>
              {versions.flatMap(({ version, variants }) =>
                variants.map((variant) => (
                  <li key={variant.imageId} className={styles.card}>
                    <h3>
                      <bdi>{variant.name}</bdi> {!variant.name.endsWith(version) && <small>{version}</small>}
                    </h3>
                    <p className={styles.about}>
                      <bdi>{variant.description}</bdi>
                    </p>
                    {variant.isAvailable ? (
                      <div className={styles.actions}>
                        <Button
                          aria-label={text('image.start.name', { name: variant.name })}
                          onClick={() => navigate(startPath(variant.imageId))}
                        >
                          {text('image.start')}
                        </Button>
                      </div>
                    ) : (
                      <p className={styles.reason}>{text('image.basic.unavailable', { reason: variant.reason })}</p>
                    )}
                  </li>
                )),
              )}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}
