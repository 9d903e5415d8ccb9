import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation, useNavigate } from 'react-router-dom';
import { textFilter, usePage, wordFilter } from './usePage';

const states = ['RUNNING', 'STOPPED'] as const;
type State = (typeof states)[number];

const load = jest.fn(async (query: { current: number; keyword?: string }) => ({
  list: [`row of page ${query.current}${query.keyword ? ` with ${query.keyword}` : ''}`],
  total: 35,
}));

function List() {
  const page = usePage<string, { keyword: string; state: State }, 'name' | 'createdAt'>({
    load,
    filters: { keyword: textFilter(40), state: wordFilter(states) },
    sortFields: ['name', 'createdAt'],
  });
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  return (
    <>
      <output aria-label="place">{`${pathname}${search}`}</output>
      <ul aria-label="rows">{page.rows.join()}</ul>
      <button type="button" onClick={() => page.setPage(3)}>
        third page
      </button>
      <button type="button" onClick={() => page.setFilters({ keyword: 'graph', state: 'RUNNING' })}>
        filter
      </button>
      <button type="button" onClick={() => page.setSort('name', 'ascend')}>
        sort
      </button>
      <button type="button" onClick={page.clearFilters}>
        clear
      </button>
      <button type="button" onClick={() => navigate(-1)}>
        back
      </button>
    </>
  );
}

function show(at: string) {
  load.mockClear();
  render(
    <MemoryRouter initialEntries={[at]}>
      <List />
    </MemoryRouter>,
  );
}
const press = (name: string) => userEvent.setup().click(screen.getByRole('button', { name }));
const place = () => screen.getByLabelText('place').textContent;

describe('usePage', () => {
  it('asks for the page, filters and order that the URL names', async () => {
    show('/list?current=2&keyword=graph&state=STOPPED&sortField=name&sortOrder=ascend');

    await screen.findByText('row of page 2 with graph');

    expect(load).toHaveBeenCalledWith({
      current: 2,
      pageSize: 10,
      keyword: 'graph',
      state: 'STOPPED',
      sortField: 'name',
      sortOrder: 'ascend',
    });
  });

  it('asks for the first ten rows where the URL names nothing usable', async () => {
    show('/list?current=-4&pageSize=9999&state=FLYING&sortField=password');

    await screen.findByText('row of page 1');

    expect(load).toHaveBeenCalledWith({ current: 1, pageSize: 10 });
  });

  it('writes a page into the URL, and Back leads to the page before', async () => {
    show('/list');
    await screen.findByText('row of page 1');

    await press('third page');
    await screen.findByText('row of page 3');
    expect(place()).toBe('/list?current=3');

    await press('back');
    await screen.findByText('row of page 1');
    expect(place()).toBe('/list');
  });

  it('returns to the first page when filters or order change, and leaves foreign parts of the URL alone', async () => {
    show('/list?current=3&view=table');
    await screen.findByText('row of page 3');

    await press('filter');
    await screen.findByText('row of page 1 with graph');
    await press('sort');

    expect(place()).toBe('/list?view=table&keyword=graph&state=RUNNING&sortField=name&sortOrder=ascend');
    await press('clear');
    expect(place()).toBe('/list?view=table&sortField=name&sortOrder=ascend');
  });

  it('keeps the old rows while new ones load', async () => {
    show('/list');
    await screen.findByText('row of page 1');
    let answer: (page: { list: string[]; total: number }) => void = () => undefined;
    load.mockImplementationOnce(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );

    await press('third page');
    expect(screen.getByText('row of page 1')).toBeInTheDocument();

    await act(async () => answer({ list: ['row of page 3'], total: 35 }));
    expect(screen.getByText('row of page 3')).toBeInTheDocument();
  });

  it('moves to the last page that has rows when its own became empty', async () => {
    load.mockImplementation(async ({ current }) => ({ list: current > 2 ? [] : [`row of page ${current}`], total: 12 }));
    show('/list?current=3');

    await screen.findByText('row of page 2');

    await waitFor(() => expect(place()).toBe('/list?current=2'));
  });
});
