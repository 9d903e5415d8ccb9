import { QRCode } from 'antd';
import { light } from '../../../config/theme';

export default function Squares({ code }: { code: string }) {
  return <QRCode type="svg" value={code} size={208} color={light.ink} bgColor={light.card} bordered={false} />;
}
