import { ConfigProvider, theme } from 'antd';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useAppearance } from '@/hooks/useAppearance';
import { useIsPhone } from '@/hooks/useIsPhone';
import { isStillPreferred } from '@/utils/appearance';
import { currentDirection } from '@/utils/language';
import { antdTheme } from '../../config/theme';

/** Two characters are one word: no space is put between them. */
const oneWord = { autoInsertSpace: false };

/** The tokens of light or dark for everything inside, and the same ground for the page around it. */
export function AppearanceProvider({ children }: { children: ReactNode }) {
  const { isDark } = useAppearance();
  const isPhone = useIsPhone();
  const tokens = useMemo(
    () => ({ ...antdTheme(isDark, isStillPreferred(), isPhone), algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm }),
    [isDark, isPhone],
  );
  useEffect(() => {
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  }, [isDark]);
  return (
    <ConfigProvider theme={tokens} button={oneWord}>
      {children}
    </ConfigProvider>
  );
}

// Toasts and dialogs opened outside React stand on the same ground and run in the same direction.
ConfigProvider.config({
  holderRender: (children) => (
    <AppearanceProvider>
      <ConfigProvider direction={currentDirection()}>{children}</ConfigProvider>
    </AppearanceProvider>
  ),
});
