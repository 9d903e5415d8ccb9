import { useModel } from '@umijs/max';
import { useRequest } from 'ahooks';
import { usePollWhile } from '../hooks/usePollWhile';
import { type AccountOverview, getAccountOverview, getRemainDcu } from '../services/account';

const FOCUS_MS = 5_000;
const nothingIsUnderWay = () => false;

interface Balance {
  /** The figure of the header: the freshest there is. */
  remainDcu: number;
  overview: AccountOverview | undefined;
  error: Error | undefined;
  isLoading: boolean;
  refresh: () => void;
}

/** The member's balance, live: header, account page and labs read the same figures. */
export default function useBalance(): Balance {
  const { isSignedIn, currentUser } = useModel('session');
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
  // The figure itself can often be had when what it is made of cannot.
  const { data: bare } = useRequest(() => getRemainDcu({ isInit: true }), {
    ready: isSignedIn && data === undefined && error !== undefined,
    onError: () => undefined,
  });
  const remainDcu = (isSignedIn ? data?.remainDcu : undefined) ?? bare?.remainDcu ?? currentUser.remainDcu;
  return { remainDcu, overview: isSignedIn ? data : undefined, error: isSignedIn ? error : undefined, isLoading: loading, refresh };
}
