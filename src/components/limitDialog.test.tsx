import '@/global';
import { createPluginManager } from '@@/core/plugin';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createHistory, history } from '@umijs/max';
import { Modal } from 'antd';
import { answerCalls, refusal } from '@/testing/gateway';
import { call } from '@/utils/request';

const workshops = '/main/myLab/workshop';
const running = `${workshops}?state=RUNNING`;
const account = '/main/personalCenter/costCenter/account';
const packages = '/main/personalCenter/costCenter/membership';
const realName = '/main/personalCenter/accountSettings?tab=realName';

beforeAll(() => {
  createPluginManager();
  createHistory({ type: 'memory' });
});
afterEach(() => act(() => Modal.destroyAll()));

const start = () => call('POST /gateway/workshop/start', { body: { workshopId: 'w1' } }, { idempotencyKey: 'key-of-the-form' });

describe('a limit', () => {
  it.each([
    [25100, { largestFit: null }, 'More CPU than your level allows', 'See packages', packages],
    [25106, { neededLevel: 1 }, 'More CPU than your level allows', 'See packages', packages],
    [25106, { neededLevel: 1 }, 'More CPU than your level allows', 'See my workshops', workshops],
    [25101, { limit: 1 }, 'As many labs as your level runs at once', 'See what is running', running],
    [25101, { limit: 1 }, 'As many labs as your level runs at once', 'See packages', packages],
    [25102, { limit: 5 }, 'Your files take more room than your level has', 'See my workshops', workshops],
    [25102, { limit: 5 }, 'Your files take more room than your level has', 'See packages', packages],
    [25105, { cause: 'BALANCE', missingDcu: 0.05 }, 'Not enough DCU to start', 'Top up', `${account}?topUp=1`],
    [25105, { cause: 'RATE_CEILING' }, 'More DCU per hour than your level allows', 'See packages', packages],
    [25105, { cause: 'RATE_CEILING' }, 'More DCU per hour than your level allows', 'See what is running', running],
    [25105, null, 'Not enough DCU to start', 'See my account', account],
    [25107, { cause: 'CUSTOM_PACKAGE' }, 'A verified real name is needed', 'Verify my real name', realName],
  ])('%d with %j opens “%s” in the gateway’s words, and “%s” goes where it says', async (code, data, title, way, path) => {
    history.push('/main/myLab/workshop/detail/w1');
    answerCalls(() => refusal(code, 'The words of the gateway.', { data }));

    await act(() => expect(start()).rejects.toMatchObject({ code }));

    const dialog = await screen.findByRole('dialog', { name: title });
    expect(dialog).toHaveTextContent('The words of the gateway.');
    await userEvent.click(screen.getByRole('button', { name: way }));
    expect(`${history.location.pathname}${history.location.search}`).toBe(path);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('speaks Chinese to who chose it', async () => {
    window.localStorage.setItem('umi_locale', 'zh-CN');
    answerCalls(() => refusal(25105, '余额不足。', { data: { cause: 'BALANCE' } }));

    await act(() => expect(start()).rejects.toMatchObject({ code: 25105 }));

    expect(await screen.findByRole('dialog', { name: 'DCU 不足，无法启动' })).toHaveTextContent('余额不足。');
    await waitFor(() => expect(screen.getByRole('button', { name: '充值' })).toBeVisible());
  });
});
