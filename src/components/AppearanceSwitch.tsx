import { MoonOutlined, SunOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useAppearance } from '@/hooks/useAppearance';
import { useText } from '@/hooks/useText';
import { chooseAppearance } from '@/utils/appearance';

/** Changes between light and dark; the choice is kept. */
export function AppearanceSwitch() {
  const text = useText();
  const { isDark } = useAppearance();
  const label = text(isDark ? 'common.toLight' : 'common.toDark');
  return (
    <Button
      data-track="appearance"
      type="text"
      aria-label={label}
      title={label}
      icon={isDark ? <SunOutlined /> : <MoonOutlined />}
      onClick={() => chooseAppearance(isDark ? 'light' : 'dark')}
    />
  );
}
