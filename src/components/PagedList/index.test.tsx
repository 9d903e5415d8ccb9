import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { textFilter, usePage } from '@/hooks/usePage';
import { renderPage } from '@/testing/renderPage';
import { RowTable } from '../RowTable';
import { PagedList } from './index';
import { ListSkeleton } from './ListSkeleton';

interface Order {
  id: string;
  name: string;
}

const load = jest.fn<Promise<{ list: Order[]; total: number }>, [{ current: number; keyword?: string }]>();
const never = () => new Promise<never>(() => undefined);
const pageOf = (name: string, total = 1) => ({ list: [{ id: name, name }], total });

function Orders() {
  const page = usePage<Order, { keyword: string }>({ load, filters: { keyword: textFilter(40) } });
  return (
    <PagedList
      page={page}
      heading="Orders"
      filters={
        <button type="button" onClick={() => page.setFilters({ keyword: 'late' })}>
          only late ones
        </button>
      }
      skeleton={<ListSkeleton shape="rows" />}
      empty={{ drawing: 'ledger', words: 'Your first order will stand here.', action: <a href="/shop">Choose a package</a> }}
      totalWords={`${page.total} in all`}
    >
      {(orders) => (
        <RowTable
          label="Orders"
          rows={orders}
          idOf={({ id }) => id}
          columns={[
            { key: 'name', title: 'Name', cell: ({ name }) => name },
            { key: 'id', title: 'Number', cell: ({ id }) => `no. ${id}` },
          ]}
          minWidth={400}
        />
      )}
    </PagedList>
  );
}

const show = (at = '/orders') => renderPage(<Orders />, { at, route: '/orders' });
const press = (name: string) => userEvent.setup().click(screen.getByRole('button', { name }));
const place = () => screen.getByTestId('place').textContent;

/** What the window answers to every question about its width. */
function setPhone(isPhone: boolean) {
  const { matchMedia } = window;
  window.matchMedia = (media) => Object.assign(matchMedia(media), { matches: isPhone && media.includes('max-width: 767px') });
}

beforeEach(() => load.mockReset());

describe('a list', () => {
  it('shows the shape of what comes while it first loads', async () => {
    load.mockImplementation(never);
    show();

    expect(await screen.findByRole('status', { name: 'Loading' })).toBeInTheDocument();
  });

  it('shows its rows with how many there are in all', async () => {
    load.mockResolvedValue(pageOf('first'));
    show();

    expect(await screen.findByRole('row', { name: 'first no. first' })).toBeInTheDocument();
    expect(screen.getByText('1 in all')).toBeInTheDocument();
    expect(screen.queryByRole('navigation', { name: 'Pages' })).not.toBeInTheDocument();
  });

  it('keeps the old rows, dimmed, while another page loads', async () => {
    load.mockResolvedValueOnce(pageOf('first', 25)).mockImplementation(never);
    show();
    const row = await screen.findByRole('row', { name: /first/ });

    const pages = await screen.findByRole('navigation', { name: 'Pages' });
    await userEvent.setup().click(within(pages).getByRole('listitem', { name: '2' }));

    expect(place()).toBe('/orders?current=2');
    expect(row).toBeInTheDocument();
    expect(row.closest('[data-stale="true"]')).toHaveAttribute('aria-busy', 'true');
  });

  it('says what to do next when there is nothing, and hides filters that have nothing to filter', async () => {
    load.mockResolvedValue({ list: [], total: 0 });
    show();

    expect(await screen.findByText('Your first order will stand here.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Choose a package' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'only late ones' })).not.toBeInTheDocument();
  });

  it('offers to clear filters that leave nothing', async () => {
    load.mockResolvedValueOnce({ list: [], total: 0 }).mockResolvedValue(pageOf('first'));
    show('/orders?keyword=late');
    await screen.findByText('Nothing matches');

    await press('Clear filters');

    expect(await screen.findByRole('row', { name: /first/ })).toBeInTheDocument();
    expect(place()).toBe('/orders');
  });

  it('says what went wrong and tries again on request', async () => {
    load.mockRejectedValueOnce(new Error('down')).mockResolvedValue(pageOf('first'));
    show();
    await screen.findByRole('alert');

    await press('Try again');

    expect(await screen.findByRole('row', { name: /first/ })).toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('keeps the old rows when a later look fails, and says that they are old', async () => {
    load.mockResolvedValueOnce(pageOf('first')).mockRejectedValueOnce(new Error('It rests.')).mockResolvedValue(pageOf('late'));
    show();
    await screen.findByRole('row', { name: /first/ });

    await press('only late ones');

    expect(await screen.findByText(/could not be refreshed.*It rests\./)).toBeInTheDocument();
    expect(screen.getByRole('row', { name: /first/ })).toBeInTheDocument();
    await press('Try again');
    expect(await screen.findByRole('row', { name: /late/ })).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText(/could not be refreshed/)).not.toBeInTheDocument());
  });

  it('shows cards on a phone: the first column as the heading, the others with their names', async () => {
    const { matchMedia } = window;
    setPhone(true);
    load.mockResolvedValue(pageOf('first'));
    show();

    const card = within(await screen.findByRole('list', { name: 'Orders' })).getByRole('listitem');
    window.matchMedia = matchMedia;

    expect(card).toHaveTextContent('firstNumberno. first');
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
  });
});
