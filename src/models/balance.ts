import { useModel } from '@umijs/max';
import { useRequest } from 'ahooks';
import { usePollWhile } from '../hooks/usePollWhile';
import { type AccountOverview, getAccountOverview } from '../services/account';

const FOCUS_MS = 5_000;
const nothingIsUnderWay = () => false;

interface Balance {
  overview: AccountOverview | undefined;
  error: Error | undefined;
  isLoading: boolean;
  refresh: () => void;
}

/** The member's balance, live: header, account page and labs read the same figures. */
export default function useBalance(): Balance {
  const { isSignedIn } = useModel('session');
  const request = useRequest(getAccountOverview, {
    ready: isSignedIn,
    refreshDeps: [isSignedIn],
    refreshOnWindowFocus: true,
    focusTimespan: FOCUS_MS,
    // Header and page show the failure themselves; without this line ahooks would log it as unhandled.
    onError: () => undefined,
  });
  usePollWhile(request, nothingIsUnderWay);
  const { data, error, loading, refresh } = request;
  return { overview: isSignedIn ? data : undefined, error: isSignedIn ? error : undefined, isLoading: loading, refresh };
}
