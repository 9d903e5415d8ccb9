import { ConfigProvider, theme } from 'antd';
import { type ReactNode, useEffect, useMemo } from 'react';
import { antdTheme } from '../../config/theme';
import { useAppearance } from '@/hooks/useAppearance';
import { isStillPreferred } from '@/utils/appearance';

/** The tokens of light or dark for everything inside, and the same ground for the page around it. */
export function AppearanceProvider({ children }: { children: ReactNode }) {
  const { isDark } = useAppearance();
  const tokens = useMemo(
    () => ({ ...antdTheme(isDark, isStillPreferred()), algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm }),
    [isDark],
  );
  useEffect(() => {
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  }, [isDark]);
  return <ConfigProvider theme={tokens}>{children}</ConfigProvider>;
}

// Toasts and dialogs opened outside React stand on the same ground.
ConfigProvider.config({ holderRender: (children) => <AppearanceProvider>{children}</AppearanceProvider> });
