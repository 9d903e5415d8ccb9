import { Link } from '@umijs/max';
import { EmptyState } from '@/components/EmptyState';
import { useText } from '@/hooks/useText';

/** A page the member's level or verification does not open. */
export default function NoAccess() {
  const text = useText();
  return (
    <EmptyState
      drawing="key"
      title={text('error.noAccess')}
      words={text('error.noAccess.hint')}
      action={<Link to="/">{text('error.backHome')}</Link>}
    />
  );
}
