import { useModel } from '@umijs/max';
import { useRequest } from 'ahooks';
import { useEffect, useState } from 'react';
import { FOCUS_MS } from '../hooks/useCached';
import { usePollWhile } from '../hooks/usePollWhile';
import { type AccountOverview, getAccountOverview, getRemainDcu } from '../services/account';
import { isSessionLost } from '../utils/callError';

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
  const [freshDcu, setFreshDcu] = useState<number>();
  // The figure alone is cheap: asked for when the window gets the focus, and when what it is made of cannot be had.
  const { run: askFigure } = useRequest(() => getRemainDcu(), {
    manual: true,
    ready: isSignedIn,
    refreshOnWindowFocus: true,
    focusTimespan: FOCUS_MS,
    onSuccess: (figure) => {
      setFreshDcu(figure.remainDcu);
      if (request.data && request.data.remainDcu !== figure.remainDcu) request.refresh();
    },
    onError: () => undefined,
  });
  const request = useRequest(getAccountOverview, {
    ready: isSignedIn,
    refreshDeps: [isSignedIn],
    onSuccess: (overview) => setFreshDcu(overview.remainDcu),
    // Header and page show the failure themselves.
    onError: (failure) => {
      if (!isSessionLost(failure)) askFigure();
    },
  });
  usePollWhile(request, nothingIsUnderWay);
  useEffect(() => {
    // The next member's figure is not this one's.
    if (!isSignedIn) setFreshDcu(undefined);
  }, [isSignedIn]);
  const { data, error, loading, refresh } = request;
  const remainDcu = (isSignedIn ? freshDcu : undefined) ?? currentUser.remainDcu;
  return { remainDcu, overview: isSignedIn ? data : undefined, error: isSignedIn ? error : undefined, isLoading: loading, refresh };
}
